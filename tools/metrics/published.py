"""PhysAssistBench's own formula, for figures to set beside the published ones."""

from collections.abc import Iterable

from state.outcome import Scored, SessionResult, TurnResult, Verdict


def as_published(results: Iterable[SessionResult]) -> list[SessionResult]:
    """Score every turn as items met over items, none weighted, none a gate, nothing capped (arXiv 2606.18613).

    A turn that has no score keeps none.
    """
    return [
        result.model_copy(update={"turns": tuple(_rescored(turn) for turn in result.turns)})
        for result in results
    ]


def _rescored(turn: TurnResult) -> TurnResult:
    if not isinstance(turn.outcome, Scored):
        return turn
    met = sum(verdict.verdict is Verdict.MET for verdict in turn.verdicts)
    return turn.model_copy(update={"outcome": Scored(score=met / len(turn.verdicts))})
