"""What a run left of each turn, with the gold it is measured against."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from state.base import ResourceRef
from state.gold import ExactWritesItem, GoldSession, GoldTurn, WriteFieldItem
from state.outcome import Errored, Scored, TurnResult
from state.session import Session
from state.trajectory import CallRecord, TurnRecord
from tools.fhir.state_diff import state_diff
from tools.fhir.toolset import TOOLS, dotted_name


@dataclass(frozen=True)
class GoldRead:
    """A read of the gold path: its dotted tool, and what of its result the turn's rubric rests on."""

    tool: str
    needed: frozenset[ResourceRef]


@dataclass(frozen=True)
class TurnTrace:
    """One turn that was run.

    ``before`` is the overlay the turn began with, ``told`` what the doctor was told beside tool results, ``shown`` the
    text of each result, ``reads`` the reads of gold.
    """

    gold: GoldTurn
    reads: tuple[GoldRead, ...]
    result: TurnResult
    record: TurnRecord
    before: Sequence[dict[str, Any]]
    told: str
    shown: tuple[str, ...]

    @property
    def ended(self) -> bool:
        """Tell whether nothing but the examinee can have failed."""
        return not isinstance(self.result.outcome, Errored)

    @property
    def score(self) -> float | None:
        """Give the score, None where there is none."""
        return self.result.outcome.score if isinstance(self.result.outcome, Scored) else None

    @property
    def calls(self) -> list[CallRecord]:
        """List the calls that were run, in order."""
        return [call for step in self.record.steps for call in step.calls if call.ran]

    @property
    def wrote(self) -> bool:
        """Tell whether the turn left the record changed."""
        diff = state_diff(self.before, self.record.overlay)
        return bool(diff.created or diff.changed)


@dataclass(frozen=True)
class SessionTrace:
    """One session in one epoch as it was planned, with its gold and a trace of each turn that was reached."""

    session: Session
    epoch: int
    gold: GoldSession
    turns: tuple[TurnTrace, ...]

    @property
    def session_id(self) -> str:
        """Name the session."""
        return self.session.session_id

    @property
    def ended(self) -> bool:
        """Tell whether every turn was reached, and nothing but the examinee can have failed."""
        return len(self.turns) == len(self.gold.turns) and all(turn.ended for turn in self.turns)


def each_turn(traces: Sequence[SessionTrace]) -> Iterator[tuple[str, TurnTrace]]:
    """Go through all turns that were reached, each with its session's id."""
    for trace in traces:
        for turn in trace.turns:
            yield trace.session_id, turn


def wants_write(gold: GoldTurn) -> bool:
    """Tell whether a turn asks for something to be written."""
    return any(
        isinstance(item, WriteFieldItem) or (isinstance(item, ExactWritesItem) and item.tools)
        for item in gold.rubric
    )


def tool_of(call: CallRecord) -> str:
    """Give the dotted name of a call's tool; a name that is none as it was sent."""
    return dotted_name(call.name) or call.name


def is_write(call: CallRecord) -> bool:
    """Tell whether a call is of a tool that writes."""
    tool = tool_of(call)
    return tool in TOOLS and TOOLS[tool].writes
