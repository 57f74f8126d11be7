"""Rules of medication safety with further findings: at each limit on both sides, each finding taken away once."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import rule_checks
from course_cases import Case, cases, scan_cases
from courses import Course, Facts, Lab, Order, write
from medication_courses import COURSES, EARLIER, ORDERS

from state.base import Language
from state.gold import Decision
from state.knowledge import Rule, RuleMatch
from state.session import Scenario
from tools.clinical.rules import load_rules
from tools.vocabulary import Vocabulary

ALL = load_rules(Scenario.MED_SAFETY)
RULES = [rule for rule in ALL if not rule_checks.rests_on_key_alone(rule)]
BY_ID: dict[str, Rule] = {rule.id: rule for rule in ALL}


def order_cases(rule: Rule, course: Course) -> Iterator[Case]:
    """Give every patient the order; then move the earlier result, and take away, stop, change or halve the order."""
    ordered = ORDERS[rule.id]

    def told(case: Case, order: Facts = (ordered,), rise: float = 0.1) -> Case:
        earlier = (Lab(24, "creatinine", round(case.key.value - rise, 2)),) if rule.id in EARLIER else ()
        return replace(case, facts=(*order, *earlier, *case.facts))

    made = list(cases(rule, course))
    yield from (told(case) for case in made)
    for rise, matches in EARLIER.get(rule.id, ()):
        yield told(replace(made[0], variant=f"moved_by_{rise:g}", matches=matches), rise=rise)
    for hours in (40, 12) if rule.id.endswith("small_creatinine_rise_continue") else ():
        peak = (*made[0].facts, Lab(hours, "creatinine", round(made[0].key.value + 0.4, 2)))
        yield told(replace(made[0], variant=f"higher_{hours}_hours_before", matches=False, facts=peak))
    orders: dict[str, Facts] = {
        "without_order": (),
        "order_stopped": (replace(ordered, stopped=True),),
        "other_drug": (Order(20, "Acetaminophen", "650"),),
    }
    if (dose := rule.trigger.order and rule.trigger.order.dose_at_least) is not None:
        orders["lower_dose"] = (replace(ordered, dose=f"{dose / 2:g}"),)
    if rule.trigger.order and rule.trigger.order.frequencies:
        orders["once_a_day"] = (replace(ordered, doses_a_day=1),)
        orders["frequency_unknown"] = (replace(ordered, doses_a_day=None),)
    for variant, order in orders.items():
        yield told(replace(made[0], variant=variant, matches=False), order)


CASES = [case for rule in RULES for case in order_cases(rule, COURSES[rule.id])]


@pytest.fixture(scope="module")
def scanned(new_ward: Any, vocabulary: Vocabulary, tmp_path_factory: Any) -> dict[str, list[RuleMatch]]:
    return scan_cases(new_ward(vocabulary), tmp_path_factory.mktemp("scan") / "w.duckdb", ALL, CASES)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_matches_only_where_it_holds(case: Case, scanned: dict[str, list[RuleMatch]]):
    rule_checks.matches_only_where_it_holds(BY_ID[case.rule_id], case, scanned[str(case)])


def test_cases_are_told_apart():
    assert len({str(case) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_finding_has_a_course_and_every_limit_both_sides(rule: Rule):
    course = COURSES[rule.id]
    rule_checks.every_finding_has_facts(rule, course)
    for name in course.facts:
        assert False in {holds for edge, _, holds in course.edges if edge == name}, name


def test_there_are_enough_rules_of_each_tier_and_of_going_on():
    rule_checks.there_are_enough_of_each_tier(ALL, total=40, least=(8, 8, 8))
    decisions = Counter(rule.decision for rule in ALL)
    assert decisions[Decision.CONTINUE] + sum(rule.control is not None for rule in ALL) >= len(ALL) / 5


@pytest.mark.parametrize("rule", [rule for rule in ALL if rule.tier == 3], ids=lambda rule: rule.id)
def test_tier_three_joins_three_resource_types(rule: Rule):
    assert len(rule_checks.resource_types(rule) | {"MedicationRequest"}) >= 3


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.id)
@pytest.mark.parametrize("language", Language)
def test_words_give_nothing_away(rule: Rule, language: Language, vocabulary: Vocabulary):
    wording = rule.wording[language]
    for text in (*(f.ask[language] for f in rule.trigger.also if f.ask), wording.bearing, wording.drug or ""):
        assert not {drug.id for drug in vocabulary.ingredients_in(text)} & rule_checks.secret_drugs(
            rule, vocabulary
        ), text
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


def test_the_synthetic_cohort_has_stays_of_every_rule(synthetic_warehouse: Path, vocabulary: Vocabulary):
    rule_checks.cohort_has_every_rule(synthetic_warehouse, ALL, vocabulary)
