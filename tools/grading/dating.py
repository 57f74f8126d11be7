"""The times of an answer with their dates: a date said once is that of the times told with it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from tools.grading.times import Moment, moments

_BEFORE = re.compile(
    r"(?:(?P<same>当日|当天|同日|同天|当(?=[晚晨午夜])|\b(?:the |that )?same day"
    r"|\bthat (?:day|morning|afternoon|evening|night))"
    r"|(?P<next>次日|翌日|第二天|次(?=晨)|\b(?:the )?(?:next|following) (?:day|morning))"
    r"|(?P<last>前一[天日]|前日|\b(?:the )?(?:previous day|day before|evening before|night before))"
    r"|(?P<unsaid>[昨今][天日晚晨早]|前天|\byesterday|\btoday|\btonight|\blast night))"
    r"[\s,(]*(?:at|于|在|的)?\s*$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\s,(]*(?:(?P<same>that day|(?:the )?same day|同日)|(?P<next>(?:the )?(?:next|following) (?:day|morning))"
    r"|(?P<last>(?:the )?(?:day|evening|night) before|(?:the )?previous day)"
    r"|(?P<unsaid>yesterday|last night))(?![A-Za-z])",
    re.IGNORECASE,
)
_SHIFT = {"same": 0, "next": 1, "last": -1}
_ANY_YEAR = 2000
"""Stands for a year that is not written where a day is counted on from another."""


def dated_moments(texts: Sequence[str]) -> list[tuple[Moment, ...]]:
    """Give the moments of each sentence of an answer, dated as far as the answer tells.

    A time of day has the date said before it in its sentence, else one said after it there, else the last one said; a
    day without a month has the month told with it. A year is that of the dates after it too, where only one is written.
    """
    read = [moments(text) for text in texts]
    years = {one.year for found in read for one in found if one.year is not None}
    only_year = years.pop() if len(years) == 1 else None
    year: int | None = None
    months = {one.month for found in read for one in found if one.month is not None}
    month = months.pop() if len(months) == 1 else None
    last = _only_date(read)
    told: list[tuple[Moment, ...]] = []
    for text, found in zip(texts, read, strict=True):
        here: list[Moment] = []
        first_said = True
        for at, one in enumerate(found):
            year = year if one.year is None else only_year
            if one.day is not None:
                one = replace(one, month=one.month or (last and last.month) or month, year=one.year or year)
                last, first_said = one, False
            elif one.clocked:
                said_after = next((m for m in found[at + 1 :] if m.day is not None and not m.clocked), None)
                frame = said_after if first_said and said_after is not None else last
                low = found[at - 1].end if at else 0
                one = _on(one, frame, text[low : one.start], text[one.end :], year)
                if one.day is not None and one.month is not None and not (first_said and said_after):
                    last = one
            here.append(one)
        told.append(tuple(here))
    return told


def _only_date(read: Sequence[Sequence[Moment]]) -> Moment | None:
    """Give the date of an answer that says one and no other, wherever it says it."""
    dates = [one for found in read for one in found if one.day is not None]
    return dates[0] if len({(one.month, one.day) for one in dates}) == 1 else None


def _on(moment: Moment, frame: Moment | None, before: str, after: str, year: int | None) -> Moment:
    """Put a time of day on the date that frames it, or on the day before or after that."""
    said = _BEFORE.search(before) or _AFTER.match(after)
    if frame is None or frame.day is None or (said and said.lastgroup == "unsaid"):
        return moment
    if said is None or said.lastgroup == "same" or frame.month is None:
        return replace(moment, year=frame.year or year, month=frame.month, day=frame.day)
    try:
        day = date(frame.year or _ANY_YEAR, frame.month, frame.day) + timedelta(_SHIFT[said.lastgroup or ""])
    except ValueError:
        return moment
    return replace(moment, year=frame.year or year, month=day.month, day=day.day)
