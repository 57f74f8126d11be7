"""Weights for dosing, body mass index, surface area and creatinine clearance."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.clinical.body_size import (
    WeightChoice,
    adjusted_body_weight_kg,
    body_mass_index,
    body_surface_area_m2,
    dosing_weight_kg,
    ideal_body_weight_kg,
)
from tools.clinical.creatinine_clearance import cockcroft_gault

SETTINGS = settings(derandomize=True, max_examples=50, deadline=None)


@pytest.mark.parametrize(
    ("height_cm", "sex", "kg"),
    [
        (152.4, "M", 50.0),
        (152.4, "F", 45.5),
        (177.8, "M", 73.0),  # 70 in: 50 + 2.3 x 10
        (162.56, "F", 54.7),  # 64 in: 45.5 + 2.3 x 4
    ],
)
def test_ideal_weight(height_cm, sex, kg):
    assert ideal_body_weight_kg(height_cm, sex) == pytest.approx(kg)


def test_ideal_weight_is_not_extrapolated_below_five_feet():
    with pytest.raises(ValueError, match=r"defined from 152\.4 cm, got height_cm 152\.3"):
        ideal_body_weight_kg(152.3, "F")


def test_adjusted_weight_adds_four_tenths_of_the_excess():
    assert adjusted_body_weight_kg(123.0, 177.8, "M") == pytest.approx(93.0)  # 73 + 0.4 x 50
    assert adjusted_body_weight_kg(73.0, 177.8, "M") == pytest.approx(73.0)
    with pytest.raises(ValueError, match=r"above the ideal 73\.0 kg, got 72\.9"):
        adjusted_body_weight_kg(72.9, 177.8, "M")


def test_choice_of_weight():
    chosen = {choice: dosing_weight_kg(choice, 123.0, 177.8, "M") for choice in WeightChoice}
    assert chosen == pytest.approx(
        {WeightChoice.ACTUAL: 123.0, WeightChoice.IDEAL: 73.0, WeightChoice.ADJUSTED: 93.0}
    )
    assert dosing_weight_kg(WeightChoice.ACTUAL, 80.0, None, "F") == 80.0
    for choice in (WeightChoice.IDEAL, WeightChoice.ADJUSTED):
        with pytest.raises(ValueError, match=f"height_cm is needed for the {choice} weight"):
            dosing_weight_kg(choice, 80.0, None, "F")


def test_body_mass_index_and_surface_area():
    assert body_mass_index(80.0, 200.0) == pytest.approx(20.0)
    assert body_surface_area_m2(80.0, 180.0) == pytest.approx(2.0)  # sqrt(180 x 80 / 3600)
    assert body_surface_area_m2(70.0, 170.0) == pytest.approx(1.818, abs=0.001)


@pytest.mark.parametrize(
    ("creatinine", "age", "sex", "weight", "expected"),
    [
        (1.0, 40, "M", 72.0, 100.0),  # (140 - 40) x 72 / (72 x 1)
        (1.0, 40, "F", 72.0, 85.0),
        (2.0, 80, "M", 60.0, 25.0),  # 60 x 60 / 144
        (1.5, 75, "F", 54.0, 27.625),  # 65 x 54 / 108 x 0.85
    ],
)
def test_cockcroft_gault(creatinine, age, sex, weight, expected):
    computed = cockcroft_gault(
        creatinine, age, sex, actual_weight_kg=weight, weight_choice=WeightChoice.ACTUAL
    )
    assert computed == pytest.approx(expected)


def test_cockcroft_gault_follows_the_chosen_weight():
    clearance = {
        choice: cockcroft_gault(1.0, 68, "M", actual_weight_kg=123.0, weight_choice=choice, height_cm=177.8)
        for choice in WeightChoice
    }
    assert clearance == pytest.approx(
        {WeightChoice.ACTUAL: 123.0, WeightChoice.IDEAL: 73.0, WeightChoice.ADJUSTED: 93.0}
    )  # (140 - 68) / 72 is 1


@pytest.mark.parametrize("age", [17, 140])
def test_cockcroft_gault_is_for_adults(age):
    with pytest.raises(ValueError, match="adults under 140 years"):
        cockcroft_gault(1.0, age, "M", actual_weight_kg=70, weight_choice=WeightChoice.ACTUAL)
    edge = 18 if age == 17 else 139
    assert (
        cockcroft_gault(1.0, edge, "M", actual_weight_kg=72, weight_choice=WeightChoice.ACTUAL) == 140 - edge
    )


def test_cockcroft_gault_refuses_an_impossible_creatinine():
    with pytest.raises(ValueError, match="creatinine_mg_dl must be a positive number"):
        cockcroft_gault(0.0, 60, "M", actual_weight_kg=70, weight_choice=WeightChoice.ACTUAL)


@SETTINGS
@given(st.floats(0.3, 15), st.integers(18, 100), st.floats(35, 200), st.sampled_from(["F", "M"]))
def test_clearance_falls_with_creatinine_and_age_and_rises_with_weight(creatinine, age, weight, sex):
    def clearance(creatinine=creatinine, age=age, weight=weight):
        return cockcroft_gault(
            creatinine, age, sex, actual_weight_kg=weight, weight_choice=WeightChoice.ACTUAL
        )

    assert clearance(creatinine=creatinine + 0.1) < clearance()
    assert clearance(age=age + 1) < clearance()
    assert clearance(weight=weight + 1) > clearance()
