"""Lengths of time as patients say them: said, and read again."""

import re
from collections.abc import Iterator
from functools import cache

from state.base import Language
from state.patient import Span
from state.patient_values import Level, SpanUnit
from tools.interview.words import read

ENGLISH = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
HANZI = "一二三四五六七八九"
_LENGTH = {
    SpanUnit.HOUR: ("hour", 1),
    SpanUnit.DAY: ("hour", 24),
    SpanUnit.WEEK: ("hour", 168),
    SpanUnit.MONTH: ("month", 1),
    SpanUnit.YEAR: ("month", 12),
}
_ZH_UNITS = {
    **dict.fromkeys(("小时", "钟头"), SpanUnit.HOUR),
    **dict.fromkeys(("天", "日"), SpanUnit.DAY),
    **dict.fromkeys(("星期", "礼拜", "周"), SpanUnit.WEEK),
    "月": SpanUnit.MONTH,
    "年": SpanUnit.YEAR,
}


def same_length(one: Span, other: Span) -> bool:
    """Tell whether two spans are as long: 14 days are 2 weeks, a month is no number of days."""
    kind, length = _LENGTH[one.unit]
    other_kind, other_length = _LENGTH[other.unit]
    return kind == other_kind and one.count * length == other.count * other_length


def say_span(span: Span, language: Language, literacy: Level) -> str:
    """Say a span: in words, or in digits where the patient speaks as a form is filled in."""
    units = read(language)["words"]["units"][span.unit]
    plain = str(span.count)
    if language is Language.ZH:
        return (plain if literacy is Level.HIGH else say_hanzi(span.count)) + str(units[0])
    count = ENGLISH[span.count - 1] if span.count <= len(ENGLISH) and literacy is not Level.HIGH else plain
    return f"{count} {units[0] if span.count == 1 else units[1]}"


def say_hanzi(number: int) -> str:
    """Say 1 to 99 before a measure word: 两, 十二, 三十."""
    if number == 2:
        return "两"
    tens, ones = divmod(number, 10)
    head = "" if tens == 0 else ("" if tens == 1 else HANZI[tens - 1]) + "十"
    return head + (HANZI[ones - 1] if ones else "")


def find_spans(text: str, language: Language) -> Iterator[tuple[int, int, Span]]:
    """Find spans in normalised text with their places."""
    for match in _pattern(language).finditer(text):
        count = _count(match[1].casefold(), language)
        if 1 <= count <= 99:
            unit = _ZH_UNITS[match[2]] if language is Language.ZH else SpanUnit(match[2].casefold())
            yield match.start(), match.end(), Span(count=count, unit=unit)


def _count(text: str, language: Language) -> int:
    if text.isdecimal():
        return int(text)
    if language is Language.EN:
        return 1 if text in ("a", "an") else ENGLISH.index(text) + 1
    head, ten, tail = text.replace("两", "二").partition("十")
    if not ten:
        return HANZI.index(head) + 1
    return 10 * (HANZI.index(head) + 1 if head else 1) + (HANZI.index(tail) + 1 if tail else 0)


@cache
def _pattern(language: Language) -> re.Pattern[str]:
    if language is Language.EN:
        counts = "|".join(sorted(ENGLISH, key=len, reverse=True))
        return re.compile(rf"\b(\d{{1,3}}|{counts}|an?)[ -](hour|day|week|month|year)s?\b", re.IGNORECASE)
    counts = rf"\d{{1,3}}|[{HANZI}两]?十[{HANZI}]?|[{HANZI}两]"
    return re.compile(rf"({counts})\s?个?({'|'.join(_ZH_UNITS)})")
