"""Every rule of discharge planning through the scan: at each limit on both sides, each finding taken away once."""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import discharge_follow_up
import discharge_home
import pytest
from courses import AS_OF, Course, Facts, Home, Lab, write

from state.base import Language
from state.findings import LIMITS, FindingBase, HomeFinding, LabFinding
from state.knowledge import Rule, RuleMatch
from state.session import Scenario
from tools.clinical.judgements import load_judgements
from tools.clinical.rules import load_rules
from tools.clinical.scan import lacking, scan
from tools.ehr.warehouse import Warehouse
from tools.grading.names import spans
from tools.vocabulary import Vocabulary

RULES = load_rules(Scenario.DISCHARGE_PLANNING)
BY_ID: dict[str, Rule] = {rule.id: rule for rule in RULES}
COURSES = {**discharge_home.COURSES, **discharge_follow_up.COURSES}
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
A_LIST: Facts = (Home(0, "multivitamin"),)
STEPS = {"sodium": 1.0, "ferritin": 1.0, "vitamin_b12_level": 1.0, "creatinine": 0.01}
QUESTIONS = {rule.judgement.question for rule in RULES if rule.judgement is not None}
GOING_ON = {"resume", "routine", "as_before", "primary_care", "none"}
TYPES = {
    "condition": "Condition",
    "given": "MedicationAdministration",
    "order": "MedicationRequest",
    "home_medication": "MedicationRequest",
}


@dataclass(frozen=True)
class Case:
    """One patient of one rule: the key result, the facts, the discharge, and whether the rule is to match."""

    rule_id: str
    variant: str
    value: float
    facts: Facts
    matches: bool
    discharged: datetime
    gender: str
    anchor_age: int

    def __str__(self) -> str:
        return f"{self.rule_id}-{self.variant}"


def cases(rule: Rule, course: Course) -> Iterator[Case]:
    hours = rule.trigger.before_discharge_hours
    assert hours is not None
    ending = AS_OF + hours * HOUR

    def case(
        variant: str,
        matches: bool,
        value: float = course.holds[0],
        discharged: datetime = ending,
        gender: str = course.gender,
        anchor_age: int = course.anchor_age,
        listed: Facts = A_LIST,
        **changed: Facts,
    ) -> Case:
        facts = (*course.chart(**changed), *listed)
        return Case(rule.id, variant, value, facts, matches, discharged, gender, anchor_age)

    yield case("discharged_a_minute_later", False, discharged=ending + MINUTE)
    for value in course.holds:
        yield case(f"holds_at_{value:g}", True, value)
    for value in course.short:
        yield case(f"short_at_{value:g}", False, value)
    for name in course.facts:
        yield case(f"without_{name}", False, **{name: ()})
    for name, facts in course.breaks.items():
        yield case(f"with_{name}", False, **{name: facts})
    for number, (name, facts, matches) in enumerate(course.edges):
        yield case(f"{name}_{number}", matches, **{name: facts})
    if rule.trigger.sex is not None:
        yield case("other_sex", False, gender="F" if course.gender == "M" else "M")
    if rule.trigger.age_at_least is not None:
        yield case("a_year_younger", False, anchor_age=course.anchor_age - 1)
    at_home = [finding for finding in rule.trigger.also if isinstance(finding, HomeFinding)]
    if at_home and all(finding.absent for finding in at_home):
        yield case("no_list_taken", False, listed=())


CASES = [case for rule in RULES for case in cases(rule, COURSES[rule.id])]


