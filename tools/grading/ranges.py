"""RangeItem: the reference range an answer states."""

import re

from state.gold import RangeItem
from tools.grading.evidence import Finding, TurnEvidence, met, not_met
from tools.grading.text import sentences

_NUMBER = r"(?<![\d.,])(\d+(?:\.\d+)?)(?![\d]|[.,]\d)"
_UNIT = r"\s*(?:[A-Za-zµμ%][\w/%µμ]*)?\s*"
_INTERVAL = re.compile(rf"{_NUMBER}{_UNIT}(?:-|~|～|to|and|至|到|和|\.\.)\s*{_NUMBER}", re.IGNORECASE)
_LINK = r"\s*(?:为|是|:)?\s*"
_UP_TO_WORDS = r"<=?|≤|up to|under|below|less than|at most|upper limit(?: of| is)?|不超过|低于|小于|上限"
_FROM_WORDS = (
    r">=?|≥|from|over|above|more than|greater than|at least|lower limit(?: of| is)?|不低于|高于|大于|下限"
)
_UP_TO = re.compile(rf"(?:{_UP_TO_WORDS}){_LINK}{_NUMBER}", re.IGNORECASE)
_FROM = re.compile(rf"(?:{_FROM_WORDS}){_LINK}{_NUMBER}", re.IGNORECASE)


def decide_range(item: RangeItem, evidence: TurnEvidence) -> Finding:
    """Decide whether the answer states both limits together, or the one limit there is."""
    for sentence in sentences(evidence.said):
        if not sentence.asks and _states(item, sentence.text):
            return met(f"states the range {_shown(item)}")
    return not_met(f"does not state the range {_shown(item)}")


def _states(item: RangeItem, text: str) -> bool:
    if item.low is not None and item.high is not None:
        wanted = (item.low, item.high)
        return any((float(a), float(b)) == wanted for a, b in _INTERVAL.findall(text))
    pattern, limit = (_UP_TO, item.high) if item.high is not None else (_FROM, item.low)
    open_interval = limit == item.high and any(
        (float(a), float(b)) == (0, limit) for a, b in _INTERVAL.findall(text)
    )
    return open_interval or any(float(found) == limit for found in pattern.findall(text))


def _shown(item: RangeItem) -> str:
    if item.low is None:
        return f"up to {item.high:g}"
    return f"from {item.low:g}" if item.high is None else f"{item.low:g}-{item.high:g}"
