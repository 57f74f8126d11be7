"""A figure from the values of its clusters, with its coverage and intervals."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from state.metrics import Figure
from tools.metrics.resample import Resampler

HEADLINE_COVERAGE = 0.98
"""Share of planned units that must be scored before a figure may be a headline."""


def mean_figure(
    values: Sequence[Sequence[float]], planned: int, attempted: int, resampler: Resampler
) -> Figure:
    """Average the values of all clusters; each value is a scored unit."""
    sums = [float(sum(cluster)) for cluster in values]
    counts = [float(len(cluster)) for cluster in values]
    return ratio_figure(sums, counts, planned, attempted, int(sum(counts)), resampler)


def ratio_figure(
    sums: Sequence[float],
    counts: Sequence[float],
    planned: int,
    attempted: int,
    scored: int,
    resampler: Resampler,
) -> Figure:
    """Divide what clusters add up to; ``planned``, ``attempted`` and ``scored`` count the units it could be seen in."""
    total = sum(counts)
    above, below = np.array(sums, dtype=np.float64), np.array(counts, dtype=np.float64)
    interval, corrected = resampler.intervals(above, below)
    return Figure(
        value=float(above.sum() / total) if total else None,
        planned=planned,
        attempted=attempted,
        scored=scored,
        withheld=scored < HEADLINE_COVERAGE * planned,
        interval=interval,
        bca=corrected,
    )


def pooled_figure(
    points: Iterable[tuple[str, float, float]],
    planned: int,
    attempted: int,
    scored: int,
    resampler: Resampler,
) -> Figure:
    """Divide sums by counts that come in points, each of a session."""
    sums: dict[str, float] = defaultdict(float)
    counts: dict[str, float] = defaultdict(float)
    for session_id, above, below in points:
        sums[session_id] += above
        counts[session_id] += below
    order = sorted(counts)
    return ratio_figure(
        [sums[name] for name in order],
        [counts[name] for name in order],
        planned,
        attempted,
        scored,
        resampler,
    )
