"""NameItem and SelectiveItem: what the answer names."""

import re
from collections.abc import Sequence

from state.gold import NameItem, SelectiveItem
from tools.grading.drug_mentions import DrugMention, Drugs
from tools.grading.evidence import Finding, TurnEvidence, met, not_met
from tools.grading.names import Span, ruled_out, spans
from tools.grading.text import sentences
from tools.vocabulary import Dose, Vocabulary

_AMOUNT = re.compile(
    r"(?<![A-Za-z0-9.,])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\s{0,2}-?([A-Za-zµμ]{1,20}|[\u4e00-\u9fff]{1,4})"
)
_RATE = re.compile(r"\s?/\s?(?:(?:d?L|mL|kg|h|hr|min)\b|分?升|毫升|公斤|千克|小时)", re.IGNORECASE)
_BELONGS = re.compile(r"\s*(?:of|for|的)\s*(?:the\s+|oral\s+)?", re.IGNORECASE)


def decide_name(item: NameItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the answer names the entity; a dose is compared as an amount, with the drug it belongs to."""
    doses = {dose for name in item.names if (dose := vocabulary.dose(name))}
    owner = Drugs.of(item.of, vocabulary)
    topic: Sequence[DrugMention] = ()
    why = f"does not name {item.names[0]}"
    for sentence in sentences(evidence.said):
        text = sentence.text
        drugs = owner.named_in(text) if item.of else []
        for span in (
            () if sentence.asks else _amounts(doses, text, vocabulary) if doses else spans(item.names, text)
        ):
            if item.of and not _belongs(text, span, drugs, topic):
                why = f"gives {item.names[0]} for another drug than {item.of[0]}"
            elif ruled_out(text, span):
                why = f"{item.names[0]} is only ruled out"
            else:
                return met(f"names {text[span.start : span.end]!r}")
        topic = drugs or topic
    return not_met(why)


def decide_selective(item: SelectiveItem, evidence: TurnEvidence) -> Finding:
    """Decide whether the answer names the target, and few of the others."""
    entities: Sequence[tuple[str, ...]] = (item.target, *item.others)
    named: set[int] = set()
    for sentence in sentences(evidence.said):
        if not sentence.asks:
            named |= _entities_named(entities, sentence.text)
    if 0 not in named:
        return not_met(f"does not name {item.target[0]}")
    others = [item.others[index - 1][0] for index in sorted(named) if index]
    if len(others) > item.at_most:
        return not_met(f"names {len(others)} others, {item.at_most} are allowed: {', '.join(others)}")
    return met(f"names {item.target[0]} and {len(others)} of the others")


def _entities_named(entities: Sequence[tuple[str, ...]], text: str) -> set[int]:
    """Give the entities a sentence names: of names that overlap the longest, and on a tie the first listed."""
    placed = [(index, span) for index, names in enumerate(entities) for span in spans(names, text)]
    kept: list[tuple[int, Span]] = []
    for index, span in sorted(placed, key=lambda pair: (pair[1].start - pair[1].end, pair[0])):
        if not any(span.overlaps(other) for _, other in kept):
            kept.append((index, span))
    return {index for index, span in kept if not ruled_out(text, span)}


def _belongs(text: str, dose: Span, drugs: Sequence[DrugMention], topic: Sequence[DrugMention]) -> bool:
    """Tell whether a dose stands with its drug: "drug 25 mg", "25 mg of drug", or the drug told of before."""
    following = [drug for drug in drugs if drug.span.start >= dose.end]
    if following and _BELONGS.fullmatch(text[dose.end : following[0].span.start]):
        return following[0].drug == ""
    preceding = [drug for drug in drugs if drug.span.end <= dose.start]
    if preceding:
        return preceding[-1].drug == ""
    if following:
        return following[0].drug == ""
    return not topic or topic[-1].drug == ""


def _amounts(doses: set[Dose], text: str, vocabulary: Vocabulary) -> list[Span]:
    found = []
    for match in _AMOUNT.finditer(text):
        unit = match.group(2)
        for length in (len(unit),) if unit.isascii() else range(len(unit), 0, -1):
            dose = vocabulary.dose(f"{match.group(1)} {unit[:length]}")
            end = match.start(2) + length
            if dose is not None:
                # a concentration, or a dose by weight or time, is another amount
                if dose in doses and not _RATE.match(text[end:]):
                    found.append(Span(match.start(), end))
                break
    return found
