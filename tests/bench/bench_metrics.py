"""Time the figures of a full run: 324 sessions of four turns, 10,000 resamples, every facet.

Run with ``PYTHONPATH=tests/tools/metrics python tests/bench/bench_metrics.py [SESSIONS]``. Prints processor time
for all figures, for a comparison of two runs, and for one figure by scipy's bootstrap.
"""

import sys
import time
from itertools import product

import numpy as np
from metric_cases import result, session
from scipy import stats

from state.session import Scenario, TaskType
from tools.metrics import compare, summarise
from tools.metrics.resample import RESAMPLES

ARCS = [
    (TaskType.LOOKUP, *rest)
    for rest in product(
        (TaskType.LOOKUP, TaskType.GATHER, TaskType.REASON),
        (TaskType.LOOKUP, TaskType.GATHER, TaskType.REASON),
        (TaskType.GATHER, TaskType.REASON, TaskType.WRITE),
    )
]


def main() -> None:
    """Measure and print."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 324
    rng = np.random.default_rng(7)
    sessions = []
    for number in range(wanted):
        made = session(f"s{number:04}", tier=1 + number % 3)
        turns = tuple(
            turn.model_copy(update={"task_type": kind})
            for turn, kind in zip(made.turns, ARCS[number % len(ARCS)], strict=True)
        )
        sessions.append(made.model_copy(update={"turns": turns, "scenario": list(Scenario)[number % 4]}))
    runs = [
        [result(s, *(float(rng.choice((0, 0.25, 0.5, 0.59, 0.75, 1.0))) for _ in s.turns)) for s in sessions]
        for _ in "ab"
    ]
    began = time.process_time()
    metrics = summarise(sessions, runs[0], "en")
    took = time.process_time() - began
    figures = sum(
        3 + 3 * (scores.mrs is not None) for groups in metrics.facets.values() for scores in groups.values()
    )
    print(
        f"{wanted} sessions, {figures} figures by facet, {RESAMPLES:,} resamples, both intervals: {took:.2f} s"
    )
    began = time.process_time()
    found = compare(*runs)
    print(f"paired comparison, {len(found.differences)} differences: {time.process_time() - began:.2f} s")
    sums = np.array([sum(t.outcome.score for t in r.turns) for r in runs[0]])  # type: ignore[union-attr]
    counts = np.full(wanted, 4.0)
    began = time.process_time()
    stats.bootstrap(
        (sums, counts), lambda s, c, axis=-1: s.sum(axis) / c.sum(axis), paired=True, vectorized=True,
        n_resamples=RESAMPLES, method="BCa",
    )  # fmt: skip
    print(f"one of these figures by scipy.stats.bootstrap: {time.process_time() - began:.2f} s")


if __name__ == "__main__":
    main()
