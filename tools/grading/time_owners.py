"""Whose each time of an answer is: the subject's that was asked about, another's, or both at once."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.grading.names import Span, spans
from tools.grading.naming import named_in
from tools.grading.phrases import claim_words, named_alike
from tools.grading.times import Moment
from tools.grading.topics import Topic
from tools.vocabulary import Vocabulary

_COMPARED = re.compile(
    r"\b(?:before|after|prior to|earlier than|later than|as)\s+(?:the |that |this |its |current |latest |new )*$"
    r"|(?:早于|晚于|先于|比|与|和|[跟同](?=那|这))(?:该|本次|这次|最近一次|[那这]个?)?$",
    re.IGNORECASE,
)
_CHECKED = re.compile(r"\s?,?\s?(?:[一再复]查|(?:it was )?(?:re)?check(?:ed)?\b)", re.IGNORECASE)
_RESPECTIVELY = re.compile(r"\brespectively\b|分别", re.IGNORECASE)


@dataclass(frozen=True)
class Owner:
    """Whether a time ``may`` be the subject's, and whether it ``must``: of two named beside it, either may own it."""

    may: bool
    must: bool


UNSAID = Owner(may=True, must=True)
"""Where nothing is named, the question says what is spoken of."""
_OTHER = Owner(may=False, must=False)
_EITHER = Owner(may=True, must=False)


@dataclass(frozen=True)
class _Named:
    """What is named at a place; ``kind`` is a drug, a test or an event."""

    kind: str
    span: Span
    wanted: bool


@dataclass(frozen=True)
class Subject:
    """What a time is asked of, and the words by which it and anything else is named."""

    names: tuple[str, ...]
    topic: Topic
    vocabulary: Vocabulary

    @classmethod
    def of(cls, names: tuple[str, ...], vocabulary: Vocabulary) -> "Subject":
        """Give the subject that goes by ``names``."""
        return cls(names, Topic.of(names, vocabulary), vocabulary)

    @property
    def is_drug(self) -> bool:
        """Tell whether the subject is a drug, whose times are those of its doses."""
        return bool(self.names and self.vocabulary.ingredient(self.names[0]))

    def owners(self, text: str, found: Sequence[Moment], carried: Owner) -> tuple[list[Owner], Owner]:
        """Tell whose each time of a sentence is, and whose one is that follows it; ``carried`` is from before."""
        if not self.names:
            return [UNSAID] * len(found), UNSAID
        named = _without_compared(self._named(text), text, found)
        kinds = {one.kind for one in named if one.wanted}
        last = _owner(text, [one for one in named if not kinds or one.kind in kinds], carried)
        if not found:
            return [], last
        if _RESPECTIVELY.search(text) and len(named) == len(found) > 1:
            return [_owner(text, [one], carried) for one in named], last
        leads = bool(named) and named[0].span.start >= found[0].start
        owners: list[Owner] = []
        for at, moment in enumerate(found):
            low, high = (
                (moment.end, found[at + 1].start if at + 1 < len(found) else len(text))
                if leads
                else (found[at - 1].end if at else 0, moment.start)
            )
            near = [one for one in named if low <= one.span.start and one.span.end <= high]
            owned = [one for one in named if re.fullmatch(r"\s*的\s*", text[moment.end : one.span.start])]
            owner = _owner(text[low:high], owned or near, owners[-1] if owners else carried)
            said = text if len(found) == 1 else text[low:high]
            either = self._of_a_dose(said, named) or self._of_a_check(text[moment.end :], named)
            owners.append(_EITHER if not owner.may and either else owner)
        alike = self.shares_the_last(text[found[-1].end :])
        return [*owners[:-1], UNSAID if alike and not owners[-1].may else owners[-1]], last

    def shares_the_last(self, text: str) -> bool:
        """Tell whether words say of the subject that its time is the one told last: "from the same draw"."""
        if not self.names or not any(one.wanted for one in self._named(text)):
            return False
        return any(
            not claim_words("timed_apart").search(text[: alike.start()])
            for alike in claim_words("timed_alike").finditer(text)
        )

    def _of_a_dose(self, text: str, named: Sequence[_Named]) -> bool:
        """Tell whether a time is that of a dose whose drug, as the subject is a drug, goes without saying."""
        is_drug = bool(named_in(self.names, self.names[0], self.vocabulary))
        drugs = any(one.kind == "drug" for one in named)
        return is_drug and not drugs and claim_words("dosing").search(text) is not None

    def _of_a_check(self, after: str, named: Sequence[_Named]) -> bool:
        """Tell whether a time is that of a check which names no test, after a drug: "补完6点26一查才3.9"."""
        tests = any(one.kind == "test" for one in named)
        return not self.is_drug and not tests and _CHECKED.match(after) is not None

    def _named(self, text: str) -> list[_Named]:
        alike = [
            Span(found.start(), found.end())
            for name in self.names
            for found in named_alike(name).finditer(text)
        ]
        own = [*spans(self.names, text), *alike]
        drugs = [_Named("drug", d.span, d.wanted) for d in named_in(self.names, text, self.vocabulary)]
        tests = [
            _Named("test", t.span, t.wanted)
            for t in self.topic.named_in(text, self.vocabulary)
            if not t.decoy
        ]
        tests += [_Named("test", span, wanted=True) for span in alike]
        events = [
            _Named("event", Span(match.start(), match.end()), wanted=False)
            for match in claim_words("timed").finditer(text)
            if not any(Span(match.start(), match.end()).overlaps(span) for span in own)
        ]
        kept: list[_Named] = []
        # 万古霉素 is a drug and its level in the blood: what the subject is decides
        order = (*drugs, *tests, *events) if self.is_drug else (*tests, *drugs, *events)
        for one in sorted(order, key=_by_length):
            if not any(one.span.overlaps(other.span) for other in kept):
                kept.append(one)
        return sorted(kept, key=lambda one: one.span.start)


def _without_compared(named: Sequence[_Named], text: str, found: Sequence[Moment]) -> list[_Named]:
    """Leave out what a time is only compared with ("a minute before that PTT"), unless it has a time of its own."""
    kept = []
    for at, one in enumerate(named):
        end = named[at + 1].span.start if at + 1 < len(named) else len(text)
        timed = any(one.span.end <= moment.start < end for moment in found)
        if timed or not _COMPARED.search(text[: one.span.start]):
            kept.append(one)
    return kept


def _by_length(one: _Named) -> tuple[int, bool]:
    """Sort the longest first, and of equal ones the subject."""
    return one.span.start - one.span.end, not one.wanted


def _owner(text: str, named: Sequence[_Named], carried: Owner) -> Owner:
    together = claim_words("timed_together").search(text) is not None
    if not named:
        return UNSAID if together and not carried.must else carried
    if all(one.wanted for one in named):
        return UNSAID
    if not any(one.wanted for one in named):
        return _EITHER if together else _OTHER
    return UNSAID if together or named[-1].wanted else _EITHER
