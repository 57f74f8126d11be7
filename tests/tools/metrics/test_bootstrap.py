"""Intervals over clusters: against every possible resample of a small case, and against pooled turns."""

from itertools import product

import numpy as np
import pytest

from tools.metrics.resample import Resampler


def test_agrees_with_every_possible_resample() -> None:
    sums, counts = np.array([4.0, 1.0, 2.5, 0.0]), np.array([4.0, 4.0, 3.0, 2.0])
    drawn = [list(draw) for draw in product(range(4), repeat=4)]
    ratios = [sums[draw].sum() / counts[draw].sum() for draw in drawn]
    low, high = np.quantile(ratios, [0.025, 0.975])
    interval = clustered_interval(sums, counts, seed=1, resamples=40_000)
    assert interval is not None
    assert interval.low == pytest.approx(low, abs=0.02)
    assert interval.high == pytest.approx(high, abs=0.02)


def test_clusters_are_wider_than_turns_taken_as_independent() -> None:
    """Eight sessions of eight turns, each all right or all wrong: 64 independent turns would look twice as sure."""
    sums, counts = np.array([8.0, 0.0] * 4), np.full(8, 8.0)
    turns = np.array([1.0, 0.0] * 32)
    clustered = clustered_interval(sums, counts, seed=1)
    pooled = clustered_interval(turns, np.ones(64), seed=1)
    assert clustered is not None
    assert pooled is not None
    assert clustered.high - clustered.low > 2 * (pooled.high - pooled.low)


def test_is_the_same_for_a_seed_and_another_for_another() -> None:
    sums, counts = np.linspace(0.01, 0.97, 30) ** 2, np.ones(30)
    assert clustered_interval(sums, counts, seed=3) == clustered_interval(sums, counts, seed=3)
    assert clustered_interval(sums, counts, seed=3) != clustered_interval(sums, counts, seed=4)


@pytest.mark.parametrize(
    ("sums", "counts"),
    [([1.0, 0.0], [4.0, 0.0]), ([0.0, 0.0, 0.0], [4.0, 4.0, 2.0]), ([2.0, 1.0], [4.0, 2.0])],
)
def test_sessions_that_do_not_differ_bound_nothing(sums: list[float], counts: list[float]) -> None:
    assert clustered_interval(np.array(sums), np.array(counts), seed=1) is None
