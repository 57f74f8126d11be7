"""mRS, Pass@Turn and Pass@Session of a group of turns. A session is the cluster, whatever its epochs."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from statistics import fmean

from state.metrics import Figure, Scores
from tools.metrics.figure import mean_figure
from tools.metrics.planned import PlannedTurn
from tools.metrics.resample import Resampler

PASS_MARKS = (0.60, 0.75)
Run = Sequence[PlannedTurn]
"""The turns of one session in one epoch."""


def sessions_of(turns: Sequence[PlannedTurn]) -> list[list[Run]]:
    """Sort turns by session, and within it by epoch. They come in that order."""
    return [
        [list(run) for _, run in groupby(session, key=lambda t: t.epoch)]
        for _, session in groupby(turns, key=lambda t: t.session_id)
    ]


def whole_scores(run: Run) -> list[float] | None:
    """Give the scores of one run of a session; None unless every turn has one."""
    scores = [turn.score for turn in run if turn.score is not None]
    return scores if len(scores) == len(run) else None


def passes(mark: float, score: float) -> float:
    """Tell whether a turn passes, as 1 or 0."""
    return float(score >= mark)


def all_pass(mark: float, scores: Sequence[float]) -> float:
    """Tell whether every turn passes, as 1 or 0."""
    return passes(mark, min(scores))


def scores_of(turns: Sequence[PlannedTurn], resampler: Resampler, *, whole_sessions: bool) -> Scores:
    """Compute the figures of one group; those of sessions only where the group holds ``whole_sessions``."""
    sessions = sessions_of(turns)
    of_sessions = partial(_session_figure, sessions, resampler)
    of_turns = partial(_turn_figure, sessions, resampler)
    return Scores(
        mrs=of_sessions(fmean) if whole_sessions else None,
        pass_session=(
            {f"{mark:.2f}": of_sessions(partial(all_pass, mark)) for mark in PASS_MARKS}
            if whole_sessions
            else None
        ),
        turn_score=of_turns(float),
        pass_turn={f"{mark:.2f}": of_turns(partial(passes, mark)) for mark in PASS_MARKS},
    )


def _session_figure(
    sessions: Sequence[Sequence[Run]], resampler: Resampler, value: Callable[[Sequence[float]], float]
) -> Figure:
    """Average over runs of sessions; one counts as scored only when all of its turns are."""
    values = [[value(whole) for run in runs if (whole := whole_scores(run)) is not None] for runs in sessions]
    attempted = sum(any(turn.result is not None for turn in run) for runs in sessions for run in runs)
    return mean_figure(values, sum(map(len, sessions)), attempted, resampler)


def _turn_figure(
    sessions: Sequence[Sequence[Run]], resampler: Resampler, value: Callable[[float], float]
) -> Figure:
    """Average over turns."""
    turns = [[turn for run in runs for turn in run] for runs in sessions]
    values = [[value(turn.score) for turn in cluster if turn.score is not None] for cluster in turns]
    attempted = sum(turn.result is not None for cluster in turns for turn in cluster)
    return mean_figure(values, sum(map(len, turns)), attempted, resampler)
