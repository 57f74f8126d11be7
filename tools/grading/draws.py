"""TimeItem: does the answer say when its subject was, apart from when it was reported and from the times of others?"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from state.base import Language
from state.gold import TimeItem
from tools.grading.claims import Claim, When, claims
from tools.grading.dating import dated_moments
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, met, not_met, wrong
from tools.grading.mood import is_negated
from tools.grading.names import Span, ruled_out
from tools.grading.numbers import numbers, quiet
from tools.grading.phrases import claim_words
from tools.grading.text import sentences
from tools.grading.time_owners import UNSAID, Owner, Subject
from tools.grading.times import Moment
from tools.vocabulary import Vocabulary

_OR = re.compile(r"\s*,?\s*(?:or(?: at| on)?|或者?|还是)\s*", re.IGNORECASE)
_SIDE_BY_SIDE = re.compile(r"[\s,/|&;(\-]*(?:and|to|和|及)?[\s(]*", re.IGNORECASE)
_LATTER = re.compile(r"\b(?:latter|second|later one|last one)\b|后者|后一[次剂个]|第二[次剂]", re.IGNORECASE)
_FORMER = re.compile(r"\b(?:former|first one|earlier one)\b|前者|前一[次剂个]", re.IGNORECASE)
_DAY_OF_TALK = re.compile(
    r"\b(?:today|yesterday|this (?:morning|afternoon|evening)|tonight|last night)\b|[今昨][天日晨晚早]",
    re.IGNORECASE,
)
_LETTER = re.compile(r"[A-Za-z\u3400-\u9fff]")
_EITHER = "leaves it at one of two times"
_CLOSED = re.compile(r"[.;。]\s*$")
_OF_THE_DRAW = re.compile(
    r"\s?(?:blood |lab )?(?:draw|sample|specimen|collection)\b|的?(?:那[管份次])?(?:血样|标本|采血|抽血|[采抽]的)",
    re.IGNORECASE,
)
"""Straight after a time: it is that of the draw, though the result came back before in the sentence."""
_OF_ORDER = re.compile(r"\b(?:order|admission|diagnosis)\b")
_SLASHED = re.compile(r"\d{1,2}/\d{1,2}/")
_EXACT = 1e-9


class Label(StrEnum):
    """What a time is said to be the time of."""

    DRAWN = "drawn"
    REPORTED = "reported"
    ORDERED = "ordered"


@dataclass(frozen=True)
class _Line:
    """A sentence with its times: what each is said to be, and whose."""

    text: str
    found: Sequence[Moment]
    labels: Sequence[Label | None]
    owners: Sequence[Owner]


@dataclass(frozen=True)
class _Results:
    """The results told of the subject's test, by the times they are told with."""

    item: TimeItem
    by_moment: dict[tuple[int, int], Claim]

    @classmethod
    def told(cls, item: TimeItem, said: str, subject: Subject) -> "_Results":
        if item.value is None or not item.names:
            return cls(item, {})
        made = claims(said, subject.topic, subject.vocabulary)
        return cls(item, {(c.sentence, c.moment.start): c for c in made if c.moment and not c.headed})

    def of_another(self, sentence: int, moment: Moment) -> bool:
        """Tell whether a time is told with another result of the test, where this one has its own."""
        claim = self.by_moment.get((sentence, moment.start))
        return claim is not None and not self._is_this(claim)

    def own_has_another(self, moments_of_item: Sequence[tuple[int, int]]) -> bool:
        """Tell whether this result, called the latest, is told with a time that is not the item's."""
        return any(
            self._is_this(claim) and claim.when is When.CURRENT and claim.moment is not None
            for place, claim in self.by_moment.items()
            if place not in moments_of_item and claim.moment is not None and claim.moment.clocked
        )

    def this_is_told(self) -> bool:
        """Tell whether the answer tells this result with a time."""
        return any(map(self._is_this, self.by_moment.values()))

    def _is_this(self, claim: Claim) -> bool:
        return self.item.value is None or abs(claim.number.value - self.item.value) < _EXACT


