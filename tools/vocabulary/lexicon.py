"""Phrases found in strings: whole Latin words, CJK characters in sequence, the longest phrase first."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from state.base import InputError

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_CJK}]|\d+(?:\.\d+)?(?:%|[^\W\d_{_CJK}]+)?|[^\W\d_{_CJK}](?:[^\W_{_CJK}])*")
_JOINERS = frozenset(" \t\u00a0-\u2010\u2011\u2013/")


@dataclass(frozen=True)
class Token:
    """A word, number or CJK character with its place in the normalised text."""

    raw: str
    start: int
    end: int

    @property
    def folded(self) -> str:
        """Give the token without case."""
        return self.raw.casefold()


@dataclass(frozen=True)
class Phrase:
    """A phrase of a lexicon; ``entry`` None consumes text without naming anything."""

    tokens: tuple[str, ...]
    raw: tuple[str, ...]
    joiners: frozenset[str]
    exact_case: bool
    entry: str | None


@dataclass(frozen=True)
class Mention:
    """Where a phrase stands in normalised text, and the entry it names; a decoy names none."""

    entry: str | None
    start: int
    end: int


def normalise(text: str) -> str:
    """Bring full-width and compatibility characters to their plain form."""
    return unicodedata.normalize("NFKC", text)


def tokenise(text: str) -> list[Token]:
    """Split normalised text; punctuation separates and is dropped."""
    return [Token(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(text)]


def key(text: str) -> tuple[str, ...]:
    """Fold case, space and punctuation of a whole string."""
    return tuple(token.folded for token in tokenise(normalise(text)))


class Lexicon:
    """An index of phrases. One phrase names one entry; a second meaning raises ``InputError``."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._exact: dict[tuple[str, ...], str] = {}
        self._by_first: dict[str, list[Phrase]] = {}

    def add(self, text: str, entry: str | None, *, exact_case: bool = False) -> None:
        """Add a phrase for ``entry``, or a decoy when ``entry`` is None."""
        plain = normalise(text)
        tokens = tokenise(plain)
        folded = tuple(token.folded for token in tokens)
        if not folded:
            raise InputError(f"{self._source}: {text!r} holds no word")
        if entry is not None:
            other = self._exact.setdefault(folded, entry)
            if other != entry:
                raise InputError(f"{self._source}: {text!r} names both {other} and {entry}; keep one")
        joiners = _JOINERS | frozenset(char for char in plain if not char.isalnum())
        phrase = Phrase(folded, tuple(token.raw for token in tokens), joiners, exact_case, entry)
        self._by_first.setdefault(folded[0], []).append(phrase)
        self._by_first[folded[0]].sort(key=lambda known: (-len(known.tokens), known.entry is None))

    def knows(self, text: str) -> bool:
        """Tell whether some entry goes by exactly this phrase."""
        return key(text) in self._exact

    def exact(self, text: str) -> str | None:
        """Give the entry that goes by this whole string."""
        return self._exact.get(key(text))

    def mentions(self, text: str) -> Iterator[Mention]:
        """Give every phrase found in normalised text, in order; decoys have no entry."""
        tokens = tokenise(text)
        at = 0
        while at < len(tokens):
            phrase = self._longest(text, tokens, at)
            if phrase is None:
                at += 1
                continue
            yield Mention(phrase.entry, tokens[at].start, tokens[at + len(phrase.tokens) - 1].end)
            at += len(phrase.tokens)

    def find(self, text: str) -> Iterator[str]:
        """Give entries mentioned in free text, in order, once each."""
        found = (mention.entry for mention in self.mentions(normalise(text)))
        yield from dict.fromkeys(entry for entry in found if entry is not None)

    def cover(self, tokens: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
        """Read folded tokens as names of entries: the entries, and the tokens no name accounts for."""
        entries: set[str] = set()
        rest: list[str] = []
        at = 0
        while at < len(tokens):
            for phrase in self._by_first.get(tokens[at], ()):
                if phrase.entry and tokens[at : at + len(phrase.tokens)] == phrase.tokens:
                    entries.add(phrase.entry)
                    at += len(phrase.tokens)
                    break
            else:
                rest.append(tokens[at])
                at += 1
        return frozenset(entries), tuple(rest)

    def _longest(self, text: str, tokens: list[Token], at: int) -> Phrase | None:
        for phrase in self._by_first.get(tokens[at].folded, ()):
            found = tokens[at : at + len(phrase.tokens)]
            if tuple(token.folded for token in found) != phrase.tokens:
                continue
            if phrase.exact_case and tuple(token.raw for token in found) != phrase.raw:
                continue
            gaps = (text[left.end : right.start] for left, right in pairwise(found))
            if all(set(gap) <= phrase.joiners for gap in gaps):
                return phrase
        return None


def phrases(texts: Iterable[str]) -> frozenset[tuple[str, ...]]:
    """Fold each text to its tokens."""
    return frozenset(key(text) for text in texts)
