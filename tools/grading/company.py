"""What stands beside a conclusion: whether every point of an answer is understood and leaves the conclusion alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tools.grading.advice_words import Act, find_phrases, pattern
from tools.grading.company_words import doses, frames, has_strange, moves_alike, told_of, without_canonical
from tools.grading.grounds import is_elsewhere, is_ground, points_at_nothing, undoes_nothing
from tools.grading.names import Span
from tools.grading.segments import Segment, Turn, segments
from tools.grading.text import sentences
from tools.vocabulary import Vocabulary

_LATIN = re.compile(r"[A-Za-z][A-Za-z'-]+")
_SHORT = 4
"""Letters of a word that is too common to tell an answer."""
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

    ``own``: for each, the places its reader understands. ``canonical``: the wording of the conclusion that is asked
    for; ``others``: names of the answers that exclude it.
    ``loose``: a point that only gives grounds leaves the conclusion alone, though not every word of it is known.
    ``reports``: but for ``own`` the answer must only report, and say nothing of what is to be done.
    """

    points: Sequence[str]
    own: Sequence[Sequence[Own]]
    vocabulary: Vocabulary
    canonical: Sequence[str] = ()
    others: Sequence[str] = ()
    reports: bool = False
    loose: bool = False

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

    @cached_property
    def _is_plan(self) -> bool:
        """Tell whether the conclusion is what to do, which a time or a limit can undo, and not what something is."""
        return pattern("to_do", of="company").search(" ".join(self.canonical)) is not None

    @cached_property
    def _denials(self) -> re.Pattern[str]:
        """Give the pattern of another answer denied by a word of it: "prerenal, not tubular"."""
        right = {word.lower() for worded in self.canonical for word in _LATIN.findall(worded)}
        known = {word.lower() for name in self.others for word in _LATIN.findall(name)} - right
        denied = "|".join(sorted(word for word in known if len(word) > _SHORT)) or r"(?!)"
        return re.compile(
            rf"\b(?:not|rather than|and not|nor)\s+(?:the\s+|an?\s+)?(?:{denied})\b", re.IGNORECASE
        )

    def _is_understood(self, text: str, own: Sequence[Own]) -> bool:
        given = any(one.gives for one in own)
        if self.loose and not given and self._leaves_alone(text):
            return True
        if self.loose and not self._is_plan and undoes_nothing(text):
            return True
        kept = frames().sub(_blank, _without(text, [one.span for one in own]))
        if any(one.gives for one in own):
            kept = self._denials.sub(_blank, kept)
        if '"' in kept or kept.rstrip().endswith("?"):
            return False
        if self._is_plan and not given and self._may_undo(kept):
            return False
        cut = segments(kept)
        acts = self._acts_beside(kept, cut) if not (given and self._is_plan) else ()
        looking = False
        supposed = False
        for segment in cut:
            gives = any(one.gives and _meets(segment, one.span) for one in own)
            looks = _looks(kept[segment.start : segment.end]) or (
                looking and segment.turn in (Turn.MARK, Turn.NEXT)
            )
            condition = segment.turn is Turn.CONDITION and segment.opener not in _NOT_AT_ONCE
            if supposed and not (looks or condition or acts):
                return False
            if segment.turn is Turn.UNTIL and not looking:
                return False
            if gives and not moves_alike(text[segment.start :], self.canonical):
                return False
            looks = looks or condition or bool(acts)
            beside = kept if gives else _without(kept, acts)
            mine = any(_meets(segment, one.span) for one in own)
            if self.loose and not gives and self._tells(kept[segment.start : segment.end], segment):
                continue
            if not self._is_plain(beside, segment, given=given, gives=gives, looks=looks, mine=mine):
                return False
            waits = condition and (self._is_plan or not self.canonical)
            looking, supposed = looks and not condition, waits and not (looking or acts)
        return not supposed

    def _may_undo(self, text: str) -> bool:
        """Tell whether a point beside a plan grants what it does not name, or has an act that the plan is not."""
        if pattern("grants", of="company").search(text):
            return True
        return any(one.act not in self._planned for one in find_phrases(text))

    @cached_property
    def _planned(self) -> frozenset[Act]:
        """Give the acts that the plan is worded with."""
        return frozenset(one.act for worded in self.canonical for one in find_phrases(worded))

    def _tells(self, part: str, segment: Segment) -> bool:
        """Tell whether a segment beside a conclusion only gives the grounds of it, in its own right."""
        told = segment.turn is Turn.REASON or self.vocabulary.analyte_mentions(part)
        return (
            bool(told) and points_at_nothing(part) and is_ground(f"{segment.opener} {part}", self.vocabulary)
        )

    def _leaves_alone(self, text: str) -> bool:
        """Tell whether a point that does not conclude only gives grounds or looks elsewhere."""
        if is_ground(text, self.vocabulary):
            return True
        worded = {word.lower() for name in (*self.canonical, *self.others) for word in _LATIN.findall(name)}
        told = {word.lower() for word in _LATIN.findall(text) if len(word) > _SHORT}
        return not worded & told and is_elsewhere(text, self.vocabulary, self._drugs)

    @cached_property
    def _drugs(self) -> frozenset[str]:
        """Give the drugs that the conclusion is about."""
        texts = [
            text for text, own in zip(self.points, self.own, strict=True) if any(one.gives for one in own)
        ]
        named = (
            one.entry
            for text in (*texts, *self.canonical)
            for one in self.vocabulary.ingredient_mentions(text)
        )
        return frozenset(entry for entry in named if entry is not None)

    def _acts_beside(self, text: str, cut: Sequence[Segment]) -> Sequence[Span]:
        """Give the acts of a point that concludes nothing and leaves the conclusion alone.

        What is done besides changes nothing of what something is; and what is to be done later, once a result has
        changed, nothing of what to do now.
        """
        later = any(
            one.turn is Turn.CONDITION and pattern("turning", of="company").search(text[one.start : one.end])
            for one in cut
        )
        if self.reports or not self.canonical or (self._is_plan and not later):
            return ()
        done = pattern("done", of="company").finditer(text)
        return [Span(one.start, one.end) for one in find_phrases(text)] + [Span(*one.span()) for one in done]

    def _is_plain(
        self, text: str, segment: Segment, *, given: bool, gives: bool, looks: bool, mine: bool
    ) -> bool:
        part = text[segment.start : segment.end]
        drugs = [m for m in self.vocabulary.ingredient_mentions(part) if m.entry is not None]
        amount = pattern("amounts", of="company").search(part) is not None
        if gives:
            if drugs and not self._one_drug:
                return False
            if amount:
                part = doses().sub(_blank, part)
        elif self._is_plan or not self.canonical:
            told = mine or told_of().search(f"{segment.opener} {part}") is not None
            if amount or (drugs and not told):
                return False
        elif amount:
            part = doses().sub(_blank, part)
        closed = [Span(m.start, m.end) for m in (*drugs, *self.vocabulary.analyte_mentions(part))]
        rest = _without(part, closed)
        if given:
            rest = without_canonical(rest, self.canonical)
        if gives:
            return not has_strange(rest, "core" if self._is_plan else "facts")
        if self.reports and pattern("plans", of="company").search(rest):
            return False
        return not has_strange(rest, "looking" if looks else "facts")


def only_reports(text: str, vocabulary: Vocabulary, *, supposes: bool = False) -> bool:
    """Tell whether a stretch reports or looks on in words that are understood, and points at no advice.

    ``supposes``: it is a condition, in which "it" is a result to come.
    """
    pointed = pattern("points_at", of="company").search(frames().sub(_blank, text))
    if pointed and not (supposes and pointed.group().lower() == "it"):
        return False
    return Company([text], [[]], vocabulary).unread() is None


def points_of(said: str) -> list[str]:
    """Give the points of an answer, each to be understood."""
    return [one.text for one in sentences(said)]


def _meets(segment: Segment, span: Span) -> bool:
    return span.start < segment.end and segment.start < span.end


def _without(text: str, spans: Sequence[Span]) -> str:
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _looks(part: str) -> bool:
    return pattern("monitors", before=r"\s*", of="company").match(part) is not None
