"""Two lists told side by side: "A, B and C are x, y and z, respectively", A、B、C分别为x、y和z."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tools.grading.names import Span

_ZH = re.compile(r"分别")
_EN = re.compile(r"[^;\d]{0,30}\brespectively\b", re.IGNORECASE)
_EN_BEFORE = re.compile(r"\brespectively\b[^;\d]{0,30}$", re.IGNORECASE)
_AND = r"(?:,?\s*\band\b|,|、|/|&|\+|以及|和|与|及)"
_JOINT = re.compile(_AND, re.IGNORECASE)
_BETWEEN_VALUES = re.compile(rf"[^\d,;、:]{{0,16}}?\s*{_AND}[^\d,;、:]{{0,8}}", re.IGNORECASE)
_LAST_JOINT = re.compile(r"\band\b|和|与|及", re.IGNORECASE)
"""Before the last of a list."""
_CLAUSE = re.compile(r"[;:]")


@dataclass(frozen=True)
class Lists:
    """Values paired with names: ``owners`` by the value's place, None for a name that is not known.

    ``names`` is the last list of names, which a further list ("at home x and y, respectively") may go on with.
    ``first`` is the first value of each paired one's list, with which it shares what is said before the list.
    """

    owners: dict[int, int | None]
    names: tuple[int | None, ...]
    first: dict[int, int] = field(default_factory=dict)


def paired(
    text: str, names: Sequence[Span], values: Sequence[Span], before: Sequence[int | None] = ()
) -> Lists:
    """Pair each list of values that is told "respectively" with the list of names before it.

    The names are counted by what joins them, so that one that is not known takes its value with it. Where no name
    stands before the values, they go with the names of ``before``, if these are as many.
    """
    found: dict[int, int | None] = {}
    leads: dict[int, int] = {}
    listed = tuple(before)
    if not (_ZH.search(text) or re.search(r"\brespectively\b", text, re.IGNORECASE)):
        return Lists(found, listed)
    low = 0
    for run in _runs(text, values):
        first, last = values[run[0]], values[run[-1]]
        head = _head(text[low : first.start], text[last.end :])
        if head is not None and len(run) > 1:
            own = _named(text, low, low + head, names, len(run))
            if own is None and not any(low <= name.start < low + head for name in names):
                own = listed if len(listed) == len(run) else None
            if own is not None:
                found.update(zip(run, own, strict=True))
                leads.update(dict.fromkeys(run, run[0]))
                listed = own
        low = last.end
    return Lists(found, listed, leads)


def _runs(text: str, values: Sequence[Span]) -> list[list[int]]:
    runs: list[list[int]] = []
    closed = False
    for at, value in enumerate(values):
        between = text[values[at - 1].end : value.start] if at else ""
        if runs and not closed and _BETWEEN_VALUES.fullmatch(between):
            runs[-1].append(at)
            closed = _LAST_JOINT.search(between) is not None
        else:
            runs.append([at])
            closed = False
    return runs


def _head(before: str, after: str) -> int | None:
    """Give where the list of names has ended at the latest; None where the values are not told respectively."""
    said = [match.start() for match in _ZH.finditer(before)]
    if said:
        return said[-1]
    if within := _EN_BEFORE.search(before):
        return len(before[: within.start()].rstrip(" ,"))
    return len(before) if _EN.match(after) else None


def _named(
    text: str, low: int, high: int, names: Sequence[Span], count: int
) -> tuple[int | None, ...] | None:
    """Give the names of the last ``count`` parts of a list; None where it has fewer or more, or names but one."""
    low = max((match.end() for match in _CLAUSE.finditer(text, low, high)), default=low)
    inside = [name for name in names if low <= name.start and name.end <= high]
    cuts = [
        match
        for match in _JOINT.finditer(text, low, high)
        if not any(name.start <= match.start() < name.end for name in inside)
    ]
    starts = [low, *(cut.end() for cut in cuts)]
    ends = [*(cut.start() for cut in cuts), high]
    before = ([(low, low)] * count + list(zip(starts, ends, strict=True)))[-count - 1]
    if any(text[before[0] : before[1]].strip() == text[name.start : name.end] for name in inside):
        return None
    parts = list(zip(starts, ends, strict=True))[-count:]
    own = tuple(
        next((names.index(name) for name in reversed(inside) if start <= name.start < end), None)
        for start, end in parts
    )
    return own if len(parts) == count and sum(one is not None for one in own) > 1 else None
