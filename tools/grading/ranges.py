"""RangeItem: the reference range an answer states."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from state.gold import RangeItem
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, met, not_met
from tools.grading.numerals import in_digits
from tools.grading.text import sentences

_NUMBER = r"(?<![\d.,])(\d+(?:\.\d+)?)(?![\d]|[.,]\d)"
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_UNIT = r"\s*(?:[x×*]?\s*10\^\d+\s*/?\s*\w*|[A-Za-zµμ%][\w/%µμ]*)?\s*"
_INTERVAL = re.compile(
    rf"{_NUMBER}{_UNIT}(?P<joint>-|~|～|\bto\b|\band\b|至|到|和|\.\.|[升降增减][高低加少]?[至到为])\s*{_NUMBER}",
    re.IGNORECASE,
)
_LINK = r"\s*(?:of|is|为|是|:)?\s*"
_OF_NORMAL = r"(?: of (?:the )?(?:normal|reference)(?: range)?)?"
_UP_TO = re.compile(
    rf"(?:<=?|≤|up to|under|below|less than(?: or equal to)?|at most|upper limit{_OF_NORMAL}|\bhigh|"
    rf"不超过|低于|小于(?:等于)?|不高于|上限){_LINK}{_NUMBER}",
    re.IGNORECASE,
)
_FROM = re.compile(
    rf"(?:>=?|≥|from|over|above|more than|greater than(?: or equal to)?|at least|lower limit{_OF_NORMAL}|\blow|"
    rf"不低于|高于|大于(?:等于)?|不小于|下限){_LINK}{_NUMBER}",
    re.IGNORECASE,
)
_OF_A_RANGE = re.compile(
    r"\b(?:ref|reference|normal|normally|range|interval|limits?)\b|参考|正常|区间|上限|下限", re.IGNORECASE
)
_DENIED = re.compile(r"(?:\bnot\b|n't\b|并非|不是|而非|rather than)[^,，]{0,12}$", re.IGNORECASE)
_COURSE = re.compile(
    r"\b(?:rose|risen|rises?|fell|fallen|falls?|went|gone|increased?|decreased?|dropped|climbed|changed?|moved)\b"
    r"[^,]*\bfrom\s*$",
    re.IGNORECASE,
)
_STARTS = re.compile(r"(?:\bfrom|从|由|自)\s*$", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:\bbetween|介于|在)\s*$", re.IGNORECASE)
_OF_TIME = re.compile(
    r"\s*(?:hours?|days?|weeks?|months?|years?|minutes?|h\b|(?:January|February|March|April|May|June|July|August|"
    r"September|October|November|December)\b|小时|天|日|周|月|年|分钟)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Reading:
    """The limits stated as such in a sentence, and what is left of it."""

    intervals: frozenset[tuple[float, float]]
    from_: frozenset[float]
    up_to: frozenset[float]
    numbers: frozenset[float]
    of_a_range: bool


def decide_range(item: RangeItem, evidence: TurnEvidence) -> Finding:
    """Decide whether the answer states both limits together, or the one limit there is.

    Left undecided: both numbers stand there in a form that is not understood, or the one limit is compared with and
    nothing calls it a limit.
    """
    shown = _shown(item)
    read = [_read(_THOUSANDS.sub("", s.text)) for s in sentences(in_digits(evidence.said)) if not s.asks]
    if any(_states(item, reading) for reading in read):
        return met(f"states the range {shown}")
    if _may_state(item, read):
        return cannot_tell(f"may state the range {shown}")
    return not_met(f"does not state the range {shown}")


def _read(text: str) -> _Reading:
    of_a_range = bool(_OF_A_RANGE.search(text))
    intervals = frozenset(_intervals(text, of_a_range=of_a_range))
    rest = _INTERVAL.sub(" ; ", text)
    return _Reading(
        intervals,
        _numbers(_FROM, rest),
        _numbers(_UP_TO, rest),
        _numbers(re.compile(_NUMBER), rest),
        of_a_range,
    )


def _intervals(text: str, *, of_a_range: bool) -> Iterator[tuple[float, float]]:
    """Give the intervals that are neither denied, nor spans of time, nor the course of a value."""
    for found in _INTERVAL.finditer(text):
        before, joint = text[: found.start()], found["joint"].lower()
        denied = _DENIED.search(before) or _OF_TIME.match(text[found.end() :])
        course = _COURSE.search(before) or joint[0] in "升降增减"
        loose = _STARTS.search(before) or (joint in {"and", "和"} and not _BETWEEN.search(before))
        if not (denied or course or (loose and not of_a_range)):
            yield float(found[1]), float(found[3])


def _numbers(pattern: re.Pattern[str], text: str) -> frozenset[float]:
    return frozenset(float(found) for found in pattern.findall(text))


def _states(item: RangeItem, reading: _Reading) -> bool:
    if item.low is not None and item.high is not None:
        limits = item.low in reading.from_ and item.high in reading.up_to
        return (item.low, item.high) in reading.intervals or limits
    if item.low is None and (0, item.high) in reading.intervals:
        return True
    return reading.of_a_range and _compares(item, reading)


def _compares(item: RangeItem, reading: _Reading) -> bool:
    return item.high in reading.up_to if item.low is None else item.low in reading.from_


def _may_state(item: RangeItem, read: list[_Reading]) -> bool:
    if item.low is not None and item.high is not None:
        numbers = frozenset[float]().union(*(reading.numbers for reading in read))
        from_nothing = item.low == 0 and any(item.high in reading.up_to for reading in read)
        return from_nothing or {item.low, item.high} <= numbers
    return any(_compares(item, reading) for reading in read)


def _shown(item: RangeItem) -> str:
    if item.low is None:
        return f"up to {item.high:g}"
    return f"from {item.low:g}" if item.high is None else f"{item.low:g}-{item.high:g}"
