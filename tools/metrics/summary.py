"""Every figure of a run, overall and by facet, from what was planned and the results it got."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from state.metrics import Conduct, Metrics, Scores
from state.outcome import Errored, Scored, SessionResult, Verdict
from state.session import Session
from tools.metrics.planned import PlannedTurn, finished_turns, planned_turns
from tools.metrics.reliability import reliability_of
from tools.metrics.resample import RESAMPLES, Resampler
from tools.metrics.scores import scores_of

BOOTSTRAP_SEED = 20260618
SESSION_FACETS = ("language", "scenario", "tier", "arc")
TURN_FACETS = ("task_type", "implicitness", "source", "rests_on_answer")


def resampler() -> Resampler:
    """Give the resamples that every figure of a run is bounded by."""
    return Resampler(BOOTSTRAP_SEED)


def summarise(
    planned: Sequence[Session],
    results: Iterable[SessionResult],
    language: str,
    epochs: int = 1,
    conduct: Conduct | None = None,
) -> Metrics:
    """Compute every figure of a run. The order of ``results`` does not matter; sessions not planned are an error."""
    return _metrics(planned_turns(planned, results, language, epochs), epochs, conduct)


def summarise_finished(
    results: Iterable[SessionResult], epochs: int = 1, conduct: Conduct | None = None
) -> Metrics:
    """Compute every figure of a run that is finished, from its results alone."""
    return _metrics(finished_turns(results), epochs, conduct)


def _metrics(turns: Sequence[PlannedTurn], epochs: int, conduct: Conduct | None) -> Metrics:
    drawn = resampler()
    ended = [turn.result for turn in turns if turn.result is not None]
    scored = [result for result in ended if isinstance(result.outcome, Scored)]
    failures = sum(v.safety and v.verdict is Verdict.NOT_MET for result in scored for v in result.verdicts)
    return Metrics(
        overall=scores_of(turns, drawn, whole_sessions=True),
        facets={
            name: _facet(turns, name, drawn, whole_sessions=name in SESSION_FACETS)
            for name in sorted(SESSION_FACETS + TURN_FACETS)
        },
        outcomes=_sorted(
            {**Counter(r.outcome.kind for r in ended), "not_attempted": len(turns) - len(ended)}
        ),
        errored_by=_sorted(Counter(r.outcome.who.value for r in ended if isinstance(r.outcome, Errored))),
        safety_failures=failures,
        safety_failures_per_100_turns=100 * failures / len(scored) if scored else None,
        reliability=reliability_of(turns, epochs, drawn),
        conduct=conduct,
        resamples=RESAMPLES,
        seed=BOOTSTRAP_SEED,
    )


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _facet(
    turns: Sequence[PlannedTurn], facet: str, drawn: Resampler, *, whole_sessions: bool
) -> dict[str, Scores]:
    groups: dict[str, list[PlannedTurn]] = defaultdict(list)
    for turn in turns:
        groups[turn.facets[facet]].append(turn)
    return {name: scores_of(groups[name], drawn, whole_sessions=whole_sessions) for name in sorted(groups)}
