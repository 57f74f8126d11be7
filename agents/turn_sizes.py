"""How large turns are: the rubric items of each kind, and what fills a turn that has too few."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.interviews import Choice
from state.plan import ASKS_THE_PATIENT, TASK_TYPE, PlannedTurn, TurnKind
from state.session import Implicitness, TaskType
from tools.gold import NoGold
from tools.gold.pieces import Draft
from tools.gold.turns import Story, draft

LOOKUP, GATHER, REASON, PATIENT = range(3, 4), range(4, 6), range(5, 7), range(5, 7)
"""Rubric items of a turn, gates apart, as in PhysAssistBench; what the record carries of another size comes last."""


def bare(choice: Choice) -> PlannedTurn:
    """Make a turn of a choice, before it is settled how it leaves things unsaid."""
    return PlannedTurn(kind=choice[0], topics=choice[1], implicitness=Implicitness.EXPLICIT)


def counted(drafted: Draft) -> int:
    """Count the rubric items of a turn, gates apart."""
    return sum(not item.gate for item in drafted.rubric)


def wanted(kind: TurnKind) -> range:
    """Give how many items a turn is to have; those of a write follow from what is written."""
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
            return range(1, 100)


@dataclass(frozen=True)
class Sizes:
    """The sizes of the turns that one match could be asked in."""

    story: Story
    _known: dict[Choice, int] = field(default_factory=dict)

    def of(self, choice: Choice) -> int:
        """Count the rubric items of a turn, gates apart: 0 where the record does not carry it."""
        if choice not in self._known:
            try:
                self._known[choice] = counted(draft(bare(choice), self.story, "t", frozenset()))
            except NoGold:
                self._known[choice] = 0
        return self._known[choice]

    def fit(self, choice: Choice) -> bool:
        """Tell whether a turn has as many items as its kind is to have."""
        return self.of(choice) in wanted(choice[0])

    def fitting_first(self, choices: Sequence[Choice]) -> list[Choice]:
        """Leave out what the record does not carry, and put what is of its turn's size first."""
        return sorted((c for c in choices if self.of(c)), key=lambda choice: not self.fit(choice))

    def grounds(self, choice: Choice, companions: Sequence[str]) -> Choice:
        """Give a conclusion as much to look at as fills its turn: its own findings, then tests of the same question."""
        kind, topics = choice
        most = wanted(kind).stop
        while len(topics) > 1 and self.of((kind, topics)) >= most:
            topics = topics[:-1]
        for name in companions:
            if self.fit((kind, topics)):
                break
            if 0 < self.of((kind, (*topics, name))) < most:
                topics = (*topics, name)
        return kind, topics
