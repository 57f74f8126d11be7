"""Impossible input is refused by every calculator, and thresholds hold against floating point."""

import math
from datetime import datetime

import pytest

from tools.clinical.anion_gap import anion_gap_meq_l, corrected_anion_gap_meq_l, read_delta_ratio
from tools.clinical.arterial_pressure import mean_arterial_pressure_mm_hg
from tools.clinical.body_size import body_mass_index, body_surface_area_m2, ideal_body_weight_kg
from tools.clinical.checks import by_sex, count_points, exceeds, reaches, require_between, require_flags
from tools.clinical.corrected_calcium import corrected_calcium_mg_dl
from tools.clinical.corrected_phenytoin import corrected_phenytoin_mcg_ml
from tools.clinical.corrected_sodium import SodiumCorrection, corrected_sodium_meq_l
from tools.clinical.fib4 import fib4_index
from tools.clinical.isth_dic import FibrinMarker, isth_dic_points
from tools.clinical.kdigo_aki import TimedCreatinine, aki_stage_by_creatinine
from tools.clinical.lace import lace_index
from tools.clinical.meld import meld, meld_3_0, meld_na
from tools.clinical.osmolality import osmolal_gap_mosm_kg, serum_osmolality_mosm_kg
from tools.clinical.oxygenation import a_a_gradient_mm_hg, pao2_fio2_ratio_mm_hg
from tools.clinical.qsofa import qsofa_points
from tools.clinical.qtc import qtc_bazett_ms, qtc_framingham_ms, qtc_fridericia_ms
from tools.clinical.r_factor import liver_injury_pattern, r_factor
from tools.clinical.sirs import sirs_criteria
from tools.clinical.sofa import coagulation_points, liver_points, renal_points, respiration_points
from tools.clinical.units import Substance, mg_dl_to_mmol_l, pounds_to_kg, umol_l_to_mg_dl
from tools.clinical.winters import expected_paco2

MELD = {"bilirubin_mg_dl": 2.0, "inr": 1.5, "creatinine_mg_dl": 1.3, "dialysis": False}
MELD_3 = {**MELD, "sodium_meq_l": 135.0, "albumin_g_dl": 3.0, "sex": "M"}
SIRS = {"temperature_c": 37.0, "heart_rate_per_min": 80, "respiratory_rate_per_min": 16, "wbc_k_ul": 8.0}
QSOFA = {"respiratory_rate_per_min": 16, "systolic_pressure_mm_hg": 120, "glasgow_coma_scale": 15}
DIC = {
    "platelets_k_ul": 200,
    "fibrin_marker": FibrinMarker.NO_INCREASE,
    "prothrombin_prolongation_s": 0.0,
    "fibrinogen_mg_dl": 300,
}
LACE = {
    "length_of_stay_days": 1,
    "acute_admission": True,
    "comorbidity": 0,
    "emergency_visits_in_6_months": 0,
}
R = {
    "alt_u_l": 40.0,
    "alt_upper_limit_u_l": 40.0,
    "alkaline_phosphatase_u_l": 120.0,
    "alkaline_phosphatase_upper_limit_u_l": 120.0,
}

