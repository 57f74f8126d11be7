"""What an answer claims an analyte's result to be: each number with the analyte it belongs to and its place in time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from tools.grading.dating import dated_moments
from tools.grading.names import Span, ruled_out
from tools.grading.numbers import Number, numbers, quiet
from tools.grading.pairing import times_of
from tools.grading.phrases import any_pattern, claim_words, load_words
from tools.grading.text import sentences
from tools.grading.times import Moment
from tools.grading.topics import Named, Topic
from tools.grading.units import is_filtration
from tools.vocabulary import Vocabulary

_RESPECTIVELY = re.compile(r"\brespectively\b|分别", re.IGNORECASE)
_OWNED_AFTER = re.compile(
    r"\s*(?:of|for|\(|的|[是为]\s*的)\s*(?:the\s+|serum\s+|blood\s+|latest\s+)*$", re.IGNORECASE
)
_BREAK = re.compile(r"[,;]|(?<![^\s])\(|\band\b|\bwhile\b|\bbut\b|\bthen\b|而|并", re.IGNORECASE)
_NEAR = 25
"""Characters after a number in which its source is named."""
_LIST_MARK = re.compile(r"\s*\d{1,2}[.)、]\s*")
_PRONOUN = re.compile(r"\b(?:it|this|that|which)\b|其|该", re.IGNORECASE)


class When(StrEnum):
    """Where a claimed result stands in time, by its words."""

    CURRENT = "current"
    EARLIER = "earlier"
    UNSAID = "unsaid"


@dataclass(frozen=True)
class Claim:
    """A number claimed as a result of the analyte. ``firm``: so plainly that another number contradicts it.

    ``named`` is False where no analyte is named and the number can only be the one asked for.
    ``alternative``: joined by "or" to the claim before it. ``series``: one of several told as a course.
    """

    sentence: int
    number: Number
    when: When
    moment: Moment | None
    firm: bool
    named: bool
    alternative: bool = False
    series: bool = False


def claims(said: str, topic: Topic, vocabulary: Vocabulary) -> list[Claim]:
    """Read every number an answer claims as a result of ``topic``."""
    found: list[Claim] = []
    about: bool | None = None
    spoken = sentences(said)
    dated = dated_moments([sentence.text for sentence in spoken])
    for index, sentence in enumerate(spoken):
        if _LIST_MARK.fullmatch(sentence.text):
            continue
        if sentence.asks:
            named = [n for n in topic.named_in(sentence.text, vocabulary) if not n.decoy]
            about = named[-1].wanted if named else about
            continue
        mine, about = _of_sentence(index, sentence.text, dated[index], topic, vocabulary, about)
        found += mine
    return found


def _of_sentence(
    index: int,
    text: str,
    dated: Sequence[Moment],
    topic: Topic,
    vocabulary: Vocabulary,
    about: bool | None,
) -> tuple[list[Claim], bool | None]:
    calm = quiet(text)
    named = topic.named_in(calm, vocabulary)
    results = [number for number in numbers(calm) if number.result and not _is_in_a_name(number, named)]
    owned = _owners(calm, results, named, about)
    times = times_of(calm, results, dated)
    mine: list[Claim] = []
    for at, number in enumerate(results):
        owner = owned[at]
        if owner is False:
            continue
        start = max((n.span.end for n in named if n.span.end <= number.start and not n.decoy), default=0)
        link = calm[max(start, mine[-1].number.end if mine else 0) : number.start]
        claim = Claim(
            sentence=index,
            number=number,
            when=_when(calm, results, at),
            moment=times[at],
            firm=number.unit is not None
            or times[at] is not None
            or bool(_link().fullmatch(link))
            or bool(claim_words("elsewhere").search(calm[number.end : number.end + _NEAR])),
            named=owner is True,
        )
        if ruled_out(calm, Span(number.start, number.end)):
            continue
        mine.append(_joined(calm, mine[-1] if mine else None, claim))
    told_as_course = len(mine) > 1 and bool(
        claim_words("movement").search(calm) or claim_words("series").search(calm)
    )
    mine = [replace(claim, series=claim.series or told_as_course) for claim in _in_pairs(calm, mine)]
    owners = [n for n in named if not n.decoy]
    return mine, owners[-1].wanted if owners else about


def _is_in_a_name(number: Number, named: Sequence[Named]) -> bool:
    """Tell whether a digit is part of what a figure goes by: FIB-4."""
    return any(one.span.start <= number.start and number.end <= one.span.end for one in named)


def _joined(text: str, before: Claim | None, claim: Claim) -> Claim:
    if before is None:
        return claim
    between = text[before.number.end : claim.number.start]
    if claim_words("alternative").search(between):
        return replace(claim, alternative=True, firm=True)
    return replace(
        claim,
        firm=claim.firm
        or bool(re.fullmatch(r"\s*(?:,|->|→|/|and|to|then|至|到|、|,\s*and)?\s*", between, re.IGNORECASE)),
    )


def _in_pairs(text: str, mine: list[Claim]) -> list[Claim]:
    """Give "first and latest potassium: 4.8 and 5.9" each its word, and "4.8, 5.0 earlier" the one they share."""
    for at in range(len(mine) - 2, -1, -1):
        between = text[mine[at].number.end : mine[at + 1].number.start]
        listed = re.fullmatch(r"\s*(?:,|and|、|,\s*and)\s*", between)
        if listed and mine[at].when is When.UNSAID and mine[at + 1].when is When.EARLIER:
            mine[at] = replace(mine[at], when=When.EARLIER)
    if len(mine) != 2 or any(claim.when is not When.UNSAID for claim in mine):
        return mine
    said = [
        (match.start(), when)
        for when in (When.CURRENT, When.EARLIER)
        for match in claim_words(when).finditer(text[: mine[0].number.start])
    ]
    if {when for _, when in said} != {When.CURRENT, When.EARLIER} or len(said) != 2:
        return mine
    return [replace(claim, when=when) for claim, (_, when) in zip(mine, sorted(said), strict=True)]


def _owners(
    text: str, results: Sequence[Number], named: Sequence[Named], about: bool | None
) -> list[bool | None]:
    """Tell of each number whether the analyte owns it; None where nothing is named at all."""
    if _RESPECTIVELY.search(text) and not any(n.decoy for n in named) and len(named) == len(results) > 1:
        return [owner.wanted for owner in named]
    return [_owner(text, number, results, named, about) for number in results]


def _owner(
    text: str, number: Number, results: Sequence[Number], named: Sequence[Named], about: bool | None
) -> bool | None:
    decoys = [n for n in named if n.decoy and n.span.end <= number.start]
    if any(re.fullmatch(r"[\s:=(]*", text[decoy.span.end : number.start]) for decoy in decoys):
        return False
    named = [n for n in named if not n.decoy]
    following = [n for n in named if n.span.start >= number.end]
    if following and _OWNED_AFTER.fullmatch(text[number.end : following[0].span.start]):
        rest = text[following[0].span.end :]
        if not re.match(r"\s*(?:is|was|of|[:=])?\s*\d", rest, re.IGNORECASE):
            return following[0].wanted
    if number.unit is not None and is_filtration(number.unit):
        # no analyte is measured in it: it is the rate computed from the one named
        named, about = [n for n in named if n.wanted or not n.measured], None
        following = [n for n in named if n.span.start >= number.end]
    preceding = [n for n in named if n.span.end <= number.start]
    if preceding:
        return preceding[-1].wanted
    clause_end = min((r.start for r in results if r.start >= number.end), default=len(text))
    if following and following[0].span.start < clause_end and not _PRONOUN.search(text[: number.start]):
        between = text[number.end : following[0].span.start]
        if not _BREAK.search(between):
            return following[0].wanted
    return about


def _when(text: str, results: Sequence[Number], at: int) -> When:
    """Read the words around a number, up to the numbers beside it."""
    number = results[at]
    before = text[results[at - 1].end if at else 0 : number.start]
    after = text[number.end : results[at + 1].start if at + 1 < len(results) else len(text)]
    if at:
        before = _BREAK.split(before)[-1] if _BREAK.search(before) else before
    moves_on = (
        _moves_to(after)
        and at + 1 < len(results)
        and claim_words("movement").search(text[: number.start] + after)
    )
    moved_here = (
        at > 0
        and _moves_to(text[results[at - 1].end : number.start])
        and claim_words("movement").search(text[: number.start])
    )
    if moves_on:
        return When.EARLIER
    if moved_here:
        return When.CURRENT
    was = re.search(r"\(\s*(?:was|were|had been)\s*$", text[: number.start], re.IGNORECASE)
    if was or re.search(r"(?:\bfrom|较|由|从)\s*$", before, re.IGNORECASE):
        return When.EARLIER
    after = after.split(",")[0] if not re.match(r"\s*\(", after) else _bracketed(after)
    if at + 1 < len(results) and not re.match(r"\s*\(", text[number.end :]):
        after = _BREAK.split(after)[0]
    current = bool(claim_words("current").search(before + " # " + after))
    earlier = bool(claim_words("earlier").search(before + " # " + after))
    if current == earlier:
        return When.UNSAID
    return When.CURRENT if current else When.EARLIER


def _bracketed(after: str) -> str:
    """Give what a bracket after a number says of it: in "6.2 (prior 5.4)" nothing, up to the next number."""
    inside, closed, _ = after.partition(")")
    return inside if closed else inside.rpartition(",")[0]


def _moves_to(between: str) -> bool:
    return bool(
        re.search(
            r"(?:\bto|->|→|[升降增减]?[至到])\s*(?:about|the current|a|now|约|的)?\s*$",
            between,
            re.IGNORECASE,
        )
    )


@cache
def _link() -> re.Pattern[str]:
    words = any_pattern(
        [re.escape(w) if not w[-1].isalpha() and w[-1] != "?" else w for w in load_words("claims")["link"]]
    )
    return re.compile(rf"(?:{words}|[\s,():~\"'-])*", re.IGNORECASE)