@pytest.fixture(scope="module")
def scanned(new_ward: Any, vocabulary: Vocabulary, tmp_path_factory: Any) -> dict[str, list[RuleMatch]]:
    """Scan one warehouse with the patients of all cases; give each case's matches of its own rule."""
    ward = new_ward(vocabulary)
    subjects = {}
    for case in CASES:
        key = Lab(0, BY_ID[case.rule_id].trigger.lab.analyte, case.value)
        subjects[str(case)] = write(ward, key, case.facts, case.anchor_age, case.gender, case.discharged)
    found = ward.scan(tmp_path_factory.mktemp("discharges") / "discharges.duckdb", RULES)
    of_subject: dict[tuple[str, int], list[RuleMatch]] = {}
    for match in found:
        if match.as_of == AS_OF:
            of_subject.setdefault((match.rule_id, match.subject_id), []).append(match)
    return {str(case): of_subject.get((case.rule_id, subjects[str(case)]), []) for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_matches_only_where_it_holds(case: Case, scanned: dict[str, list[RuleMatch]]):
    found = scanned[str(case)]
    assert len(found) == case.matches
    for match in found:
        assert match.lab.value == case.value
        assert {bound.name for bound in match.also} == {f.name for f in BY_ID[case.rule_id].trigger.also}
        assert all(bound.refs for bound in match.also if not bound.absent)


def test_cases_are_told_apart():
    assert len({str(case) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_limit_is_tried_on_both_sides(rule: Rule):
    course, lab = COURSES[rule.id], rule.trigger.lab
    step = STEPS.get(lab.analyte, 1.0 if lab.analyte == "alt" else 0.1) + 1e-9
    if lab.derived is None:
        implied = {"kidney_injury_check_needed", "home_anticoagulant_fibrillation_resume"}
        fibrosis = lab.analyte == "alt"
        for bound in [getattr(lab, name) for name in LIMITS if getattr(lab, name) is not None]:
            assert rule.id in implied or fibrosis or min(abs(v - bound) for v in course.holds) <= step
            assert min(abs(v - bound) for v in course.short) <= step
    present = {finding.name for finding in rule.trigger.also if not finding.absent}
    absent = {finding.name for finding in rule.trigger.also if finding.absent}
    assert (set(course.facts), set(course.breaks)) == (present, absent)
    for finding in rule.trigger.also:
        tried = {holds for name, _, holds in course.edges if name == finding.name}
        if limited(finding):
            assert tried | {True} == {True, False}, finding.name


def limited(finding: FindingBase) -> bool:
    """Tell whether a finding has limits of its own."""
    if getattr(finding, "change", None) is not None:
        return True
    return any(getattr(finding, name, None) is not None for name in LIMITS)


def test_there_are_enough_rules_of_each_tier():
    tiers = Counter(rule.tier for rule in RULES)
    assert len(RULES) >= 25
    assert tiers[1] >= 8
    assert tiers[2] >= 8
    assert tiers[3] >= 6


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.tier == 3], ids=lambda rule: rule.id)
def test_tier_three_joins_three_resource_types(rule: Rule):
    found = {TYPES.get(finding.kind, "Observation") for finding in rule.trigger.also if not finding.absent}
    assert len(found | {"Observation"}) >= 3


def test_going_on_is_right_often_and_no_question_has_one_answer_only():
    answers: dict[str, set[str]] = {question: set() for question in QUESTIONS}
    for rule in RULES:
        assert rule.judgement is not None
        answers[rule.judgement.question].add(rule.judgement.answer)
    assert sum(rule.judgement.answer in GOING_ON for rule in RULES) >= len(RULES) / 5
    assert all(len(right) >= 2 for right in answers.values()), answers


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
@pytest.mark.parametrize("language", Language)
def test_words_of_both_languages_give_nothing_away(rule: Rule, language: Language, vocabulary: Vocabulary):
    wording = rule.wording[language]
    texts = [wording.about, *(finding.ask[language] for finding in rule.trigger.also)]
    if wording.drug is not None:
        texts.append(wording.drug)
    named = {finding.analyte for finding in rule.trigger.also if isinstance(finding, LabFinding)}
    named.add(rule.trigger.lab.analyte)
    for text in texts:
        assert vocabulary.ingredients_in(text) == (), text
        assert not named & {analyte.id for analyte in vocabulary.analytes_in(text)}, text
    assert (rule.action.tool == "MedicationRequest.create") is (wording.drug is not None)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
@pytest.mark.parametrize("language", Language)
def test_a_request_does_not_name_the_test_it_follows(rule: Rule, language: Language, vocabulary: Vocabulary):
    """A question that leaves the test to the dialogue would name it otherwise."""
    if rule.action.tool == "ServiceRequest.create":
        named = {analyte.id for analyte in vocabulary.analytes_in(rule.action.words[language])}
        assert rule.trigger.lab.analyte not in named


@pytest.mark.parametrize("question_id", sorted(QUESTIONS))
@pytest.mark.parametrize("language", Language)
def test_answers_are_known_by_names_of_their_own(
    question_id: str, language: Language, vocabulary: Vocabulary
):
    question = load_judgements()[question_id]
    for text in (question.ask[language], question.short[language]):
        assert vocabulary.ingredients_in(text) == vocabulary.analytes_in(text) == ()
    for answer_id, answer in question.answers.items():
        assert spans(answer.names[language], answer.say[language])
        for other_id, other in question.answers.items():
            if other_id == answer_id:
                continue
            assert not spans(other.names[language], answer.say[language]), (answer_id, other_id)
            for name in answer.names[language]:
                assert not spans(other.names[language], name), (name, other_id)


def test_the_demo_has_matches_of_half_of_the_rules_and_no_contradictions(
    demo_warehouse: Path, vocabulary: Vocabulary
):
    """Time is taken of the processor, which other work on the machine does not lengthen."""
    with Warehouse.open(demo_warehouse) as warehouse:
        assert not [rule for rule in RULES if lacking(warehouse, rule)]
        begun = time.process_time()
        found = scan(warehouse, RULES, vocabulary)
        seconds = time.process_time() - begun
    print(f"{len(RULES)} rules, {len(found)} matches, {seconds:.1f} s of processor time")
    assert len({match.rule_id for match in found}) >= len(RULES) / 2
    assert seconds < 10
    answers: dict[tuple[object, ...], set[str]] = {}
    for match in found:
        rule = BY_ID[match.rule_id]
        assert rule.judgement is not None
        key = (match.hadm_id, match.as_of, rule.judgement.question, rule.wording[Language.EN].about)
        answers.setdefault(key, set()).add(rule.judgement.answer)
    assert all(len(right) == 1 for right in answers.values())


def test_the_synthetic_cohort_has_stays_of_every_rule(synthetic_warehouse: Path, vocabulary: Vocabulary):
    with Warehouse.open(synthetic_warehouse) as warehouse:
        found = {match.rule_id for match in scan(warehouse, RULES, vocabulary)}
    assert found == {rule.id for rule in RULES}
