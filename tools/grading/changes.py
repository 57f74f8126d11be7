"""The amount by which an answer says that a result moved: absolute, in percent, or as a multiple."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from state.gold import Change
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, met, not_met, wrong
from tools.grading.numbers import Number, numbers, quiet
from tools.grading.phrases import any_pattern, load_words
from tools.grading.text import sentences
from tools.grading.topics import Topic
from tools.grading.units import convert, find_unit, fold
from tools.grading.values import THOUSANDS
from tools.vocabulary import Vocabulary

_EXACT = 1e-9
_ROUNDED = 1e-4
"""Slack of a result computed back from the change."""
_COARSE = 0.15
"""The most a rounded amount may be off, of the amount: 0.5 for 0.45, but not 0 for 0.4."""
_POINT = 1.0
"""Percentage points by which a percentage may be off: of 23.4 % some say 23, some 24."""
_IN_WORDS = 5.0
"""Percentage points within which a result has "doubled"."""
_EQUATION = re.compile(r"\d\s*-\s*\d[\d.]*[^=\d]{0,12}[=≈]\s*$")
_BRACKET = re.compile(r"[(,/]\s*(?:i\.e\.,?\s*|or\s+|即|或)?$")
_SIGNED = re.compile(r"(?:^|[(=:,]|(?<!\d)\s)[+-]$")
_REACH = 60


class _Kind(StrEnum):
    """How an amount stands to the one that is wanted."""

    RIGHT = "right"
    WRONG = "wrong"
    LOOSE = "loose"


@dataclass(frozen=True)
class _Amount:
    kind: _Kind
    said: str


def decide_change(change: Change, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the answer says by how much the result moved, and nothing else.

    Left undecided: two amounts of which one is right, and the right number in a form that is not understood.
    """
    wanted = f"{change.by:g} {change.unit}".strip()
    topic = Topic.of(change.names, vocabulary)
    amounts = list(_amounts(change, evidence.said, topic, vocabulary))
    right, false, loose = ([a.said for a in amounts if a.kind is kind] for kind in _Kind)
    if false and not right:
        return wrong(f"says that it moved by {false[0]}, not by {wanted}")
    if false:
        return cannot_tell(f"says that it moved by {right[0]} and by {false[0]}")
    if right:
        return met(f"says that it moved by {right[0]}")
    if loose:
        return cannot_tell(f"may say that it moved by {wanted}: {loose[0]}")
    return not_met(f"does not say that it moved by {wanted}")


def _amounts(change: Change, said: str, topic: Topic, vocabulary: Vocabulary) -> Iterator[_Amount]:
    about = True
    for sentence in sentences(said):
        text = quiet(sentence.text)
        named = [one for one in topic.named_in(text, vocabulary) if not one.decoy]
        if not sentence.asks:
            yield from _in_words(change, text)
            before: _Amount | None = None
            for number in numbers(text):
                owners = [one.wanted for one in named if one.span.end <= number.start]
                if not (owners[-1] if owners else about):
                    continue
                before = _amount(change, text, number, topic, after_amount=before is not None)
                if before is not None:
                    yield before
        about = named[-1].wanted if named else about


def _amount(change: Change, text: str, number: Number, topic: Topic, *, after_amount: bool) -> _Amount | None:
    """Read one number; None where it is no amount of a change."""
    before, after = text[: number.start], text[number.end :]
    said = text[number.start : number.end].strip()
    percent = _words("percent").match(f" {number.unit}" if number.unit else after)
    times = _words("fold").match(after)
    if times and number.unit is None:
        return _multiple(change, number, said)
    moved = _moved(before, after) or bool(percent and after_amount and _BRACKET.search(before))
    if not moved:
        return _Amount(_Kind.LOOSE, said) if _may_be(change, number) else None
    if _words("comparator", after=r"\s*$").search(before[-_REACH:]):
        return _Amount(_Kind.LOOSE, said)
    against = _words("against")
    if against.search(re.split(r"[,;]", before)[-1][-_REACH:]) or against.match(after):
        return None
    if _contradicts_sign(change, before):
        return _Amount(_Kind.WRONG, text[number.start - 1 : number.end].strip())
    right = _is_right(change, number, topic, percent=percent is not None)
    return _Amount(
        _Kind.RIGHT if right else _Kind.WRONG, said + (" %" if percent and not number.unit else "")
    )


