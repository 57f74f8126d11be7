"""What figure is asked about, and where a sentence names it or another."""

import re
from dataclasses import dataclass
from functools import cache

from tools.grading.names import Span, spans
from tools.grading.phrases import any_pattern, claim_words, load_words
from tools.vocabulary import Vocabulary


@dataclass(frozen=True)
class Named:
    """A figure named; a ``decoy`` (potassium chloride) owns only the number straight after it.

    ``measured``: it is an analyte of the vocabulary, which a filtration rate is not.
    """

    span: Span
    wanted: bool
    decoy: bool = False
    measured: bool = False


@dataclass(frozen=True)
class Topic:
    """The analyte claims are looked for: its words, its ids in the vocabulary, and the specimens it is measured in."""

    names: tuple[str, ...]
    ids: frozenset[str]
    specimens: frozenset[str]

    @classmethod
    def of(cls, names: tuple[str, ...], vocabulary: Vocabulary) -> "Topic":
        """Find the analyte that words go by; words the vocabulary does not know (eGFR) are compared as they are."""
        known = [analyte for name in names if (analyte := vocabulary.analyte(name))]
        specimens = {analyte.specimen for analyte in known}
        return cls(names, frozenset(analyte.id for analyte in known), frozenset(specimens))

    def named_in(self, text: str, vocabulary: Vocabulary) -> list[Named]:
        """Place this analyte and any other figure that owns numbers."""
        own = spans(self.names, text)
        # "albumin-corrected anion gap" is one figure, not an albumin and a gap; 渗透间隙 is one that no test goes by.
        mentions = [
            m
            for m in vocabulary.analyte_mentions(text)
            if not any(
                s.start <= m.start
                and m.end <= s.end
                and (m.entry is None or s.end - s.start > m.end - m.start)
                for s in own
            )
        ]
        found = [
            Named(
                Span(m.start, m.end),
                wanted=m.entry in self.ids
                and not self._of_other_specimen(text, m.start, m.end)
                and not _is_computed(text, m.start, m.end),
                decoy=m.entry is None,
                measured=m.entry is not None,
            )
            for m in mentions
        ]
        closed = [Span(m.start, m.end) for m in mentions]
        for span in own:
            if not any(span.overlaps(other) for other in closed):
                found.append(Named(span, wanted=True))
                closed.append(span)
        for match in claim_words("other_measures").finditer(text):
            span = Span(match.start(), match.end())
            if not any(span.overlaps(other) for other in closed):
                found.append(Named(span, wanted=False))
        return sorted(found, key=lambda named: named.span.start)

    def _of_other_specimen(self, text: str, start: int, end: int) -> bool:
        """Tell whether a specimen is named beside the analyte in which it is another test."""
        for specimen, words in load_words("claims")["specimens"].items():
            if specimen in self.specimens or (specimen == "whole blood" and "blood" in self.specimens):
                continue
            named_before, named_after = _beside(any_pattern(words))
            # 全血钙 is whole blood (全血) calcium, and its last two characters alone are blood calcium
            ends = (start, start + 1) if text[start] == "血" else (start,)
            if any(named_before.search(text[:at]) for at in ends) or named_after.match(text[end:]):
                return True
        return False


@cache
def _beside(word: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Give the patterns of a specimen before a test and after it."""
    after = rf"[\s,(]*(?:\b(?:in|of|from)\b)?\s*(?:the\s+)?{word}"
    after += r"(?!\s+(?!(?:is|was|were|level|of|at)\b)[A-Za-z])"
    return re.compile(rf"{word}[\s-]*$", re.IGNORECASE), re.compile(after, re.IGNORECASE)


def _is_computed(text: str, start: int, end: int) -> bool:
    """Tell whether a test is named as part of a figure computed from it: corrected sodium, 校正钙."""
    before, after = _computed()
    return bool(before.search(text[:start]) or after.match(text[end:]))


@cache
def _computed() -> tuple[re.Pattern[str], re.Pattern[str]]:
    words = load_words("claims")["computed"]
    return (
        re.compile(any_pattern(words["before"]) + r"\s*$", re.IGNORECASE),
        re.compile(r"\s*" + any_pattern(words["after"]), re.IGNORECASE),
    )