TAKES_NO_NEGATIVE = {
    "gap": lambda x: anion_gap_meq_l(x, 100, 24),
    "gap chloride": lambda x: anion_gap_meq_l(140, x, 24),
    "gap bicarbonate": lambda x: anion_gap_meq_l(140, 100, x),
    "gap albumin": lambda x: corrected_anion_gap_meq_l(12, x),
    "delta": read_delta_ratio,
    "map": lambda x: mean_arterial_pressure_mm_hg(120, x),
    "bmi": lambda x: body_mass_index(x, 170),
    "bsa": lambda x: body_surface_area_m2(70, x),
    "ideal weight": lambda x: ideal_body_weight_kg(x, "F"),
    "calcium": lambda x: corrected_calcium_mg_dl(x, 4.0),
    "calcium albumin": lambda x: corrected_calcium_mg_dl(9.0, x),
    "phenytoin": lambda x: corrected_phenytoin_mcg_ml(x, 4.0, renal_failure=False),
    "sodium": lambda x: corrected_sodium_meq_l(x, 300, SodiumCorrection.KATZ_1973),
    "sodium glucose": lambda x: corrected_sodium_meq_l(130, x, SodiumCorrection.KATZ_1973),
    "fib4": lambda x: fib4_index(age_years=50, ast_u_l=40, alt_u_l=x, platelets_k_ul=200),
    "dic": lambda x: isth_dic_points(**{**DIC, "platelets_k_ul": x}),
    "lace": lambda x: lace_index(**{**LACE, "length_of_stay_days": x}),
    "meld": lambda x: meld(**{**MELD, "inr": x}),
    "meld-na": lambda x: meld_na(**MELD, sodium_meq_l=x),
    "meld 3.0": lambda x: meld_3_0(**{**MELD_3, "albumin_g_dl": x}),
    "osmolality": lambda x: serum_osmolality_mosm_kg(140, x, 14),
    "osmolal gap": lambda x: osmolal_gap_mosm_kg(x, 290),
    "a-a": lambda x: a_a_gradient_mm_hg(x, 40, 0.21),
    "p/f": lambda x: pao2_fio2_ratio_mm_hg(x, 0.5),
    "qsofa": lambda x: qsofa_points(**{**QSOFA, "systolic_pressure_mm_hg": x}),
    "bazett": lambda x: qtc_bazett_ms(400, x),
    "fridericia": lambda x: qtc_fridericia_ms(400, x),
    "framingham": lambda x: qtc_framingham_ms(x, 60),
    "r": lambda x: r_factor(**{**R, "alt_u_l": x}),
    "pattern": liver_injury_pattern,
    "sirs": lambda x: sirs_criteria(**{**SIRS, "wbc_k_ul": x}),
    "sofa lungs": lambda x: respiration_points(x, respiratory_support=False),
    "sofa platelets": coagulation_points,
    "sofa liver": liver_points,
    "sofa kidney": lambda x: renal_points(x, None),
    "sofa urine": lambda x: renal_points(1.0, x),
    "units": lambda x: mg_dl_to_mmol_l(x, Substance.GLUCOSE),
    "units back": lambda x: umol_l_to_mg_dl(x, Substance.BILIRUBIN),
    "pounds": pounds_to_kg,
    "winters": expected_paco2,
}


@pytest.mark.parametrize("value", [-1.0, -1e-6, math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("calculate", TAKES_NO_NEGATIVE.values(), ids=TAKES_NO_NEGATIVE)
def test_negative_and_meaningless_numbers_are_refused_in_a_sentence(calculate, value):
    with pytest.raises(ValueError, match=r"^[a-z0-9_]+ must be (a positive number|zero or more), got"):
        calculate(value)


@pytest.mark.parametrize(
    "name",
    ["gap", "calcium albumin", "fib4", "meld", "meld-na", "meld 3.0", "a-a", "bazett", "r", "bmi", "map"],
)
def test_zero_is_refused_where_no_patient_has_it(name):
    with pytest.raises(ValueError, match=r"must be a positive number, got 0"):
        TAKES_NO_NEGATIVE[name](0)


@pytest.mark.parametrize(
    "calculate",
    [
        lambda: respiration_points(300, respiratory_support=None),
        lambda: corrected_phenytoin_mcg_ml(10, 4.0, renal_failure=None),
        lambda: meld(**{**MELD, "dialysis": None}),
        lambda: lace_index(**{**LACE, "acute_admission": None}),
        lambda: aki_stage_by_creatinine(
            TimedCreatinine(datetime(2150, 1, 1), 1.0),
            [],
            baseline_mg_dl=1.0,
            rise_from_baseline_within_7_days=True,
            renal_replacement_started=None,
        ),
        lambda: require_flags(labile_inr=1),
    ],
)
def test_unknown_is_never_counted_as_absent(calculate):
    with pytest.raises(ValueError, match="must be true or false, got"):
        calculate()


def test_an_unknown_sex_is_refused():
    assert by_sex("F", female=1, male=2) == 1
    assert by_sex("M", female=1, male=2) == 2
    with pytest.raises(ValueError, match="sex must be 'F' or 'M', got None"):
        by_sex(None, female=1, male=2)


def test_points_are_those_of_the_findings_that_are_true():
    class Findings:
        fever = True
        cough = False

    assert count_points(Findings(), {"fever": 2, "cough": 5}) == 2


def test_decimal_fractions_meet_the_threshold_they_equal():
    assert 1.4 - 1.1 < 0.3  # the trap
    assert reaches(1.4 - 1.1, 0.3)
    assert not exceeds(1.1 - 0.8, 0.3)
    assert 1.1 - 0.8 > 0.3  # and the other one
    assert not reaches(0.2999, 0.3)
    assert exceeds(0.3001, 0.3)


def test_between_includes_its_limits_and_refuses_nan():
    require_between(3, 15, glasgow_coma_scale=3)
    require_between(3, 15, glasgow_coma_scale=15)
    for value in (2, 16, math.nan):
        with pytest.raises(ValueError, match="glasgow_coma_scale must lie between 3 and 15"):
            require_between(3, 15, glasgow_coma_scale=value)
