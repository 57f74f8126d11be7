"""Doses and durations as words: one amount or a range of amounts, and a number of days."""

import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal

from tools.vocabulary.counts import ENGLISH, HANZI, count
from tools.vocabulary.records import Dose

_DIGITS = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,3}|[0-9]{1,9})(?:\.[0-9]{1,6})?|\.[0-9]{1,6}"
"""At most nine digits and six decimals: heparin and penicillin reach eight, and more is no dose."""
_HALF = {"half a": Decimal("0.5"), "half": Decimal("0.5"), "半": Decimal("0.5")}
_WORD = "|".join(sorted({*_HALF, *ENGLISH, *HANZI}, key=lambda word: (-len(word), word)))
_AMOUNT = re.compile(rf"({_DIGITS}|(?:{_WORD})(?=[ \u3400-\u9fff]))\s*([^0-9\s.,].*)")
_RANGE = re.compile(rf"({_DIGITS}|{_WORD})\s*(.*?)\s*(?:-|–|—|~|\bto\b|至|到)\s*(?=[0-9.]|{_WORD})(.+)")
_WHITE = re.compile(r"\s+")
_DAYS_A = (
    (re.compile(r"(?:days?|d|天|日)"), 1),
    (re.compile(r"(?:weeks?|wks?|w|个?周|个?星期|个?礼拜)"), 7),
)
_DURATION = re.compile(
    rf"(?:(?:for|x|×)\s*)?([0-9]{{1,4}}|{'|'.join(ENGLISH)}|a|{'|'.join(sorted(HANZI, key=len, reverse=True))})\s*-?"
    r"([a-z]+|[\u3400-\u9fff]+)"
)


class DoseParser:
    """Reads an amount, or a range of two. ``units``: word -> (factor, canonical unit)."""

    def __init__(self, units: Mapping[str, tuple[Decimal, str]]) -> None:
        self._units = units

    def parse(self, text: str) -> Dose | None:
        """Read ``12.5 mg``, ``1,000 units``, ``半片``, ``1-2 tablets``, ``5 mg to 10 mg``.

        None for zero, a rate, a range that does not rise, figures of other scripts and anything else.
        """
        plain = _plain(text)
        if plain is None:
            return None
        if found := _RANGE.fullmatch(plain):
            high = self._amount(found.group(3))
            low = self._amount(f"{found.group(1)} {found.group(2) or _unit_of(found.group(3))}")
            if low is None or high is None or low.unit != high.unit or low.value >= high.value:
                return None
            return Dose(value=low.value, unit=low.unit, high=high.value)
        return self._amount(plain)

    def _amount(self, text: str) -> Dose | None:
        found = _AMOUNT.fullmatch(text)
        known = self._units.get(found.group(2)) if found else None
        if found is None or known is None:
            return None
        value = _number(found.group(1))
        factor, unit = known
        return Dose(value=float(value * factor), unit=unit) if value > 0 else None


def _plain(text: str) -> str | None:
    """Fold case, width and space; None where NFKC would make plain digits of others: ``10²`` is not 102."""
    if any(unicodedata.category(character) in {"No", "Nl"} and character != "½" for character in text):
        return None
    folded = unicodedata.normalize("NFKC", text.replace("½", "半")).casefold()
    return _WHITE.sub(" ", folded).strip()


def _number(text: str) -> Decimal:
    if text in _HALF:
        return _HALF[text]
    return Decimal(text.replace(",", "")) if text[-1].isdigit() else Decimal(count(text))


def _unit_of(amount: str) -> str:
    found = _AMOUNT.fullmatch(amount)
    return found.group(2) if found else ""


def parse_duration(text: str) -> int | None:
    """Read a number of days: ``7``, ``7 days``, ``x 2 weeks``, ``一周``; None for zero and anything else."""
    plain = _plain(text)
    if plain is None:
        return None
    if re.fullmatch(r"[0-9]{1,4}", plain):
        return int(plain) or None
    found = _DURATION.fullmatch(plain)
    if found is None:
        return None
    many = 1 if found.group(1) == "a" else count(found.group(1))
    return next((many * days for unit, days in _DAYS_A if unit.fullmatch(found.group(2))), 0) or None