def decide_time(item: TimeItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the minute is stated, with its date, as the time of the subject or as the only time."""
    wanted = f"{item.time:%Y-%m-%d %H:%M}"
    subject = Subject.of(item.names, vocabulary)
    results = _Results.told(item, evidence.figures, subject)
    fault: Finding | None = None
    left_open: Finding | None = None
    either = False
    right: list[tuple[int, int]] = []
    read = _lines(evidence, subject)
    for place, (index, line) in enumerate(read):
        after = line.text + (read[place + 1][1].text if place + 1 < len(read) else "")
        for at, moment in enumerate(line.found):
            if not line.owners[at].may:
                continue
            another = results.of_another(index, moment)
            ordered = line.labels[at] is Label.ORDERED and not _OF_ORDER.search(item.text[Language.EN])
            if line.labels[at] is Label.DRAWN and subject.is_drug:
                continue
            if not moment.is_minute_of(item.time):
                if line.owners[at].must and not another and not ordered:
                    fault = fault or _other(moment, item, wanted, line.text)
                continue
            if another and results.this_is_told():
                fault = fault or wrong(f"gives {wanted} as the time of another result")
                continue
            if unclear := _unclear(line, at, after):
                left_open, either = unclear, either or unclear.reason == _EITHER
                continue
            if ordered or line.labels[at] is Label.REPORTED:
                fault = wrong(f"gives {wanted} as the time of the {'order' if ordered else 'report'}")
                continue
            span = Span(moment.start, moment.end)
            if not ruled_out(line.text, span) and not is_negated(
                line.text[: moment.start].replace("分别", "  ")
            ):
                right.append((index, moment.start))
    if right and results.own_has_another(right):
        return wrong(f"gives another time beside {wanted} for the same result")
    return (
        met(f"states {wanted}")
        if right and not either
        else left_open or fault or not_met(f"does not state {wanted}")
    )


def _lines(evidence: TurnEvidence, subject: Subject) -> list[tuple[int, _Line]]:
    lines: list[tuple[int, _Line]] = []
    heading: list[Label] = []
    carried = UNSAID
    spoken = sentences(evidence.figures)
    dated = dated_moments([sentence.text for sentence in spoken])
    for index, sentence in enumerate(spoken):
        text = sentence.text
        found = [] if sentence.asks else [m for m in dated[index] if m.clocked]
        labels = _labels(text, found, heading)
        owners, carried = subject.owners(text, found, carried)
        heading = heading if found else _heading(text)
        if not found and subject.shares_the_last(text):
            _give_the_last(lines)
        lines.append((index, _Line(text, found, labels, owners)))
    return lines


def _heading(text: str) -> list[Label]:
    """Give what a line without times says that the times under it are; a sentence that tells a result heads none."""
    told = _CLOSED.search(text) and any(number.result for number in numbers(quiet(text)))
    return [] if told else _labels_in(text)


def _give_the_last(lines: list[tuple[int, _Line]]) -> None:
    """Make the time told last the subject's: it is said to be of the same draw."""
    at = max((at for at, (_, line) in enumerate(lines) if line.found), default=None)
    if at is None or (at < len(lines) - 1 and claim_words("dosing").search(lines[at][1].text)):
        return
    index, before = lines[at]
    lines[at] = (index, replace(before, owners=[*before.owners[:-1], UNSAID]))


def _other(moment: Moment, item: TimeItem, wanted: str, text: str) -> Finding:
    if not moment.dated and (moment.hour, moment.minute) == (item.time.hour, item.time.minute):
        if _DAY_OF_TALK.search(text):
            return cannot_tell(f"states the time of {wanted}, and its date from the day of the talk")
        return not_met(f"states the time of {wanted} without its date")
    swapped = (moment.day, moment.month) == (item.time.month, item.time.day)
    clock = (moment.hour, moment.minute) == (item.time.hour, item.time.minute)
    if swapped and clock and _SLASHED.match(text[moment.start : moment.end]):
        return cannot_tell(f"states {wanted}, where the first figure of its date is the day")
    return wrong(f"states another time, not {wanted}")


def _unclear(line: _Line, at: int, text: str) -> Finding | None:
    """Tell how a time beside the right one leaves open which of them is meant."""
    found, labels = line.found, line.labels
    mine = found[at]
    for beside in (at - 1, at + 1):
        if not 0 <= beside < len(found) or not line.owners[beside].may:
            continue
        first, second = sorted((mine, found[beside]), key=lambda moment: moment.start)
        if (_LATTER if mine is second else _FORMER).search(text[second.end :]):
            continue
        between = line.text[first.end : second.start]
        if _OR.fullmatch(between):
            return not_met(_EITHER)
        unlabelled = labels[at] is None
        if unlabelled and labels[beside] is Label.DRAWN and not re.search(r"\d", between):
            return not_met("gives another time as that of the draw")
        if unlabelled and labels[beside] is None and _SIDE_BY_SIDE.fullmatch(between):
            left_open = "gives two times and does not say which is that of the draw"
            return cannot_tell(left_open) if _LETTER.search(line.text[second.end :]) else not_met(left_open)
    return None


def _labels(text: str, found: Sequence[Moment], heading: Sequence[Label]) -> list[Label | None]:
    """Read what each time is said to be: beside it in its clause, else before it, else from the line above."""
    said: list[Label | None] = []
    spent = False
    for at, moment in enumerate(found):
        before = text[found[at - 1].end if at else 0 : moment.start]
        clause = re.split(r"[,;]", before)[-1]
        near = [] if spent and clause == before else _labels_in(clause)
        right = _labels_in(_clause_after(text, found, at))
        bracket = re.match(r"\s*\(([^()\d]*)\)", text[moment.end :])
        spent = bool(right) and not near
        of_this = [Label.DRAWN] if _OF_THE_DRAW.match(text, moment.end) else []
        named = of_this or near or right[:1] or ([] if at and spent else _labels_in(before))
        named = named or _labels_in(bracket.group(1) if bracket else "")
        said.append(named[-1] if named else None)
    if len(heading) == len(found) and not any(said):
        return list(heading)
    return said


def _clause_after(text: str, found: Sequence[Moment], at: int) -> str:
    """Give what follows a time up to the end of its clause or the next time."""
    rest = text[found[at].end : found[at + 1].start if at + 1 < len(found) else len(text)]
    return re.split(r"[,;(]|\band\b", rest, maxsplit=1)[0]


def _labels_in(text: str) -> list[Label]:
    placed = [(match.start(), label) for label in Label for match in claim_words(label).finditer(text)]
    return [label for _, label in sorted(placed)]
