"""Which parts of an answer something supports: a rubric item that was met, or a tool result of the session."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from state.gold import (
    DecisionItem,
    DoseItem,
    JudgementItem,
    NameItem,
    RangeItem,
    RubricItem,
    TimeItem,
    ValueItem,
)
from tools.grading.names import spans
from tools.grading.times import Moment, moments

READ = 20_000
"""Characters of an answer that are read; what follows is shown without marks."""
_NUMBER = re.compile(r"(?<![A-Za-z0-9.,_/^*])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_REFERENCE = re.compile(r"\b[A-Z][A-Za-z]+/[\w.-]+")
_MINUTE = re.compile(r"\d{4}-(\d\d)-(\d\d)[ T](\d\d):(\d\d)")
_EXACT = 1e-9


class Support(StrEnum):
    """What stands behind a part of an answer."""

    ITEM = "item"
    RESULT = "result"
    NONE = "none"


@dataclass(frozen=True)
class Part:
    """A stretch of an answer; ``support`` is None where nothing is to be said of it."""

    text: str
    support: Support | None = None
    by: str = ""


@dataclass(frozen=True)
class _Mark:
    start: int
    end: int
    support: Support
    by: str


@dataclass
class Shown:
    """Numbers and minutes of what a session has shown so far: the question, and the result of each call."""

    _numbers: dict[float, str] = field(default_factory=dict)
    _minutes: dict[tuple[int, ...], str] = field(default_factory=dict)
    _ordered: list[float] = field(default_factory=list)

    def add(self, text: str, by: str) -> None:
        """Take in a text; ``by`` names where it stands. What an earlier text showed stays its own."""
        for found in _MINUTE.finditer(text):
            minute = tuple(int(part) for part in found.groups())
            self._minutes.setdefault(minute, by)
            self._minutes.setdefault(minute[:2], by)
        for found in _NUMBER.finditer(_REFERENCE.sub(" ", _MINUTE.sub(" ", text))):
            self._numbers.setdefault(_value(found.group()), by)
        self._ordered = sorted(self._numbers)

    def of_number(self, written: str) -> str | None:
        """Name what shows a number, as it is or rounded to the places written."""
        value, places = _value(written), len(written.partition(".")[2])
        if value in self._numbers:
            return self._numbers[value]
        near = 0.5 * 10.0**-places + _EXACT
        place = bisect_left(self._ordered, value - near)
        if place < len(self._ordered) and self._ordered[place] <= value + near:
            return self._numbers[self._ordered[place]]
        return None

    def of_moment(self, moment: Moment) -> str | None:
        """Name what shows a date, or a date and a time."""
        when = (moment.month, moment.day, moment.hour, moment.minute)
        known = tuple(part for part in when if part is not None)
        return self._minutes.get(known)


def parts_of(answer: str, met: Sequence[RubricItem], shown: Shown) -> tuple[Part, ...]:
    """Cut an answer into parts, in order; joined, they are the answer. ``met`` are the items it has met."""
    read = answer[:READ]
    dates = list(moments(read))
    taken, kept = bytearray(len(read)), list[_Mark]()
    for mark in (*_by_items(read, met, dates), *_by_results(read, dates, shown)):
        if not any(taken[mark.start : mark.end]):
            taken[mark.start : mark.end] = bytes([1]) * (mark.end - mark.start)
            kept.append(mark)
    return tuple(_cut(answer, sorted(kept, key=lambda mark: mark.start)))


def _cut(answer: str, marks: Iterable[_Mark]) -> Iterator[Part]:
    at = 0
    for mark in marks:
        if at < mark.start:
            yield Part(answer[at : mark.start])
        yield Part(answer[mark.start : mark.end], mark.support, mark.by)
        at = mark.end
    if at < len(answer):
        yield Part(answer[at:])


def _by_items(answer: str, met: Sequence[RubricItem], dates: Sequence[Moment]) -> Iterator[_Mark]:
    for item in met:
        for start, end in _places(item, answer, dates):
            yield _Mark(start, end, Support.ITEM, item.item_id)


def _places(item: RubricItem, answer: str, dates: Sequence[Moment]) -> list[tuple[int, int]]:
    """Find where an answer says what an item wants."""
    match item:
        case ValueItem():
            return _equal(answer, (item.value,), item.tolerance, dates)
        case RangeItem():
            limits = [limit for limit in (item.low, item.high) if limit is not None]
            return _equal(answer, limits, 0, dates)
        case TimeItem():
            return [(moment.start, moment.end) for moment in dates if moment.is_minute_of(item.time)]
        case DoseItem():
            return [(span.start, span.end) for span in spans(item.doses, answer)]
        case NameItem() | DecisionItem() | JudgementItem():
            return [(span.start, span.end) for span in spans(item.names, answer)]
        case _:
            return []


def _equal(
    answer: str, values: Sequence[float], tolerance: float, dates: Sequence[Moment]
) -> list[tuple[int, int]]:
    return [
        found.span()
        for found in _numbers(answer, dates)
        if any(abs(_value(found.group()) - value) <= tolerance + _EXACT for value in values)
    ]


def _by_results(answer: str, dates: Sequence[Moment], shown: Shown) -> Iterator[_Mark]:
    for moment in dates:
        if moment.dated:
            yield _mark(moment.start, moment.end, shown.of_moment(moment))
    for found in _numbers(answer, dates):
        yield _mark(*found.span(), shown.of_number(found.group()))


def _mark(start: int, end: int, by: str | None) -> _Mark:
    return _Mark(start, end, Support.NONE, "") if by is None else _Mark(start, end, Support.RESULT, by)


def _numbers(answer: str, dates: Sequence[Moment]) -> Iterator[re.Match[str]]:
    """Give the numbers of an answer that belong to no date or time."""
    text = answer
    for moment in dates:
        text = text[: moment.start] + " " * (moment.end - moment.start) + text[moment.end :]
    yield from _NUMBER.finditer(text)


def _value(written: str) -> float:
    return float(written.replace(",", ""))
