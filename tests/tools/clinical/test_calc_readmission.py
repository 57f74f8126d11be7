"""LACE and the HOSPITAL score."""

from dataclasses import fields, replace

import pytest

from tools.clinical.hospital_score import HospitalFindings, ReadmissionRisk, hospital_points, readmission_risk
from tools.clinical.lace import (
    COMORBIDITY_POINTS,
    GRADES,
    LaceComorbidities,
    lace_comorbidity,
    lace_high_risk,
    lace_index,
)

HEALTHY = LaceComorbidities(**{field.name: False for field in fields(LaceComorbidities)})


def lace(days=0, *, acute=False, comorbidity=0, visits=0):
    return lace_index(
        length_of_stay_days=days,
        acute_admission=acute,
        comorbidity=comorbidity,
        emergency_visits_in_6_months=visits,
    )


@pytest.mark.parametrize(
    ("days", "points"),
    [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (6, 4), (7, 5), (13, 5), (14, 7), (90, 7)],
)
def test_lace_length_of_stay(days, points):
    assert lace(days) == points


@pytest.mark.parametrize(("comorbidity", "points"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 5), (12, 5)])
def test_lace_comorbidity_points(comorbidity, points):
    assert lace(comorbidity=comorbidity) == points


@pytest.mark.parametrize(("visits", "points"), [(0, 0), (3, 3), (4, 4), (9, 4)])
def test_lace_visits(visits, points):
    assert lace(visits=visits) == points


def test_lace_sums():
    assert lace(acute=True) == 3
    assert lace(5, acute=True, comorbidity=5, visits=2) == 14  # 4 + 3 + 5 + 2
    assert lace(30, acute=True, comorbidity=9, visits=9) == 19
    assert not lace_high_risk(9)
    assert lace_high_risk(10)


@pytest.mark.parametrize(("disease", "points"), COMORBIDITY_POINTS.items())
def test_lace_each_disease(disease, points):
    assert lace_comorbidity(replace(HEALTHY, **{disease: True})) == points
    with pytest.raises(ValueError, match=f"{disease} must be true or false"):
        lace_comorbidity(replace(HEALTHY, **{disease: None}))


def test_lace_weights_as_printed():
    assert set(COMORBIDITY_POINTS) == {field.name for field in fields(LaceComorbidities)}
    assert sorted(COMORBIDITY_POINTS.values()) == [1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 4, 4, 6]
    assert COMORBIDITY_POINTS["metastatic_solid_tumour"] == 6
    assert COMORBIDITY_POINTS["dementia"] == COMORBIDITY_POINTS["connective_tissue_disease"] == 3
    assert COMORBIDITY_POINTS["congestive_heart_failure"] == COMORBIDITY_POINTS["any_tumour"] == 2


@pytest.mark.parametrize(("mild", "severe"), GRADES)
def test_lace_counts_two_grades_of_one_disease_once(mild, severe):
    both = lace_comorbidity(replace(HEALTHY, **{mild: True, severe: True}))
    assert both == COMORBIDITY_POINTS[severe] == lace_comorbidity(replace(HEALTHY, **{severe: True}))


LOW_RISK = HospitalFindings(
    hemoglobin_g_dl=14.0,
    oncology_discharge=False,
    sodium_meq_l=140,
    procedure=False,
    urgent_or_emergent=False,
    admissions_in_previous_year=0,
    length_of_stay_days=2,
)


@pytest.mark.parametrize(
    ("change", "points"),
    [
        ({}, 0),
        ({"hemoglobin_g_dl": 12.0}, 0),
        ({"hemoglobin_g_dl": 11.9}, 1),
        ({"oncology_discharge": True}, 2),
        ({"sodium_meq_l": 135}, 0),
        ({"sodium_meq_l": 134}, 1),
        ({"procedure": True}, 1),
        ({"urgent_or_emergent": True}, 1),
        ({"admissions_in_previous_year": 1}, 0),
        ({"admissions_in_previous_year": 2}, 2),
        ({"admissions_in_previous_year": 5}, 2),
        ({"admissions_in_previous_year": 6}, 5),
        ({"length_of_stay_days": 4}, 0),
        ({"length_of_stay_days": 5}, 2),
    ],
)
def test_hospital_points(change, points):
    assert hospital_points(replace(LOW_RISK, **change)) == points


def test_hospital_worst_case_and_unknowns():
    worst = HospitalFindings(
        hemoglobin_g_dl=7.0,
        oncology_discharge=True,
        sodium_meq_l=125,
        procedure=True,
        urgent_or_emergent=True,
        admissions_in_previous_year=9,
        length_of_stay_days=20,
    )
    assert hospital_points(worst) == 13
    with pytest.raises(ValueError, match="procedure must be true or false, got None"):
        hospital_points(replace(LOW_RISK, procedure=None))
    with pytest.raises(ValueError, match="admissions_in_previous_year must be zero or more, got -1"):
        hospital_points(replace(LOW_RISK, admissions_in_previous_year=-1))


def test_hospital_risk():
    low, intermediate, high = ReadmissionRisk
    assert [readmission_risk(points) for points in range(14)] == [low] * 5 + [intermediate] * 2 + [high] * 7
    with pytest.raises(ValueError, match="points must lie between 0 and 13"):
        readmission_risk(14)
