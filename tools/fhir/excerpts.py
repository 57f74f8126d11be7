"""Parts of long texts, and the passages around a word."""

import base64
import re
from dataclasses import dataclass

from tools.fhir.elements import Resource
from tools.fhir.labels import Labels
from tools.fhir.outcome import IssueType, Refused
from tools.fhir.tokens import estimate_tokens

PART_TOKENS = 3_000
"""Tokens of text shown at once: about 8,000 characters of an English note, 3,000 of a Chinese one."""
LISTED_TOKENS = 600
"""Tokens of each text where several are listed: nearly every impression is shorter."""
CHARACTERS_A_TOKEN = 4
"""A part has no more characters than this for each token, whatever they are: spaces count for nothing."""
BREATH = 8
"""A part may end this fraction of it early, at the end of a line or a word."""
PASSAGE = 90
"""Characters shown on either side of a word that was asked for."""
PLAIN_TEXT = "text/plain; charset=utf-8"
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LETTER = r"[^\W\u3400-\u9fff]"


@dataclass(frozen=True)
class Excerpt:
    """A piece of ``source``: characters ``start`` to ``end`` (from 0, end not included), part ``number`` of ``of``."""

    source: str
    start: int
    end: int
    number: int
    of: int

    @property
    def text(self) -> str:
        """Give the characters themselves."""
        return self.source[self.start : self.end]

    @property
    def whole(self) -> bool:
        """Tell whether nothing is left out."""
        return self.of == 1

    def described(self, labels: Labels) -> str:
        """Say which characters of how many these are."""
        of_all = f"{len(self.source):,}"
        if self.whole:
            return labels.say("whole_text", characters=of_all)
        shown = {"first": f"{self.start + 1:,}", "last": f"{self.end:,}", "characters": of_all}
        return labels.say("part_of_text", number=self.number, of=self.of, **shown)


def parts(source: str, tokens: int = PART_TOKENS) -> list[tuple[int, int]]:
    """Split a text into pieces of at most ``tokens`` by estimate that together hold every character once."""
    cuts, start = [], 0
    while (end := _reach(source, start, tokens)) < len(source):
        earliest = max(start + 1, end - (end - start) // BREATH)
        for mark in ("\n", " "):
            found = source.rfind(mark, earliest, end)
            if found >= 0:
                end = found + 1
                break
        cuts.append((start, end))
        start = end
    cuts.append((start, len(source)))
    return cuts


def _reach(source: str, start: int, tokens: int) -> int:
    """Find an end so that what lies between takes no more than ``tokens``."""
    end = min(len(source), start + tokens * CHARACTERS_A_TOKEN)
    while (taken := estimate_tokens(source[start:end])) > tokens:
        end = start + max(1, (end - start) * tokens // taken)
    return end


def excerpt(source: str, number: int = 1, tokens: int = PART_TOKENS) -> Excerpt:
    """Give one part of a text; refuse a part that does not exist."""
    cuts = parts(source, tokens)
    if number > len(cuts):
        raise Refused(IssueType.VALUE, f"part {number} does not exist: the last part is {len(cuts)}")
    return Excerpt(source, *cuts[number - 1], number, len(cuts))


def attachment(title: str, text: str | None = None) -> Resource:
    """Build an Attachment of plain text, or of a title alone."""
    built: Resource = {"contentType": PLAIN_TEXT}
    if text:
        built["data"] = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    return built | {"title": title}


def attached_text(attached: Resource) -> str | None:
    """Read the text of an Attachment; None where it has none."""
    return base64.b64decode(attached["data"]).decode("utf-8") if "data" in attached else None


def whole_words(*phrases: str) -> re.Pattern[str]:
    """Build a test for any of some words or phrases, in any case and with any white space between their words.

    A letter or digit at a phrase's edge must not go on beyond it: ``HIT`` is not found in ``white``. Chinese has no
    word boundaries: a Chinese edge is free, and a Chinese neighbour bounds.
    """
    longest_first = sorted(phrases, key=len, reverse=True)
    return re.compile("|".join(map(_bounded_words, longest_first)), re.IGNORECASE)


def _bounded_words(phrase: str) -> str:
    words = r"\s+".join(re.escape(word) for word in phrase.split())
    before, after = (edge.isalnum() and not _CHINESE.match(edge) for edge in (phrase[0], phrase[-1]))
    return (f"(?<!{_LETTER})" if before else "") + words + (f"(?!{_LETTER})" if after else "")


def passages(labels: Labels, source: str, words: re.Pattern[str], most: int = 3) -> str:
    """Quote the places where a word stands, ``most`` of them, and say how many there are."""
    found = list(words.finditer(source))
    quoted = []
    for match in found[:most]:
        start, end = max(0, match.start() - PASSAGE), min(len(source), match.end() + PASSAGE)
        quoted.append(
            f"{'...' if start else ''}{' '.join(source[start:end].split())}{'...' if end < len(source) else ''}"
        )
    phrase = "one_place" if len(found) == 1 else "places_first" if len(found) > most else "places"
    return labels.say(phrase, number=len(found), shown=most, passages=" / ".join(quoted))
