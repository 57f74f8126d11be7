"""Controls of rules: matched where the source says to go on, and nowhere else."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from courses import Dose, put

from state.gold import Decision
from state.knowledge import Rule
from tools.clinical.rules import load_rules

DRAWN = datetime(2150, 1, 10, 6)
DAY = timedelta(days=1)
WITHIN_AND_SHORT = {
    "insulin_hypoglycemia": ([140, 180], [139, 181]),
    "metformin_egfr_30_to_44": ([1.37, 1.71], [1.36, 1.72]),
    "mra_severe_hyperkalemia": ([5.0, 5.4], [4.9, 5.5]),
    "ras_inhibitor_hyperkalemia": ([5.1, 5.4], [5.0, 5.5]),
    "warfarin_high_inr": ([2.0, 3.0], [1.9, 3.1]),
}
"""Written by hand: the values at the edges of each control and the nearest outside, for a man of 60 years."""
CONTROLLED = [rule for rule in load_rules() if rule.control is not None]


def test_every_control_has_its_edges_written_by_hand():
    assert {rule.id for rule in CONTROLLED} == set(WITHIN_AND_SHORT)


@pytest.mark.parametrize("rule", CONTROLLED, ids=lambda rule: rule.id)
def test_a_control_says_the_opposite_on_its_own_authority(rule: Rule):
    near = rule.as_control()
    assert (near.decision, near.control) == (Decision.CONTINUE, None)
    assert Decision.HOLD in near.unsafe
    assert Decision.CONTINUE not in near.unsafe
    assert near.reason != rule.reason
    assert near.citation != rule.citation
    assert near.trigger.lab != rule.trigger.lab


def drug_of(rule: Rule, ward) -> str:
    return ward.vocabulary.ingredient_by_id(rule.as_control().trigger.order.ingredients[0]).synonyms[0]


@pytest.mark.parametrize("rule", CONTROLLED, ids=lambda rule: rule.id)
def test_a_control_matches_up_to_its_edges(rule: Rule, ward, tmp_path: Path):
    within, short = WITHIN_AND_SHORT[rule.id]
    lab = rule.trigger.lab
    subjects = {}
    for value in (*within, *short):
        subject = ward.patient()
        hadm = ward.admission(subject)
        ward.lab(subject, hadm, lab.analyte, value)
        ward.order(subject, hadm, drug_of(rule, ward), doses_a_day=2)
        if rule.as_control().trigger.also:
            put(ward, subject, hadm, Dose(2, drug_of(rule, ward)))
        subjects[subject] = value
    found = ward.scan(tmp_path / "w.duckdb", [rule])
    assert [subjects[match.subject_id] for match in found if match.control] == within


@pytest.mark.parametrize(("hours", "holds"), [(None, False), (2, True), (48, False)])
def test_insulin_that_was_not_given_keeps_no_glucose_in_range(hours, holds, ward, stay, tmp_path: Path):
    rule = next(rule for rule in CONTROLLED if rule.id == "insulin_hypoglycemia")
    ward.lab(*stay, "glucose", 160)
    ward.order(*stay, "Insulin", doses_a_day=2)
    if hours is not None:
        put(ward, *stay, Dose(hours, "Insulin"))
    assert [match.control for match in ward.scan(tmp_path / "w.duckdb", [rule])] == [True] * holds


def test_a_control_is_not_matched_where_another_rule_speaks_of_the_drug(ward, tmp_path: Path):
    """An eGFR of 45 would let metformin run on; a lactate of 6 does not."""
    rules = {rule.id: rule for rule in load_rules()}
    for lactate in (5.0, 5.1):
        subject = ward.patient()
        hadm = ward.admission(subject)
        ward.lab(subject, hadm, "creatinine", 1.5)
        ward.lab(subject, hadm, "lactate", lactate)
        ward.order(subject, hadm, "MetFORMIN (Glucophage)", doses_a_day=2)
    found = ward.scan(tmp_path / "w.duckdb", list(rules.values()))
    assert [(match.rule_id, match.control, match.subject_id) for match in found] == [
        ("metformin_egfr_30_to_44", True, 1),
        ("metformin_lactate", False, 2),
    ]


@pytest.mark.parametrize(
    ("before", "hours", "matches"),
    [
        (1.2, 48, False),
        (1.21, 48, True),
        (1.2, 49, True),
        (1.0, 24 * 7, False),
        (1.01, 24 * 7, True),
        (1.0, 24 * 7 + 1, True),
        (2.25, 24 * 7, False),
        (2.24, 24 * 7, True),
        (2.25, 24 * 7 + 1, True),
    ],
)
def test_a_control_is_not_matched_while_the_kidney_is_not_steady(
    before: float, hours: int, matches: bool, ward, rules: dict[str, Rule], tmp_path: Path
):
    """KDIGO 2012: a rise of 0.3 mg/dL within 48 hours, or to 1.5 times a value of the 7 days before; or such a fall."""
    subject = ward.patient()
    hadm = ward.admission(subject, admitted=datetime(2149, 12, 1))
    earlier = DRAWN - timedelta(hours=hours)
    ward.lab(subject, hadm, "creatinine", before, drawn=earlier, stored=earlier)
    ward.lab(subject, hadm, "creatinine", 1.5)
    ward.lab(subject, hadm, "potassium", 5.2)
    ward.order(subject, hadm, "Lisinopril")
    found = ward.scan(tmp_path / "w.duckdb", [rules["ras_inhibitor_hyperkalemia"]])
    assert [match.control for match in found] == [True] * matches


def test_an_injury_of_long_ago_bars_no_control(ward, rules: dict[str, Rule], tmp_path: Path):
    subject = ward.patient()
    hadm = ward.admission(subject, admitted=datetime(2149, 12, 1))
    for days, value in ((12, 1.0), (11, 2.0)):
        drawn = DRAWN - days * DAY
        ward.lab(subject, hadm, "creatinine", value, drawn=drawn, stored=drawn)
    ward.lab(subject, hadm, "potassium", 5.2)
    ward.order(subject, hadm, "Lisinopril")
    assert ward.scan(tmp_path / "w.duckdb", [rules["ras_inhibitor_hyperkalemia"]])
