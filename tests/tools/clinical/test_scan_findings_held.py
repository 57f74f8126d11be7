"""Findings about a course: doses over days, running infusions, limits that have held, where a result came from."""

from typing import Any

import pytest
from course_cases import MINUTE
from courses import AS_OF, DRAWN, HOUR, STORED
from one_finding import culture, dose, matched, rule_with, temperature
from pydantic import ValidationError

from state.findings import Change
from tools.clinical.finding_faults import finding_faults


def draw(ward: Any, stay: tuple[int, int], value: float, hours: float) -> str:
    time = DRAWN - hours * HOUR
    return str(ward.lab(*stay, "inr", value, drawn=time, stored=max(time, STORED - HOUR)))


GIVEN = {"name": "g", "kind": "given", "within_hours": 72}
INR = {"name": "x", "kind": "lab", "analyte": "inr", "unit": "", "within_hours": 60}


@pytest.mark.parametrize(("hours", "holds"), [(48, True), (47.9, False)])
def test_doses_must_span_the_hours_asked_for(hours, holds, ward, stay, tmp_path):
    for before in (hours, 0):
        dose(ward, stay, "Cefepime", "Administered", DRAWN - before * HOUR)
    dose(ward, stay, "Cefepime", "Not Given", DRAWN - 60 * HOUR)
    rule = rule_with({**GIVEN, "ingredients": ["cefepime"], "spanning_hours": 48})
    matches = matched(ward, tmp_path, rule)
    assert [match.also[0].value for match in matches] == ([2.0] if holds else [])


@pytest.mark.parametrize(
    ("events", "holds"),
    [
        ([("Started", 20), ("Confirmed", 4)], True),
        ([("Administered", 4)], False),
        ([("Started", 20), ("Stopped", 4)], False),
        ([("Stopped", 20), ("Restarted", 4)], True),
        ([("Administered", 21), ("Started", 20)], True),
        ([("Started", 20), ("Administered", 4)], False),
    ],
)
def test_an_infusion_runs_until_it_is_charted_as_stopped(events, holds, ward, stay, tmp_path):
    """A bolus since leaves two that could be called the last dose."""
    ward.order(*stay, "Heparin", route="IV")
    refs = [dose(ward, stay, "Heparin", event, DRAWN - hours * HOUR) for event, hours in events]
    running = [
        ref for ref, (event, _) in zip(refs, events, strict=True) if event not in {"Administered", "Stopped"}
    ]
    rule = rule_with({**GIVEN, "ingredients": ["heparin"], "infusion": True})
    matches = matched(ward, tmp_path, rule)
    assert [list(match.also[0].refs) for match in matches] == ([running[::-1]] if holds else [])


@pytest.mark.parametrize(
    ("minutes", "hours_before_draw", "holds"),
    [(-1, 0, True), (0, 0, False), (-120, 2, True), (-119, 2, False), (30, None, True)],
)
def test_a_dose_that_the_draw_cannot_show_is_left_out(
    minutes, hours_before_draw, holds, ward, stay, tmp_path
):
    dose(ward, stay, "Potassium Chloride", "Administered", DRAWN + minutes * MINUTE)
    finding = {**GIVEN, "ingredients": ["potassium_chloride"], "hours_before_draw": hours_before_draw}
    assert bool(matched(ward, tmp_path, rule_with(finding))) is holds


def test_a_dose_charted_as_stopped_is_no_dose(ward, stay, tmp_path):
    dose(ward, stay, "Vancomycin", "Stopped", DRAWN - HOUR)
    assert not matched(ward, tmp_path, rule_with({**GIVEN, "ingredients": ["vancomycin"]}))


@pytest.mark.parametrize(
    ("results", "holds"),
    [
        ([(2.0, 24), (2.4, 0)], True),
        ([(2.0, 23.9), (2.4, 0)], False),
        ([(1.9, 24), (2.4, 0)], False),
        ([(2.2, 24), (1.9, 12), (2.4, 0)], False),
        ([(1.7, 40), (2.2, 30), (2.3, 24), (2.4, 0)], True),
        ([(2.2, 30), (1.9, 0)], False),
        ([(2.0, 70), (2.4, 0)], False),
    ],
)
def test_limits_have_held_for_hours_in_every_result_since(results, holds, ward, stay, tmp_path):
    refs = [draw(ward, stay, value, hours) for value, hours in results]
    matches = matched(ward, tmp_path, rule_with({**INR, "at_least": 2.0, "for_hours": 24}))
    assert bool(matches) is holds
    if holds:
        bound = matches[0].also[0]
        assert (bound.value, bound.earlier_value) == (results[-1][0], results[-2][0])
        assert bound.earlier_ref == refs[-2]


