"""A saying read back: which drugs and symptoms it names, and what it claims of them, passage by passage."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from state.base import Language
from state.patient import Span
from state.patient_values import Side
from tools.interview.drugs import DrugMention, DrugWords
from tools.interview.spans import find_spans
from tools.interview.words import ASKED_ONLY, claim_patterns, pattern, read, symptom_lexicon
from tools.vocabulary.lexicon import normalise

MASK = "█"
"""Stands for a word that has been read, so that nothing reads it twice."""


@dataclass(frozen=True)
class SymptomMention:
    """A symptom named in a passage; none where it is one that no patient here has."""

    symptoms: tuple[str, ...]
    side: Side | None
    denied: bool


@dataclass(frozen=True)
class Passage:
    """A part of a saying that speaks of one thing. ``rest`` is its text with all that was read masked.

    ``claims`` are ``(group, value)``; what a negation stands before is ``not value``. ``unknown`` marks "I don't know",
    ``asks`` a question.
    """

    rest: str
    unknown: bool
    asks: bool
    drugs: tuple[DrugMention, ...]
    symptoms: tuple[SymptomMention, ...]
    claims: frozenset[tuple[str, str]]
    spans: tuple[Span, ...]
    scores: tuple[int, ...]


def passages(text: str, language: Language, words: DrugWords) -> list[Passage]:
    """Read a whole saying."""
    pieces = pattern(language, "breaks").split(normalise(text))
    return [_read(piece, language, words) for piece in pieces if piece.strip()]


def _read(text: str, language: Language, words: DrugWords) -> Passage:
    drugs = tuple(words.mentions(text))
    for drug in drugs:
        text = masked(text, drug.start, drug.end)
    symptoms = []
    for start, end, entry in list(symptom_places(text)):
        ids = () if entry == ASKED_ONLY else tuple(entry.split("+"))
        denied = bool(pattern(language, "negation").search(text[:start]))
        symptoms.append(SymptomMention(ids, side_of(text[start:end], language), denied))
        text = masked(text, start, end)
    text, scores = take_scores(text, language)
    claims: set[tuple[str, str]] = set()
    for group, value, words_of_it in claim_patterns(language):
        for match in list(words_of_it.finditer(text)):
            turned = pattern(language, "negation").search(text[: match.start()])
            claims.add((group, f"not {value}" if turned else value))
            text = masked(text, match.start(), match.end())
    unknown = bool(pattern(language, "unknown").search(text))
    for match in pattern(language, "idle_times").finditer(text):
        text = masked(text, match.start(), match.end())
    spans = []
    for start, end, span in list(find_spans(text, language)):
        spans.append(span)
        text = masked(text, start, end)
    return Passage(
        rest=text,
        unknown=unknown,
        asks=text.rstrip().endswith("?"),
        drugs=drugs,
        symptoms=tuple(symptoms),
        claims=frozenset(claims),
        spans=tuple(spans),
        scores=scores,
    )


def symptom_places(text: str) -> Iterator[tuple[int, int, str]]:
    """Place the symptoms a normalised text names: ids joined by ``+``, or ``?`` for one that no patient here has."""
    for mention in symptom_lexicon().mentions(text):
        if mention.entry is not None:
            yield mention.start, mention.end, mention.entry


def side_of(words: str, language: Language) -> Side | None:
    """Read the side a symptom is said to be on."""
    for side, name in read(language)["words"]["side"].items():
        if name.strip() in words.casefold():
            return Side(side)
    return None


def take_scores(text: str, language: Language) -> tuple[str, tuple[int, ...]]:
    """Read ratings of pain; the text comes back without them."""
    scores = []
    for match in list(pattern(language, "score").finditer(text)):
        said = next(group for group in match.groups() if group)
        scores.append(int(said) if said.isdecimal() else _ENGLISH_SCORES.index(said.casefold()))
        text = masked(text, match.start(), match.end())
    return text, tuple(scores)


_ENGLISH_SCORES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def masked(text: str, start: int, end: int) -> str:
    """Mask a place, white space kept: patterns go by it."""
    return text[:start] + re.sub(r"\S", MASK, text[start:end]) + text[end:]
