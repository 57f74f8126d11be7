"""The sentences of an answer, made ready to be read for advice: the drugs each means, and what "it" is in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.grading.advice_words import find_phrases, pattern
from tools.grading.drug_mentions import About, DrugMention, Drugs, Sense, about
from tools.grading.segments import strange_words
from tools.grading.text import plain, points, without_records, without_speech

_HEADING_WORDS = 6
"""A line of more words that ends in a colon is a sentence, not a heading."""


@dataclass(frozen=True)
class Sentence:
    """A sentence with the drugs it means, the drugs told of before it, and what "it" is at its beginning.

    ``text`` is ``said`` without what it quotes and what only looks like advice, blanked out.
    """

    said: str
    text: str
    mentions: Sequence[DrugMention]
    topic: Sequence[DrugMention]
    it: About

    @property
    def asks(self) -> bool:
        """Tell whether it is a question, which advises nothing."""
        return self.said.rstrip().endswith("?")


def prepare(said: str, drugs: Drugs, earlier: Sequence[str] = ()) -> list[Sentence]:
    """Split an answer; ``earlier`` answers only tell which drug "it" is at the start.

    Where they name none, it is the first that this answer goes on to name.
    """
    spoken = _under_headings(said, drugs)
    texts = [without_speech(one) for one in spoken]
    named = {mention.drug for text in texts for mention in drugs.named_in(text)}
    meant = [drugs.meant_in(text, named) for text in texts]
    topic: Sequence[DrugMention] = _last_named(earlier, drugs) or next(filter(None, meant), [])
    it = about(topic)
    prepared = []
    for said_so, text, mentions in zip(spoken, texts, meant, strict=True):
        prepared.append(Sentence(said_so, _without_decoys(text, mentions), mentions, topic, it))
        topic = mentions or topic
        it = _last_told(text, mentions, drugs) or it
    return prepared


def _under_headings(said: str, drugs: Drugs) -> list[str]:
    """Join a heading with its line, and with further lines that only name drugs."""
    found: list[str] = []
    listing = False
    for text in (one.text for one in points(without_records(said))):
        heads = bool(found) and found[-1].rstrip().endswith(":") and len(found[-1].split()) <= _HEADING_WORDS
        listing = heads or (listing and _only_names(text, drugs))
        if listing:
            found[-1] = found[-1].rstrip() + (" " if heads else ", ") + text
        else:
            found.append(text)
    return found


def _only_names(text: str, drugs: Drugs) -> bool:
    named = [mention.span for mention in drugs.named_in(text)]
    if not named or find_phrases(text):
        return False
    return not strange_words(text, 0, len(text), named, drugs.vocabulary)


def _without_decoys(text: str, mentions: Sequence[DrugMention]) -> str:
    """Blank what only looks like advice, but nothing that would cut a drug's name."""
    named = [mention.span for mention in mentions if mention.sense is Sense.DRUG]

    def blank(match: re.Match[str]) -> str:
        cut = any(span.start < match.end() and match.start() < span.end for span in named)
        return match.group() if cut else " " * len(match.group())

    return pattern("decoys").sub(blank, text)


def _last_named(earlier: Sequence[str], drugs: Drugs) -> list[DrugMention]:
    for answer in reversed(earlier):
        if named := drugs.named_in(plain(answer)):
            return named
    return []


def _last_told(text: str, mentions: Sequence[DrugMention], drugs: Drugs) -> About | None:
    """Tell what "it" is after a sentence: its last drug, or an analyte, which is not the drug."""
    told = [(m.span.end, about([m]) if m.sense is Sense.DRUG else About.OTHER) for m in mentions]
    told += [(m.end, About.OTHER) for m in drugs.vocabulary.analyte_mentions(text) if m.entry is not None]
    return max(told)[1] if told else None