def test_a_result_stored_after_as_of_does_not_break_what_has_held(ward, stay, tmp_path):
    draw(ward, stay, 2.2, 30)
    ward.lab(*stay, "inr", 1.0, drawn=DRAWN - 12 * HOUR, stored=AS_OF + MINUTE)
    draw(ward, stay, 2.4, 0)
    assert matched(ward, tmp_path, rule_with({**INR, "at_least": 2.0, "for_hours": 24}))


@pytest.mark.parametrize(("fahrenheit", "holds"), [(100.4, True), (100.6, False)])
def test_a_vital_sign_can_have_held_too(fahrenheit, holds, ward, stay, tmp_path):
    for value, hours in ((fahrenheit, 25), (98.0, 1)):
        temperature(ward, stay, value, hours)
    finding = {"name": "t", "kind": "vital", "sign": "temperature_c", "at_most": 38.0, "within_hours": 48}
    matches = matched(ward, tmp_path, rule_with({**finding, "for_hours": 24}))
    assert bool(matches) is holds
    if holds:
        assert matches[0].also[0].earlier_value == fahrenheit


@pytest.mark.parametrize(
    ("change", "first", "last", "holds"),
    [
        ({"direction": "rise", "by_above": 10}, 110.0, 121.0, True),
        ({"direction": "rise", "by_above": 10}, 110.0, 120.0, False),
        ({"direction": "rise", "by_at_least": 4, "by_at_most": 8}, 110.0, 118.0, True),
        ({"direction": "rise", "by_at_least": 4, "by_at_most": 8}, 110.0, 119.0, False),
        ({"direction": "fall", "by_at_most": 0}, 120.0, 120.0, True),
        ({"direction": "fall", "by_at_most": 0}, 120.0, 119.0, False),
        ({"direction": "rise", "from_below": 120}, 119.0, 125.0, True),
        ({"direction": "rise", "from_below": 120}, 120.0, 125.0, False),
        ({"direction": "fall", "from_above": 150}, 151.0, 140.0, True),
        ({"direction": "fall", "from_above": 150}, 150.0, 140.0, False),
        ({"direction": "steady", "by_fraction_at_most": 0.2}, 100.0, 120.0, True),
        ({"direction": "steady", "by_fraction_at_most": 0.2}, 100.0, 121.0, False),
        ({"direction": "steady", "by_fraction_at_most": 0.2}, 150.0, 120.0, True),
        ({"direction": "steady", "by_fraction_at_most": 0.2}, 151.0, 120.0, False),
    ],
)
def test_each_measure_of_a_change_holds_on_its_own_side(change, first, last, holds, ward, stay, tmp_path):
    for value, hours in ((first, 20), (last, 0)):
        ward.lab(*stay, "sodium", value, drawn=DRAWN - hours * HOUR, stored=STORED - hours * HOUR)
    finding = {"name": "na", "kind": "lab", "analyte": "sodium", "unit": "mEq/L", "within_hours": 24}
    rule = rule_with({**finding, "change": {**change, "over_hours": 24}})
    assert bool(matched(ward, tmp_path, rule)) is holds


FALL = {"direction": "fall", "over_hours": 24, "by_fraction_above": 0.1}
RISE = {"direction": "rise", "over_hours": 24, "by_at_most": 8, "from_below": 125}


