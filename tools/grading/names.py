"""Names in free text: whole words in any case, Chinese in sequence, short symbols in their exact case."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from state.gold import NameItem, SelectiveItem
from tools.grading.evidence import Finding, TurnEvidence, met, not_met
from tools.grading.phrases import any_pattern, bounded, claim_words, load_words
from tools.grading.text import plain, sentences
from tools.vocabulary import Vocabulary

_SYMBOL = re.compile(r"[A-Za-z]{1,2}[0-9+\-]*")
_AMOUNT = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\s{0,2}-?([A-Za-zµμ\u4e00-\u9fff]{1,20})")
_CLAUSE = re.compile(r"[,:;()]|\bbut\b|\bhowever\b|\binstead\b|但|而是")


@dataclass(frozen=True)
class Span:
    """Where a name stands in a text."""

    start: int
    end: int

    def overlaps(self, other: "Span") -> bool:
        """Tell whether two names share a character."""
        return self.start < other.end and other.start < self.end


@lru_cache(maxsize=4096)
def _pattern(name: str) -> re.Pattern[str]:
    words = plain(name).split()
    joined = r"\s+".join(map(re.escape, words))
    flags = re.NOFLAG if _SYMBOL.fullmatch(name) else re.IGNORECASE
    text = "".join(words)
    number = r"(?<![\d][.,])" if text[:1].isdigit() else ""
    return re.compile(number + bounded(joined, text[:1], text[-1:]), flags)


def spans(names: Iterable[str], text: str) -> list[Span]:
    """Place names in ``plain`` text, the longest of overlapping ones only."""
    found = [Span(match.start(), match.end()) for name in names if name.strip() for match in _pattern(name).finditer(text)]
    kept: list[Span] = []
    for span in sorted(found, key=lambda span: (span.start - span.end, span.start)):
        if not any(span.overlaps(other) for other in kept):
            kept.append(span)
    return sorted(kept, key=lambda span: span.start)


def ruled_out(text: str, span: Span) -> bool:
    """Tell whether a name is mentioned only to be ruled out: "no ...", "... is not ordered", "未使用 ..."."""
    return bool(_absent_before().search(text[: span.start]) or _absent_after().match(text[span.end :]))


def decide_name(item: NameItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the answer names the entity; a dose is compared as an amount."""
    doses = {dose for name in item.names if (dose := vocabulary.dose(name))}
    ruled = False
    for sentence in sentences(evidence.said):
        if sentence.asks:
            continue
        places = spans(item.names, sentence.text) if not doses else _amounts(doses, sentence.text, vocabulary)
        for span in places:
            if not ruled_out(sentence.text, span):
                return met(f"names {sentence.text[span.start : span.end]!r}")
            ruled = True
    return not_met(f"{item.names[0]} is only ruled out" if ruled else f"does not name {item.names[0]}")


def decide_selective(item: SelectiveItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the answer names the target, and few of the others."""
    entities: Sequence[tuple[str, ...]] = (item.target, *item.others)
    named: set[int] = set()
    for sentence in sentences(evidence.said):
        if sentence.asks:
            continue
        placed = [(index, span) for index, names in enumerate(entities) for span in spans(names, sentence.text)]
        placed.sort(key=lambda pair: (pair[1].start - pair[1].end, pair[0]))
        kept: list[tuple[int, Span]] = []
        for index, span in placed:
            if not any(span.overlaps(other) for _, other in kept):
                kept.append((index, span))
        named |= {index for index, span in kept if not ruled_out(sentence.text, span)}
    if 0 not in named:
        return not_met(f"does not name {item.target[0]}")
    others = [item.others[index - 1][0] for index in sorted(named) if index]
    if len(others) > item.at_most:
        return not_met(f"names {len(others)} others, {item.at_most} are allowed: {', '.join(others)}")
    return met(f"names {item.target[0]} and {len(others)} of the others")


def _amounts(doses: set[object], text: str, vocabulary: Vocabulary) -> list[Span]:
    found = []
    for match in _AMOUNT.finditer(text):
        unit = match.group(2)
        rest = text[match.end() :]
        # a concentration or a dose by weight or time is another amount
        if re.match(r"\s?/\s?(?:d?L|mL|kg|h|hr|min)\b|\s?/\s?(?:分?升|毫升|公斤|千克|小时)", rest, re.IGNORECASE):
            continue
        lengths = range(len(unit), 0, -1) if not unit.isascii() else (len(unit),)
        for length in lengths:
            if (dose := vocabulary.dose(f"{match.group(1)} {unit[:length]}")) is not None:
                if dose in doses:
                    found.append(Span(match.start(), match.start(2) + length))
                break
    return found


@cache
def _absent_before() -> re.Pattern[str]:
    fillers = "|".join(bounded(re.escape(word), word[0], word[-1]) for word in load_words("claims")["filler"])
    absent = claim_words("absent_before").pattern
    return re.compile(rf"(?:{absent})(?:\s*(?:{fillers}))*\s*[\"']?$", re.IGNORECASE)


@cache
def _absent_after() -> re.Pattern[str]:
    return re.compile(r"[\"']?\s*(?:\([^)]*\)\s*)?" + any_pattern(load_words("claims")["absent_after"]), re.IGNORECASE)
