"""Wells, CHA2DS2-VASc, HAS-BLED, 4Ts and ISTH: each finding's points, and both sides of every threshold."""

from dataclasses import fields, replace

import pytest

from tools.clinical import cha2ds2_vasc, has_bled, wells_dvt, wells_pe
from tools.clinical.cha2ds2_vasc import Cha2ds2VascFindings, cha2ds2_vasc_points
from tools.clinical.four_ts import (
    FourTsFindings,
    HitProbability,
    OtherCause,
    Thrombosis,
    Timing,
    four_ts_points,
    hit_probability,
    thrombocytopenia_points,
)
from tools.clinical.has_bled import HasBledFindings, has_bled_points, high_bleeding_risk
from tools.clinical.isth_dic import FibrinMarker, isth_dic_points, overt_dic
from tools.clinical.wells_dvt import WellsDvtFindings, dvt_likely, wells_dvt_points
from tools.clinical.wells_pe import PeProbability, WellsPeFindings, pe_likely, pe_probability, wells_pe_points

NO_DVT = WellsDvtFindings(**{field.name: False for field in fields(WellsDvtFindings)})
NO_PE = WellsPeFindings(heart_rate_per_min=80, **dict.fromkeys(wells_pe.POINTS, False))
NO_STROKE_RISK = Cha2ds2VascFindings(age_years=50, sex="M", **dict.fromkeys(cha2ds2_vasc.POINTS, False))
NO_BLEEDING_RISK = HasBledFindings(age_years=50, **dict.fromkeys(has_bled.POINTS, False))

SCORES = [
    (wells_dvt_points, NO_DVT, wells_dvt.POINTS),
    (wells_pe_points, NO_PE, wells_pe.POINTS),
    (cha2ds2_vasc_points, NO_STROKE_RISK, cha2ds2_vasc.POINTS),
    (has_bled_points, NO_BLEEDING_RISK, has_bled.POINTS),
]
EACH_FINDING = [
    (score, none, name, points) for score, none, table in SCORES for name, points in table.items()
]


@pytest.mark.parametrize(("score", "none", "name", "points"), EACH_FINDING)
def test_each_finding_adds_its_points_and_none_is_refused(score, none, name, points):
    assert score(none) == 0
    assert score(replace(none, **{name: True})) == points
    with pytest.raises(ValueError, match=f"{name} must be true or false, got None"):
        score(replace(none, **{name: None}))


@pytest.mark.parametrize(
    ("score", "none", "table", "others"),
    [
        (wells_dvt_points, NO_DVT, wells_dvt.POINTS, set()),
        (wells_pe_points, NO_PE, wells_pe.POINTS, {"heart_rate_per_min"}),
        (cha2ds2_vasc_points, NO_STROKE_RISK, cha2ds2_vasc.POINTS, {"age_years", "sex"}),
        (has_bled_points, NO_BLEEDING_RISK, has_bled.POINTS, {"age_years"}),
    ],
)
def test_no_finding_is_left_without_points(score, none, table, others):
    assert {field.name for field in fields(none)} == set(table) | others


def test_printed_weights():
    """The tables of the papers, written out a second time."""
    ones = [name for name, points in wells_dvt.POINTS.items() if points == 1]
    assert len(ones) == 9
    assert wells_dvt.POINTS["alternative_diagnosis_at_least_as_likely"] == -2
    assert sorted(wells_pe.POINTS.values()) == [1, 1, 1.5, 1.5, 3, 3]
    assert wells_pe.POINTS["signs_of_dvt"] == wells_pe.POINTS["pe_at_least_as_likely_as_alternatives"] == 3
    assert wells_pe.POINTS["haemoptysis"] == wells_pe.POINTS["malignancy"] == 1
    assert cha2ds2_vasc.POINTS["stroke_tia_or_thromboembolism"] == 2
    assert sorted(cha2ds2_vasc.POINTS.values()) == [1, 1, 1, 1, 2]
    assert list(has_bled.POINTS.values()) == [1] * 8


def test_ranges():
    everything = {name: True for name in wells_dvt.POINTS if wells_dvt.POINTS[name] > 0}
    assert wells_dvt_points(replace(NO_DVT, **everything)) == 9
    assert wells_pe_points(
        replace(NO_PE, heart_rate_per_min=120, **dict.fromkeys(wells_pe.POINTS, True))
    ) == pytest.approx(12.5)
    assert (
        cha2ds2_vasc_points(
            Cha2ds2VascFindings(age_years=80, sex="F", **dict.fromkeys(cha2ds2_vasc.POINTS, True))
        )
        == 9
    )
    assert has_bled_points(HasBledFindings(age_years=80, **dict.fromkeys(has_bled.POINTS, True))) == 9


def test_wells_dvt_levels():
    assert not dvt_likely(-2)
    assert not dvt_likely(1)
    assert dvt_likely(2)


def test_wells_pe_pulse_and_levels():
    assert wells_pe_points(replace(NO_PE, heart_rate_per_min=100)) == 0
    assert wells_pe_points(replace(NO_PE, heart_rate_per_min=101)) == 1.5
    assert not pe_likely(4.0)
    assert pe_likely(4.5)
    assert pe_probability(1.5) is PeProbability.LOW
    assert pe_probability(2.0) is PeProbability.MODERATE
    assert pe_probability(6.0) is PeProbability.MODERATE
    assert pe_probability(6.5) is PeProbability.HIGH


