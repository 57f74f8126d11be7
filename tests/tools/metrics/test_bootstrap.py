"""Intervals over clusters: against every possible resample of a small case, scipy, and pooled turns."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from state.interval import Interval
from tools.metrics.resample import Resampler, bca, percentile

CASES = [
    ([4.0, 1.0, 2.5, 0.0], [4.0, 4.0, 3.0, 2.0]),
    (list(np.linspace(0.01, 0.97, 30) ** 2), [1.0] * 30),
    ([float(i % 5) for i in range(40)], [4.0] * 40),
    ([-1.0, 0.5, 0.0, 0.0, 2.0, -0.25, 1.0, 0.75], [1.0, 2.0, 3.0, 1.0, 4.0, 1.0, 2.0, 2.0]),
]


def both(case: tuple[list[float], list[float]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.array(case[0]), np.array(case[1])


def ratio(sums: NDArray[np.float64], counts: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    return sums.sum(axis=axis) / counts.sum(axis=axis)


def assert_close(interval: Interval | None, low: float, high: float, abs: float) -> None:  # noqa: A002
    assert interval is not None
    assert interval.low == pytest.approx(low, abs=abs)
    assert interval.high == pytest.approx(high, abs=abs)


def test_percentile_agrees_with_every_possible_resample() -> None:
    sums, counts = both(CASES[0])
    drawn = [list(draw) for draw in product(range(4), repeat=4)]
    ratios = [sums[draw].sum() / counts[draw].sum() for draw in drawn]
    low, high = np.quantile(ratios, [0.025, 0.975])
    assert_close(Resampler(1, 40_000).intervals(sums, counts)[0], low, high, abs=0.02)


@pytest.mark.parametrize("case", CASES)
def test_bounds_of_the_same_resamples_are_those_of_scipy(case: tuple[list[float], list[float]]) -> None:
    sums, counts = both(case)
    drawn = stats.bootstrap(
        (sums, counts), ratio, paired=True, vectorized=True, method="BCa", n_resamples=5_000,
        rng=np.random.default_rng(5),
    )  # fmt: skip
    distribution = drawn.bootstrap_distribution.round(12)
    low, high = drawn.confidence_interval
    assert_close(bca(distribution, sums, counts), low, high, abs=1e-9)
    outer = stats.bootstrap(
        (sums, counts), ratio, paired=True, vectorized=True, method="percentile", n_resamples=0,
        bootstrap_result=drawn,
    ).confidence_interval  # fmt: skip
    assert_close(percentile(distribution), outer.low, outer.high, abs=1e-9)


@pytest.mark.parametrize("case", CASES[1:])
def test_intervals_are_those_of_scipy_but_for_chance(case: tuple[list[float], list[float]]) -> None:
    sums, counts = both(case)
    ours = Resampler(3).intervals(sums, counts)
    for method, interval in zip(("percentile", "BCa"), ours, strict=True):
        theirs = stats.bootstrap(
            (sums, counts), ratio, paired=True, vectorized=True, method=method, n_resamples=10_000,
            rng=np.random.default_rng(11),
        ).confidence_interval  # fmt: skip
        width = theirs.high - theirs.low
        assert_close(interval, theirs.low, theirs.high, abs=0.06 * width)


def test_clusters_are_wider_than_turns_taken_as_independent() -> None:
    """Eight sessions of eight turns, each all right or all wrong: 64 independent turns would look twice as sure."""
    sums, counts = np.array([8.0, 0.0] * 4), np.full(8, 8.0)
    turns = np.array([1.0, 0.0] * 32)
    clustered, _ = Resampler(1).intervals(sums, counts)
    pooled, _ = Resampler(1).intervals(turns, np.ones(64))
    assert clustered is not None
    assert pooled is not None
    assert clustered.high - clustered.low > 2 * (pooled.high - pooled.low)


def test_is_the_same_for_a_seed_and_another_for_another() -> None:
    sums, counts = both(CASES[1])
    assert Resampler(3).intervals(sums, counts) == Resampler(3).intervals(sums, counts)
    assert Resampler(3).intervals(sums, counts) != Resampler(4).intervals(sums, counts)


def test_each_resample_holds_as_many_clusters_as_there_are() -> None:
    drawn = Resampler(2, 1_500).drawn(7)
    assert drawn.shape == (1_500, 7)
    assert set(drawn.sum(axis=1)) == {7}
    assert drawn.mean() == pytest.approx(1)
    assert drawn.var() == pytest.approx(6 / 7, abs=0.05)


@pytest.mark.parametrize(
    ("sums", "counts"),
    [
        ([1.0, 0.0], [4.0, 0.0]),
        ([0.0, 0.0, 0.0], [4.0, 4.0, 2.0]),
        ([2.0, 1.0], [4.0, 2.0]),
        ([0.3, 0.9], [1, 3]),
    ],
)
def test_sessions_that_do_not_differ_bound_nothing(sums: list[float], counts: list[float]) -> None:
    assert Resampler(1).intervals(np.array(sums), np.array(counts, dtype=float)) == (None, None)
