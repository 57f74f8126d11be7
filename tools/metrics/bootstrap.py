"""Percentile bootstrap over whole sessions: turns of one session are not independent."""

import numpy as np
from numpy.typing import NDArray

from state.metrics import Interval

RESAMPLES = 10_000
LEVEL = 0.95
CHUNK = 500
"""Resamples at a time: keeps memory near CHUNK x sessions numbers."""


def clustered_interval(
    sums: NDArray[np.float64], counts: NDArray[np.float64], seed: int, resamples: int = RESAMPLES
) -> Interval | None:
    """Bound the ratio ``sum(sums) / sum(counts)`` by resampling clusters.

    ``sums`` and ``counts``: one entry a session, the total over its scored units and their number. Returns None where
    sessions do not differ (one alone, or all alike): resampling would give a width of nothing, which no sample has.
    Method: Efron 1979, clusters as units (Field and Welsh 2007).
    """
    used = counts > 0
    sums, counts = sums[used], counts[used]
    if np.unique(sums / counts).size < 2:
        return None
    rng = np.random.default_rng(seed)
    ratios = np.empty(resamples)
    for start in range(0, resamples, CHUNK):
        drawn = rng.integers(len(sums), size=(min(CHUNK, resamples - start), len(sums)))
        ratios[start : start + len(drawn)] = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(ratios, [tail, 1 - tail])
    return Interval(low=float(low), high=float(high))
