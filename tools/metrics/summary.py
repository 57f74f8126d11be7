"""mRS, Pass@Turn and Pass@Session, overall and by facet, from planned sessions and the results they got."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from statistics import fmean

import numpy as np

from state.metrics import Figure, Metrics, Scores
from state.outcome import Errored, Scored, SessionResult, TurnResult, Verdict
from state.session import Session, Turn
from tools.metrics.bootstrap import RESAMPLES, clustered_interval

PASS_MARKS = (0.60, 0.75)
HEADLINE_COVERAGE = 0.98
"""Share of planned units that must be scored before a figure may be a headline."""
BOOTSTRAP_SEED = 20260618


@dataclass(frozen=True)
class PlannedTurn:
    """One turn that was to be run, and what became of it: None when its session was never attempted."""

    session: Session
    turn: Turn
    result: TurnResult | None

    @property
    def score(self) -> float | None:
        """Give the score, None where there is none."""
        outcome = self.result.outcome if self.result is not None else None
        return outcome.score if isinstance(outcome, Scored) else None


def summarise(planned: Sequence[Session], results: Iterable[SessionResult], language: str) -> Metrics:
    """Compute every figure of a run. The order of ``results`` does not matter; sessions not planned are an error."""
    by_session = {result.session_id: result for result in results}
    if strangers := by_session.keys() - {session.session_id for session in planned}:
        raise ValueError(f"results of sessions that were not planned: {sorted(strangers)[:3]}")
    turns = [
        PlannedTurn(session, turn, by_session[session.session_id].turns[turn.index] if attempted else None)
        for session in sorted(planned, key=lambda s: s.session_id)
        for attempted in [session.session_id in by_session]
        for turn in session.turns
    ]
    ended = [turn.result for turn in turns if turn.result is not None]
    scored = [result for result in ended if isinstance(result.outcome, Scored)]
    failures = sum(v.safety and v.verdict is Verdict.NOT_MET for result in scored for v in result.verdicts)
    return Metrics(
        overall=_scores(turns, whole_sessions=True),
        facets={
            **{name: _facet(turns, key, whole_sessions=True) for name, key in _SESSION_FACETS.items()},
            **{name: _facet(turns, key, whole_sessions=False) for name, key in _TURN_FACETS.items()},
            "language": {language: _scores(turns, whole_sessions=True)},
        },
        outcomes=dict(sorted(Counter(result.outcome.kind for result in ended).items()))
        | {"not_attempted": len(turns) - len(ended)},
        errored_by=dict(
            sorted(Counter(r.outcome.who.value for r in ended if isinstance(r.outcome, Errored)).items())
        ),
        safety_failures=failures,
        safety_failures_per_100_turns=100 * failures / len(scored) if scored else None,
        resamples=RESAMPLES,
        seed=BOOTSTRAP_SEED,
    )


_SESSION_FACETS: dict[str, Callable[[PlannedTurn], str]] = {
    "scenario": lambda t: t.session.scenario.value,
    "tier": lambda t: str(t.session.tier),
    "arc": lambda t: t.session.arc,
}
_TURN_FACETS: dict[str, Callable[[PlannedTurn], str]] = {
    "task_type": lambda t: t.turn.task_type.value,
    "implicitness": lambda t: t.turn.implicitness.value,
    "rests_on_answer": lambda t: "yes" if t.turn.rests_on_answer else "no",
}


def _facet(
    turns: Sequence[PlannedTurn], key: Callable[[PlannedTurn], str], *, whole_sessions: bool
) -> dict[str, Scores]:
    groups: dict[str, list[PlannedTurn]] = defaultdict(list)
    for turn in turns:
        groups[key(turn)].append(turn)
    return {name: _scores(groups[name], whole_sessions=whole_sessions) for name in sorted(groups)}


def _scores(turns: Sequence[PlannedTurn], *, whole_sessions: bool) -> Scores:
    sessions = [list(group) for _, group in groupby(turns, key=lambda t: t.session.session_id)]
    return Scores(
        mrs=_session_figure(sessions, fmean) if whole_sessions else None,
        pass_session=(
            {f"{mark:.2f}": _session_figure(sessions, partial(_all_pass, mark)) for mark in PASS_MARKS}
            if whole_sessions
            else None
        ),
        turn_score=_turn_figure(sessions, float),
        pass_turn={f"{mark:.2f}": _turn_figure(sessions, partial(_passes, mark)) for mark in PASS_MARKS},
    )


def _passes(mark: float, score: float) -> float:
    return float(score >= mark)


def _all_pass(mark: float, scores: Sequence[float]) -> float:
    return _passes(mark, min(scores))


def _session_figure(
    sessions: Sequence[Sequence[PlannedTurn]], value: Callable[[Sequence[float]], float]
) -> Figure:
    """Average over sessions; a session counts as scored only when all of its turns are."""
    values = []
    for turns in sessions:
        scores = [turn.score for turn in turns]
        whole = [score for score in scores if score is not None]
        values.append([value(whole)] if len(whole) == len(scores) else [])
    attempted = sum(any(turn.result is not None for turn in turns) for turns in sessions)
    return _figure(values, planned=len(sessions), attempted=attempted)


def _turn_figure(sessions: Sequence[Sequence[PlannedTurn]], value: Callable[[float], float]) -> Figure:
    """Average over turns."""
    values = [[value(turn.score) for turn in turns if turn.score is not None] for turns in sessions]
    attempted = sum(turn.result is not None for turns in sessions for turn in turns)
    return _figure(values, planned=sum(map(len, sessions)), attempted=attempted)


def _figure(values: Sequence[Sequence[float]], planned: int, attempted: int) -> Figure:
    """Average the values of all clusters, with the interval of resampled clusters."""
    sums = np.array([sum(cluster) for cluster in values], dtype=np.float64)
    counts = np.array([len(cluster) for cluster in values], dtype=np.float64)
    scored = int(counts.sum())
    return Figure(
        value=float(sums.sum() / scored) if scored else None,
        planned=planned,
        attempted=attempted,
        scored=scored,
        withheld=scored < HEADLINE_COVERAGE * planned,
        interval=clustered_interval(sums, counts, BOOTSTRAP_SEED),
    )
