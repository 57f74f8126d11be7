"""KDIGO stages at both sides of every threshold in time, ratio, rise and urine rate."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.clinical.kdigo_aki import (
    TimedCreatinine,
    UrineCollection,
    aki_stage,
    aki_stage_by_creatinine,
    aki_stage_by_urine,
)

NOW = datetime(2150, 5, 4, 6, 0)
WEIGHT_KG = 80.0


def stage(current, *, baseline=1.0, earlier=(), within_7_days=True, renal_replacement=False):
    return aki_stage_by_creatinine(
        TimedCreatinine(NOW, current),
        [TimedCreatinine(NOW - timedelta(hours=hours), value) for hours, value in earlier],
        baseline_mg_dl=baseline,
        rise_from_baseline_within_7_days=within_7_days,
        renal_replacement_started=renal_replacement,
    )


@pytest.mark.parametrize(
    ("current", "expected"),
    [(1.49, 0), (1.5, 1), (1.99, 1), (2.0, 2), (2.99, 2), (3.0, 3), (9.0, 3), (1.0, 0), (0.4, 0)],
)
def test_ratio_to_baseline(current, expected):
    assert stage(current) == expected


@pytest.mark.parametrize(("current", "baseline", "expected"), [(1.2, 0.8, 1), (2.1, 0.7, 3), (1.4, 0.7, 2)])
def test_ratios_that_floating_point_puts_under_the_threshold(current, baseline, expected):
    assert stage(current, baseline=baseline) == expected


def test_ratio_counts_only_within_seven_days():
    assert stage(3.5, within_7_days=True) == 3
    assert stage(3.5, within_7_days=False) == 0


@pytest.mark.parametrize(
    ("hours", "earlier", "current", "expected"),
    [
        (48, 1.1, 1.4, 1),  # exactly 0.3, exactly 48 h
        (48.1, 1.1, 1.4, 0),
        (12, 1.11, 1.4, 0),
        (12, 3.8, 4.1, 3),  # risen, and from 4.0
        (12, 3.6, 3.99, 1),
        (12, 3.7, 4.0, 3),
        (72, 3.7, 4.0, 0),  # 4.0 without injury is no stage
    ],
)
def test_rise_within_48_hours(hours, earlier, current, expected):
    assert stage(current, baseline=current, earlier=[(hours, earlier)]) == expected


def test_ratio_reaching_four_is_stage_3():
    assert stage(4.0, baseline=2.5) == 3
    assert stage(3.9, baseline=2.5) == 1


def test_renal_replacement_is_stage_3():
    assert stage(1.0, renal_replacement=True) == 3


def test_an_earlier_sample_from_the_future_is_refused():
    assert stage(1.0, earlier=[(0, 1.0)]) == 0
    with pytest.raises(ValueError, match="after the current one"):
        stage(1.0, earlier=[(-1, 1.0)])
    with pytest.raises(ValueError, match="creatinine_mg_dl must be a positive number"):
        stage(1.0, earlier=[(1, 0.0)])


def hourly(*rates_ml_kg_h):
    """One collection an hour up to NOW, oldest first, at the given rates."""
    start = NOW - timedelta(hours=len(rates_ml_kg_h))
    return [
        UrineCollection(start + timedelta(hours=i), start + timedelta(hours=i + 1), rate * WEIGHT_KG)
        for i, rate in enumerate(rates_ml_kg_h)
    ]


@pytest.mark.parametrize(
    ("rates", "expected"),
    [
        ([], None),
        ([0.1] * 5, None),
        ([0.1] * 6, 1),
        ([0.5] * 6, 0),
        ([0.49] * 6, 1),
        ([0.49] * 11, 1),
        ([0.49] * 12, 2),
        ([0.5] * 12, 0),
        ([0.29] * 23, 2),
        ([0.29] * 24, 3),
        ([0.3] * 24, 2),
        ([0.0] * 11, 1),
        ([0.0] * 12, 3),
        ([0.01] + [0.0] * 11, 2),
        ([1.0] * 18 + [0.4] * 6, 1),  # only the tail is low
        ([0.1] * 6 + [1.0] * 6, 0),  # it was low and recovered
    ],
)
def test_urine_rate_and_duration(rates, expected):
    assert aki_stage_by_urine(hourly(*rates), WEIGHT_KG) == expected


def test_long_collections_are_not_split():
    collections = [UrineCollection(NOW - timedelta(hours=8), NOW, 8 * 0.4 * WEIGHT_KG)]
    assert aki_stage_by_urine(collections, WEIGHT_KG) == 1


def test_urine_in_a_gap_is_unknown_and_order_does_not_matter():
    collections = hourly(*[0.4] * 12)
    without_one = collections[:4] + collections[5:]
    assert aki_stage_by_urine(collections[::-1], WEIGHT_KG) == 2
    assert aki_stage_by_urine(without_one, WEIGHT_KG) == 1
    assert aki_stage_by_urine(collections[:8] + collections[9:], WEIGHT_KG) is None


def test_impossible_urine_is_refused():
    one, two = hourly(0.5, 0.5)
    longer = UrineCollection(one.start, two.end, 10.0)
    with pytest.raises(ValueError, match="overlap"):
        aki_stage_by_urine([longer, two], WEIGHT_KG)
    with pytest.raises(ValueError, match=r"a urine collection from .* ends at"):
        aki_stage_by_urine([UrineCollection(NOW, NOW, 10.0)], WEIGHT_KG)
    with pytest.raises(ValueError, match="volume_ml must be zero or more"):
        aki_stage_by_urine([UrineCollection(one.start, one.end, -1.0)], WEIGHT_KG)
    with pytest.raises(ValueError, match="weight_kg must be a positive number"):
        aki_stage_by_urine([one], 0.0)


def test_the_worse_of_the_known_criteria_counts():
    assert aki_stage(1, 2) == 2
    assert aki_stage(3, None) == 3
    assert aki_stage(None, 0) == 0
    with pytest.raises(ValueError, match="both are unknown"):
        aki_stage(None, None)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.floats(0.3, 10), st.floats(0.3, 10), st.floats(0, 2))
def test_a_higher_creatinine_is_never_a_lower_stage(current, baseline, more):
    assert stage(current + more, baseline=baseline) >= stage(current, baseline=baseline)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.lists(st.floats(0, 2), min_size=6, max_size=30), st.floats(0, 1))
def test_more_urine_is_never_a_higher_stage(rates, more):
    assert aki_stage_by_urine(hourly(*(r + more for r in rates)), WEIGHT_KG) <= aki_stage_by_urine(
        hourly(*rates), WEIGHT_KG
    )
