"""Every rule through the whole scan: at its threshold, a step short of it, and with each other condition missing."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
import rule_checks

from state.knowledge import LabCondition, Rule, RuleMatch
from state.session import Scenario
from tools.clinical.egfr import egfr_ckd_epi_2021
from tools.clinical.rules import load_rules

RULES = [rule for rule in load_rules(Scenario.MED_SAFETY) if rule_checks.rests_on_key_alone(rule)]
ADMITTED = datetime(2150, 1, 1, 12)
DRAWN = datetime(2150, 1, 10, 6)
STORED = datetime(2150, 1, 10, 7, 0, 30)
AS_OF = datetime(2150, 1, 10, 7, 6)
MINUTE = timedelta(minutes=1)
UPPER = 100.0
BASELINE = 200.0

WITHIN_AND_SHORT = {
    "calcitriol_hypercalcemia": ([100.1], [100.0]),
    "digoxin_high_level": ([2.1], [2.0]),
    "digoxin_hypokalemia_replace": ([3.4], [3.5]),
    "heparin_platelet_fall": ([99.0, 20.0], [100.0, 19.0]),
    "insulin_hypoglycemia": ([69.0], [70.0]),
    "lithium_high_level": ([1.6], [1.5]),
    "loop_diuretic_hypokalemia_replace": ([2.9], [3.0]),
    "metformin_egfr_30_to_44": ([1.74, 2.4], [1.73, 2.41]),
    "metformin_egfr_below_30": ([2.45], [2.44]),
    "metformin_lactate": ([5.1], [5.0]),
    "mra_low_egfr": ([3.45], [3.44]),
    "mra_severe_hyperkalemia": ([6.1], [6.0]),
    "nitrofurantoin_low_egfr": ([2.45], [2.44]),
    "nsaid_low_egfr": ([2.45], [2.44]),
    "phenytoin_high_level": ([20.1], [20.0]),
    "potassium_chloride_hyperkalemia": ([5.5], [5.4]),
    "potassium_phosphate_hyperphosphatemia": ([100.1], [100.0]),
    "ras_inhibitor_hyperkalemia": ([5.6], [5.5]),
    "spironolactone_hyperkalemia_halve": ([5.6, 6.0], [5.5, 6.1]),
    "statin_creatine_kinase": ([1000.1], [1000.0]),
    "sulfonylurea_hypoglycemia": ([69.0], [70.0]),
    "tacrolimus_high_level": ([20.1], [20.0]),
    "thiazide_hyponatremia": ([129.0], [130.0]),
    "warfarin_high_inr": ([4.6], [4.5]),
}
"""Written by hand: values that satisfy each rule and the nearest that do not, in the record's resolution.

