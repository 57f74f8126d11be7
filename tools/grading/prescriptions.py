"""DoseItem and RouteItem: the dose and the route an answer gives for a drug."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from state.gold import DoseItem, RouteItem
from tools.grading.evidence import Finding, TurnEvidence, met, not_met, wrong
from tools.grading.names import Span, ruled_out
from tools.grading.naming import Named, named_in
from tools.grading.phrases import bounded, load_words
from tools.grading.text import sentences
from tools.vocabulary import Dose, Vocabulary

_AMOUNT = re.compile(
    r"(?<![A-Za-z0-9.,])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\s{0,2}-?([A-Za-zµμ]{1,20}|[\u4e00-\u9fff]{1,4})"
)
_RATE = re.compile(r"\s?/\s?(?:(?:d?L|mL|kg|h|hr|min)\b|分?升|毫升|公斤|千克|小时)", re.IGNORECASE)
_LIMIT = re.compile(r"(?:\bmax(?:imum)?\.?|\bup to|\blimit|最大|最多)[\s:]*(?:of\s+)?$", re.IGNORECASE)
_OF = re.compile(r"\s*(?:of|for|的)\s*(?:the\s+|oral\s+)?", re.IGNORECASE)
_SEGMENT = re.compile(r"[,;/|]|\band\b|和|及", re.IGNORECASE)
_OR = re.compile(r"\s*(?:,?\s*or|或者?)\s*(?:\w+\s+){0,2}", re.IGNORECASE)
OTHER_DOSES = 2
"""Further amounts an answer may give for the drug: a strength of tablet, a daily total."""

ACCEPTED = {
    "IV": {"IV", "IV DRIP"},
    "IV DRIP": {"IV", "IV DRIP"},
    "IV BOLUS": {"IV", "IV BOLUS"},
}
"""A drip is an intravenous route and may be called so; a push is not what an IV order says."""
SYSTEMIC = frozenset({"PO", "NG", "IV", "IV DRIP", "IV BOLUS", "IVPCA", "IM", "SC", "SL", "PR", "TD"})
"""Routes whose words mean nothing else in an answer, so that they contradict another route."""
LOWER_CASE = frozenset({"po", "iv", "im", "sc", "sq", "sl"})
"""Codes that are written small too; others ("od", "pr", "id") are words."""

Place = Callable[[str], Iterator[tuple[Span, object]]]


def decide_dose(item: DoseItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether one of the doses is given for the drug, compared as an amount."""
    doses: set[object] = {vocabulary.dose(dose) or dose for dose in item.doses}

    def amounts(text: str) -> Iterator[tuple[Span, object]]:
        return _amounts(text, vocabulary)

    right, others, either = _given(item.of, doses, amounts, evidence, vocabulary)
    if either or len(others) > OTHER_DOSES:
        return wrong(f"leaves the dose of {item.of[0]} open: {', '.join(sorted(others))}")
    if right:
        return met(f"gives {right}")
    if others:
        return wrong(f"gives {', '.join(sorted(others))} for {item.of[0]}, not {' or '.join(item.doses)}")
    return not_met(f"gives no dose of {item.of[0]}")


def decide_route(item: RouteItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether one of the routes is given for the drug, and no other."""
    accepted = {code for route in item.routes for code in ACCEPTED.get(route, {route})}

    def routes(text: str) -> Iterator[tuple[Span, object]]:
        return _routes(text, accepted)

    right, others, _ = _given(item.of, set(accepted), routes, evidence, vocabulary)
    if others:
        told = ", ".join(sorted(others))
        return wrong(f"gives {told} as the route of {item.of[0]}, not {' or '.join(item.routes)}")
    return met(f"gives {right!r}") if right else not_met(f"gives no route of {item.of[0]}")


def _given(
    names: tuple[str, ...],
    accepted: set[object],
    place: Place,
    evidence: TurnEvidence,
    vocabulary: Vocabulary,
) -> tuple[str | None, set[str], bool]:
    """Give a right detail of the drug as written, its other details, and whether "or" joins a right one to another."""
    right: str | None = None
    others: set[str] = set()
    either = False
    topic: Sequence[Named] = ()
    for sentence in sentences(evidence.said):
        text = sentence.text
        drugs = named_in(names, text, vocabulary)
        before: tuple[Span, bool] | None = None
        for span, detail in () if sentence.asks else place(text):
            if not _belongs(text, span, drugs, topic) or ruled_out(text, span):
                continue
            fits = detail in accepted
            if before and before[1] is not fits and _OR.fullmatch(text[before[0].end : span.start]):
                either = True
            before = span, fits
            if fits:
                right = text[span.start : span.end]
            elif not _LIMIT.search(text[: span.start]):
                others.add(text[span.start : span.end])
        topic = drugs or topic
    return right, others, either


def _belongs(text: str, span: Span, drugs: Sequence[Named], topic: Sequence[Named]) -> bool:
    """Tell whether a detail stands with the drug: "drug 25 mg", "25 mg of drug", "oral drug", else with the last."""
    following = [drug for drug in drugs if drug.span.start >= span.end]
    preceding = [drug for drug in drugs if drug.span.end <= span.start]
    if following:
        gap = text[span.end : following[0].span.start]
        low = max((match.end() for match in _SEGMENT.finditer(text, 0, span.start)), default=0)
        alone = not any(drug.span.start >= low for drug in preceding)
        if _OF.fullmatch(gap) or (alone and not gap.strip()):
            return following[0].wanted
    if preceding:
        return preceding[-1].wanted
    if following:
        return following[0].wanted
    return not topic or topic[-1].wanted


def _amounts(text: str, vocabulary: Vocabulary) -> Iterator[tuple[Span, Dose]]:
    """Place the amounts of a sentence; a concentration, or a dose by weight or time, is none."""
    for match in _AMOUNT.finditer(text):
        unit = match.group(2)
        for length in (len(unit),) if unit.isascii() else range(len(unit), 0, -1):
            dose = vocabulary.dose(f"{match.group(1)} {unit[:length]}")
            end = match.start(2) + length
            if dose is not None:
                if not _RATE.match(text[end:]):
                    yield Span(match.start(), end), dose
                break


def _routes(text: str, accepted: set[str]) -> Iterator[tuple[Span, str]]:
    """Place the routes of a sentence, the longest name first: "IV infusion" is not "IV"."""
    taken: list[Span] = []
    found: list[tuple[Span, str]] = []
    for code, pattern in _route_words():
        if code not in SYSTEMIC and code not in accepted:
            continue
        for match in pattern.finditer(text):
            span = Span(match.start(), match.end())
            if not any(span.overlaps(other) for other in taken):
                taken.append(span)
                found.append((span, code))
    return iter(sorted(found, key=lambda pair: pair[0].start))


@cache
def _route_words() -> tuple[tuple[str, re.Pattern[str]], ...]:
    words = {
        word: str(code)
        for code, entry in load_words("routes").items()
        for word in (str(code), entry["en"], entry["zh"], *map(str, entry.get("synonyms", ())))
    }
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return tuple((words[word], _word(word)) for word in ordered)


def _word(word: str) -> re.Pattern[str]:
    joined = r"\s+".join(map(re.escape, word.split()))
    symbol = len(word) <= 2 and word.isupper() and word.lower() not in LOWER_CASE
    return re.compile(bounded(joined, word[0], word[-1]), re.NOFLAG if symbol else re.IGNORECASE)
