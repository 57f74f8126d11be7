"""What stands beside a conclusion: whether every point of an answer is understood and leaves the conclusion alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from tools.grading.advice_words import pattern, remark, words
from tools.grading.names import Span
from tools.grading.segments import Segment, Turn, segments
from tools.grading.text import sentences
from tools.vocabulary import Vocabulary

_FIGURE = re.compile(r"[<>≥≤=~±+-]*\d[\d.,:/%^x-]*", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9'.-]*|[\u3400-\u9fff]+")
_LATIN = re.compile(r"[A-Za-z][A-Za-z'-]+")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_FROM_TO = re.compile(
    r"(?:\bfrom|由|从|原)?\s*(\d+(?:\.\d+)?)[^\d,;.]{0,20}?(?:\bto|->|→|至|到|为)\s*(\d+(?:\.\d+)?)(?![\d.]*\s*%)", re.IGNORECASE
)
_NOT_AT_ONCE = ("after", "before")
"""Openers of a condition that tell of a time."""


@dataclass(frozen=True)
class Own:
    """A place that the reader of the answer understands itself; ``gives``: it is where the answer concludes."""

    span: Span
    gives: bool = False


@dataclass(frozen=True)
class Company:
    """The points of an answer.

    ``own``: for each, the places its reader understands. ``canonical``: how the conclusion is worded by who asks for it.
    ``reports``: but for ``own`` the answer must only report, and say nothing of what is to be done.
    """

    points: Sequence[str]
    own: Sequence[Sequence[Own]]
    vocabulary: Vocabulary
    canonical: Sequence[str] = ()
    reports: bool = False

    def unread(self) -> str | None:
        """Give the first point that is not understood."""
        for text, own in zip(self.points, self.own, strict=True):
            if not self._is_understood(text, own):
                return text.strip()
        return None

    @cached_property
    def _one_drug(self) -> bool:
        """Tell whether all conclusions name no more than one drug between them."""
        named: set[str] = set()
        for text, own in zip(self.points, self.own, strict=True):
            if any(one.gives for one in own):
                named |= {m.entry for m in self.vocabulary.ingredient_mentions(text) if m.entry is not None}
        return len(named) <= 1

    def _is_understood(self, text: str, own: Sequence[Own]) -> bool:
        kept = _frames().sub(_blank, _without(text, [one.span for one in own]))
        if '"' in kept or kept.rstrip().endswith("?"):
            return False
        given = any(one.gives for one in own)
        looking = False
        supposed = False
        for segment in segments(kept):
            gives = any(one.gives and _meets(segment, one.span) for one in own)
            looks = _looks(kept[segment.start : segment.end]) or (looking and segment.turn in (Turn.MARK, Turn.NEXT))
            condition = segment.turn is Turn.CONDITION and segment.opener not in _NOT_AT_ONCE
            if supposed and not (looks or condition):
                return False
            if segment.turn is Turn.UNTIL and not looking:
                return False
            if not self._is_plain(kept, segment, given=given, gives=gives, looks=looks or condition):
                return False
            looking, supposed = looks, condition and not looking
        return not supposed

    def _is_plain(self, text: str, segment: Segment, *, given: bool, gives: bool, looks: bool) -> bool:
        part = text[segment.start : segment.end]
        drugs = [m for m in self.vocabulary.ingredient_mentions(part) if m.entry is not None]
        amount = remark("amounts").search(part) is not None
        if gives:
            if drugs and not self._one_drug:
                return False
            if amount:
                part = _doses().sub(_blank, part)
        elif amount or (drugs and not _told().search(part)):
            return False
        closed = [Span(m.start, m.end) for m in (*drugs, *self.vocabulary.analyte_mentions(part))]
        rest = _without(part, closed)
        if given:
            rest = _without_canonical(rest, self.canonical)
        if gives:
            return _moves_alike(text[segment.start :], self.canonical) and not _strange(rest, "core")
        if self.reports and pattern("plans", of="company").search(rest):
            return False
        return not _strange(rest, "looking" if looks else "facts")


def points_of(said: str) -> list[str]:
    """Give the points of an answer, each to be understood."""
    return [one.text for one in sentences(said)]


def _meets(segment: Segment, span: Span) -> bool:
    return span.start < segment.end and segment.start < span.end


def _without(text: str, spans: Sequence[Span]) -> str:
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


def _moves_alike(text: str, canonical: Sequence[str]) -> bool:
    """Tell whether "from 18 to 14" goes where the conclusion goes."""
    found = _FROM_TO.search(text)
    if found is None:
        return True
    rises = float(found.group(2)) > float(found.group(1))
    worded = " ".join(canonical)
    return pattern("rises" if rises else "falls", of="company").search(worded) is not None


def _without_canonical(text: str, canonical: Sequence[str]) -> str:
    """Take out the words by which the conclusion is asked for: whole words, in Chinese two characters in sequence."""
    for worded in canonical:
        known = {word.lower() for word in _LATIN.findall(worded)}
        text = _LATIN.sub(lambda found: " " if found.group().lower() in known else found.group(), text)
        for run in _HAN.findall(worded):
            for size in range(len(run), 1, -1):
                for at in range(len(run) - size + 1):
                    text = text.replace(run[at : at + size], " " * size)
    return text


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _looks(part: str) -> bool:
    return pattern("monitors", before=r"\s*", of="company").match(part) is not None


def _strange(part: str, kind: str) -> bool:
    """Tell whether a stretch has words that are none of a kind; each kind has those before it too."""
    rest = _pieces(kind).sub(" ", _FIGURE.sub(" ", part))
    return any(not _is_known(word.lower().strip(".'-"), kind) for word in _WORD.findall(rest))


@cache
def _is_known(word: str, kind: str) -> bool:
    return not word or _vocabulary(kind).fullmatch(word) is not None


_KINDS = ("core", "facts", "looking")


@cache
def _vocabulary(kind: str) -> re.Pattern[str]:
    listed = [one for name in _KINDS[: _KINDS.index(kind) + 1] for one in words(name, of="company").split()]
    return re.compile("|".join(re.escape(one).replace(r"\*", r"[\w-]*") for one in listed))


@cache
def _pieces(kind: str) -> re.Pattern[str]:
    listed = [one for name in _KINDS[: _KINDS.index(kind) + 1] for one in words("zh", name, of="company").split()]
    return re.compile("|".join(sorted(map(re.escape, listed), key=len, reverse=True)))


@cache
def _frames() -> re.Pattern[str]:
    return pattern("frames", of="company")


@cache
def _doses() -> re.Pattern[str]:
    return pattern("doses", of="company")


@cache
def _told() -> re.Pattern[str]:
    return pattern("told", of="company")
