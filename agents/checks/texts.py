"""Figures, moments, drugs and tests that a text of a session holds, English or Chinese."""

import re
from collections.abc import Iterable
from functools import cache

from tools.grading.text import plain
from tools.grading.times import masked, moments

_FIGURE = re.compile(
    r"(?<![A-Za-z0-9._/^])(?<!\d,)(?<![A-Za-z]-)-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d_])"
)
_JOINED = re.compile(r"(?<=\d)-(?=\d)")
"""The dash of a range, which is no minus."""


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


@cache
def phrase_pattern(phrase: str) -> re.Pattern[str]:
    """Find a phrase in any case; Latin letters and digits at its ends must not go on."""
    head = r"(?<![A-Za-z0-9])" if phrase[:1].isascii() and phrase[:1].isalnum() else ""
    tail = r"(?![A-Za-z0-9])" if phrase[-1:].isascii() and phrase[-1:].isalnum() else ""
    return re.compile(f"{head}{re.escape(phrase)}{tail}", re.IGNORECASE)


def without(text: str, phrases: Iterable[str]) -> str:
    """Cut phrases out of a text, longest first, in any case."""
    for phrase in sorted(filter(None, phrases), key=len, reverse=True):
        text = phrase_pattern(phrase).sub(" ", text)
    return text