@pytest.mark.parametrize(
    ("change", "values", "holds"),
    [
        (FALL, (100.0, 120.0, 105.0), True),
        ({**FALL, "from_first": True}, (100.0, 120.0, 105.0), False),
        ({**FALL, "from_first": True}, (117.0, 120.0, 105.0), True),
        ({**FALL, "from_first": True}, (116.0, 120.0, 105.0), False),
        ({**FALL, "without_turn": True}, (120.0, 110.0, 110.0, 100.0), True),
        ({**FALL, "without_turn": True}, (120.0, 110.0, 111.0, 100.0), False),
        ({**FALL, "without_turn": True}, (100.0, 99.0, 120.0, 104.0), True),
        ({**FALL, "without_turn": True}, (120.0, 100.0, 101.0), False),
        (RISE, (120.0, 129.0, 126.0), True),
        ({**RISE, "throughout": True}, (120.0, 129.0, 126.0), False),
        ({**RISE, "throughout": True}, (120.0, 128.0, 126.0), True),
        ({**RISE, "throughout": True}, (130.0, 120.0, 126.0), True),
        ({**RISE, "from_first": True, "by_at_least": 4}, (121.0, 120.0, 125.0), True),
        ({**RISE, "from_first": True, "by_at_least": 4}, (122.0, 120.0, 125.0), False),
        ({**RISE, "without_turn": True}, (120.0, 124.0, 123.0), False),
        ({**RISE, "without_turn": True}, (124.0, 120.0, 123.0), True),
    ],
)
def test_a_course_is_more_than_its_extreme_and_its_end(change, values, holds, ward, stay, tmp_path):
    for number, value in enumerate(values):
        earlier = (len(values) - 1 - number) * HOUR
        ward.lab(*stay, "sodium", value, drawn=DRAWN - earlier, stored=STORED)
    finding = {"name": "na", "kind": "lab", "analyte": "sodium", "unit": "mEq/L", "within_hours": 24}
    assert bool(matched(ward, tmp_path, rule_with({**finding, "change": change}))) is holds


def test_a_turn_not_known_yet_is_none(ward, stay, tmp_path):
    for value, hours, stored in ((120.0, 6, STORED), (125.0, 3, AS_OF + MINUTE), (100.0, 0, STORED)):
        ward.lab(*stay, "sodium", value, drawn=DRAWN - hours * HOUR, stored=stored)
    finding = {"name": "na", "kind": "lab", "analyte": "sodium", "unit": "mEq/L", "within_hours": 24}
    change = {**FALL, "without_turn": True, "from_first": True}
    assert matched(ward, tmp_path, rule_with({**finding, "change": change}))


@pytest.mark.parametrize(
    "change",
    [
        {"direction": "rise"},
        {"direction": "rise", "from_above": 8},
        {"direction": "fall", "from_below": 8},
        {"direction": "steady", "by_at_most": 1, "by_above": 1},
        {"direction": "steady", "by_at_least": 1},
        {"direction": "steady", "by_at_most": 1, "by_fraction_at_most": 0.2},
        {"direction": "rise", "by_fraction_at_most": 0.2},
        {"direction": "steady", "by_at_most": 1, "without_turn": True},
        {"direction": "steady", "by_at_most": 1, "from_first": True},
        {"direction": "steady", "by_at_most": 1, "throughout": True},
        {"direction": "rise", "by_at_least": 1, "throughout": True},
        {"direction": "rise", "from_below": 8, "from_first": True},
        {"direction": "fall", "from_below_range": True},
        {"direction": "steady", "by_at_most": 1, "from_below_range": True},
    ],
)
def test_a_change_that_measures_nothing_is_refused(change):
    with pytest.raises(ValidationError):
        Change.model_validate({**change, "over_hours": 24})


@pytest.mark.parametrize(
    ("comment", "holds"), [("No MRSA isolated.", True), ("NO GROWTH.", False), (None, False), ("___", False)]
)
def test_a_culture_without_growth_is_told_by_its_comment(comment, holds, ward, stay, tmp_path):
    culture(ward, stay, "MRSA SCREEN", 90115, comments=comment)
    finding = {"name": "c", "kind": "culture", "growth": False, "comments": ["NO MRSA ISOLATED"]}
    assert bool(matched(ward, tmp_path, rule_with({**finding, "within_days": 5}))) is holds


@pytest.mark.parametrize(
    "wrong", [{"for_hours": 24}, {"for_hours": 60, "at_least": 2.0}, {"for_hours": 24, "range": "above"}]
)
def test_hours_held_need_limits_and_a_longer_window(wrong, vocabulary):
    (finding,) = rule_with({**INR, **wrong}).trigger.also
    assert "for_hours" in {field for field, _ in finding_faults(finding, vocabulary)}


def test_a_vital_sign_has_no_range_to_start_from(vocabulary):
    change = {"direction": "rise", "over_hours": 24, "from_below_range": True}
    finding = {"name": "v", "kind": "vital", "sign": "heart_rate_bpm", "within_hours": 24, "change": change}
    (one,) = rule_with(finding).trigger.also
    assert finding_faults(one, vocabulary) == [
        ("change", "a vital sign has no reference range to start from")
    ]