Upper limit 100, platelet baseline 200, man of 60 years.
"""


def edges(rule: Rule) -> tuple[list[float], list[float]]:
    """Derive the same from the rule: the last satisfying value at each bound and the next beyond it."""
    within, short = edges_of_key(rule.trigger.lab)
    floors = [finding.at_least for finding in rule.trigger.also]
    return within + floors, short + [floor - 1 for floor in floors]


def edges_of_key(lab: LabCondition) -> tuple[list[float], list[float]]:
    if lab.derived:
        return creatinine_edges(lab)
    if lab.times_uln_above is not None:
        limit = lab.times_uln_above * UPPER
        return [round(limit + 0.1, 1)], [limit]
    if lab.fall_fraction_above is not None:
        limit = BASELINE * (1 - lab.fall_fraction_above)
        return [limit - 1], [limit]
    step = 1.0 if lab.analyte in {"glucose", "sodium"} else 0.1
    within, short = [], []
    for bound, inside, outside in (
        (lab.at_least, 0, -step),
        (lab.above, step, 0),
        (lab.below, -step, 0),
        (lab.at_most, 0, step),
    ):
        if bound is not None:
            within.append(round(bound + inside, 2))
            short.append(round(bound + outside, 2))
    return within, short


def creatinine_edges(lab: LabCondition) -> tuple[list[float], list[float]]:
    def holds(hundredths: int) -> bool:
        exact = egfr_ckd_epi_2021(hundredths / 100, 60, "M")
        figures = (exact, round(exact))
        return all(
            (lab.below is None or figure < lab.below) and (lab.at_least is None or figure >= lab.at_least)
            for figure in figures
        )

    satisfied = [n for n in range(50, 1000) if holds(n)]
    first, last = satisfied[0], satisfied[-1]
    if last == 999:
        return [first / 100], [(first - 1) / 100]
    return [first / 100, last / 100], [(first - 1) / 100, (last + 1) / 100]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_thresholds_are_those_written_by_hand(rule: Rule):
    assert edges(rule) == WITHIN_AND_SHORT[rule.id]


@dataclass(frozen=True)
class Case:
    """One patient: how he differs from one whose rule holds, and whether the rule is to match."""

    rule: Rule
    variant: str
    value: float
    matches: bool

    def __str__(self) -> str:
        return f"{self.rule.id}-{self.variant}"


MATCHING = ("starts_at_as_of", "newer_result_not_stored_yet", "text_masked", "result_before_admission_number")
FAILING = (
    *("stopped_at_as_of", "starts_later", "other_patient", "other_admission", "base_solution", "other_drug"),
    *("newer_result_stored", "stale", "other_specimen", "other_unit", "not_numeric", "text_disagrees"),
    *("discharged_at_as_of", "stopped_before_start"),
)


def cases() -> list[Case]:
    made = []
    for rule in RULES:
        within, short = WITHIN_AND_SHORT[rule.id]
        made += [Case(rule, f"holds_at_{value:g}", value, True) for value in within]
        made += [Case(rule, f"short_at_{value:g}", value, False) for value in short]
        made += [Case(rule, variant, within[0], True) for variant in MATCHING]
        made += [Case(rule, variant, within[0], False) for variant in FAILING]
        if rule.trigger.order.frequencies:
            made.append(Case(rule, "once_a_day", within[0], False))
    return made


CASES = cases()


def admit(ward: Any, case: Case) -> int:
    """Write the patient of a case and return the subject."""
    lab, order, variant = case.rule.trigger.lab, case.rule.trigger.order, case.variant
    subject = ward.patient()
    hadm = ward.admission(subject, discharged=AS_OF if variant == "discharged_at_as_of" else None)
    if lab.fall_fraction_above is not None:
        for number in range(lab.fall_from_draws):
            drawn = DRAWN - timedelta(days=6, hours=number)
            ward.lab(subject, hadm, lab.analyte, BASELINE, drawn=drawn, stored=drawn)
    changes: dict[str, Any] = {
        "stale": {"drawn": STORED - timedelta(hours=lab.within_hours)},
        "other_specimen": {"itemid": 51097},
        "other_unit": {"unit": "furlong"},
        "text_masked": {"text": "___"},
        "text_disagrees": {"text": f">{case.value:g}"},
    }
    number = None if variant == "not_numeric" else case.value
    if number is None:
        changes[variant] = {"text": "HEMOLYZED"}
    of_stay = None if variant == "result_before_admission_number" else hadm
    ward.lab(subject, of_stay, lab.analyte, number, **{"upper": UPPER} | changes.get(variant, {}))
    if variant.startswith("newer_result"):
        stored = AS_OF if variant == "newer_result_stored" else AS_OF + MINUTE
        normal = WITHIN_AND_SHORT[case.rule.id][1][0]
        ward.lab(subject, hadm, lab.analyte, normal, drawn=DRAWN + MINUTE, stored=stored, upper=UPPER)
    if order.first_at_least_days is not None:
        drug = ward.vocabulary.ingredient_by_id(order.ingredients[0]).synonyms[0]
        first = DRAWN - timedelta(days=order.first_at_least_days)
        ward.order(subject, hadm, drug, start=first, stop=first + timedelta(hours=12))
    prescribe(ward, case, subject, hadm, order.ingredients[0])
    return int(subject)


def prescribe(ward: Any, case: Case, subject: int, hadm: int, ingredient: str) -> None:
    order, variant = case.rule.trigger.order, case.variant
    drug = (
        "Acetylcysteine (IV)"
        if variant == "other_drug"
        else ward.vocabulary.ingredient_by_id(ingredient).synonyms[0]
    )
    times: dict[str, dict[str, datetime]] = {
        "stopped_at_as_of": {"stop": AS_OF},
        "starts_later": {"start": AS_OF + MINUTE},
        "starts_at_as_of": {"start": AS_OF, "stop": AS_OF + MINUTE},
        "stopped_before_start": {"stop": ADMITTED},
    }
    if variant == "other_patient":
        subject = ward.patient()
        hadm = ward.admission(subject)
    if variant == "other_admission":
        hadm = ward.admission(subject, admitted=datetime(2149, 1, 1), discharged=datetime(2149, 1, 9))
    ward.order(
        subject,
        hadm,
        drug,
        route=order.routes[0] if order.routes else "PO",
        drug_type="BASE" if variant == "base_solution" else "MAIN",
        doses_a_day=1 if variant == "once_a_day" else 2,
        **times.get(variant, {}),
    )


@pytest.fixture(scope="module")
def scanned(new_ward: Any, vocabulary: Any, tmp_path_factory: Any) -> dict[str, list[RuleMatch]]:
    """Scan one warehouse with the patients of all cases; give each case's matches of its own rule."""
    ward = new_ward(vocabulary)
    subjects = {str(case): admit(ward, case) for case in CASES}
    # An administration record is needed to tell that no dose came just before a level.
    ward.row(
        "hosp.emar", subject_id=0, emar_id="0-0", emar_seq=0, medication="Aspirin", event_txt="Not Given"
    )
    found = ward.scan(tmp_path_factory.mktemp("cases") / "cases.duckdb", RULES)
    of_subject: dict[tuple[str, int], list[RuleMatch]] = {}
    for match in found:
        of_subject.setdefault((match.rule_id, match.subject_id), []).append(match)
    return {str(case): of_subject.get((case.rule.id, subjects[str(case)]), []) for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_matches_only_where_it_holds(case: Case, scanned: dict[str, list[RuleMatch]]):
    found = scanned[str(case)]
    assert len(found) == case.matches
    for match in found:
        assert match.as_of == AS_OF
        assert match.lab.value == case.value
        assert match.lab.charttime == DRAWN
        assert [order.ingredient for order in match.orders] == [case.rule.trigger.order.ingredients[0]]
