"""pass@k and pass^k over the epochs of a run: solved at least once, solved every time."""

from collections.abc import Callable, Sequence
from math import comb

from state.metrics import Figure, Reliability
from tools.metrics.figure import mean_figure
from tools.metrics.planned import PlannedTurn
from tools.metrics.resample import Resampler
from tools.metrics.scores import PASS_MARKS, Run, all_pass, sessions_of, whole_scores


def pass_at(k: int, passed: int, epochs: int) -> float:
    """Estimate without bias the chance that one of ``k`` tries passes: 1 - C(n-c, k) / C(n, k) (Chen et al. 2021)."""
    return 1 - comb(epochs - passed, k) / comb(epochs, k)


def pass_every(k: int, passed: int, epochs: int) -> float:
    """Estimate without bias the chance that all ``k`` tries pass: C(c, k) / C(n, k) (Yao et al. 2024, tau-bench)."""
    return comb(passed, k) / comb(epochs, k)


def reliability_of(
    turns: Sequence[PlannedTurn], epochs: int, resampler: Resampler
) -> tuple[Reliability, ...]:
    """Compute both for every k and pass mark; none where each session is run once."""
    if epochs == 1:
        return ()
    sessions = sessions_of(turns)
    return tuple(
        Reliability(
            k=k,
            mark=f"{mark:.2f}",
            pass_at=_figure(sessions, mark, k, pass_at, resampler),
            pass_every=_figure(sessions, mark, k, pass_every, resampler),
        )
        for mark in PASS_MARKS
        for k in range(1, epochs + 1)
    )


def _figure(
    sessions: Sequence[Sequence[Run]],
    mark: float,
    k: int,
    estimate: Callable[[int, int, int], float],
    resampler: Resampler,
) -> Figure:
    """Average over sessions; one is scored when all of its epochs are."""
    values = []
    for runs in sessions:
        whole = [scores for run in runs if (scores := whole_scores(run)) is not None]
        passed = int(sum(all_pass(mark, scores) for scores in whole))
        values.append([estimate(k, passed, len(runs))] if len(whole) == len(runs) else [])
    attempted = sum(all(turn.result is not None for run in runs for turn in run) for runs in sessions)
    return mean_figure(values, len(sessions), attempted, resampler)
