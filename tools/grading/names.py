"""Names in free text: whole words in any case, Chinese in sequence, short symbols in their exact case."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from tools.grading.phrases import any_pattern, bounded, claim_words, load_words
from tools.grading.prefixes import ends_at, longest
from tools.grading.text import plain

_SYMBOL = re.compile(r"[A-Za-z]{1,2}[0-9+\-]*")


@dataclass(frozen=True)
class Span:
    """Where a name stands in a text."""

    start: int
    end: int

    def overlaps(self, other: "Span") -> bool:
        """Tell whether two names share a character."""
        return self.start < other.end and other.start < self.end

    def holds(self, other: "Span") -> bool:
        """Tell whether the other name lies within this one."""
        return self.start <= other.start and other.end <= self.end


@lru_cache(maxsize=4096)
def _pattern(name: str) -> re.Pattern[str]:
    words = plain(name).split()
    joined = r"\s+".join(map(re.escape, words))
    flags = re.NOFLAG if _SYMBOL.fullmatch(name) else re.IGNORECASE
    text = "".join(words)
    number = r"(?<![\d][.,])" if text[:1].isdigit() else ""
    return re.compile(number + bounded(joined, text[:1], text[-1:]), flags)


@lru_cache(maxsize=4096)
def _first_word(name: str) -> str:
    """Give what a text must hold for ``_pattern`` to be worth compiling."""
    return (plain(name).split() or [""])[0].lower()


def spans(names: Iterable[str], text: str) -> list[Span]:
    """Place names in ``plain`` text, the longest of overlapping ones only."""
    lowered = text.lower()
    found = [
        Span(match.start(), match.end())
        for name in names
        if name.strip() and _first_word(name) in lowered
        for match in _pattern(name).finditer(text)
    ]
    return longest(found, len(text))


def ruled_out(text: str, span: Span) -> bool:
    """Tell whether a name is mentioned only to be ruled out: "no ...", "... is not ordered", "未使用 ..."."""
    return ends_at(_absent_before(), text, span.start) or bool(_absent_after().match(text[span.end :]))


@cache
def _absent_before() -> re.Pattern[str]:
    fillers = "|".join(bounded(re.escape(word), word[0], word[-1]) for word in load_words("claims")["filler"])
    absent = claim_words("absent_before").pattern
    return re.compile(rf"(?:{absent})(?:\s*(?:{fillers}))*\s*[\"']?$", re.IGNORECASE)


@cache
def _absent_after() -> re.Pattern[str]:
    return re.compile(
        r"[\"']?\s*(?:\([^)]*\)\s*)?" + any_pattern(load_words("claims")["absent_after"]), re.IGNORECASE
    )
