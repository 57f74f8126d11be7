"""Dates and times in free text, English and Chinese."""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

REMEMBERED = 4096
"""Sentences; each item of a rubric reads the same answer."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_ORDINAL = r"(?:st|nd|rd|th)?"
_DATES = (
    r"(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})",
    r"(?P<m2>\d{1,2})/(?P<d2>\d{1,2})/(?P<y2>\d{4}|\d{2})",
    rf"{_MONTH.format('n3')}\s+(?P<d3>\d{{1,2}}){_ORDINAL}(?:\s*,?\s*(?P<y3>\d{{4}}))?",
    rf"(?P<d4>\d{{1,2}}){_ORDINAL}(?:\s+of)?[\s-]+{_MONTH.format('n4')}(?:[\s,-]+(?P<y4>\d{{4}}))?",
    r"(?:(?P<y5>\d{4})\s*年\s*)?(?P<m5>\d{1,2})\s*月\s*(?P<d5>\d{1,2})\s*[日号]",
    r"(?P<m6>\d{1,2})/(?P<d6>\d{1,2})",
    r"(?<![第共已约])(?P<d8>\d{1,2})[日号](?=\s?\)?\s?(?:的|[上下中]午|[凌清]?晨|早|傍?晚|夜|\d{1,2}[:点时]))",
)
_DATE = "(?:" + "|".join(_DATES) + ")"
_SHORT_DATE = r"(?P<m7>\d{1,2})-(?P<d7>\d{1,2})"
"""Month and day as column heads have them; alone they are a range, so a time of day must follow, or "on" lead."""
_DAY = (
    r"(?:(?:today|tonight|yesterday|this|last)?\s*(?:early |late )?(?:morning|afternoon|evening|night)?"
    r"|today|tonight|yesterday|今天|今日|今晨|今晚|昨天|昨日|昨晚)"
)
_CLOCK = (
    r"(?P<part>上午|早[上晨]?|清早|凌晨|清晨|晨|中午|午间|下午|午后|傍晚|晚[上间]?|夜[间里]?|深夜)?\s*(?P<h>\d{1,2})"
    r"(?:[:](?P<min>\d{2})(?::\d{2}(?:\.\d+)?)?|\s*[点时]\s*(?:(?P<zmin>\d{1,2})\s*分?|(?P<sharp>整|钟|(?P<thirty>半)|许)?))"
    r"(?:\s*(?P<half>[ap])\.?m\b\.?|\s+(?:in the\s+(?P<late>morning|afternoon|evening)|at (?P<dark>night)|o'clock)\b)?"
    r"(?:\s*h(?:ou)?rs?\b)?"
)
_EDGE = r"(?<![\d./-])(?<!\d:)"
_AFTER = r"(?![\d/]|[.:-]\d)"
_JOIN = r"(?:T|[\s,;()]*(?:at|time|@|on|of|about|around|around|the|collected|drawn|于|在|的|,)?[\s,:()]*)"
_DATE_FIRST = re.compile(rf"{_EDGE}{_DATE}{_JOIN}{_CLOCK}{_AFTER}", re.IGNORECASE)
_SHORT_DATE_FIRST = re.compile(rf"{_EDGE}{_SHORT_DATE}[\sT,]+{_CLOCK}{_AFTER}", re.IGNORECASE)
_CLOCK_FIRST = re.compile(
    rf"{_EDGE}{_CLOCK}[\s,]*{_DAY}[\s,]*(?:on|of|,|\()?\s*(?:the\s+)?{_DATE}{_AFTER}", re.IGNORECASE
)
_DATE_ONLY = re.compile(rf"{_EDGE}{_DATE}(?:(?<=[日号])|{_AFTER})", re.IGNORECASE)
_LED = (
    r"(?:(?<=\bon )|(?<=\bbetween )|(?<=\bsince )|(?<=\buntil )|(?<=[于自在] )|(?<=[于自在])"
    r"|(?<=-\d\d, )|(?<=-\d\d and )|(?<=-\d\d、))"
)
_SHORT_DATE_ONLY = re.compile(
    rf"(?:{_LED}(?P<m7>\d{{2}})-(?P<d7>\d{{2}})(?![\d/.-]|:\d)"
    r"|(?<![\d./:-])(?P<m8>\d{2})-(?P<d9>\d{2})(?=\s?[为是]\s?\d))",
    re.IGNORECASE,
)
_CLOCK_ONLY = re.compile(rf"{_EDGE}{_CLOCK}{_AFTER}", re.IGNORECASE)
_VARIANTS = {prefix: tuple(f"{prefix}{at}" for at in range(1, 10)) for prefix in "ymdn"}
"""The groups of a part of a date, one for each way to write dates."""
_AFTERNOON = frozenset({"下午", "午后", "傍晚"})
_NIGHT = frozenset({"晚", "晚上", "晚间", "夜", "夜间", "夜里", "深夜"})
"""Parts of a day that go on past midnight: 夜里2点 is before dawn."""
_DAWN = 5
_LAST_MONTH = 12
_PART_BEFORE = re.compile(
    r"(?:(?P<zh>上午|早[上晨]?|凌晨|[清今昨]晨|[今昨]早|中午|下午|午后|傍晚|晚[上间]?|夜[间里]?)"
    r"|(?P<en>afternoon|evening|night))\s?\(\s?$",
    re.IGNORECASE,
)
"""A part of the day before a date in brackets: 昨晚(3月12日)9点47分."""
_NOON_ENDS = 3
_PARTS = {"afternoon": "下午", "evening": "晚上", "night": "夜间"}


@dataclass(frozen=True)
class Moment:
    """A date, a time of day, or both, as written; what was not written is None."""

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None

    @property
    def dated(self) -> bool:
        """Tell whether a date was written, be it the day alone."""
        return self.day is not None

    @property
    def clocked(self) -> bool:
        """Tell whether a time of day was written."""
        return self.hour is not None

    def is_minute_of(self, time: datetime) -> bool:
        """Tell whether date and minute are those of ``time``; a year or month not written is not held against it."""
        year = time.year if self.year is None else self.year
        month = time.month if self.month is None else self.month
        same_year = year in (time.year, time.year % 100)
        return same_year and (month, self.day, self.hour, self.minute) == (
            time.month,
            time.day,
            time.hour,
            time.minute,
        )

    def may_be(self, other: "Moment") -> bool:
        """Tell whether two moments agree in all that both of them say, and say the time of day."""
        if not (self.clocked and other.clocked):
            return False
        pairs = (
            (self.year, other.year),
            (self.month, other.month),
            (self.day, other.day),
            (self.hour, other.hour),
            (self.minute, other.minute),
        )
        return all(mine is None or theirs is None or mine == theirs for mine, theirs in pairs)

    def sort_key(self) -> tuple[int, int, int, int, int]:
        """Order moments that are dated."""
        return (self.year or 0, self.month or 0, self.day or 0, self.hour or 0, self.minute or 0)


@lru_cache(maxsize=REMEMBERED)
def moments(text: str) -> tuple[Moment, ...]:
    """Give every date and time in ``text``, in order, each once."""
    taken: list[Moment] = []
    for pattern in (_DATE_FIRST, _CLOCK_FIRST, _SHORT_DATE_FIRST, _DATE_ONLY, _SHORT_DATE_ONLY, _CLOCK_ONLY):
        for found in pattern.finditer(text):
            moment = _read(found)
            if moment and not any(other.start < moment.end and moment.start < other.end for other in taken):
                taken.append(moment)
    return tuple(sorted(taken, key=lambda moment: moment.start))


def masked(text: str) -> str:
    """Blank out dates and times, at the same length."""
    for moment in moments(text):
        text = text[: moment.start] + " " * (moment.end - moment.start) + text[moment.end :]
    return text


def _read(found: re.Match[str]) -> Moment | None:
    parts = {name: value for name, value in found.groupdict().items() if value is not None}

    def one_of(prefix: str) -> str | None:
        return next((parts[name] for name in _VARIANTS[prefix] if name in parts), None)

    def number(prefix: str) -> int | None:
        value = one_of(prefix)
        return None if value is None else int(value)

    name = one_of("n")
    month = number("m") if name is None else _MONTHS.index(name[:3].lower()) + 1
    day, hour, minute = number("d"), parts.get("h"), parts.get("min") or parts.get("zmin")
    if month is not None and day is not None and "m2" in parts and day <= _LAST_MONTH < month:
        month, day = day, month
    if not (month is None or 1 <= month <= 12) or not (day is None or 1 <= day <= 31):
        return None
    if month is not None and day is None:
        return None
    if hour is not None and minute is None and day is None and not {"part", "sharp"} & parts.keys():
        return None
    minute = "30" if "thirty" in parts else minute
    if (
        day is not None
        and "part" not in parts
        and (said := _PART_BEFORE.search(found.string, 0, found.start()))
    ):
        parts["part"] = said.group("zh") or _PARTS[said.group("en").lower()]
    clock = _clock(int(hour), int(minute or 0), parts) if hour is not None else (None, None)
    if clock is None:
        return None
    return Moment(found.start(), found.end(), number("y"), month, day, *clock)


def _clock(hour: int, minute: int, parts: dict[str, str]) -> tuple[int, int] | None:
    half, part = parts.get("half", "").lower(), parts.get("part", "")
    part = part or _PARTS.get((parts.get("late") or parts.get("dark") or "").lower(), "")
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    elif hour < 12 and (
        part in _AFTERNOON
        or (part in _NIGHT and hour >= _DAWN)
        or (part in ("中午", "午间") and hour < _NOON_ENDS)
    ):
        hour += 12
    elif part == "凌晨" and hour == 12:
        hour = 0
    return (hour, minute) if hour < 24 and minute < 60 else None
