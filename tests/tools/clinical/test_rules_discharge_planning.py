"""Every rule of discharge planning through the scan: at each limit on both sides, each finding taken away once."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import discharge_follow_up
import discharge_home
import pytest
import rule_checks
from course_cases import MINUTE, Case, cases, scan_cases
from courses import AS_OF, HOUR, Course, Facts, Home, Lab

from state.base import Language
from state.findings import HomeFinding
from state.knowledge import Rule, RuleMatch
from state.session import Scenario
from tools.clinical.rules import load_rules
from tools.vocabulary import Vocabulary

RULES = load_rules(Scenario.DISCHARGE_PLANNING)
BY_ID: dict[str, Rule] = {rule.id: rule for rule in RULES}
COURSES = {**discharge_home.COURSES, **discharge_follow_up.COURSES}
A_LIST: Facts = (Home(0, "multivitamin"),)
STEPS = {"sodium": 1.0, "ferritin": 1.0, "vitamin_b12_level": 1.0, "creatinine": 0.01, "alt": 1.0}
IMPLIED = {"kidney_injury_check_needed", "home_anticoagulant_fibrillation_resume"}
KIDNEYS = (
    ("rises", 1.0, 1.5, False),
    ("falls", 1.5, 1.0, False),
    ("falls_less", 1.49, 1.0, True),
    ("is_steady", 1.0, 1.2, True),
)
"""Creatinine twice in the week before, and whether a home drug may be resumed: no KDIGO rise, nor a fall as steep."""
GOING_ON = {"resume", "routine", "as_before", "primary_care", "none"}


def discharge_cases(rule: Rule, course: Course) -> Iterator[Case]:
    """Give every patient a home list and the latest discharge that the rule allows; then take away either."""
    hours = rule.trigger.before_discharge_hours
    assert hours is not None
    ending = AS_OF + hours * HOUR
    first, *others = (replace(case, discharged=ending) for case in cases(rule, course))
    listed = [replace(case, facts=(*case.facts, *A_LIST)) for case in (first, *others)]
    yield from listed
    yield replace(listed[0], variant="discharged_a_minute_later", matches=False, discharged=ending + MINUTE)
    if rule.judgement is not None and rule.judgement.answer == "resume" and not _has_creatinine(first):
        for variant, before, after, matches in KIDNEYS:
            kidney = (Lab(96, "creatinine", before), Lab(90, "creatinine", after))
            facts = (*listed[0].facts, *kidney)
            yield replace(listed[0], variant=f"kidney_{variant}", facts=facts, matches=matches)
    at_home = [finding for finding in rule.trigger.also if isinstance(finding, HomeFinding)]
    if at_home and all(finding.absent for finding in at_home):
        yield replace(first, variant="no_list_taken", matches=False)


def _has_creatinine(case: Case) -> bool:
    return any(isinstance(fact, Lab) and fact.analyte == "creatinine" for fact in (case.key, *case.facts))


CASES = [case for rule in RULES for case in discharge_cases(rule, COURSES[rule.id])]


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
    course, lab = COURSES[rule.id], rule.trigger.lab
    if lab.derived is None:
        held = (
            rule.id not in IMPLIED and lab.analyte != "alt"
        )  # other findings keep the result from the bound
        rule_checks.key_is_tried_at_its_limits(rule, course, STEPS.get(lab.analyte, 0.1), held=held)
    rule_checks.every_finding_has_facts(rule, course)
    rule_checks.findings_are_tried_at_their_limits(rule, course)


def test_there_are_enough_rules_of_each_tier():
    rule_checks.there_are_enough_of_each_tier(RULES)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.tier == 3], ids=lambda rule: rule.id)
def test_tier_three_joins_three_resource_types(rule: Rule):
    assert len(rule_checks.resource_types(rule)) >= 3


def test_going_on_is_right_often_and_no_question_has_one_answer_only():
    rule_checks.questions_stay_open(RULES, GOING_ON, every_answer=False)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
@pytest.mark.parametrize("language", Language)
def test_words_of_both_languages_give_nothing_away(rule: Rule, language: Language, vocabulary: Vocabulary):
    rule_checks.words_give_nothing_away(rule, language, vocabulary)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
@pytest.mark.parametrize("language", Language)
def test_a_request_does_not_name_the_test_it_follows(rule: Rule, language: Language, vocabulary: Vocabulary):
    """A question that leaves the test to the dialogue would name it otherwise."""
    if rule.action.tool == "ServiceRequest.create":
        named = {analyte.id for analyte in vocabulary.analytes_in(rule.action.words[language])}
        assert rule.trigger.lab.analyte not in named


def test_the_demo_has_matches_of_a_quarter_of_the_rules_and_no_contradictions(
    demo_warehouse: Path, vocabulary: Vocabulary
):
    found = rule_checks.demo_has_matches(demo_warehouse, RULES, vocabulary, share=1 / 4)
    rule_checks.no_question_has_two_answers(found, RULES, of_one_matter=True)


def test_the_synthetic_cohort_has_stays_of_every_rule_and_near_misses(
    synthetic_warehouse: Path, vocabulary: Vocabulary
):
    found = rule_checks.cohort_has_every_rule(synthetic_warehouse, RULES, vocabulary)
    rule_checks.cohort_has_near_misses(synthetic_warehouse, RULES, vocabulary, found)
