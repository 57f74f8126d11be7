"""Rules of medication safety with further findings: at each limit on both sides, each finding taken away once."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from courses import AS_OF, HOUR, Course, Facts, Lab, Order, moved, write
from medication_courses import COURSES, EARLIER, ORDERS

from state.base import Language
from state.findings import GivenFinding
from state.gold import Decision
from state.knowledge import Rule, RuleMatch
from state.session import Scenario
from tools.clinical.rules import load_rules
from tools.clinical.scan import scan
from tools.ehr.warehouse import Warehouse
from tools.vocabulary import Vocabulary

ALL = load_rules(Scenario.MED_SAFETY)
RULES = [rule for rule in ALL if rule.trigger.also]
BY_ID: dict[str, Rule] = {rule.id: rule for rule in ALL}
ITSELF = "Observation", "MedicationRequest"
TYPES = {"condition": "Condition", "given": "MedicationAdministration", "order": "MedicationRequest"}


@dataclass(frozen=True)
class Case:
    """One patient of one rule: the key result, the facts with the order, and whether the rule is to match."""

    rule_id: str
    variant: str
    value: float
    facts: Facts
    matches: bool
    age: int

    def __str__(self) -> str:
        return f"{self.rule_id}-{self.variant}"


def cases(rule: Rule, course: Course) -> Iterator[Case]:
    ordered = ORDERS[rule.id]
    first = course.holds[0]

    def before(value: float, rise: float) -> Facts:
        return (Lab(24, "creatinine", round(value - rise, 2)),) if rule.id in EARLIER else ()

    def case(
        variant: str,
        matches: bool,
        value: float = first,
        order: Facts = (ordered,),
        rise: float = 0.1,
        age: int = course.anchor_age,
        **changed: Facts,
    ) -> Case:
        facts = (*order, *before(value, rise), *course.chart(**changed))
        return Case(rule.id, variant, value, facts, matches, age)

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
    for rise, matches in EARLIER.get(rule.id, ()):
        yield case(f"moved_by_{rise:g}", matches, rise=rise)
    for finding in rule.trigger.also:
        if isinstance(finding, GivenFinding):
            oldest = AS_OF - finding.within_hours * HOUR
            facts = course.facts[finding.name]
            yield case(f"{finding.name}_oldest", True, **{finding.name: moved(facts, oldest)})
            yield case(f"{finding.name}_too_old", False, **{finding.name: moved(facts, oldest - HOUR / 60)})
    yield case("without_order", False, order=())
    yield case("order_stopped", False, order=(replace(ordered, stopped=True),))
    yield case("other_drug", False, order=(Order(20, "Acetaminophen", "650"),))
    if rule.trigger.age_at_least is not None:
        yield case("younger", False, age=course.anchor_age - 1)
    if (dose := rule.trigger.order and rule.trigger.order.dose_at_least) is not None:
        yield case("lower_dose", False, order=(replace(ordered, dose=f"{dose / 2:g}"),))


CASES = [case for rule in RULES for case in cases(rule, COURSES[rule.id])]


@pytest.fixture(scope="module")
def scanned(new_ward: Any, vocabulary: Vocabulary, tmp_path_factory: Any) -> dict[str, list[RuleMatch]]:
    """Scan one warehouse with the patients of all cases; give each case's matches of its own rule."""
    ward = new_ward(vocabulary)
    subjects = {}
    for case in CASES:
        key = Lab(0, BY_ID[case.rule_id].trigger.lab.analyte, case.value)
        subjects[str(case)] = write(ward, key, case.facts, case.age)
    found = ward.scan(tmp_path_factory.mktemp("courses") / "courses.duckdb", ALL)
    of_subject: dict[tuple[str, int], list[RuleMatch]] = {}
    for match in found:
        if match.as_of == AS_OF and not match.control:
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
def test_every_finding_has_a_course_and_every_limit_both_sides(rule: Rule):
    course = COURSES[rule.id]
    present = {finding.name for finding in rule.trigger.also if not finding.absent}
    absent = {finding.name for finding in rule.trigger.also if finding.absent}
    assert (set(course.facts) | set(course.resting), set(course.breaks)) == (present, absent)
    for name in present - set(course.resting):
        tried = {True} | {holds for edge, _, holds in course.edges if edge == name}
        assert tried == {True, False}, name


def test_there_are_enough_rules_of_each_tier_and_of_going_on():
    tiers = Counter(rule.tier for rule in ALL)
    decisions = Counter(rule.decision for rule in ALL)
    assert len(ALL) >= 40
    assert min(tiers[tier] for tier in (1, 2, 3)) >= 8
    assert decisions[Decision.CONTINUE] + sum(rule.control is not None for rule in ALL) >= len(ALL) / 5


@pytest.mark.parametrize("rule", [rule for rule in ALL if rule.tier == 3], ids=lambda rule: rule.id)
def test_tier_three_joins_three_resource_types(rule: Rule):
    found = {TYPES.get(finding.kind, "Observation") for finding in rule.trigger.also if not finding.absent}
    assert len(found | set(ITSELF)) >= 3


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.id)
@pytest.mark.parametrize("language", Language)
def test_words_give_nothing_away(rule: Rule, language: Language, vocabulary: Vocabulary):
    wording = rule.wording[language]
    for text in (*(f.ask[language] for f in rule.trigger.also if f.ask), wording.bearing, wording.drug or ""):
        assert vocabulary.ingredients_in(text) == (), text
    named = {analyte.id for analyte in vocabulary.analytes_in(wording.bearing)}
    assert rule.trigger.lab.analyte not in named


def test_a_hold_with_further_findings_leaves_other_moments_alone(
    new_ward: Any, vocabulary: Vocabulary, tmp_path: Path
):
    """A potassium of 5.2 on losartan is accepted; beside an ACE inhibitor, in diabetes, losartan is held."""
    ward = new_ward(vocabulary)
    course, order = COURSES["arb_beside_ace_inhibitor"], ORDERS["arb_beside_ace_inhibitor"]
    key = Lab(0, "potassium", 5.2)
    alone = write(ward, key, (order, *course.facts["diabetes"]))
    both = write(ward, key, (order, *course.chart()))
    found = ward.scan(tmp_path / "w.duckdb", ALL)
    losartan = [m for m in found if {o.ingredient for o in m.orders} & {"losartan"}]
    assert {(m.subject_id, m.rule_id, m.control) for m in losartan} == {
        (alone, "ras_inhibitor_hyperkalemia", True),
        (both, "arb_beside_ace_inhibitor", False),
    }


def test_the_synthetic_cohort_carries_every_new_rule(synthetic_warehouse: Path, vocabulary: Vocabulary):
    with Warehouse.open(synthetic_warehouse) as warehouse:
        found = {match.rule_id for match in scan(warehouse, ALL, vocabulary)}
    assert found == {rule.id for rule in ALL}
