"""Bootstrap over whole sessions: turns of one session are not independent."""

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from state.interval import Interval

Floats = NDArray[np.float64]

RESAMPLES = 10_000
LEVEL = 0.95
CHUNK = 1_000
"""Resamples multiplied at a time: keeps memory near CHUNK x sessions numbers."""
DIGITS = 12
"""Decimals kept of a resampled ratio, so that the order of additions makes no difference to what is equal."""
NORMAL = NormalDist()


@dataclass
class Resampler:
    """Resamples of clusters, drawn once for each number of clusters and used for every figure that has as many."""

    seed: int
    resamples: int = RESAMPLES
    _drawn: dict[int, NDArray[np.uint16]] = field(default_factory=dict)

    def drawn(self, clusters: int) -> NDArray[np.uint16]:
        """Give how often each cluster is in each resample: ``resamples`` rows of ``clusters`` counts."""
        if clusters not in self._drawn:
            rng = np.random.default_rng([self.seed, clusters])
            counts = np.empty((self.resamples, clusters), dtype=np.uint16)
            for start in range(0, self.resamples, CHUNK):
                rows = min(CHUNK, self.resamples - start)
                places = rng.integers(clusters, size=(rows, clusters))
                places += clusters * np.arange(rows)[:, None]
                flat = np.bincount(places.ravel(), minlength=rows * clusters)
                counts[start : start + rows] = flat.reshape(rows, clusters)
            self._drawn[clusters] = counts
        return self._drawn[clusters]

    def ratios(self, sums: Floats, counts: Floats) -> Floats:
        """Give ``sum(sums) / sum(counts)`` of every resample."""
        drawn, both = self.drawn(len(sums)), np.column_stack([sums, counts])
        ratios = np.empty(self.resamples)
        for start in range(0, self.resamples, CHUNK):
            totals = drawn[start : start + CHUNK].astype(np.float64) @ both
            ratios[start : start + CHUNK] = totals[:, 0] / totals[:, 1]
        return ratios.round(DIGITS)

    def intervals(self, sums: Floats, counts: Floats) -> tuple[Interval | None, Interval | None]:
        """Bound the ratio ``sum(sums) / sum(counts)`` by resampling clusters: percentile and BCa interval.

        ``sums`` and ``counts``: one entry a session, the total over its scored units and their number. Both are None
        where sessions do not differ (one alone, or all alike): resampling would give a width of nothing, which no
        sample has. Methods: Efron 1979 and 1987, clusters as units (Field and Welsh 2007).
        """
        used = counts > 0
        sums, counts = sums[used], counts[used]
        if np.unique((sums / counts).round(DIGITS)).size < 2:
            return None, None
        ratios = self.ratios(sums, counts)
        return percentile(ratios), bca(ratios, sums, counts)


def percentile(ratios: Floats) -> Interval:
    """Bound by the outer quantiles of the resamples."""
    tail = (1 - LEVEL) / 2
    return _between(ratios, tail, 1 - tail)


def bca(ratios: Floats, sums: Floats, counts: Floats) -> Interval | None:
    """Bound by quantiles corrected for bias and acceleration (Efron 1987, acceleration by jackknife over clusters).

    None where the correction is not defined: every resample lies on one side of the estimate, or leaving a cluster out
    changes nothing.
    """
    estimate = float((sums.sum() / counts.sum()).round(DIGITS))
    below = (np.mean(ratios < estimate) + np.mean(ratios <= estimate)) / 2
    left_out = (sums.sum() - sums) / (counts.sum() - counts)
    pull = left_out.mean() - left_out
    spread = float((pull**2).sum())
    if not 0 < below < 1 or spread == 0:
        return None
    bias, acceleration = NORMAL.inv_cdf(float(below)), float((pull**3).sum()) / (6 * spread**1.5)
    level = _corrected(bias, acceleration)
    tail = (1 - LEVEL) / 2
    return _between(ratios, level(tail), level(1 - tail))


def _corrected(bias: float, acceleration: float) -> Callable[[float], float]:
    def level(tail: float) -> float:
        shifted = bias + NORMAL.inv_cdf(tail)
        return NORMAL.cdf(bias + shifted / (1 - acceleration * shifted))

    return level


def _between(ratios: Floats, low: float, high: float) -> Interval:
    bounds = np.quantile(ratios, [low, high]).round(DIGITS - 2)
    return Interval(low=float(bounds[0]), high=float(bounds[1]))
