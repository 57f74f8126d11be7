"""Parts of long texts, and the passages around a word."""

import base64
import re
from dataclasses import dataclass

from tools.fhir.elements import Resource
from tools.fhir.outcome import IssueType, Refused

PART_LENGTH = 8_000
"""Characters of text shown at once, about 2,000 tokens."""
BREATH = 1_000
"""A part may end this much early, at the end of a line or a word."""
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

    @property
    def described(self) -> str:
        """Say which characters of how many these are."""
        if self.whole:
            return f"{len(self.source):,} characters, whole"
        return f"part {self.number} of {self.of}, characters {self.start + 1:,}-{self.end:,} of {len(self.source):,}"


def parts(source: str, length: int = PART_LENGTH) -> list[tuple[int, int]]:
    """Split a text into pieces of at most ``length`` characters that together hold every character once."""
    cuts, start = [], 0
    while len(source) - start > length:
        end = start + length
        earliest = max(start + 1, end - min(BREATH, length // 4))
        for mark in ("\n", " "):
            found = source.rfind(mark, earliest, end)
            if found >= 0:
                end = found + 1
                break
        cuts.append((start, end))
        start = end
    cuts.append((start, len(source)))
    return cuts


def excerpt(source: str, number: int = 1, length: int = PART_LENGTH) -> Excerpt:
    """Give one part of a text; refuse a part that does not exist."""
    cuts = parts(source, length)
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


def passages(source: str, words: re.Pattern[str], most: int = 3) -> str:
    """Quote the places where a word stands, ``most`` of them, and say how many there are."""
    found = list(words.finditer(source))
    quoted = []
    for match in found[:most]:
        start, end = max(0, match.start() - PASSAGE), min(len(source), match.end() + PASSAGE)
        quoted.append(
            f"{'...' if start else ''}{' '.join(source[start:end].split())}{'...' if end < len(source) else ''}"
        )
    places = "1 place" if len(found) == 1 else f"{len(found)} places"
    shown = f", the first {most} of them" if len(found) > most else ""
    return f"{places}{shown}: {' / '.join(quoted)}"
