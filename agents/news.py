"""What each turn of a session tells and asks for, by topic, so that no later turn asks for what was told."""

from state.knowledge import RuleMatch
from state.plan import KEY_LAB, ORDER, PlannedTurn, TurnKind
from tools.gold.patient_topics import SAID

COURSE = "course"
"""The ends of the trend window, which turns of two kinds tell without naming them as a topic."""
_TELLING_IT = frozenset({TurnKind.TREND, TurnKind.DIRECTION})
_DECIDING = frozenset({TurnKind.CONCLUDE, TurnKind.CONCLUDE_ASKED, TurnKind.RECONSIDER, TurnKind.WRITE})


def asks_for(turn: PlannedTurn) -> frozenset[str]:
    """Name what a turn wants to hear. The key result is none of it: it is what the session is about, from its start."""
    if turn.kind is TurnKind.WRITE:
        return frozenset()
    return frozenset(turn.topics) - {KEY_LAB} | ({COURSE} if turn.kind in _TELLING_IT else set())


def tells(turn: PlannedTurn, match: RuleMatch) -> frozenset[str]:
    """Name what stands in the answer to a turn: what it asks for, and the drugs that it names by the way."""
    told = set(asks_for(turn))
    if turn.kind in _DECIDING and match.orders:
        told.add(ORDER)
    if f"{SAID}drug" in turn.topics:
        told |= {bound.name for bound in match.also if bound.kind == "home_medication" and not bound.absent}
        told |= {ORDER} if match.orders else set()
    return frozenset(told)
