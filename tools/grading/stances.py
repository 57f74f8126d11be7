"""Stances: how a sentence stands to each conclusion it names."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise

from tools.grading.names import Span, spans
from tools.grading.phrases import any_of, load_words


class Stance(StrEnum):
    """How an answer stands to a conclusion it names."""

    GIVEN = "given"
    OPEN = "open"
    DENIED = "denied"
    SUPPOSED = "supposed"
    UNCLEAR = "unclear"


@dataclass(frozen=True)
class Stand:
    """How a sentence stands to an answer, and where it says so, with the words that deny it."""

    answer: int
    stance: Stance
    span: Span


@dataclass(frozen=True)
class _Mention:
    answer: int
    span: Span
    negated: bool = False
    """The name with a "not" in it: "hemolysis is not present"."""


_JOINT = 24
"""Characters between two conclusions that an "or" may join."""
_REACH = 6
"""Words or Chinese characters between a denial and what it denies."""
_IN_FRONT = 60
"""Characters in front of a conclusion in which an "if" makes it a supposition."""
_WORD = re.compile(r"[A-Za-z0-9'-]+|[\u3400-\u9fff]")
_VERB = re.compile(r"\b(?:is|are|was|should|must|can|may)\b")
_LIST = re.compile(r"\s*[,、]\s*")


def stances(text: str, answers: Sequence[tuple[str, ...]]) -> list[Stand]:
    """Give the answers a sentence names, in their order, and how it stands to each.

    ``answers`` are the names of each answer.
    """
    mentions = _placed(text, answers)
    blanked = _blanked(text, mentions)
    found = [
        Stance.DENIED if mention.negated else _stance(text, blanked, mention.span) for mention in mentions
    ]
    for at in _joints(text, mentions):
        found[at : at + 2] = _joined(found[at])
    left_open = _named_undecided(text, mentions, found, answers)
    return [
        Stand(
            mention.answer,
            Stance.SUPPOSED if at in left_open else stance,
            _with_denial(text, blanked, mention.span) if stance is Stance.DENIED else mention.span,
        )
        for at, (mention, stance) in enumerate(zip(mentions, found, strict=True))
    ]


def _with_denial(text: str, blanked: str, span: Span) -> Span:
    """Stretch the place of a conclusion over the words that deny it."""
    clause = _clause(text, span)
    denials = list(_words("denied_before").finditer(blanked, clause.start, span.start))
    after = _words("denied_after").search(text, span.end, clause.end)
    return Span(denials[-1].start() if denials else span.start, after.end() if after else span.end)


def _placed(text: str, answers: Sequence[tuple[str, ...]]) -> list[_Mention]:
    """Place every name; of names that overlap the longest counts, and a name as it is before another form of it."""
    kept: list[_Mention] = []
    for form, negated in ((tuple[str, ...], False), (_of_many, False), (_negated, True)):
        found = [
            _Mention(answer, span, negated)
            for answer, names in enumerate(answers)
            for span in spans(form(names), text)
            if _is_name(text[span.start : span.end])
        ]
        for mention in sorted(found, key=lambda m: (m.span.start - m.span.end, m.answer)):
            if not any(mention.span.overlaps(other.span) for other in kept):
                kept.append(mention)
    return sorted(kept, key=lambda mention: mention.span.start)


def _is_name(written: str) -> bool:
    """Tell whether a short name that is a word too stands in capitals."""
    return written.isupper() or written.upper() not in load_words("conclusions")["capitals"]


@cache
def _of_many(names: tuple[str, ...]) -> tuple[str, ...]:
    """Put the verb a name begins with as it follows many, or a "not": "points to" becomes "point to"."""
    verbs = load_words("conclusions")["verbs"]
    return tuple(
        name.replace(f"{verb}s", verb, 1) for name in names for verb in verbs if name.startswith(f"{verb}s ")
    )


@cache
def _negated(names: tuple[str, ...]) -> tuple[str, ...]:
    """Put a "not" behind the verb of each name that has one."""
    return tuple(
        f"{name[: verb.end()]}{no}{name[verb.end() :]}"
        for name in names
        if (verb := _VERB.search(name))
        for no in (("not", " not", "'t") if verb.group() == "can" else (" not", "n't"))
    )


def _blanked(text: str, mentions: Sequence[_Mention]) -> str:
    """Blank the names, so that the "no" of one name denies no other."""
    for mention in mentions:
        span = mention.span
        text = text[: span.start] + "_" * (span.end - span.start) + text[span.end :]
    return text


def _stance(text: str, blanked: str, span: Span) -> Stance:
    clause = _clause(text, span)
    before, after = blanked[clause.start : span.start], text[span.end : clause.end]
    if _supposed(before, blanked[: span.start], after):
        return Stance.SUPPOSED
    if (denied := _denied(before)) is not None:
        return denied
    if _words("denied_after").search(after):
        return Stance.DENIED
    if _words("unclear").search(before):
        return Stance.UNCLEAR
    return (
        Stance.OPEN if _words("doubted").search(before) or _words("doubted").search(after) else Stance.GIVEN
    )


def _supposed(before: str, whole: str, after: str) -> bool:
    """Tell whether a conclusion is told of others or hangs on an "if" in its clause or in front of it."""
    concluded = [match.end() for match in _words("concluding").finditer(whole)]
    in_front = whole[max(concluded[-1] if concluded else 0, len(whole) - _IN_FRONT) :]
    return bool(
        _words("told").search(before)
        or _words("supposed").search(before)
        or _words("supposed").search(in_front)
        or _words("supposed_after").search(after)
    )


def _denied(before: str) -> Stance | None:
    """Tell whether a clause denies what follows; a denial far off, or of something else, is not clear."""
    denials = list(_words("denied_before").finditer(before))
    if not denials:
        return None
    between = before[denials[-1].end() :]
    near = len(_WORD.findall(between)) <= _REACH and not _words("goes_on").search(between)
    return Stance.DENIED if near else Stance.UNCLEAR


def _clause(text: str, span: Span) -> Span:
    """Give the clause a mention stands in."""
    ends = [match.end() for match in _words("clause_end").finditer(text[: span.start])]
    end = _words("clause_end").search(text[span.end :])
    return Span(ends[-1] if ends else 0, span.end + end.start() if end else len(text))


def _joints(text: str, mentions: Sequence[_Mention]) -> Iterator[int]:
    """Give the mentions that are joined to the next one: "A or B", and A too in "A, B or C"."""
    joined: list[int] = []
    for at, (one, other) in reversed(list(enumerate(pairwise(mentions)))):
        between = text[one.span.end : other.span.start]
        by_or = len(between) <= _JOINT and _words("joined_by_or").search(between)
        listed = at + 1 in joined and _LIST.fullmatch(between)
        if one.answer != other.answer and (by_or or listed):
            joined.append(at)
    return reversed(joined)


def _joined(first: Stance) -> tuple[Stance, Stance]:
    """Give the stances of two conclusions joined by "or": what denies or supposes the first reaches the other."""
    return (first, first) if first in (Stance.DENIED, Stance.SUPPOSED) else (Stance.OPEN, Stance.OPEN)


def _named_undecided(
    text: str, mentions: Sequence[_Mention], found: Sequence[Stance], answers: Sequence[tuple[str, ...]]
) -> set[int]:
    """Find the mentions that "A and B cannot be told apart" names without giving them."""
    left_open: set[int] = set()
    for mention, stance in zip(mentions, found, strict=True):
        if stance is Stance.GIVEN and _words("undecided").search(answers[mention.answer][0]):
            clause = _clause(text, mention.span)
            beside = {
                at
                for at, other in enumerate(mentions)
                if other.answer != mention.answer and clause.overlaps(other.span)
            }
            if len({mentions[at].answer for at in beside}) > 1:
                left_open |= beside
    return left_open


@cache
def _words(name: str) -> re.Pattern[str]:
    return any_of(load_words("conclusions")[name])