@pytest.mark.parametrize(("age", "points"), [(64, 0), (65, 1), (74, 1), (75, 2), (91, 2)])
def test_cha2ds2_vasc_age_and_sex(age, points):
    assert cha2ds2_vasc_points(replace(NO_STROKE_RISK, age_years=age)) == points
    assert cha2ds2_vasc_points(replace(NO_STROKE_RISK, age_years=age, sex="F")) == points + 1


def test_has_bled_age_and_level():
    assert has_bled_points(replace(NO_BLEEDING_RISK, age_years=65)) == 0
    assert has_bled_points(replace(NO_BLEEDING_RISK, age_years=66)) == 1
    assert not high_bleeding_risk(2)
    assert high_bleeding_risk(3)


@pytest.mark.parametrize(
    ("baseline", "nadir", "points"),
    [
        (200, 99, 2),
        (200, 100, 1),  # exactly 50 %
        (200, 140, 1),  # exactly 30 %
        (200, 141, 0),
        (200, 20, 2),
        (200, 19, 1),
        (200, 10, 1),
        (200, 9, 0),
        (150, 150, 0),
        (10, 7, 0),
    ],
)
def test_4ts_platelets(baseline, nadir, points):
    assert thrombocytopenia_points(baseline, nadir) == points


def test_4ts_platelets_that_rose_are_refused():
    with pytest.raises(ValueError, match="the nadir 210 is above the baseline 200"):
        thrombocytopenia_points(200, 210)


def test_4ts_sum():
    typical = FourTsFindings(
        baseline_platelets_k_ul=250,
        nadir_platelets_k_ul=80,
        timing=Timing.CLEAR_DAY_5_TO_10_OR_RAPID_ON_REEXPOSURE,
        thrombosis=Thrombosis.NEW_OR_SKIN_NECROSIS_OR_SYSTEMIC_REACTION,
        other_cause=OtherCause.NONE_APPARENT,
    )
    assert four_ts_points(typical) == 8
    unlikely = replace(
        typical,
        nadir_platelets_k_ul=240,
        timing=Timing.EARLY_WITHOUT_RECENT_HEPARIN,
        thrombosis=Thrombosis.NONE,
        other_cause=OtherCause.DEFINITE,
    )
    assert four_ts_points(unlikely) == 0
    doubtful = replace(
        unlikely,
        timing=Timing.UNCLEAR_OR_LATE,
        thrombosis=Thrombosis.PROGRESSIVE_RECURRENT_SUSPECTED_OR_SKIN_LESIONS,
        other_cause=OtherCause.POSSIBLE,
    )
    assert four_ts_points(doubtful) == 3
    for item in ("timing", "thrombosis", "other_cause"):
        with pytest.raises(ValueError, match="None is not a valid"):
            four_ts_points(replace(typical, **{item: None}))


def test_4ts_levels():
    low, intermediate, high = HitProbability
    assert [hit_probability(points) for points in range(9)] == [low] * 4 + [intermediate] * 2 + [high] * 3
    with pytest.raises(ValueError, match="points must lie between 0 and 8"):
        hit_probability(9)


NORMAL_CLOTTING = {
    "platelets_k_ul": 250.0,
    "fibrin_marker": FibrinMarker.NO_INCREASE,
    "prothrombin_prolongation_s": -0.5,
    "fibrinogen_mg_dl": 300.0,
}


@pytest.mark.parametrize(
    ("change", "points"),
    [
        ({}, 0),
        ({"platelets_k_ul": 100}, 0),
        ({"platelets_k_ul": 99}, 1),
        ({"platelets_k_ul": 50}, 1),
        ({"platelets_k_ul": 49}, 2),
        ({"fibrin_marker": FibrinMarker.MODERATE_INCREASE}, 2),
        ({"fibrin_marker": FibrinMarker.STRONG_INCREASE}, 3),
        ({"prothrombin_prolongation_s": 2.9}, 0),
        ({"prothrombin_prolongation_s": 3.0}, 1),
        ({"prothrombin_prolongation_s": 5.9}, 1),
        ({"prothrombin_prolongation_s": 6.0}, 2),
        ({"fibrinogen_mg_dl": 100}, 0),
        ({"fibrinogen_mg_dl": 99}, 1),
    ],
)
def test_isth_dic(change, points):
    assert isth_dic_points(**{**NORMAL_CLOTTING, **change}) == points


def test_isth_dic_level():
    worst = isth_dic_points(
        platelets_k_ul=20,
        fibrin_marker=FibrinMarker.STRONG_INCREASE,
        prothrombin_prolongation_s=12,
        fibrinogen_mg_dl=60,
    )
    assert worst == 8
    assert overt_dic(5)
    assert not overt_dic(4)
    with pytest.raises(ValueError, match="None is not a valid"):
        isth_dic_points(**{**NORMAL_CLOTTING, "fibrin_marker": None})
