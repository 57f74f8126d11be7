"""The turns a run was to hold, and what became of each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from state.outcome import Scored, SessionResult, TurnResult
from state.session import Session, Turn


@dataclass(frozen=True)
class PlannedTurn:
    """One turn that was to be run, and what became of it: None when its session was never attempted.

    ``facets`` say which groups it counts in.
    """

    session_id: str
    epoch: int
    facets: Mapping[str, str]
    result: TurnResult | None

    @property
    def score(self) -> float | None:
        """Give the score, None where there is none."""
        outcome = self.result.outcome if self.result is not None else None
        return outcome.score if isinstance(outcome, Scored) else None


def planned_turns(
    planned: Sequence[Session], results: Iterable[SessionResult], language: str, epochs: int
) -> list[PlannedTurn]:
    """Pair what was planned with what became of it, session by session. Results of anything else are an error."""
    found = {(result.session_id, result.epoch): result for result in results}
    wanted = {(session.session_id, epoch): session for session in planned for epoch in range(epochs)}
    if strangers := found.keys() - wanted.keys():
        raise ValueError(f"results of sessions that were not planned: {sorted(strangers)[:3]}")
    return [
        PlannedTurn(
            session.session_id,
            epoch,
            facets_of(session, turn, language),
            found[place].turns[turn.index] if place in found else None,
        )
        for place, session in sorted(wanted.items())
        for epoch in [place[1]]
        for turn in session.turns
    ]


def finished_turns(results: Iterable[SessionResult]) -> list[PlannedTurn]:
    """Take the results of a finished run, in which what was planned is what there is."""
    return [
        PlannedTurn(result.session_id, result.epoch, facets_of(result, turn, result.language.value), turn)
        for result in sorted(results, key=lambda r: (r.session_id, r.epoch))
        for turn in result.turns
    ]


def facets_of(session: Session | SessionResult, turn: Turn | TurnResult, language: str) -> dict[str, str]:
    """Name the group of a turn in each facet."""
    return {
        "language": language,
        "scenario": session.scenario.value,
        "tier": str(session.tier),
        "arc": "-".join(each.task_type.value for each in session.turns),
        "task_type": turn.task_type.value,
        "implicitness": turn.implicitness.value,
        "source": turn.source.value,
        "rests_on_answer": "yes" if turn.rests_on_answer else "no",
    }
