"""The words of configs/vocabulary/decisions.yaml and remarks.yaml as patterns."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from state.gold import Decision
from tools.grading.phrases import any_pattern, load_words
from tools.grading.prefixes import ends_at, longest

_UN = re.compile(r"\bun-$", re.IGNORECASE)
"""Before an act it makes another word: to un-hold is no hold."""


class Act(StrEnum):
    """What a phrase advises. ``GIVE``: see decisions.yaml."""

    HOLD = "hold"
    REDUCE = "reduce"
    REPLACE = "replace"
    CONTINUE = "continue"
    INCREASE = "increase"
    GIVE = "give"


class Voice(StrEnum):
    """Where the drug of a phrase stands."""

    ACTIVE = "active"
    PASSIVE = "passive"
    ADJACENT = "adjacent"
    CHINESE = "zh"


@dataclass(frozen=True)
class Phrase:
    """An act named at a place of a sentence."""

    act: Act
    voice: Voice
    start: int
    end: int


def words(*path: str, of: str = "decisions") -> Any:
    """Give an entry of decisions.yaml, or of another list in ``configs/vocabulary``."""
    entry: Any = load_words(of)
    for name in path:
        entry = entry[name]
    return entry


@cache
def pattern(*path: str, before: str = "", after: str = "", of: str = "decisions") -> re.Pattern[str]:
    """Give a list of decisions.yaml as one pattern, with what must stand around it."""
    return re.compile(before + any_pattern(words(*path, of=of)) + after, re.IGNORECASE)


def remark(*path: str) -> re.Pattern[str]:
    """Give a list of remarks.yaml as one pattern."""
    return pattern(*path, of="remarks")


@cache
def _phrases() -> tuple[tuple[Act, Voice, re.Pattern[str]], ...]:
    return tuple(
        (Act(act), Voice(voice), re.compile(any_pattern(voices[voice]), re.IGNORECASE))
        for act, voices in words("decisions").items()
        for voice in voices
    )


def find_phrases(text: str) -> list[Phrase]:
    """Find the acts a sentence names, in order, the longest of overlapping ones."""
    found = [
        Phrase(act, voice, match.start(), match.end())
        for act, voice, words_of_act in _phrases()
        for match in words_of_act.finditer(text)
        if match.end() > match.start() and not ends_at(_UN, text, match.start())
    ]
    return longest(found, len(text))


def decision_of(act: Act, *, replacing: bool) -> Decision | None:
    """Give the decision an act comes to; None for raising a dose, which is no decision but as unsafe as going on."""
    match act:
        case Act.GIVE:
            return Decision.REPLACE if replacing else Decision.CONTINUE
        case Act.INCREASE:
            return None
        case _:
            return Decision(act.value)
