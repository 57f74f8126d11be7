"""A sentence cut where it turns: to a reason, to what ends its advice, to a condition, to its next point."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from tools.grading.advice_words import remark, words
from tools.grading.names import Span
from tools.grading.phrases import any_pattern
from tools.vocabulary import Vocabulary

_MARK = r"[;()]|(?<!\d)[,:]|[,:](?!\d)|[.!](?=\s|$)|(?<=\s)/(?=\s)"
_FIGURE = re.compile(r"[<>≥≤=~±+-]*\d[\d.,:/%-]*(?:\s?(?:k/u?l|x ?10\S*))?", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][A-Za-z'.-]*|[\u3400-\u9fff]+")


class Turn(StrEnum):
    """What a segment brings; ``MARK`` and ``NEXT`` bring the next point."""

    MARK = "mark"
    NEXT = "next"
    REASON = "reason"
    UNTIL = "until"
    CONDITION = "condition"


@dataclass(frozen=True)
class Segment:
    """A stretch of a sentence; ``start`` is after the word it opens with."""

    turn: Turn
    opener: str
    start: int
    end: int

    def holds(self, place: int) -> bool:
        """Tell whether a place of the sentence lies in the segment."""
        return self.start <= place < self.end


@cache
def _turns() -> re.Pattern[str]:
    turns = words("turns", of="remarks")
    named = "|".join(f"(?P<{turn}>{any_pattern(turns[turn])})" for turn in turns)
    return re.compile(f"(?P<mark>{_MARK})|{named}", re.IGNORECASE)


def segments(text: str, closed: Sequence[Span] = ()) -> list[Segment]:
    """Cut a sentence; a turn inside one of ``closed`` (an act, a drug) is none."""
    found: list[Segment] = []
    turn, opener, start = Turn.MARK, "", 0
    for match in _turns().finditer(text):
        if any(match.start() < span.end and span.start < match.end() for span in closed):
            continue
        found.append(Segment(turn, opener, start, match.start()))
        turn, opener, start = Turn(match.lastgroup or "mark"), match.group().lower(), match.end()
    found.append(Segment(turn, opener, start, len(text)))
    return [one for one in found if text[one.start : one.end].strip() or one.opener]


def strange_words(
    text: str, low: int, high: int, closed: Sequence[Span], vocabulary: Vocabulary
) -> list[str]:
    """Give the words of a stretch that are none of the plain ones, nor figures, analytes or ``closed``."""
    kept = list(text)
    for span in closed:
        kept[span.start : span.end] = " " * (span.end - span.start)
    rest = "".join(kept)[low:high]
    for mention in reversed(vocabulary.analyte_mentions(rest)):
        rest = rest[: mention.start] + " " * (mention.end - mention.start) + rest[mention.end :]
    rest = remark("plain_zh").sub(" ", _FIGURE.sub(" ", rest))
    known = _plain()
    found = (word.lower().strip(".'-") for word in _WORD.findall(rest))
    return [word for word in found if word not in known and (len(word) > 1 or not word.isascii())]


@cache
def _plain() -> frozenset[str]:
    return frozenset(part for word in words("plain", of="remarks") for part in word.split())
