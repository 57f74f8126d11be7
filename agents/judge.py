"""The judge: gives each rubric item of a turn its verdict."""

from collections.abc import Callable

from state.base import InputError
from state.gold import GoldTurn
from state.outcome import ItemVerdict
from tools.grading import TurnEvidence, decide_turn
from tools.vocabulary import Vocabulary

Judge = Callable[[GoldTurn, TurnEvidence, Vocabulary], tuple[ItemVerdict, ...]]

RULES = "offline/rules"


def make_judge(name: str) -> Judge:
    """Return the judge of that name.

    ``offline/rules`` decides by code alone and says "cannot tell" of the rest.
    """
    if name != RULES:
        raise InputError(f"unknown judge {name!r}: the only judge built so far is {RULES}")
    return decide_turn
