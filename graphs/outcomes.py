"""Results put together: one place that says which facets a turn and a session are reported by."""

from collections.abc import Sequence

from state.manifest import RunSettings
from state.outcome import Ballot, Errored, ItemVerdict, Party, SessionResult, TurnOutcome, TurnResult
from state.session import Session, Turn


def turn_result(
    turn: Turn,
    outcome: TurnOutcome,
    verdicts: tuple[ItemVerdict, ...] = (),
    ballots: tuple[Ballot, ...] = (),
) -> TurnResult:
    """Give the result of one turn."""
    return TurnResult(
        index=turn.index,
        task_type=turn.task_type,
        implicitness=turn.implicitness,
        rests_on_answer=turn.rests_on_answer,
        source=turn.source,
        outcome=outcome,
        verdicts=verdicts,
        ballots=ballots,
    )


def not_reached(turn: Turn) -> TurnResult:
    """Give the result of a turn that an earlier one's failure kept from being asked."""
    error = f"turn {turn.index} was not reached: an earlier turn broke off"
    return turn_result(turn, Errored(error=error, who=Party.PROVIDER))


def session_result(
    session: Session, settings: RunSettings, turns: Sequence[TurnResult], epoch: int
) -> SessionResult:
    """Give the result of a session from those of its turns."""
    return SessionResult(
        session_id=session.session_id,
        epoch=epoch,
        scenario=session.scenario,
        tier=session.tier,
        language=settings.language,
        cohort=session.cohort,
        gate=settings.gate,
        turns=tuple(turns),
    )


def is_whole(result: SessionResult) -> bool:
    """Tell whether nothing but the examinee can have failed; a session that is not whole is run again."""
    return not any(isinstance(turn.outcome, Errored) for turn in result.turns)
