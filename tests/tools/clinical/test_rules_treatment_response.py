"""Every rule of treatment response through the scan: at each limit on both sides, each finding taken away once."""

import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import treatment_blood
import treatment_chemistry
import treatment_infections
from course_cases import Case, cases, limited, looser
from courses import AS_OF, Dose, Grown, Lab, write

from state.base import Language
from state.findings import LIMITS, GivenFinding, LabFinding, OrderFinding
from state.knowledge import Rule, RuleMatch
from state.session import Scenario
from tools.clinical.judgements import load_judgements
from tools.clinical.rules import load_rules
from tools.clinical.scan import lacking, scan
from tools.ehr.warehouse import Warehouse
from tools.grading.names import spans
from tools.vocabulary import Vocabulary

RULES = load_rules(Scenario.TREATMENT_RESPONSE)
BY_ID: dict[str, Rule] = {rule.id: rule for rule in RULES}
COURSES = {**treatment_infections.COURSES, **treatment_chemistry.COURSES, **treatment_blood.COURSES}
STEPS = {"glucose": 1.0, "sodium": 1.0, "sodium_urine": 1.0, "neutrophils_absolute": 0.01}
QUESTIONS = {rule.judgement.question for rule in RULES if rule.judgement is not None}
GOING_ON = {"keep", "enough", "none", "go_on", "right", "not_yet"}
TYPES = {"condition": "Condition", "given": "MedicationAdministration"}


CASES = [case for rule in RULES for case in cases(rule, COURSES[rule.id])]


@pytest.fixture(scope="module")
def scanned(new_ward: Any, vocabulary: Vocabulary, tmp_path_factory: Any) -> dict[str, list[RuleMatch]]:
    """Scan one warehouse with the patients of all cases; give each case's matches of its own rule."""
    ward = new_ward(vocabulary)
    subjects = {}
    for case in CASES:
        key = Lab(0, BY_ID[case.rule_id].trigger.lab.analyte, case.value)
        subjects[str(case)] = write(ward, key, case.facts, COURSES[case.rule_id].anchor_age)
    found = ward.scan(tmp_path_factory.mktemp("courses") / "courses.duckdb", RULES)
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
        assert {bound.name for bound in match.also} == {
            finding.name for finding in BY_ID[case.rule_id].trigger.also
        }
        assert all(bound.refs for bound in match.also if not bound.absent)


def test_cases_are_told_apart():
    assert len({str(case) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_limit_is_tried_on_both_sides(rule: Rule):
    """The key result within a step of each bound, the other findings by an edge that holds and one that does not."""
    course, lab = COURSES[rule.id], rule.trigger.lab
    step = STEPS.get(lab.analyte, 0.1) + 1e-9
    out_of_reach = rule.id == "sodium_rise_on_target"  # its rise ends before the bound
    for bound in [getattr(lab, name) for name in LIMITS if getattr(lab, name) is not None]:
        assert out_of_reach or min(abs(value - bound) for value in course.holds) <= step
        assert min(abs(value - bound) for value in course.short) <= step
    present = {finding.name for finding in rule.trigger.also if not finding.absent}
    absent = {finding.name for finding in rule.trigger.also if finding.absent}
    assert (set(course.facts) | set(course.resting), set(course.breaks)) == (present, absent)
    for finding in rule.trigger.also:
        tried = {holds for name, _, holds in course.edges if name == finding.name}
        if limited(finding, rule):
            assert tried | ({not finding.absent} if finding.name in present else {False}) == {True, False}


def test_there_are_enough_rules_of_each_tier():
    tiers = Counter(rule.tier for rule in RULES)
    assert len(RULES) >= 25
    assert tiers[1] >= 8
    assert tiers[2] >= 8
    assert tiers[3] >= 6


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.tier == 3], ids=lambda rule: rule.id)
def test_tier_three_joins_three_resource_types(rule: Rule):
    found = {TYPES.get(finding.kind, "Observation") for finding in rule.trigger.also if not finding.absent}
    assert found | {"Observation"} == {"Observation", "MedicationAdministration", "Condition"}


def test_going_on_is_right_often_and_no_question_has_one_answer_only():
    answers = {question: set() for question in QUESTIONS}
    for rule in RULES:
        assert rule.judgement is not None
        answers[rule.judgement.question].add(rule.judgement.answer)
    assert sum(rule.judgement.answer in GOING_ON for rule in RULES) >= len(RULES) / 5
    assert all(len(right) >= 2 for right in answers.values()), answers


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_rests_on_what_was_given_never_on_orders(rule: Rule):
    assert rule.trigger.order is None
    assert not any(isinstance(finding, OrderFinding) for finding in rule.trigger.also)
    assert any(isinstance(finding, GivenFinding) and not finding.absent for finding in rule.trigger.also)


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


def test_the_demo_has_matches_of_most_rules_and_no_contradictions(
    demo_warehouse: Path, vocabulary: Vocabulary
):
    """Time is taken of the processor, which other work on the machine does not lengthen."""
    with Warehouse.open(demo_warehouse) as warehouse:
        possible = [rule for rule in RULES if not lacking(warehouse, rule)]
        begun = time.process_time()
        found = scan(warehouse, RULES, vocabulary)
        seconds = time.process_time() - begun
    print(f"{len(RULES)} rules, {len(found)} matches, {seconds:.1f} s of processor time")
    assert len({match.rule_id for match in found}) >= len(RULES) / 2
    assert len(possible) >= len(RULES) - 3
    assert seconds < 10
    answers: dict[tuple[object, ...], set[str]] = {}
    for match in found:
        judgement = BY_ID[match.rule_id].judgement
        assert judgement is not None
        key = (match.hadm_id, match.as_of, judgement.question)
        answers.setdefault(key, set()).add(judgement.answer)
    assert all(len(right) == 1 for right in answers.values())


def test_the_synthetic_cohort_has_stays_of_every_rule_and_near_misses(
    synthetic_warehouse: Path, vocabulary: Vocabulary
):
    """A near miss is a moment at which all holds but one thing; no rule holds before its first match."""
    loose = [other for rule in RULES for other in looser(rule)]
    with Warehouse.open(synthetic_warehouse) as warehouse:
        found = {(m.rule_id, m.hadm_id, m.as_of) for m in scan(warehouse, RULES, vocabulary)}
        nearly = {(m.rule_id, m.hadm_id, m.as_of) for m in scan(warehouse, loose, vocabulary)} - found
    rule_ids = {rule.id for rule in RULES}
    assert {rule_id for rule_id, _, _ in found} == rule_ids
    assert {rule_id for rule_id, _, _ in nearly} == rule_ids


def test_facts_that_courses_are_made_of_are_used():
    kinds = {type(fact) for case in CASES for fact in case.facts}
    assert {Dose, Grown, Lab} <= kinds
