"""A draw with an infusion in it bears no rule: told by the draws around it, at each limit on both sides."""

from pathlib import Path

import pytest
from courses import DRAWN, HOUR, STORED

from state.knowledge import Rule
from tools.clinical.rules import load_rules

RULES = {rule.id: rule for rule in load_rules()}
LOW = RULES["loop_diuretic_hypokalemia_replace"]
BEFORE, AFTER = 6, -3
Values = dict[str, float]
STEADY = {"calcium": 9.0, "potassium": 4.0, "magnesium": 2.0, "creatinine": 1.0, "urea_nitrogen": 20.0}
DILUTED = {"calcium": 8.1, "potassium": 2.9, "magnesium": 1.8, "creatinine": 1.0, "urea_nitrogen": 20.0}


def scanned(
    ward, path: Path, around: Values, drawn: Values, after: Values | None, hours: float = AFTER
) -> bool:
    """Tell whether a potassium of 2.9 under furosemide is matched, with these results before, beside and after it."""
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.order(subject, hadm, "Furosemide")
    draws = ((BEFORE, around), (0, {"potassium": 2.9} | drawn), (hours, around if after is None else after))
    for before, values in draws:
        when = DRAWN - before * HOUR
        for analyte, value in values.items():
            ward.lab(subject, hadm, analyte, value, drawn=when, stored=when + (STORED - DRAWN))
    found = ward.scan(path / "w.duckdb", [LOW])
    return any(match.lab.value == 2.9 for match in found)


@pytest.mark.parametrize(
    ("before", "drawn", "after", "matches"),
    [
        (100.0, 300.0, 90.0, False),
        (100.0, 299.0, 90.0, True),
        (90.0, 299.0, 100.0, True),
        (100.0, 400.0, 390.0, True),
        (390.0, 400.0, 100.0, True),
    ],
)
def test_sugar_that_comes_and_goes_is_of_the_line(
    before: float, drawn: float, after: float, matches: bool, ward, tmp_path: Path
):
    around = {"potassium": 4.0, "glucose": before}
    assert scanned(ward, tmp_path, around, {"glucose": drawn}, around | {"glucose": after}) is matches


@pytest.mark.parametrize(
    ("changed", "matches"),
    [
        ({}, False),
        ({"calcium": 8.2}, True),
        ({"magnesium": 1.81}, True),
        ({"magnesium": 1.81, "urea_nitrogen": 18.0}, False),
    ],
)
def test_dilution_lowers_calcium_and_two_others(changed: Values, matches: bool, ward, tmp_path: Path):
    assert scanned(ward, tmp_path, STEADY, DILUTED | changed, None) is matches


@pytest.mark.parametrize("stays", ["calcium", "magnesium"])
def test_what_stays_low_is_the_patients(stays: str, ward, tmp_path: Path):
    assert scanned(ward, tmp_path, STEADY, DILUTED, STEADY | {stays: DILUTED[stays]})


@pytest.mark.parametrize(("hours", "matches"), [(-24, False), (-24.1, True)])
def test_neighbors_lie_within_a_day(hours: float, matches: bool, ward, tmp_path: Path):
    assert scanned(ward, tmp_path, STEADY, DILUTED, None, hours) is matches


def test_a_spoiled_draw_is_no_start_of_a_course(ward, tmp_path: Path):
    """A later sodium has not risen from one that was diluted; without the sugar it has."""
    rule: Rule = RULES["sodium_rise_on_target"]
    (rise,) = [finding for finding in rule.trigger.also if finding.name == "rise"]
    for sugar in (600.0, 120.0):
        subject = ward.patient()
        hadm = ward.admission(subject)
        for hours, sodium, glucose in ((23, 130.0, 110.0), (21, 124.0, sugar), (0, 130.0, 115.0)):
            when = DRAWN - hours * HOUR
            for analyte, value in (("sodium", sodium), ("glucose", glucose)):
                ward.lab(subject, hadm, analyte, value, drawn=when, stored=when + HOUR)
    only = rule.model_copy(update={"trigger": rule.trigger.model_copy(update={"also": (rise,), "bars": ()})})
    assert {match.subject_id for match in ward.scan(tmp_path / "w.duckdb", [only])} == {2}
