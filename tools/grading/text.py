"""An answer made ready to be read: plain characters, no markup, no copy of the question, nothing said to the judge."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from tools.grading.phrases import claim_words

_QUOTES = dict.fromkeys("“”„「」『』«»", '"')
_DASHES = dict.fromkeys("−–‑", "-")
_PLAIN = str.maketrans(
    {**_QUOTES, **_DASHES, "’": "'", "‘": "'", "—": ";", "≧": "≥", "≦": "≤", "\u200b": "", "\u00a0": " "}
)
_MARKUP = re.compile(
    r"\*\*|__|`+|~~|(?m:^\s*#+\s*)|(?m:^\s*>\s?)|(?m:^\s*[-*•·]\s+)|(?m:^\s*\d{1,2}[.)、]\s+(?!\d))"
)
_RULE_OF_TABLE = re.compile(r"(?m)^[\s|:\-+]*-{2,}[\s|:\-+]*$")
_EMPTY = re.compile(r"\n(?:[ \t\r]*+\n){8,}+")
"""Empty lines without end: what looks for the mark that opens a line looks through all of them at each."""
_FIGURES = re.compile(r"(\d{40})\d++")
"""No figure of an answer has as many digits."""
_AGAIN = re.compile(r"(.{1,12}?)\1{40,}+")
"""The same over and over; said once more it says no more."""
_SPAN = re.compile(r"(?<=\d)—(?=\d)")
_SUPERSCRIPT = re.compile(r"10([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_SPACES = re.compile(r"[ \t]+")
_END = re.compile(r"(?<=[!?。;\n])|(?<=[.])(?=\s)|(?<=[.])(?=[\u3400-\u9fff])")
_ABBREVIATION = re.compile(r"(?:^|[\s(])(?:e\.g|i\.e|vs|approx|dr|incl|resp)\.$", re.IGNORECASE)
_CLOSING_ABBREVIATION = re.compile(
    r"(?:^|[\s(\d])(?:[ap]\.m|[bqt]\.i\.d|p\.o|q\.d|i\.v|max|min)\.$", re.IGNORECASE
)
_INITIAL = re.compile(r"(?<![A-Za-z])[A-Z]\.$")
_STARTS_SENTENCE = re.compile(r"\s*(?:[A-Z\u3400-\u9fff]|\n|$)")
_QUOTED = re.compile(r'"([^"\n]*)"')
_QUOTED_WORDS = 2
"""A quotation of more words than this is somebody's speech, not a word set off."""
_RECORD = re.compile(r"(?m)\b[A-Z][a-z][A-Za-z]*/[\w.-]*\d[\w.-]* *[,|].*$")
_DASH = re.compile(r"(?<![\d\s])\s+-+\s+|(?<=\d)\s+-+\s+(?!\d)")
_SHORTEST_COPY = 8
_LONGEST = 800
"""Characters of a sentence; no clinical sentence comes near it."""


@dataclass(frozen=True)
class Sentence:
    """A sentence with its closing mark."""

    text: str

    @property
    def asks(self) -> bool:
        """Tell whether it is a question, which claims nothing."""
        return self.text.rstrip().endswith("?")


def plain(text: str) -> str:
    """Bring width, quotes and dashes to one form; length may change."""
    powers = _SUPERSCRIPT.sub(
        lambda found: "10^" + unicodedata.normalize("NFKC", found.group(1)), _SPAN.sub("-", text)
    )
    return unicodedata.normalize("NFKC", powers.translate(_PLAIN)).translate(_PLAIN)


def said(answer: str, question: str) -> str:
    """Give what an answer says of its own: no markup, no verbatim copy of the question, nothing said to the judge."""
    text = _RULE_OF_TABLE.sub("", _brief(plain(answer)))
    text = _without(text, plain(question))
    return _to_others(_SPACES.sub(" ", _MARKUP.sub("", text).replace("|", " , ")))


def _brief(text: str) -> str:
    """Cut what goes on without end and says nothing: reading takes time for each empty line, digit and act again."""
    text = _AGAIN.sub(lambda found: found[1] * 40, text)
    return _EMPTY.sub("\n\n", _FIGURES.sub(r"\1", text))


def own_words(answer: str, question: str) -> str:
    """Give an answer as it is written, but for copies of the question and what is said to the judge."""
    return _to_others(_without(plain(answer), plain(question)))


def _to_others(text: str) -> str:
    return "".join(part for part in _split(text) if not claim_words("to_the_judge").search(part))


def without_records(text: str) -> str:
    """Drop the lines of tool results an answer has pasted; an order's "status stopped" is no advice to stop it."""
    return _RECORD.sub("", text)


def records_in(text: str) -> int:
    """Count the lines of tool results an answer has pasted."""
    return len(_RECORD.findall(text))


def speech(text: str) -> list[str]:
    """Give what a sentence quotes as somebody's speech."""
    return [inside for inside in _QUOTED.findall(text) if _is_speech(inside)]


def without_speech(text: str) -> str:
    """Blank what a sentence quotes as somebody's speech."""
    return _QUOTED.sub(
        lambda found: " " * len(found.group()) if _is_speech(found.group(1)) else found.group(), text
    )


def _is_speech(quoted: str) -> bool:
    return (len(quoted.split()) if quoted.isascii() else (len(quoted) + 1) // 2) > _QUOTED_WORDS


def points(text: str) -> list[Sentence]:
    """Split like ``sentences``, and at a dash between words too: "not safe - hold it" makes two points."""
    return sentences(_DASH.sub(lambda dash: ";" + " " * (len(dash.group()) - 1), text))


def sentences(text: str) -> list[Sentence]:
    """Split what ``said`` gives into sentences; a line end and a semicolon end one, and so does excessive length."""
    return [Sentence(piece) for part in _split(text) for piece in _pieces(part) if piece.strip()]


def parts(text: str) -> list[str]:
    """Split like ``sentences``, blank parts kept: joined again they give the text."""
    return [piece for part in _split(text) for piece in _pieces(part)]


def _pieces(part: str) -> Iterator[str]:
    """Cut a sentence that never ends: reading takes time with the square of its length."""
    while len(part) > _LONGEST:
        cut = max(part.rfind(",", 1, _LONGEST), part.rfind(" ", 1, _LONGEST))
        cut = cut + 1 if cut > 0 else _LONGEST
        yield part[:cut]
        part = part[cut:]
    yield part


def _without(text: str, question: str) -> str:
    words = question.split()
    if not words or len(question.strip()) < _SHORTEST_COPY:
        return "" if text.strip() == question.strip() else text
    return re.sub(r"\s+".join(map(re.escape, words)), " ", text, flags=re.IGNORECASE)


def _split(text: str) -> list[str]:
    parts: list[str] = []
    for part in _END.split(text):
        if parts and _goes_on(parts[-1], part):
            parts[-1] += part
        else:
            parts.append(part)
    return parts


def _goes_on(before: str, part: str) -> bool:
    """Tell whether the full stop that ends ``before`` belongs to an abbreviation."""
    if part.startswith("\n"):
        return False
    closes = _CLOSING_ABBREVIATION.search(before) and not _STARTS_SENTENCE.match(part)
    initial = _INITIAL.search(before) and re.match(r"\s?[a-z]", part)
    return bool(_ABBREVIATION.search(before) or closes or initial)
