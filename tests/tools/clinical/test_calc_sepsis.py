"""SOFA, SIRS, qSOFA and CURB-65 at both sides of every threshold."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.clinical.curb65 import Curb65Findings, Curb65Risk, curb65_points, curb65_risk
from tools.clinical.qsofa import qsofa_points, qsofa_positive
from tools.clinical.sirs import sirs_criteria, sirs_positive
from tools.clinical.sofa import (
    SofaComponents,
    SofaTotal,
    Vasopressors,
    cardiovascular_points,
    coagulation_points,
    liver_points,
    nervous_system_points,
    renal_points,
    respiration_points,
    sofa_total,
)

SETTINGS = settings(derandomize=True, max_examples=50, deadline=None)
NO_PRESSOR = Vasopressors(dopamine=0, dobutamine=0, epinephrine=0, norepinephrine=0)


@pytest.mark.parametrize(
    ("ratio", "supported", "unsupported"),
    [(400, 0, 0), (399, 1, 1), (300, 1, 1), (299, 2, 2), (200, 2, 2), (199, 3, 2), (100, 3, 2), (99, 4, 2)],
)
def test_sofa_respiration(ratio, supported, unsupported):
    assert respiration_points(ratio, respiratory_support=True) == supported
    assert respiration_points(ratio, respiratory_support=False) == unsupported


@pytest.mark.parametrize(
    ("platelets", "points"),
    [(150, 0), (149, 1), (100, 1), (99, 2), (50, 2), (49, 3), (20, 3), (19, 4), (0, 4)],
)
def test_sofa_coagulation(platelets, points):
    assert coagulation_points(platelets) == points


@pytest.mark.parametrize(
    ("bilirubin", "points"),
    [(1.1, 0), (1.2, 1), (1.9, 1), (2.0, 2), (5.9, 2), (6.0, 3), (11.9, 3), (12.0, 4), (12.1, 4)],
)
def test_sofa_liver(bilirubin, points):
    assert liver_points(bilirubin) == points


@pytest.mark.parametrize(
    ("pressor", "points"),
    [
        ({}, 0),
        ({"dobutamine": 0.5}, 2),
        ({"dopamine": 0.5}, 2),
        ({"dopamine": 5}, 2),
        ({"dopamine": 5.1}, 3),
        ({"dopamine": 15}, 3),
        ({"dopamine": 15.1}, 4),
        ({"epinephrine": 0.1}, 3),
        ({"epinephrine": 0.101}, 4),
        ({"norepinephrine": 0.01}, 3),
        ({"norepinephrine": 0.1}, 3),
        ({"norepinephrine": 0.11}, 4),
        ({"dobutamine": 5, "norepinephrine": 0.2}, 4),
    ],
)
def test_sofa_vasopressors_outrank_the_pressure(pressor, points):
    for pressure in (60, 90):
        expected = points or int(pressure < 70)
        assert cardiovascular_points(pressure, replace(NO_PRESSOR, **pressor)) == expected


def test_sofa_pressure():
    assert cardiovascular_points(70, NO_PRESSOR) == 0
    assert cardiovascular_points(69.9, NO_PRESSOR) == 1
    with pytest.raises(ValueError, match="dopamine must be zero or more"):
        cardiovascular_points(70, replace(NO_PRESSOR, dopamine=-1))


@pytest.mark.parametrize(
    ("coma_scale", "points"), [(15, 0), (14, 1), (13, 1), (12, 2), (10, 2), (9, 3), (6, 3), (5, 4), (3, 4)]
)
def test_sofa_nervous_system(coma_scale, points):
    assert nervous_system_points(coma_scale) == points


@pytest.mark.parametrize("coma_scale", [2, 16])
def test_a_coma_scale_outside_its_range_is_refused(coma_scale):
    with pytest.raises(ValueError, match="between 3 and 15"):
        nervous_system_points(coma_scale)


@pytest.mark.parametrize(
    ("creatinine", "urine", "points"),
    [
        (1.1, None, 0),
        (1.2, None, 1),
        (1.9, None, 1),
        (2.0, None, 2),
        (3.4, None, 2),
        (3.5, None, 3),
        (4.9, None, 3),
        (5.0, None, 4),
        (1.0, 500, 0),
        (1.0, 499, 3),
        (1.0, 200, 3),
        (1.0, 199, 4),
        (6.0, 499, 4),
        (2.0, 1500, 2),
    ],
)
def test_sofa_kidney(creatinine, urine, points):
    assert renal_points(creatinine, urine) == points


def test_sofa_total_names_what_it_lacks():
    whole = SofaComponents(respiration=2, coagulation=1, liver=0, cardiovascular=4, nervous_system=0, renal=3)
    assert sofa_total(whole) == SofaTotal(10, ())
    partial = replace(whole, liver=None, renal=None)
    assert sofa_total(partial) == SofaTotal(7, ("liver", "renal"))
    with pytest.raises(ValueError, match="liver must lie between 0 and 4, got 5"):
        sofa_total(replace(whole, liver=5))
    with pytest.raises(ValueError, match="at least one organ"):
        sofa_total(SofaComponents(**dict.fromkeys(vars(whole))))


NORMAL = {"temperature_c": 37.0, "heart_rate_per_min": 80, "respiratory_rate_per_min": 16, "wbc_k_ul": 8.0}


@pytest.mark.parametrize(
    ("change", "criteria"),
    [
        ({}, 0),
        ({"temperature_c": 38.0}, 0),
        ({"temperature_c": 38.1}, 1),
        ({"temperature_c": 36.0}, 0),
        ({"temperature_c": 35.9}, 1),
        ({"heart_rate_per_min": 90}, 0),
        ({"heart_rate_per_min": 91}, 1),
        ({"respiratory_rate_per_min": 20}, 0),
        ({"respiratory_rate_per_min": 21}, 1),
        ({"paco2_mm_hg": 32}, 0),
        ({"paco2_mm_hg": 31.9}, 1),
        ({"respiratory_rate_per_min": 30, "paco2_mm_hg": 25}, 1),
        ({"wbc_k_ul": 12.0}, 0),
        ({"wbc_k_ul": 12.1}, 1),
        ({"wbc_k_ul": 4.0}, 0),
        ({"wbc_k_ul": 3.9}, 1),
        ({"bands_percent": 0}, 0),
        ({"bands_percent": 10}, 0),
        ({"bands_percent": 11}, 1),
        ({"temperature_c": 39, "heart_rate_per_min": 120, "respiratory_rate_per_min": 28, "wbc_k_ul": 18}, 4),
    ],
)
def test_sirs(change, criteria):
    assert sirs_criteria(**{**NORMAL, **change}) == criteria


@pytest.mark.parametrize("change", [{"bands_percent": 101}, {"paco2_mm_hg": 0}, {"temperature_c": 0}])
def test_sirs_refuses_the_impossible(change):
    with pytest.raises(ValueError, match="must"):
        sirs_criteria(**{**NORMAL, **change})


@pytest.mark.parametrize(
    ("breaths", "systolic", "coma_scale", "points"),
    [
        (21, 101, 15, 0),
        (22, 101, 15, 1),
        (21, 100, 15, 1),
        (21, 101, 14, 1),
        (21, 101, 3, 1),
        (22, 100, 14, 3),
    ],
)
def test_qsofa(breaths, systolic, coma_scale, points):
    computed = qsofa_points(
        respiratory_rate_per_min=breaths, systolic_pressure_mm_hg=systolic, glasgow_coma_scale=coma_scale
    )
    assert computed == points


@pytest.mark.parametrize("coma_scale", [2, 16])
def test_qsofa_refuses_a_coma_scale_outside_its_range(coma_scale):
    with pytest.raises(ValueError, match="between 3 and 15"):
        qsofa_points(respiratory_rate_per_min=16, systolic_pressure_mm_hg=120, glasgow_coma_scale=coma_scale)


def test_sirs_and_qsofa_are_positive_from_two():
    assert [sirs_positive(criteria) for criteria in range(5)] == [False, False, True, True, True]
    assert [qsofa_positive(points) for points in range(4)] == [False, False, True, True]


WELL = Curb65Findings(
    confusion=False,
    urea_nitrogen_mg_dl=10,
    respiratory_rate_per_min=16,
    systolic_pressure_mm_hg=120,
    diastolic_pressure_mm_hg=80,
    age_years=40,
)


@pytest.mark.parametrize(
    ("change", "points"),
    [
        ({}, 0),
        ({"confusion": True}, 1),
        ({"urea_nitrogen_mg_dl": 19}, 0),
        ({"urea_nitrogen_mg_dl": 20}, 1),
        ({"respiratory_rate_per_min": 29}, 0),
        ({"respiratory_rate_per_min": 30}, 1),
        ({"systolic_pressure_mm_hg": 90}, 0),
        ({"systolic_pressure_mm_hg": 89}, 1),
        ({"diastolic_pressure_mm_hg": 61}, 0),
        ({"diastolic_pressure_mm_hg": 60}, 1),
        ({"systolic_pressure_mm_hg": 80, "diastolic_pressure_mm_hg": 50}, 1),
        ({"age_years": 64}, 0),
        ({"age_years": 65}, 1),
    ],
)
def test_curb65(change, points):
    assert curb65_points(replace(WELL, **change)) == points


def test_curb65_is_five_at_most_and_needs_a_known_confusion():
    worst = Curb65Findings(
        confusion=True,
        urea_nitrogen_mg_dl=60,
        respiratory_rate_per_min=40,
        systolic_pressure_mm_hg=70,
        diastolic_pressure_mm_hg=40,
        age_years=90,
    )
    assert curb65_points(worst) == 5
    with pytest.raises(ValueError, match="confusion must be true or false, got None"):
        curb65_points(replace(WELL, confusion=None))


def test_curb65_risk():
    assert [curb65_risk(points) for points in range(6)] == [
        Curb65Risk.LOW,
        Curb65Risk.LOW,
        Curb65Risk.INTERMEDIATE,
        Curb65Risk.HIGH,
        Curb65Risk.HIGH,
        Curb65Risk.HIGH,
    ]
    with pytest.raises(ValueError, match="points must lie between 0 and 5"):
        curb65_risk(6)


@SETTINGS
@given(st.floats(1, 600), st.floats(0, 100))
def test_more_oxygen_and_more_platelets_never_score_more(value, more):
    for support in (False, True):
        assert respiration_points(value + more, respiratory_support=support) <= respiration_points(
            value, respiratory_support=support
        )
    assert coagulation_points(value + more) <= coagulation_points(value)


@SETTINGS
@given(st.floats(0.1, 20), st.floats(0, 5))
def test_a_higher_bilirubin_or_creatinine_never_scores_less(value, more):
    assert liver_points(value + more) >= liver_points(value)
    assert renal_points(value + more, None) >= renal_points(value, None)
