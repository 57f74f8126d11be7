"""What an answer advises about one drug, sentence by sentence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from state.gold import Decision
from tools.grading.advice_words import Act, Phrase, decision_of, find_phrases, pattern
from tools.grading.drug_mentions import About, DrugMention, Drugs, Place
from tools.grading.mood import Mood, joined_by_or, lists_on, mood, of_choices
from tools.grading.text import plain, sentences

_QUOTED = re.compile(r'"([^"\n]*)"')
_QUOTED_WORDS = 2
"""A quotation of more words than this is somebody's speech, not a word set off."""


@dataclass(frozen=True)
class Advice:
    """A decision advised. ``decision`` None: the dose is to be raised. ``weak``: implied, and outdone by any other."""

    decision: Decision | None
    about: About
    text: str
    weak: bool = False
    choice: bool = False


@dataclass(frozen=True)
class _Heard:
    phrase: Phrase
    mood: Mood
    about: About
    choice: bool = False


def advice(said: str, drugs: Drugs, wanted: Decision, earlier: Sequence[str] = ()) -> list[Advice]:
    """Give all that is advised; ``earlier`` answers only tell which drug "it" is at the start."""
    found: list[Advice] = []
    topic: Sequence[DrugMention] = _last_named(earlier, drugs)
    for sentence in sentences(said):
        text = pattern("decoys").sub(lambda match: " " * len(match.group()), _unquoted(sentence.text))
        mentions = drugs.named_in(text)
        if not sentence.asks:
            found += _of_sentence(text, mentions, topic, drugs, wanted)
        topic = mentions or topic
    return found


def _of_sentence(
    text: str, mentions: Sequence[DrugMention], topic: Sequence[DrugMention], drugs: Drugs, wanted: Decision
) -> list[Advice]:
    phrases = find_phrases(text)
    heard: list[_Heard] = []
    for at, phrase in enumerate(phrases):
        low = phrases[at - 1].end if at else 0
        high = phrases[at + 1].start if at + 1 < len(phrases) else len(text)
        place = Place(text, phrase, low, high, mentions, _so_far(mentions, phrase) or topic)
        heard.append(_Heard(phrase, mood(text, phrase), place.drug(drugs), of_choices(text, phrase)))
    heard = _as_lists(text, heard, wanted)
    given = [made for one in heard if (made := _advice(text, one, wanted))]
    return _lowered(text, given)


def _so_far(mentions: Sequence[DrugMention], phrase: Phrase) -> list[DrugMention]:
    return [mention for mention in mentions if mention.span.end <= phrase.start]


def _as_lists(text: str, heard: list[_Heard], wanted: Decision) -> list[_Heard]:
    """Carry a negation over "hold, reduce or stop it", share its drug, and mark different acts joined by "or"."""
    for at, (left, right) in enumerate(pairwise(list(heard))):
        left = heard[at]
        between = text[left.phrase.end : right.phrase.start]
        listed = lists_on(between)
        if (
            listed
            and left.about is not right.about
            and left.about in (About.UNNAMED, About.OTHER, About.UNCLEAR)
        ):
            left = heard[at] = replace(left, about=right.about)
        if (
            listed
            and left.mood in (Mood.NEGATED, Mood.NOT_NOW, Mood.SET_ASIDE)
            and right.mood is Mood.ADVISED
        ):
            heard[at + 1] = replace(right, mood=left.mood)
            continue
        both = left.mood is right.mood is Mood.ADVISED
        different = decision_of(left.phrase.act, wanted) != decision_of(right.phrase.act, wanted)
        if both and different and left.about == right.about and joined_by_or(between):
            heard[at], heard[at + 1] = replace(left, choice=True), replace(right, choice=True)
    return heard


def _advice(text: str, heard: _Heard, wanted: Decision) -> Advice | None:
    phrase, decision = heard.phrase, decision_of(heard.phrase.act, wanted)
    here = Advice(
        decision,
        heard.about,
        text.strip(),
        weak=phrase.act is Act.GIVE and wanted is not Decision.REPLACE,
        choice=heard.choice,
    )
    if heard.mood is Mood.ADVISED:
        return here
    if heard.mood is not Mood.NEGATED:
        return None
    match phrase.act:
        case Act.CONTINUE | Act.GIVE:
            rest = re.split(r"[,;:]", text[phrase.end :])[0]
            at_present_dose = pattern("negation", "at_present_dose").search(
                text[phrase.start : phrase.end] + rest
            )
            return (
                None
                if at_present_dose or wanted is Decision.REPLACE
                else replace(here, decision=Decision.HOLD, weak=False)
            )
        case Act.HOLD:
            return replace(here, decision=Decision.CONTINUE)
        case Act.REDUCE:
            return replace(here, decision=Decision.CONTINUE, weak=True)
        case _:
            return None


def _lowered(text: str, given: list[Advice]) -> list[Advice]:
    """Going on at a lower dose is a reduction."""
    reduced = any(one.decision is Decision.REDUCE and not one.choice for one in given)
    lower = bool(pattern("at_lower_dose").search(text))
    goes_on = [one for one in given if one.decision is Decision.CONTINUE and not one.choice]
    if not goes_on or not (reduced or lower):
        return given
    return [replace(one, decision=Decision.REDUCE, weak=False) if one in goes_on else one for one in given]


def _unquoted(text: str) -> str:
    def blank(match: re.Match[str]) -> str:
        inside = match.group(1)
        length = len(inside.split()) if inside.isascii() else (len(inside) + 1) // 2
        return match.group() if length <= _QUOTED_WORDS else " " * len(match.group())

    return _QUOTED.sub(blank, text)


def _last_named(earlier: Sequence[str], drugs: Drugs) -> list[DrugMention]:
    for answer in reversed(earlier):
        if named := drugs.named_in(plain(answer)):
            return named
    return []
