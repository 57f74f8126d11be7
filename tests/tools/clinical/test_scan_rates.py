"""An infusion set anew: by the administration record or the bedside's, between the hours before the draw and as_of."""

from datetime import timedelta
from typing import Any

import pytest
from courses import AS_OF, DRAWN, HOUR, Dose, Row, put, set_at
from one_finding import matched, rule_with

MINUTE = timedelta(minutes=1)
SET_ANEW = {"name": "r", "kind": "rate", "ingredients": ["heparin"], "itemids": [225152], "hours_to_draw": 6}
RULE = rule_with(bars=[{"why": "only to be tried", "finding": SET_ANEW}])
AS_BEFORE = (Dose(20, "Heparin", "Started", 1000), set_at(9, 1000), set_at(1, 1000))


def bag(start: float, end: float, rate: float | None) -> Row:
    """Run an infusion of the bedside's chart between two hours before the draw; without a rate it is a push."""
    times = {"starttime": DRAWN - start * HOUR, "endtime": DRAWN - end * HOUR}
    return Row(start, "icu.inputevents", {"itemid": 225152, "stay_id": 1, "rate": rate, **times}, ())


@pytest.mark.parametrize(
    ("facts", "left_alone"),
    [
        (AS_BEFORE, True),
        ((*AS_BEFORE, set_at(6, 1100), set_at(0.5, 1100)), False),
        ((Dose(20, "Heparin", "Started", 1000), set_at(6, 1100), set_at(0.5, 1100)), True),
        ((Dose(20, "Heparin", "Started", 1000), set_at(5.9, 1100), set_at(0.5, 1100)), False),
        ((*AS_BEFORE, set_at(-0.5, 1100)), False),
        ((*AS_BEFORE, set_at(-1.2, 1100)), True),
        ((*AS_BEFORE, Dose(6, "Heparin", "Restarted", 1000)), True),
        ((*AS_BEFORE, Dose(5.9, "Heparin", "Restarted", 1000)), False),
        ((*AS_BEFORE, Dose(5.9, "Heparin", "Stopped As Directed")), False),
        ((*AS_BEFORE, Dose(-0.5, "Heparin", "Stopped")), False),
        ((*AS_BEFORE, Dose(3, "Heparin")), False),
        ((*AS_BEFORE, Dose(3, "Heparin", "Not Given")), True),
        ((*AS_BEFORE, Dose(3, "Heparin Flush (10 units/ml)", "Flushed")), True),
        ((*AS_BEFORE, bag(20, 5, 1000), bag(5, -8, 1009.9)), True),
        ((*AS_BEFORE, bag(20, 5, 1000), bag(5, -8, 1011)), False),
        ((*AS_BEFORE, bag(20, 6, 1000), bag(6, -8, 1200)), True),
        ((*AS_BEFORE, bag(20, 5, 1000), bag(4.9, -8, 1000)), False),
        ((*AS_BEFORE, bag(20, 5, 1000), bag(4.99, -8, 1000)), True),
        ((*AS_BEFORE, bag(20, -8, 1000), bag(2, 1.9, None)), False),
        ((*AS_BEFORE, bag(20, -0.5, 1000)), False),
        ((*AS_BEFORE, bag(5, -8, 1000)), False),
    ],
)
def test_a_rate_that_was_touched_bars(facts: Any, left_alone: bool, ward, stay, tmp_path):
    for fact in facts:
        put(ward, *stay, fact)
    assert bool(matched(ward, tmp_path, RULE)) is left_alone


def test_what_comes_after_as_of_is_not_known(ward, stay, tmp_path):
    for fact in (*AS_BEFORE, Dose(0, "Heparin", "Stopped", at=AS_OF + MINUTE)):
        put(ward, *stay, fact)
    assert matched(ward, tmp_path, RULE)


def test_without_its_details_the_record_cannot_tell(ward, stay, tmp_path):
    for fact in AS_BEFORE:
        put(ward, *stay, fact)
    del ward.rows["hosp.emar_detail"]
    assert not matched(ward, tmp_path, RULE)


RUNNING = {"name": "i", "kind": "given", "ingredients": ["heparin"], "within_hours": 24, "infusion": True}


@pytest.mark.parametrize(
    ("order", "runs"),
    [
        ({"route": "IV", "stop": AS_OF + MINUTE}, True),
        ({"route": "IV DRIP"}, True),
        ({"route": "IV", "stop": AS_OF}, False),
        ({"route": "SC"}, False),
        ({"route": "IV", "start": AS_OF + MINUTE}, False),
        ({"route": "IV", "frequency": "ONCE"}, False),
        (None, False),
    ],
)
def test_an_infusion_runs_as_long_as_an_order_for_it(order, runs, ward, stay, tmp_path):
    """After a bypass operation the drip of the morning is charted and its order has ended."""
    for fact in AS_BEFORE:
        put(ward, *stay, fact)
    if order is not None:
        ward.order(*stay, "Heparin Sodium", **order)
    assert bool(matched(ward, tmp_path, rule_with(RUNNING))) is runs
