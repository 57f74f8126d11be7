"""Every rule of treatment response through the scan: at each limit on both sides, each finding taken away once."""

from pathlib import Path
from typing import Any

import pytest
import rule_checks
import treatment_blood
import treatment_chemistry
import treatment_infections
from course_cases import Case, cases, scan_cases
from courses import Dose, Grown, Lab

from state.base import Language
from state.findings import GivenFinding, OrderFinding
from state.knowledge import Rule, RuleMatch
from state.session import Scenario
from tools.clinical.rules import load_rules
from tools.vocabulary import Vocabulary

RULES = load_rules(Scenario.TREATMENT_RESPONSE)
BY_ID: dict[str, Rule] = {rule.id: rule for rule in RULES}
COURSES = {**treatment_infections.COURSES, **treatment_chemistry.COURSES, **treatment_blood.COURSES}
STEPS = {"glucose": 1.0, "sodium": 1.0, "sodium_urine": 1.0, "neutrophils_absolute": 0.01}
GOING_ON = {"keep", "enough", "none", "go_on", "right", "not_yet"}
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
    course, step = COURSES[rule.id], STEPS.get(rule.trigger.lab.analyte, 0.1)
    held = rule.id != "sodium_rise_on_target"  # its rise ends before the bound
    rule_checks.key_is_tried_at_its_limits(rule, course, step, held=held)
    rule_checks.every_finding_has_facts(rule, course)
    rule_checks.findings_are_tried_at_their_limits(rule, course)


def test_there_are_enough_rules_of_each_tier():
    rule_checks.there_are_enough_of_each_tier(RULES)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.tier == 3], ids=lambda rule: rule.id)
def test_tier_three_joins_three_resource_types(rule: Rule):
    assert rule_checks.resource_types(rule) == {"Observation", "MedicationAdministration", "Condition"}


def test_going_on_is_right_often_and_no_question_has_one_answer_only():
    rule_checks.questions_stay_open(RULES, GOING_ON)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_rests_on_what_was_given_never_on_orders(rule: Rule):
    assert rule.trigger.order is None
    assert not any(isinstance(finding, OrderFinding) for finding in rule.trigger.also)
    assert any(isinstance(finding, GivenFinding) and not finding.absent for finding in rule.trigger.also)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
@pytest.mark.parametrize("language", Language)
def test_words_of_both_languages_give_nothing_away(rule: Rule, language: Language, vocabulary: Vocabulary):
    rule_checks.words_give_nothing_away(rule, language, vocabulary)


def test_the_demo_has_matches_of_many_rules_and_no_contradictions(
    demo_warehouse: Path, vocabulary: Vocabulary
):
    found = rule_checks.demo_has_matches(demo_warehouse, RULES, vocabulary, without_tables=3, share=0.3)
    rule_checks.no_question_has_two_answers(found, RULES)


def test_the_synthetic_cohort_has_stays_of_every_rule_and_near_misses(
    synthetic_warehouse: Path, vocabulary: Vocabulary
):
    found = rule_checks.cohort_has_every_rule(synthetic_warehouse, RULES, vocabulary)
    rule_checks.cohort_has_near_misses(synthetic_warehouse, RULES, vocabulary, found)
    rule_checks.no_question_has_two_answers(found, RULES)


def test_facts_that_courses_are_made_of_are_used():
    kinds = {type(fact) for case in CASES for fact in case.facts}
    assert {Dose, Grown, Lab} <= kinds
