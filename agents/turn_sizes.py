"""How large turns are: the rubric items of each kind, and what fills a turn that has too few."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from agents.interviews import Choice
from state.base import ResourceRef
from state.gold import NameItem
from state.plan import ASKS_THE_PATIENT, TASK_TYPE, PlannedTurn, TurnKind
from state.session import Implicitness, TaskType
from tools.gold import NoGold
from tools.gold.pieces import Draft
from tools.gold.turns import Story, draft

LOOKUP, GATHER, REASON, PATIENT, WRITE = range(3, 4), range(4, 6), range(5, 7), range(5, 7), range(5, 7)
"""Rubric items of a turn, gates apart, as in PhysAssistBench; what the record carries of another size comes last."""


TURNS_A_RESOURCE = 2
"""Turns of one session that may look the same type of resource up, as in PhysAssistBench."""
LOOKING = (TaskType.LOOKUP, TaskType.GATHER)
"""Turns whose questions ask for resources; a conclusion rests on what it needs."""


def bare(choice: Choice) -> PlannedTurn:
    """Make a turn of a choice, before it is settled how it leaves things unsaid."""
    return PlannedTurn(kind=choice[0], topics=choice[1], implicitness=Implicitness.EXPLICIT)


def counted(drafted: Draft) -> int:
    """Count the rubric items of a turn, gates apart."""
    return sum(not item.gate for item in drafted.rubric)


def wanted(kind: TurnKind) -> range:
    """Give how many items a turn is to have."""
    if kind in ASKS_THE_PATIENT:
        return PATIENT
    match TASK_TYPE[kind]:
        case TaskType.LOOKUP:
            return LOOKUP
        case TaskType.GATHER:
            return GATHER
        case TaskType.REASON:
            return REASON
        case TaskType.WRITE:
            return WRITE


def names_twice(drafted: Draft) -> bool:
    """Tell whether one turn asks to name a thing under two heads: whoever has one of them wrong would still name it."""
    seen: dict[str, tuple[ResourceRef, ...]] = {}
    for item in drafted.rubric:
        if isinstance(item, NameItem):
            names = {name.casefold(): item.evidence for name in item.names}
            if any(seen.get(name, item.evidence) != item.evidence for name in names):
                return True
            seen |= names
    return False


class Size(NamedTuple):
    """The rubric items of a turn, gates apart, and the types of resource that its question asks for."""

    items: int
    resources: frozenset[str]


@dataclass(frozen=True)
class Sizes:
    """The sizes of the turns that one match could be asked in."""

    story: Story
    _known: dict[Choice, Size] = field(default_factory=dict)

    def of(self, choice: Choice) -> int:
        """Count the rubric items of a turn, gates apart: 0 where it cannot be asked of this record."""
        return self._read(choice).items

    def _read(self, choice: Choice) -> Size:
        if choice not in self._known:
            try:
                drafted = draft(bare(choice), self.story, "t", frozenset())
            except NoGold:
                self._known[choice] = Size(0, frozenset())
            else:
                looks = TASK_TYPE[choice[0]] in LOOKING
                tools = {call.tool.split(".")[0] for call in drafted.calls} if looks else set()
                items = 0 if names_twice(drafted) else counted(drafted)
                self._known[choice] = Size(items, frozenset(tools))
        return self._known[choice]

    def worn(self, choices: Sequence[Choice]) -> bool:
        """Tell whether a type of resource would be looked up in too many turns."""
        used = Counter(resource for choice in choices for resource in self._read(choice).resources)
        return any(turns > TURNS_A_RESOURCE for turns in used.values())

    def fit(self, choice: Choice) -> bool:
        """Tell whether a turn has as many items as its kind is to have."""
        return self.of(choice) in wanted(choice[0])

    def fitting_first(self, choices: Sequence[Choice]) -> list[Choice]:
        """Leave out what the record does not carry, and put what is of its turn's size first."""
        return sorted((c for c in choices if self.of(c)), key=lambda choice: not self.fit(choice))

    def grounded(self, choice: Choice, grounds: Sequence[str]) -> Choice:
        """Give a conclusion as much of ``grounds``, the nearest first, to look at as fills its turn."""
        kind, topics = choice
        for name in grounds:
            if self.fit((kind, topics)):
                break
            if 0 < self.of((kind, (*topics, name))) < wanted(kind).stop:
                topics = (*topics, name)
        return kind, topics
