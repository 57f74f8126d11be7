"""Figures, moments and words of negation that a text of a session holds, English or Chinese."""

import re
from collections.abc import Iterable
from functools import lru_cache

from state.base import Language
from tools.grading.text import plain
from tools.grading.times import masked, moments

FIRST_TO_NAME = 2
"""From this turn on an implicit question may name the key test: other results stand between by then."""

_FIGURE = re.compile(
    r"(?<![A-Za-z0-9._/^])(?<!\d,)(?<![A-Za-z]-)-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d_])"
)
_JOINED = re.compile(r"(?<=\d)-(?=\d)")
"""The dash of a range, which is no minus."""
PATTERNS_REMEMBERED = 2_000
_NEGATIONS = {
    Language.EN: re.compile(
        r"\b(?:not|no|nor|never|none|without|neither|cannot|nothing|un(?:likely|safe))\b|n't\b",
        re.IGNORECASE,
    ),
    Language.ZH: re.compile(r"[不无未非没勿禁]"),
}
_NO_NEGATION = {
    Language.EN: ("for none was asked for", "whether or not"),
    Language.ZH: ("是否", "有无", "不变", "不超过", "不低于", "不良", "未来", "非甾体"),
}
"""Phrases with a word of negation in one language only, which deny nothing."""


def figures(text: str) -> list[float]:
    """List the numbers of a text in order, dates and times of day apart."""
    quiet = _JOINED.sub(" ", masked(plain(text)))
    return [float(found.replace(",", "")) for found in _FIGURE.findall(quiet)]


def dates(text: str) -> list[str]:
    """List the dates and times of a text in order, as year-month-day hour:minute with what is not said left out."""
    found = []
    for moment in moments(plain(text)):
        day = "-".join(str(part) for part in (moment.year, moment.month, moment.day) if part is not None)
        clock = "" if moment.hour is None else f" {moment.hour}:{moment.minute or 0:02d}"
        found.append(day + clock)
    return found


@lru_cache(maxsize=PATTERNS_REMEMBERED)
def phrase_pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Find any of some phrases in any case, the longest first; Latin ends of theirs must be ends of words."""
    ordered = sorted(dict.fromkeys(filter(None, phrases)), key=len, reverse=True)
    return re.compile("|".join(map(_whole, ordered)) or r"(?!)", re.IGNORECASE)


def _whole(phrase: str) -> str:
    head = r"(?<![A-Za-z0-9])" if phrase[0].isascii() and phrase[0].isalnum() else ""
    tail = r"(?![A-Za-z0-9])" if phrase[-1].isascii() and phrase[-1].isalnum() else ""
    return f"{head}{re.escape(phrase)}{tail}"


def without(text: str, phrases: Iterable[str]) -> str:
    """Cut phrases out of a text, in any case."""
    return phrase_pattern(tuple(phrases)).sub(" ", text)


def negations(text: str, language: Language) -> int:
    """Count the words of a text that deny."""
    return len(_NEGATIONS[language].findall(without(text, _NO_NEGATION[language])))
