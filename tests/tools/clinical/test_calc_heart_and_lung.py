"""Oxygenation, ARDS, QT and mean arterial pressure."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.clinical.arterial_pressure import mean_arterial_pressure_mm_hg
from tools.clinical.berlin_ards import ArdsClass, BerlinFindings, berlin_class
from tools.clinical.oxygenation import a_a_gradient_mm_hg, alveolar_oxygen_mm_hg, pao2_fio2_ratio_mm_hg
from tools.clinical.qtc import qtc_bazett_ms, qtc_framingham_ms, qtc_fridericia_ms

SETTINGS = settings(derandomize=True, max_examples=50, deadline=None)
ARDS = BerlinFindings(
    onset_within_one_week=True,
    bilateral_opacities=True,
    explained_by_cardiac_failure_or_overload=False,
    pao2_fio2_mm_hg=150.0,
    peep_cm_h2o=8.0,
)


def test_alveolar_gas_equation():
    assert alveolar_oxygen_mm_hg(0.21, 40) == pytest.approx(99.73)  # 0.21 x 713 - 50
    assert a_a_gradient_mm_hg(90, 40, 0.21) == pytest.approx(9.73)
    assert a_a_gradient_mm_hg(60, 40, 0.5) == pytest.approx(246.5)  # 356.5 - 50 - 60
    assert a_a_gradient_mm_hg(60, 32, 0.21, barometric_mm_hg=630) == pytest.approx(22.43)  # 122.43 - 40 - 60


def test_ratio_of_arterial_to_inspired_oxygen():
    assert pao2_fio2_ratio_mm_hg(80, 0.4) == pytest.approx(200)
    assert pao2_fio2_ratio_mm_hg(80, 1.0) == 80


@pytest.mark.parametrize("fio2", [0.2, 1.01, 40, float("nan")])
def test_an_inspired_percentage_is_refused(fio2):
    with pytest.raises(ValueError, match=r"fio2 must lie between 0\.21 and 1\.0"):
        pao2_fio2_ratio_mm_hg(80, fio2)
    with pytest.raises(ValueError, match=r"fio2 must lie between 0\.21 and 1\.0"):
        a_a_gradient_mm_hg(80, 40, fio2)


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [
        (301, ArdsClass.NOT_MET),
        (300, ArdsClass.MILD),
        (201, ArdsClass.MILD),
        (200, ArdsClass.MODERATE),
        (101, ArdsClass.MODERATE),
        (100, ArdsClass.SEVERE),
        (80 / 0.8, ArdsClass.SEVERE),
        (60, ArdsClass.SEVERE),
    ],
)
def test_berlin_severity(ratio, expected):
    assert berlin_class(replace(ARDS, pao2_fio2_mm_hg=ratio)) is expected


@pytest.mark.parametrize(
    "change",
    [
        {"onset_within_one_week": False},
        {"bilateral_opacities": False},
        {"explained_by_cardiac_failure_or_overload": True},
        {"peep_cm_h2o": 4.9},
    ],
)
def test_each_berlin_criterion_is_needed(change):
    assert berlin_class(replace(ARDS, peep_cm_h2o=5.0)) is ArdsClass.MODERATE
    assert berlin_class(replace(ARDS, **change)) is ArdsClass.NOT_MET


def test_an_unread_film_is_not_a_clear_film():
    with pytest.raises(ValueError, match="bilateral_opacities must be true or false, got None"):
        berlin_class(replace(ARDS, bilateral_opacities=None))


def test_qt_is_unchanged_at_60_a_minute():
    assert qtc_bazett_ms(400, 60) == qtc_fridericia_ms(400, 60) == qtc_framingham_ms(400, 60) == 400


def test_qt_worked_examples():
    assert qtc_bazett_ms(360, 240) == pytest.approx(720)  # RR 0.25 s, root 0.5
    assert qtc_fridericia_ms(200, 480) == pytest.approx(400)  # RR 0.125 s, cube root 0.5
    assert qtc_framingham_ms(360, 120) == pytest.approx(437)  # 360 + 154 x 0.5
    assert round(qtc_bazett_ms(360, 100)) == 465
    assert round(qtc_fridericia_ms(360, 100)) == 427


@SETTINGS
@given(st.floats(200, 600), st.floats(61, 180))
def test_bazett_corrects_a_fast_rate_more_than_fridericia(qt, rate):
    assert qt < qtc_fridericia_ms(qt, rate) < qtc_bazett_ms(qt, rate)
    assert qtc_framingham_ms(qt, rate) > qt


def test_mean_arterial_pressure():
    assert mean_arterial_pressure_mm_hg(120, 90) == 100
    assert mean_arterial_pressure_mm_hg(90, 90) == 90
    assert round(mean_arterial_pressure_mm_hg(90, 55), 1) == 66.7
    with pytest.raises(ValueError, match="systolic_mm_hg 60 is below diastolic_mm_hg 90"):
        mean_arterial_pressure_mm_hg(60, 90)
