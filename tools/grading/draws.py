"""TimeItem: does the answer say when a sample was drawn, apart from when its result was reported?"""

import re
from collections.abc import Sequence
from enum import StrEnum

from state.gold import TimeItem
from tools.grading.evidence import Finding, TurnEvidence, met, not_met, wrong
from tools.grading.mood import is_negated
from tools.grading.names import Span, ruled_out
from tools.grading.phrases import claim_words
from tools.grading.text import sentences
from tools.grading.times import Moment, moments

_OR = re.compile(r"\s*,?\s*(?:or(?: at| on)?|或者?|还是)\s*", re.IGNORECASE)
_SIDE_BY_SIDE = re.compile(r"[\s,/|&;(\-]*(?:and|to|和|及)?[\s(]*", re.IGNORECASE)


class Label(StrEnum):
    """What a time is said to be the time of."""

    DRAWN = "drawn"
    REPORTED = "reported"


def decide_time(item: TimeItem, evidence: TurnEvidence) -> Finding:
    """Decide whether the minute is stated, with its date, as the time of the draw or as the only time."""
    wanted = f"{item.time:%Y-%m-%d %H:%M}"
    fault: Finding | None = None
    heading: list[Label] = []
    for sentence in sentences(evidence.said):
        found = [] if sentence.asks else [m for m in moments(sentence.text) if m.clocked]
        labels = _labels(sentence.text, found, heading)
        heading = heading if found else _labels_in(sentence.text)
        for at, moment in enumerate(found):
            if not moment.is_minute_of(item.time):
                fault = fault or _other(moment, item, wanted)
                continue
            if reason := _unclear(sentence.text, found, labels, at):
                return not_met(reason)
            if labels[at] is Label.REPORTED:
                fault = wrong(f"gives {wanted} as the time of the report")
                continue
            span = Span(moment.start, moment.end)
            if not ruled_out(sentence.text, span) and not is_negated(sentence.text[: moment.start]):
                return met(f"states {wanted}")
    return fault or not_met(f"does not state {wanted}")


def _other(moment: Moment, item: TimeItem, wanted: str) -> Finding:
    if not moment.dated and (moment.hour, moment.minute) == (item.time.hour, item.time.minute):
        return not_met(f"states the time of {wanted} without its date")
    return wrong(f"states another time, not {wanted}")


def _unclear(text: str, found: Sequence[Moment], labels: Sequence[Label | None], at: int) -> str | None:
    """Tell how a time beside the right one leaves open which of them is meant."""
    mine = found[at]
    for beside in (at - 1, at + 1):
        if not 0 <= beside < len(found):
            continue
        first, second = sorted((mine, found[beside]), key=lambda moment: moment.start)
        between = text[first.end : second.start]
        if _OR.fullmatch(between):
            return "leaves it at one of two times"
        unlabelled = labels[at] is None
        if unlabelled and labels[beside] is Label.DRAWN and not re.search(r"\d", between):
            return "gives another time as that of the draw"
        if unlabelled and labels[beside] is None and _SIDE_BY_SIDE.fullmatch(between):
            return "gives two times and does not say which is that of the draw"
    return None


def _labels(text: str, found: Sequence[Moment], heading: Sequence[Label]) -> list[Label | None]:
    """Read what each time is said to be, before it or straight after it in brackets, else from the line above."""
    said: list[Label | None] = []
    for at, moment in enumerate(found):
        before = _labels_in(text[found[at - 1].end if at else 0 : moment.start])
        after = re.match(r"\s*\(([^()\d]*)\)", text[moment.end :])
        named = before or _labels_in(after.group(1) if after else "")
        said.append(named[-1] if named else None)
    if len(heading) == len(found) and not any(said):
        return list(heading)
    return said


def _labels_in(text: str) -> list[Label]:
    placed = [(match.start(), label) for label in Label for match in claim_words(label).finditer(text)]
    return [label for _, label in sorted(placed)]
