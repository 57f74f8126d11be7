"""Child-Pugh, the MELD family, FIB-4 and the R factor."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.clinical.child_pugh import (
    Ascites,
    ChildPughClass,
    ChildPughFindings,
    Encephalopathy,
    child_pugh_class,
    child_pugh_points,
)
from tools.clinical.fib4 import Fib4Reading, fib4_index, read_fib4
from tools.clinical.meld import meld, meld_3_0, meld_na
from tools.clinical.r_factor import LiverInjuryPattern, liver_injury_pattern, r_factor

SETTINGS = settings(derandomize=True, max_examples=50, deadline=None)
COMPENSATED = ChildPughFindings(
    bilirubin_mg_dl=1.0,
    albumin_g_dl=4.0,
    inr=1.0,
    ascites=Ascites.NONE,
    encephalopathy=Encephalopathy.NONE,
    cholestatic=False,
)


@pytest.mark.parametrize(
    ("change", "points"),
    [
        ({}, 5),
        ({"bilirubin_mg_dl": 1.9}, 5),
        ({"bilirubin_mg_dl": 2.0}, 6),
        ({"bilirubin_mg_dl": 3.0}, 6),
        ({"bilirubin_mg_dl": 3.01}, 7),
        ({"bilirubin_mg_dl": 3.9, "cholestatic": True}, 5),
        ({"bilirubin_mg_dl": 4.0, "cholestatic": True}, 6),
        ({"bilirubin_mg_dl": 10.0, "cholestatic": True}, 6),
        ({"bilirubin_mg_dl": 10.1, "cholestatic": True}, 7),
        ({"albumin_g_dl": 3.51}, 5),
        ({"albumin_g_dl": 3.5}, 6),
        ({"albumin_g_dl": 2.8}, 6),
        ({"albumin_g_dl": 2.7}, 7),
        ({"inr": 1.69}, 5),
        ({"inr": 1.7}, 6),
        ({"inr": 2.3}, 6),
        ({"inr": 2.31}, 7),
        ({"ascites": Ascites.SLIGHT}, 6),
        ({"ascites": Ascites.MODERATE_OR_SEVERE}, 7),
        ({"encephalopathy": Encephalopathy.GRADE_1_OR_2}, 6),
        ({"encephalopathy": Encephalopathy.GRADE_3_OR_4}, 7),
    ],
)
def test_child_pugh_points(change, points):
    assert child_pugh_points(replace(COMPENSATED, **change)) == points


def test_child_pugh_worst_case_and_classes():
    worst = ChildPughFindings(
        bilirubin_mg_dl=12,
        albumin_g_dl=2.0,
        inr=3.0,
        ascites=Ascites.MODERATE_OR_SEVERE,
        encephalopathy=Encephalopathy.GRADE_3_OR_4,
        cholestatic=False,
    )
    assert child_pugh_points(worst) == 15
    classes = "".join(child_pugh_class(points) for points in range(5, 16))
    assert classes == "AA" + "BBB" + "CCCCCC"
    assert child_pugh_class(10) is ChildPughClass.C
    for points in (4, 16):
        with pytest.raises(ValueError, match="points must lie between 5 and 15"):
            child_pugh_class(points)


@pytest.mark.parametrize("change", [{"ascites": None}, {"encephalopathy": 0}, {"cholestatic": None}])
def test_child_pugh_needs_every_finding(change):
    with pytest.raises(ValueError, match=r"not a valid|true or false"):
        child_pugh_points(replace(COMPENSATED, **change))


def labs(bilirubin=1.0, inr=1.0, creatinine=1.0, *, dialysis=False):
    return {
        "bilirubin_mg_dl": bilirubin,
        "inr": inr,
        "creatinine_mg_dl": creatinine,
        "dialysis": dialysis,
    }


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        (labs(), 6),  # 10 x 0.643
        (labs(0.3, 0.8, 0.5), 6),  # everything below 1 counts as 1
        (labs(1.5, 1.5, 1.0), 13),  # 10 x (0.1533 + 0.4541 + 0.643) = 12.50
        (labs(4.0, 1.8, 1.9), 24),  # 10 x (0.6143 + 0.5240 + 0.6583 + 0.643) = 24.40
        (labs(30.0, 6.0, 8.0), 40),
    ],
)
def test_meld(inputs, expected):
    assert meld(**inputs) == expected


def test_meld_creatinine_is_capped_and_dialysis_sets_it():
    assert meld(**labs(2, 1.5, 4.0)) == meld(**labs(2, 1.5, 9.0)) == meld(**labs(2, 1.5, 0.7, dialysis=True))
    assert meld(**labs(2, 1.5, 3.5)) < meld(**labs(2, 1.5, 4.0))


@pytest.mark.parametrize(
    ("inputs", "sodium", "expected"),
    [
        (labs(1.5, 1.5, 1.0), 135, 15),  # 13 + 2.64 - 0.858 = 14.78
        (labs(1.5, 1.5, 1.0), 137, 13),
        (labs(1.5, 1.5, 1.0), 145, 13),
        (labs(1.5, 1.5, 1.0), 125, 24),  # 13 + 15.84 - 5.148 = 23.69
        (labs(1.5, 1.5, 1.0), 118, 24),
        (labs(4.0, 1.8, 1.9), 128, 29),  # 24 + 11.88 - 7.128 = 28.75
        (labs(30.0, 6.0, 8.0), 125, 40),
    ],
)
def test_meld_na(inputs, sodium, expected):
    assert meld_na(**inputs, sodium_meq_l=sodium) == expected


def test_sodium_counts_only_above_a_meld_of_11():
    eleven, twelve = labs(1.0, 1.5, 1.0), labs(1.2, 1.5, 1.0)  # 10.97, 11.66
    assert (meld(**eleven), meld(**twelve)) == (11, 12)
    assert meld_na(**eleven, sodium_meq_l=125) == 11
    assert meld_na(**twelve, sodium_meq_l=125) == 23  # 12 + 15.84 - 4.752 = 23.09


def meld3(bilirubin=1.0, inr=1.0, creatinine=1.0, sodium=137.0, albumin=3.5, sex="M", *, dialysis=False):
    return meld_3_0(
        **labs(bilirubin, inr, creatinine, dialysis=dialysis),
        sodium_meq_l=sodium,
        albumin_g_dl=albumin,
        sex=sex,
    )


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ((), 6),
        # 3.161 + 1.64 - 0.333 + 3.686 + 2.923 + 0.925 - 0.240 + 6 = 17.76; with 1.33 more, 19.09
        ((2.0, 1.5, 1.3, 135, 3.0, "M"), 18),
        ((2.0, 1.5, 1.3, 135, 3.0, "F"), 19),
        # 0.82 x 12 and 1.85 x 2 over 6
        ((1.0, 1.0, 1.0, 125, 1.5, "M"), 20),
        ((30.0, 6.0, 8.0, 125, 1.5, "F"), 40),
    ],
)
def test_meld_3_0(inputs, expected):
    assert meld3(*inputs) == expected


@pytest.mark.parametrize(
    ("below", "above", "score"),
    [
        ({"inr": 6.14}, {"inr": 6.15}, 22),  # 9.09 ln INR reaches 16.5 at 6.1415
        ({"bilirubin": 29.9}, {"bilirubin": 30.0}, 21),  # 4.56 ln bilirubin reaches 15.5 at 29.94
        ({"creatinine": 2.80}, {"creatinine": 2.81}, 17),  # 11.14 ln creatinine reaches 11.5 at 2.808
        ({"sodium": 125.42}, {"sodium": 125.41}, 15),  # 0.82 x deficit reaches 9.5 at 11.585
        ({"albumin": 1.61}, {"albumin": 1.60}, 9),  # 1.85 x deficit reaches 3.5 at 1.892
        (
            {"bilirubin": 20, "sodium": 128.8},
            {"bilirubin": 20, "sodium": 128.6},
            20,
        ),  # 19.661 + 0.1010 x deficit
        (
            {"creatinine": 2, "albumin": 2.17},
            {"creatinine": 2, "albumin": 2.16},
            14,
        ),  # 13.722 + 0.5815 x deficit
        ({"sex": "F", "inr": 1.018}, {"sex": "F", "inr": 1.019}, 7),  # 1.33 + 0.17 at an INR of 1.0189
        ({"creatinine": 9, "inr": 1.029}, {"creatinine": 9, "inr": 1.030}, 18),  # 18.239 at the cap of 3.0
    ],
)
def test_meld_3_0_steps_where_its_coefficients_say(below, above, score):
    assert (meld3(**below), meld3(**above)) == (score, score + 1)


def test_meld_and_meld_na_step_where_their_coefficients_say():
    assert (meld(**labs(1, 1.074, 9)), meld(**labs(1, 1.075, 9))) == (20, 21)  # 19.697 + 11.2 ln INR
    thirteen, thirty = labs(1.5, 1.5, 1.0), labs(4.0, 1.57, 4.0)
    assert (meld(**thirteen), meld(**thirty)) == (13, 30)
    # 13 + 0.891 x deficit, 30 + 0.33 x deficit
    assert [meld_na(**thirteen, sodium_meq_l=sodium) for sodium in (126.34, 126.33)] == [22, 23]
    assert [meld_na(**thirty, sodium_meq_l=sodium) for sodium in (126.40, 126.39)] == [33, 34]


def test_meld_3_0_bounds_its_inputs():
    assert meld3(creatinine=3.0) == meld3(creatinine=7.0) == meld3(creatinine=0.8, dialysis=True) == 18
    assert meld3(creatinine=2.5) < 18
    assert meld3(sodium=125) == meld3(sodium=115) > meld3(sodium=127)
    assert meld3(sodium=137) == meld3(sodium=150)
    assert meld3(albumin=1.5) == meld3(albumin=1.0) > meld3(albumin=2.1)
    assert meld3(albumin=3.5) == meld3(albumin=5.0)
    with pytest.raises(ValueError, match="sex must be"):
        meld3(sex=None)


@SETTINGS
@given(st.floats(0.5, 20), st.floats(0.8, 4), st.floats(0.5, 5), st.floats(120, 145), st.floats(0, 2))
def test_meld_never_falls_with_a_worse_bilirubin_or_inr(bilirubin, inr, creatinine, sodium, more):
    for worse in (labs(bilirubin + more, inr, creatinine), labs(bilirubin, inr + more, creatinine)):
        assert meld(**worse) >= meld(**labs(bilirubin, inr, creatinine))
        assert meld_na(**worse, sodium_meq_l=sodium) >= meld(**labs(bilirubin, inr, creatinine))


@SETTINGS
@given(st.floats(0.5, 20), st.floats(0.8, 4), st.floats(0.5, 5), st.floats(120, 145), st.floats(1, 5))
def test_meld_3_0_stays_in_its_range_and_women_never_score_less(bilirubin, inr, creatinine, sodium, albumin):
    men, women = (meld3(bilirubin, inr, creatinine, sodium, albumin, sex) for sex in ("M", "F"))
    assert 6 <= men <= women <= 40
    assert women - men <= 2


def test_fib4():
    assert fib4_index(age_years=50, ast_u_l=80, alt_u_l=64, platelets_k_ul=100) == pytest.approx(5.0)
    assert fib4_index(age_years=40, ast_u_l=36, alt_u_l=36, platelets_k_ul=240) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("index", "reading"),
    [
        (1.44, Fib4Reading.LOW),
        (1.45, Fib4Reading.INDETERMINATE),
        (3.25, Fib4Reading.INDETERMINATE),
        (3.26, Fib4Reading.HIGH),
    ],
)
def test_fib4_cutoffs(index, reading):
    assert read_fib4(index) is reading


def r(alt, alkaline_phosphatase):
    return r_factor(
        alt_u_l=alt,
        alt_upper_limit_u_l=40,
        alkaline_phosphatase_u_l=alkaline_phosphatase,
        alkaline_phosphatase_upper_limit_u_l=120,
    )


@pytest.mark.parametrize(
    ("alt", "alkaline_phosphatase", "factor", "pattern"),
    [
        (800, 240, 10, LiverInjuryPattern.HEPATOCELLULAR),
        (200, 120, 5, LiverInjuryPattern.HEPATOCELLULAR),
        (199, 120, 4.975, LiverInjuryPattern.MIXED),
        (81, 120, 2.025, LiverInjuryPattern.MIXED),
        (80, 120, 2, LiverInjuryPattern.CHOLESTATIC),
        (40, 480, 0.25, LiverInjuryPattern.CHOLESTATIC),
    ],
)
def test_r_factor(alt, alkaline_phosphatase, factor, pattern):
    assert r(alt, alkaline_phosphatase) == pytest.approx(factor)
    assert liver_injury_pattern(r(alt, alkaline_phosphatase)) is pattern
