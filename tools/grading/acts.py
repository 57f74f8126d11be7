"""The acts a sentence names: each with its mood and its drug, and whether it is one of several choices."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tools.grading.advice_words import Act, Phrase, Voice, decision_of, find_phrases, pattern
from tools.grading.doses import compared_doses
from tools.grading.drug_mentions import About, DrugMention, Drugs, Sense
from tools.grading.mood import Mood, announced_choices, joined_by_or, lists_on, mood
from tools.grading.names import Span
from tools.grading.objects import Place, adjacent
from tools.grading.sentence import Sentence
from tools.grading.shares import cuts

_POINT_END = re.compile(r"[;.](?!\d)")
_LOWER_BEFORE = 12
"""Characters before going on in which its lower dose may stand: "at half the dose, continue"."""
_SET_ASIDE = (Mood.NEGATED, Mood.LATER, Mood.CONDITIONAL, Mood.DOUBTED, Mood.TOLD, Mood.SET_ASIDE)


@dataclass(frozen=True)
class Heard:
    """An act with its mood and its drug; ``choice``: one of several to choose from."""

    phrase: Phrase
    mood: Mood
    about: About
    choice: bool = False

    @property
    def span(self) -> Span:
        """Give the place of the act in its sentence."""
        return Span(self.phrase.start, self.phrase.end)


def hear(sentence: Sentence, drugs: Drugs, *, replacing: bool) -> list[Heard]:
    """Find the acts of a sentence, in order."""
    text, mentions = sentence.text, sentence.mentions
    phrases = _phrases(sentence, drugs, replacing=replacing)
    heard: list[Heard] = []
    choices = announced_choices(text)
    starts = [*(phrase.start for phrase in phrases[1:]), len(text)][: len(phrases)]
    for phrase, (low, high), next_start in zip(phrases, cuts(text, phrases, mentions), starts, strict=True):
        so_far = [m for m in mentions if m.span.end <= phrase.start]
        place = Place(text, phrase, low, high, mentions, so_far or sentence.topic)
        meant = mood(text, phrase, next_start)
        either = meant is Mood.ADVISED and place.either()
        heard.append(Heard(phrase, meant, place.drug(drugs), either or phrase.start >= choices))
    return _choices(text, _as_lists(text, _governed(text, heard)))


def _phrases(sentence: Sentence, drugs: Drugs, *, replacing: bool) -> list[Phrase]:
    """Find the phrases that are acts here: an offer only with its drug, a product's name only where it is an act."""
    text, mentions = sentence.text, sentence.mentions
    products = [] if replacing else [m.span for m in mentions if m.sense is Sense.DRUG]
    found = [
        one
        for one in find_phrases(text)
        if (one.voice is not Voice.ADJACENT or adjacent(text, one, mentions))
        and not any(span.start < one.start and one.end <= span.end for span in products)
    ]
    compared = [
        one
        for one in compared_doses(text, drugs.vocabulary)
        if not any(_overlap(one, other) and one.act is other.act for other in found)
    ]
    return sorted(
        [*(one for one in found if not any(_overlap(one, other) for other in compared)), *compared],
        key=_place,
    )


def _overlap(one: Phrase, other: Phrase) -> bool:
    return one.start < other.end and other.start < one.end


def _place(phrase: Phrase) -> int:
    return phrase.start


def _governed(text: str, heard: list[Heard]) -> list[Heard]:
    """Join "stop giving" and "continue to hold": the second act is meant, denied by a first that ends it."""
    kept: list[Heard] = []
    for at, one in enumerate(heard):
        before = heard[at - 1] if at else None
        if before is None or not _governs(text, before, one):
            kept.append(one)
            continue
        kept.pop()
        one = replace(one, phrase=replace(one.phrase, start=before.phrase.start))
        if before.phrase.act is not Act.HOLD:
            kept.append(replace(one, mood=before.mood if one.mood is Mood.ADVISED else one.mood))
        elif before.mood is Mood.ADVISED:
            kept.append(replace(one, mood=Mood.NEGATED))
        else:
            kept.append(replace(one, mood=Mood.ADVISED if before.mood is Mood.NEGATED else before.mood))
    return kept


