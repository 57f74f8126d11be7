"""Searches in the beginning of a sentence whose time does not grow with it: an endless one names acts without end."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol, TypeVar

LONGEST_MATCH = 160
"""Characters of text. No word of a list comes near it; what must reach a place from farther before it does not."""


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
    """Give where the last match in ``text[:end]`` ends, None where there is none.

    Matches that end well before ``end`` are those of the whole text, which are found once; the rest is searched anew.
    """
    if end <= 2 * LONGEST_MATCH:
        last, low = None, 0
    else:
        ends = _matches(pattern, text)
        kept = bisect_right(ends, end - LONGEST_MATCH)
        last = ends[kept - 1] if kept else None
        low = max(last or 0, end - 2 * LONGEST_MATCH)
    for match in pattern.finditer(text, low, end):
        last = match.end()
    return last


def occurs_before(pattern: re.Pattern[str], text: str, end: int) -> bool:
    """Tell whether a pattern has a match in ``text[:end]``."""
    return last_match(pattern, text, end) is not None


def ends_at(pattern: re.Pattern[str], text: str, end: int) -> bool:
    """Tell whether a pattern that closes with ``$`` has a match that ends at ``end``."""
    return pattern.search(text, max(0, end - LONGEST_MATCH), end) is not None


@lru_cache(maxsize=256)
def _matches(pattern: re.Pattern[str], text: str) -> tuple[int, ...]:
    return tuple(match.end() for match in pattern.finditer(text))
