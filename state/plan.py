"""What a session is going to be about, before it has gold or words."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from state.base import Record, SessionId
from state.knowledge import RuleMatch
from state.patient import Persona
from state.session import Implicitness, Scenario, TaskType


class TurnKind(StrEnum):
    """The questions a session is made of; each is about one or more topics of its match."""

    LOOK_UP = "look_up"
    PREVIOUS = "previous"
    ORDER_START = "order_start"
    GATHER = "gather"
    TREND = "trend"
    DIRECTION = "direction"
    CONCLUDE = "conclude"
    RECONSIDER = "reconsider"
    WRITE = "write"
    INTERVIEW = "interview"
    CONCLUDE_ASKED = "conclude_asked"


TASK_TYPE: dict[TurnKind, TaskType] = {
    TurnKind.LOOK_UP: TaskType.LOOKUP,
    TurnKind.PREVIOUS: TaskType.LOOKUP,
    TurnKind.ORDER_START: TaskType.LOOKUP,
    TurnKind.GATHER: TaskType.GATHER,
    TurnKind.TREND: TaskType.GATHER,
    TurnKind.DIRECTION: TaskType.REASON,
    TurnKind.CONCLUDE: TaskType.REASON,
    TurnKind.RECONSIDER: TaskType.REASON,
    TurnKind.WRITE: TaskType.WRITE,
    TurnKind.INTERVIEW: TaskType.GATHER,
    TurnKind.CONCLUDE_ASKED: TaskType.REASON,
}
ASKS_THE_PATIENT = frozenset({TurnKind.INTERVIEW, TurnKind.CONCLUDE_ASKED})
"""Questions that only the patient can answer, at most one a session; the first gathers, the second concludes too."""

CONCLUDING = frozenset({TurnKind.CONCLUDE, TurnKind.CONCLUDE_ASKED})
"""Questions for the conclusion, which a session asks for once."""

KEY_LAB = "lab"
"""The topic of a match's key result."""
ORDER = "order"
"""The topic of the order a match rests on."""


class PlannedTurn(Record):
    """One question: what it asks about which topics, and how much it leaves unsaid.

    A topic is ``lab``, ``order``, the name of a further finding of the rule, ``with_<analyte>``: a result that is
    read beside the key one, or ``said_<matter>``: what the patient is asked.
    """

    kind: TurnKind
    topics: tuple[str, ...] = Field(min_length=1)
    implicitness: Implicitness


class Arc(Record):
    """The task types of four turns, numbered as the 27 arcs of PhysAssistBench are counted: T1, T2, T3 in turn."""

    number: int = Field(ge=1, le=27)
    tasks: tuple[TaskType, TaskType, TaskType, TaskType]


class Slot(Record):
    """A place in a set of sessions: the scenario, tier and arc that a session fills."""

    scenario: Scenario
    tier: Literal[1, 2, 3]
    arc: int = Field(ge=1, le=27)


class SessionPlan(Record):
    """A rule match arranged into turns.

    ``wording_seed`` picks among equivalent wordings, ``persona`` is the patient's.
    """

    session_id: SessionId
    scenario: Scenario
    tier: Literal[1, 2, 3]
    arc: int = Field(ge=1, le=27)
    match: RuleMatch
    turns: tuple[PlannedTurn, ...] = Field(min_length=1)
    wording_seed: int
    persona: Persona