def _governs(text: str, first: Heard, second: Heard) -> bool:
    between = text[first.phrase.end : second.phrase.start]
    said = text[second.phrase.start : second.phrase.end].lower()
    if second.phrase.voice is Voice.CHINESE or first.phrase.voice is not Voice.ACTIVE:
        return False
    gerund = said.split()[0].endswith("ing") or said.endswith(" of")
    noun = second.phrase.act is Act.REPLACE and second.phrase.voice is Voice.PASSIVE
    if noun and first.phrase.act is not Act.REPLACE and not re.search(r"[,;:]|\b(?:and|but)\b", between):
        return said in ("replacement", "repletion", "supplementation")
    if (
        said == "hold"
        and first.phrase.act is Act.HOLD
        and re.fullmatch(r"\s*(?:the|a|any|this|that)\s*", between)
    ):
        return True
    return (gerund and between.strip() == "") or (
        between.strip().lower() == "to" and first.phrase.act is Act.CONTINUE
    )


def _as_lists(text: str, heard: list[Heard]) -> list[Heard]:
    """Carry a negation over "hold, reduce or stop it", and share its drug."""
    for at, (_, right) in enumerate(pairwise(list(heard))):
        left, right = heard[at], heard[at + 1]
        if not lists_on(text[left.phrase.end : right.phrase.start]):
            continue
        holds_another = left.phrase.act is Act.REPLACE and left.phrase.voice is Voice.CHINESE
        open_ended = left.about in (About.UNNAMED, About.UNCLEAR) or (
            left.about is About.OTHER and not holds_another
        )
        if left.about is not right.about and open_ended and left.phrase.voice is not Voice.PASSIVE:
            left = heard[at] = replace(left, about=right.about)
        if left.mood in _SET_ASIDE and right.mood is Mood.ADVISED:
            heard[at + 1] = replace(right, mood=left.mood)
    return heard


def _choices(text: str, heard: list[Heard]) -> list[Heard]:
    """Mark different acts joined by "or", and all that their list began with."""
    for at in range(len(heard) - 2, -1, -1):
        left, right = heard[at], heard[at + 1]
        between = text[left.phrase.end : right.phrase.start]
        if left.mood is not Mood.ADVISED or right.mood is not Mood.ADVISED:
            continue
        if left.about is not right.about:
            if {left.about, right.about} == {About.TARGET, About.OTHER} and joined_by_or(between):
                heard[at], heard[at + 1] = replace(left, choice=True), replace(right, choice=True)
            continue
        same = decision_of(left.phrase.act, replacing=False) == decision_of(right.phrase.act, replacing=False)
        both = re.search(r"\bboth\s*$", text[: left.phrase.start], re.IGNORECASE) and " and " in between
        if ((joined_by_or(between) or both) and not same) or (right.choice and lists_on(between)):
            heard[at], heard[at + 1] = replace(left, choice=True), replace(right, choice=True)
    return heard


def lowers(text: str, going_on: Heard, heard: Sequence[Heard], mentions: Sequence[DrugMention]) -> bool:
    """Tell whether going on is meant at a lower dose: said of the dose, or by a reduction joined to it."""
    start, end = going_on.phrase.start, going_on.phrase.end
    joined = next((one for one in heard if one.phrase.start >= end), None)
    stop = _POINT_END.search(text, end)
    high = min(stop.start() if stop else len(text), joined.phrase.start if joined else len(text))
    if pattern("negation", "at_present_dose").search(text, start, high):
        return False
    other = any(mention.drug != "" and end <= mention.span.start < high for mention in mentions)
    if not other and pattern("at_lower_dose").search(text, max(start - _LOWER_BEFORE, 0), high):
        return True
    if joined is None or joined.phrase.act is not Act.REDUCE or joined.choice:
        return False
    return joined.mood is Mood.ADVISED and joined.about in (About.TARGET, About.UNNAMED)
