"""Courses and baselines are the patient's: a draw of the emergency department, or of another stay, counts."""

from datetime import timedelta

import pytest
from courses import DRAWN, HOUR
from one_finding import matched, rule_with

RISE = {"name": "c", "kind": "lab", "analyte": "creatinine", "unit": "mg/dL", "within_hours": 24}
SMALL = {"direction": "rise", "over_hours": 72, "by_at_least": 0.1, "by_at_most": 0.2}


@pytest.mark.parametrize("encounter", ["none", "other", "this"])
@pytest.mark.parametrize(("earlier", "holds"), [(2.3, True), (2.0, False)])
def test_a_course_reaches_into_other_encounters(encounter, earlier, holds, ward, tmp_path):
    subject = ward.patient()
    before = ward.admission(subject, DRAWN - 60 * HOUR, DRAWN - 30 * HOUR)
    hadm = ward.admission(subject, DRAWN - 16 * HOUR)
    of = {"none": None, "other": before, "this": hadm}[encounter]
    ward.lab(subject, of, "creatinine", earlier, drawn=DRAWN - 34 * HOUR, stored=DRAWN - 33 * HOUR)
    ward.lab(subject, hadm, "creatinine", 2.5)
    ward.lab(subject, hadm, "wbc", 12.0)
    assert bool(matched(ward, tmp_path, rule_with({**RISE, "change": SMALL}))) is holds


@pytest.mark.parametrize("of_stay", [True, False])
def test_a_fall_counts_from_a_result_before_the_stay(of_stay, ward, tmp_path):
    subject = ward.patient()
    hadm = ward.admission(subject, DRAWN - timedelta(days=9))
    drawn = DRAWN - timedelta(days=9, hours=4)
    baseline = ward.lab(subject, hadm if of_stay else None, "platelets", 200, drawn=drawn, stored=drawn)
    ward.lab(subject, hadm, "platelets", 50)
    lab = {"analyte": "platelets", "unit": "K/uL", "fall_fraction_above": 0.5, "lookback_days": 14}
    rule = rule_with(lab={**lab, "within_hours": 24})
    assert [match.lab.baseline_ref for match in matched(ward, tmp_path, rule)] == [baseline]


@pytest.mark.parametrize("of_stay", [True, False])
@pytest.mark.parametrize(("early", "holds"), [(140, True), (139, False)])
def test_a_fall_that_began_too_early_is_seen_in_whatever_draw(early, holds, of_stay, ward, tmp_path):
    """By the 4Ts score a count is falling once it has lost 30 %, and heparin is no cause of that before day 5."""
    subject = ward.patient()
    hadm = ward.admission(subject, DRAWN - timedelta(days=7))
    ward.order(subject, hadm, "Heparin", start=DRAWN - timedelta(days=6), route="SC")
    for days, count, of in ((6.5, 200, hadm), (4, early, hadm if of_stay else None), (0, 50, hadm)):
        drawn = DRAWN - timedelta(days=days)
        ward.lab(subject, of, "platelets", count, drawn=drawn, stored=drawn + HOUR)
    lab = {"analyte": "platelets", "unit": "K/uL", "fall_fraction_above": 0.5, "lookback_days": 14}
    order = {"ingredients": ["heparin"], "first_at_least_days": 5, "first_at_most_days": 10}
    rule = rule_with(lab={**lab, "within_hours": 24}, order=order)
    assert bool(matched(ward, tmp_path, rule)) is holds


@pytest.mark.parametrize(("second", "holds"), [(101, True), (100, False)])
def test_a_fall_from_two_draws_is_none_from_one_peak(second, holds, ward, tmp_path):
    subject = ward.patient()
    hadm = ward.admission(subject, DRAWN - timedelta(days=9))
    for days, count in ((7, second), (6, 200), (0, 50)):
        drawn = DRAWN - timedelta(days=days)
        ward.lab(subject, hadm, "platelets", count, drawn=drawn, stored=drawn + HOUR)
    lab = {"analyte": "platelets", "unit": "K/uL", "fall_fraction_above": 0.5, "lookback_days": 14}
    rule = rule_with(lab={**lab, "fall_from_draws": 2, "within_hours": 24})
    assert [match.lab.baseline_value for match in matched(ward, tmp_path, rule)] == ([200] if holds else [])
