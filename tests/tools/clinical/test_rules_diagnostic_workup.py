"""Every rule of the diagnostic work-up through the scan: at each limit on both sides, each finding taken away once."""

from pathlib import Path
from typing import Any

import pytest
import rule_checks
import workup_blood
import workup_chemistry
from course_cases import Case, cases, scan_cases
from courses import DRAWN, HOUR, Lab, put

from state.base import Language
from state.findings import GivenFinding
from state.knowledge import Rule, RuleMatch
from state.session import Scenario
from tools.clinical.rules import load_rules
from tools.vocabulary import Vocabulary

RULES = load_rules(Scenario.DIAGNOSTIC_WORKUP)
BY_ID: dict[str, Rule] = {rule.id: rule for rule in RULES}
COURSES = {**workup_blood.COURSES, **workup_chemistry.COURSES}
STEPS = {
    **dict.fromkeys(("uric_acid", "calcium"), 0.1),
    **dict.fromkeys(("ph_blood", "troponin_t"), 0.01),
}
NO_MORE = {"absent", "replete", "glucose_shift", "adequate", "not_met", "apparent", "unlikely", "chronic"}
CASES = [case for rule in RULES for case in cases(rule, COURSES[rule.id])]


@pytest.fixture(scope="module")
def scanned(new_ward: Any, vocabulary: Vocabulary, tmp_path_factory: Any) -> dict[str, list[RuleMatch]]:
    return scan_cases(new_ward(vocabulary), tmp_path_factory.mktemp("scan") / "w.duckdb", RULES, CASES)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_matches_only_where_it_holds(case: Case, scanned: dict[str, list[RuleMatch]]):
    rule_checks.matches_only_where_it_holds(BY_ID[case.rule_id], case, scanned[str(case)])


def test_cases_are_told_apart():
    assert len({str(case) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_limit_is_tried_on_both_sides(rule: Rule):
    course = COURSES[rule.id]
    rule_checks.key_is_tried_at_its_limits(rule, course, STEPS.get(rule.trigger.lab.analyte, 1.0))
    of_order = ("order", "baseline") if rule.trigger.order is not None else ()
    rule_checks.every_finding_has_facts(rule, course, of_order)
    rule_checks.findings_are_tried_at_their_limits(rule, course)


def test_there_are_enough_rules_of_each_tier():
    rule_checks.there_are_enough_of_each_tier(RULES)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.tier == 3], ids=lambda rule: rule.id)
def test_tier_three_joins_three_resource_types(rule: Rule):
    assert rule_checks.resource_types(rule) == {"Observation", "MedicationRequest", "Condition"}


def test_no_more_is_right_often_and_no_question_has_one_answer_only():
    rule_checks.questions_stay_open(RULES, NO_MORE)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_rests_on_no_administration_and_asks_for_a_service(rule: Rule):
    assert not any(isinstance(finding, GivenFinding) for finding in rule.trigger.also)
    assert rule.action.tool == "ServiceRequest.create"
    assert set(rule.action.words) == set(Language)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
@pytest.mark.parametrize("language", Language)
def test_words_of_both_languages_give_nothing_away(rule: Rule, language: Language, vocabulary: Vocabulary):
    rule_checks.words_give_nothing_away(rule, language, vocabulary)


@pytest.mark.parametrize(("before", "matches"), [(0.01, True), (0.02, False)])
def test_a_marker_that_rises_by_one_step_of_the_assay_has_not_risen(
    before: float, matches: bool, new_ward: Any, vocabulary: Vocabulary, tmp_path: Path
):
    ward = new_ward(vocabulary)
    subject = ward.patient()
    hadm = ward.admission(subject)
    for hours, value in ((6, before), (0, 0.03)):
        drawn = DRAWN - hours * HOUR
        ward.lab(subject, hadm, "troponin_t", value, drawn=drawn, stored=drawn + HOUR, upper=0.01)
    assert bool(ward.scan(tmp_path / "w.duckdb", [BY_ID["troponin_rising_acute"]])) is matches


@pytest.mark.parametrize(("value", "matches"), [(1000.0, True), (800.0, True), (799.0, False)])
def test_a_muscle_enzyme_that_has_fallen_by_more_than_a_fifth_is_not_measured_again(
    value: float, matches: bool, ward, stay, tmp_path: Path
):
    for hours, ck in ((12, 1000.0), (0, value)):
        put(ward, *stay, Lab(hours, "ck", ck, (40.0, 500.0)))
    found = ward.scan(tmp_path / "w.duckdb", [BY_ID["creatine_kinase_raised_below_1000"]])
    assert bool(found) is matches


def test_the_demo_has_matches_of_many_rules_and_no_contradictions(
    demo_warehouse: Path, vocabulary: Vocabulary
):
    found = rule_checks.demo_has_matches(demo_warehouse, RULES, vocabulary, share=0.4)
    rule_checks.no_question_has_two_answers(found, RULES)


def test_the_synthetic_cohort_has_stays_of_every_rule_and_near_misses(
    synthetic_warehouse: Path, vocabulary: Vocabulary
):
    found = rule_checks.cohort_has_every_rule(synthetic_warehouse, RULES, vocabulary)
    rule_checks.cohort_has_near_misses(synthetic_warehouse, RULES, vocabulary, found)
    rule_checks.no_question_has_two_answers(found, RULES)
