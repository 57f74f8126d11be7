"""p values of paired differences, and their adjustment for being many."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from tools.metrics.resample import CHUNK, DIGITS, Floats

EXACT_CLUSTERS = 13
"""Up to this many sessions that differ every sign is tried: 8,192 of them, no more than are drawn otherwise."""


def flip_p(sums: Sequence[float], seed: int, resamples: int) -> float | None:
    """Give the two-sided p value of a sum of paired differences, by flipping the sign of whole sessions.

    ``sums``: a session's differences added up. Exact where few sessions differ; else ``resamples`` signs are drawn, the
    observed one counts as one of them (Phipson and Smyth 2010). None without sessions, 1 where none differs.
    """
    if not sums:
        return None
    differ = np.array([value for value in np.round(sums, DIGITS) if value], dtype=np.float64)
    if not len(differ):
        return 1.0
    observed = abs(differ.sum()).round(DIGITS)
    if len(differ) <= EXACT_CLUSTERS:
        signs = np.array(list(product((-1.0, 1.0), repeat=len(differ))))
        return float(np.mean(np.abs(signs @ differ).round(DIGITS) >= observed))
    rng = np.random.default_rng([seed, len(differ)])
    extreme = 0
    for start in range(0, resamples, CHUNK):
        signs = 2.0 * rng.integers(2, size=(min(CHUNK, resamples - start), len(differ))) - 1
        extreme += int((np.abs(signs @ differ).round(DIGITS) >= observed).sum())
    return (1 + extreme) / (1 + resamples)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p values for being one family (Holm 1979); the order is kept."""
    adjusted = [0.0] * len(p_values)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = least
    return adjusted


def mean_sum(values: Sequence[Sequence[float]]) -> tuple[Floats, Floats]:
    """Give the sum and the number of each cluster's values."""
    return (
        np.array([sum(cluster) for cluster in values], dtype=np.float64),
        np.array([len(cluster) for cluster in values], dtype=np.float64),
    )
