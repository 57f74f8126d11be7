"""Courses become curves: exact at their moments, within their ranges, and refused where they make no sense."""

import math

import pytest
from pydantic import ValidationError

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.curves import Curve, arrived_off, steady
from tools.ehr.synth.derived import with_derived
from tools.ehr.synth.draw import Draw
from tools.ehr.synth.story import Course, Story, Variant, of_variant

CATALOG = Catalog.load()


def values(curve: Curve, days: list[float]) -> list[float]:
    draw = Draw("curves")
    return [curve.value(day, draw) for day in days]


def test_a_curve_is_exact_at_its_knots_and_between_them_within():
    curve = Curve(((0, 4.0), (2, 6.0)), wobble=3, steep=2, recovery=0.9, rest=4.0, within=(4.0, 6.0))
    assert values(curve, [2.0]) == [6.0]
    assert all(4.0 <= value <= 6.0 for value in values(curve, [day / 10 for day in range(60)]))


def test_a_curve_returns_by_half_in_its_half_time():
    curve = Curve(((0, 4.0), (2, 6.0)), recovery=0.5, rest=4.0)
    assert values(curve, [2.5, 3.0]) == pytest.approx([5.0, 4.5])


def test_a_curve_that_settles_is_held_in_its_range():
    curve = Curve(((0, 400.0), (1, 180.0)), wobble=50, within=(180.0, 400.0), held=(160.0, 230.0))
    assert all(160 <= value <= 230 for value in values(curve, [1.01 + k / 10 for k in range(30)]))


def test_a_spike_is_off_at_its_own_moment_alone():
    curve = Curve(((0, 120.0),), spikes=((2.0, 50.0),))
    assert values(curve, [1.9, 2.0, 2.1]) == [120.0, 50.0, 120.0]


def test_what_was_off_on_arrival_comes_back():
    first, later = values(arrived_off(18.0, 8.0, 0), [0, 10])
    assert first == 18.0
    assert 8.0 < later < 9.0
    assert values(steady(5.0, 9.0, (4.0, 6.0)), [3]) != [5.0]


def test_variants_take_their_own_range_and_a_stopped_drug_the_positive_one():
    course = Course(
        start={Variant.POSITIVE: (1, 2), Variant.CONTROL: (3, 4)}, positive=(5, 6), control=(7, 8)
    )
    assert of_variant(course, Variant.STOPPED) == (5, 6)
    assert of_variant(course, Variant.NEAR_MISS) is None
    assert course.start_of(Variant.CONTROL) == (3, 4)
    assert course.start_of(Variant.NEAR_MISS) == (1, 2)


def test_derived_results_obey_chemistry():
    measured = {
        "sodium": 134.0,
        "potassium": 5.2,
        "bicarbonate": 9.0,
        "anion_gap": 27.0,
        "creatinine": 1.5,
        "glucose": 520.0,
        "hemoglobin": 13.0,
        "mcv": 90.0,
        "inr": 1.1,
        "bilirubin_total": 2.0,
        "tibc": 300.0,
    }
    found = with_derived(CATALOG, Draw("chemistry"), measured, 15)
    assert found["chloride"] == round(134 + 5.2 - 9 - 27)
    winters = 1.5 * 9 + 8
    assert abs(found["pco2_blood"] - winters) <= 4
    assert found["ph_blood"] == pytest.approx(6.1 + math.log10(9 / (0.03 * found["pco2_blood"])), abs=0.006)
    assert found["bilirubin_direct"] + found["bilirubin_indirect"] == pytest.approx(2.0)
    told = with_derived(CATALOG, Draw("chemistry"), {**measured, "ph_blood": 7.1}, 15)
    assert told["pco2_blood"] == pytest.approx(9 / (0.03 * 10 ** (7.1 - 6.1)), abs=0.5)
    assert with_derived(CATALOG, Draw("x"), {**measured, "chloride": 90.0}, 15)["chloride"] == 90.0


STORY = CATALOG.stories[0].model_dump(exclude_unset=True)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hours": (4, 5)}, "either day or hours"),
        ({"day": None}, "either day or hours"),
        ({"results": {"potassium": {"shape": "zigzag"}}}, "shape"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_story_that_makes_no_sense_is_refused(change: dict[str, object], said: str):
    with pytest.raises(ValidationError, match=said):
        Story.model_validate({**STORY, **change})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"results": {"kryptonite": {"positive": (1, 2)}}}, "no analytes named kryptonite"),
        ({"drugs": [{"one_of": ["elixir"]}]}, "no drugs named elixir"),
        ({"cultures": [{"specimen": "urine", "isolate": "yeti"}]}, "no isolates named yeti"),
        ({"adverse": ["X999"]}, "no icd named X999"),
        ({"id": CATALOG.stories[1].id}, "two stories named"),
    ],
)
def test_a_name_that_is_not_there_is_said(change: dict[str, object], said: str):
    stories = [{**STORY, **change}, *(story.model_dump() for story in CATALOG.stories[1:])]
    with pytest.raises(ValidationError, match=said):
        Catalog.model_validate({**CATALOG.model_dump(), "stories": stories})
