"""What a session is going to be about, before it has gold or words."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from state.base import Record, SessionId
from state.knowledge import RuleMatch
from state.session import Implicitness, Scenario, TaskType


class TurnKind(StrEnum):
    """The questions a medication-safety session is made of."""

    LAB_LATEST = "lab_latest"
    ORDER_BEARING = "order_bearing"
    TREND_AND_ORDER = "trend_and_order"
    DECISION = "decision"
    RAISE_FLAG = "raise_flag"
    WRITE_ORDER = "write_order"


TASK_TYPE: dict[TurnKind, TaskType] = {
    TurnKind.LAB_LATEST: TaskType.LOOKUP,
    TurnKind.ORDER_BEARING: TaskType.LOOKUP,
    TurnKind.TREND_AND_ORDER: TaskType.GATHER,
    TurnKind.DECISION: TaskType.REASON,
    TurnKind.RAISE_FLAG: TaskType.WRITE,
    TurnKind.WRITE_ORDER: TaskType.WRITE,
}


class PlannedTurn(Record):
    """One question: what it asks, and how much it leaves unsaid."""

    kind: TurnKind
    implicitness: Implicitness


class SessionPlan(Record):
    """A rule match arranged into turns. ``wording_seed`` picks among equivalent wordings."""

    session_id: SessionId
    scenario: Scenario
    tier: Literal[1, 2, 3]
    match: RuleMatch
    turns: tuple[PlannedTurn, ...] = Field(min_length=1)
    wording_seed: int