def _may_be(change: Change, number: Number) -> bool:
    """Tell whether a number that nothing calls a change is the amount, and neither of the two results."""
    first = None if change.percent is None else 100 * change.by / change.percent
    ends = () if first is None else (first, first + change.by if change.rises else first - change.by)
    value = abs(number.value)
    near = _agrees(value, change.by, number.decimals, _EXACT)
    return near and not any(_agrees(value, end, number.decimals, _ROUNDED) for end in ends)


def _moved(before: str, after: str) -> bool:
    """Tell whether the words around a number make it an amount of a change."""
    about = _words("about").pattern.strip()
    led = re.compile(rf"{_words('before').pattern}(?:{about})*\s*[+-]?\s*$", re.IGNORECASE)
    return bool(
        led.search(before)
        or _words("after").match(after)
        or _SIGNED.search(before)
        or _EQUATION.search(before)
    )


def _contradicts_sign(change: Change, before: str) -> bool:
    """Tell whether a plus stands before a fall, or a minus before a rise that is told of without a subtraction."""
    if _EQUATION.search(before.rstrip("+- ")):
        return False
    sign = before.rstrip()[-1:]
    led = _SIGNED.search(before) is not None
    return led and ((sign == "+" and not change.rises) or (sign == "-" and change.rises))


def _is_right(change: Change, number: Number, topic: Topic, *, percent: bool) -> bool:
    value = abs(number.value)
    as_percent = (
        change.percent is not None
        and abs(value - change.percent) <= max(_POINT, 0.5 * 10.0**-number.decimals) + _EXACT
    )
    if percent and change.unit != "%":
        return as_percent
    if percent and as_percent:
        return True
    in_full = number.unit is None and change.unit == "K/uL" and value >= THOUSANDS
    if in_full:
        return _agrees(value / THOUSANDS, change.by, 0, _EXACT)
    converted = value if number.unit is None else _converted(change, value, number.unit, topic)
    return converted is not None and _agrees(converted, change.by, number.decimals, _EXACT)


def _converted(change: Change, value: float, unit: str, topic: Topic) -> float | None:
    if fold(unit) == fold(change.unit):
        return value
    found, wanted = find_unit(unit), find_unit(change.unit)
    if found is None or wanted is None:
        return None
    ways: Sequence[str] = sorted(topic.ids) or [""]
    return next((v for analyte in ways if (v := convert(value, found, wanted, analyte)) is not None), None)


def _agrees(value: float, wanted: float, decimals: int, slack: float) -> bool:
    """Tell whether a number is another's, or that rounded to its own decimal places without losing much."""
    off = abs(value - wanted)
    return off <= slack or (off <= 0.5 * 10.0**-decimals + slack and off <= _COARSE * wanted)


def _multiple(change: Change, number: Number, said: str) -> _Amount:
    if change.percent is None:
        return _Amount(_Kind.LOOSE, said)
    ratio = 1 + change.percent / 100 if change.rises else 1 - change.percent / 100
    right = any(
        _agrees(number.value, way, number.decimals, _EXACT) for way in (ratio, 1 / ratio) if ratio > 0
    )
    return _Amount(_Kind.RIGHT if right else _Kind.LOOSE, said)


def _in_words(change: Change, text: str) -> Iterator[_Amount]:
    for percent, words in load_words("changes")["in_words"].items():
        for found in re.compile(any_pattern(words), re.IGNORECASE).finditer(text):
            near = change.percent is not None and abs(change.percent - percent) <= _IN_WORDS
            yield _Amount(_Kind.RIGHT if near else _Kind.LOOSE, found.group())


@cache
def _words(name: str, after: str = "") -> re.Pattern[str]:
    return re.compile(r"\s*" + any_pattern(load_words("changes")[name]) + r"\s*" + after, re.IGNORECASE)
