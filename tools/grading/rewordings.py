"""Conclusions and references to a draw in other words, brought to the ones that are known."""

import re
from functools import cache

from tools.grading.evidence import TurnEvidence
from tools.grading.phrases import load_words


def reworded(evidence: TurnEvidence) -> TurnEvidence:
    """Give the answer with conclusions in the words they go by, and without "on the same draw", which is none."""
    answer = without_draws(evidence).answer
    for pattern, told in _conclusions():
        answer = pattern.sub(told, answer)
    return evidence if answer == evidence.answer else evidence.replace(answer=answer)


def without_draws(evidence: TurnEvidence) -> TurnEvidence:
    """Give the answer without what only says of a result that it is of the draw told before."""
    answer = _draws().sub(" ", evidence.answer)
    return evidence if answer == evidence.answer else evidence.replace(answer=answer)


@cache
def _draws() -> re.Pattern[str]:
    return re.compile("|".join(load_words("conclusions")["of_the_draw"]), re.IGNORECASE)


@cache
def _conclusions() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (re.compile(pattern, re.IGNORECASE), told) for pattern, told in load_words("conclusions")["reworded"]
    )
