"""NameItem and SelectiveItem: what the answer names."""

from collections.abc import Sequence
from dataclasses import dataclass

from state.gold import NameItem, SelectiveItem
from tools.grading.advice_words import find_phrases
from tools.grading.evidence import Finding, TurnEvidence, met, not_met, wrong
from tools.grading.names import Span, ruled_out, spans
from tools.grading.text import sentences
from tools.vocabulary import Ingredient, Vocabulary


@dataclass(frozen=True)
class Named:
    """A drug named at a place; ``wanted`` is the one asked about."""

    span: Span
    wanted: bool


def named_in(names: tuple[str, ...], text: str, vocabulary: Vocabulary) -> list[Named]:
    """Place every drug a sentence names, in order; the longest name wins, so insulin glargine is no insulin."""
    ids = {drug.id for name in names if (drug := vocabulary.ingredient(name))}
    mentions = vocabulary.ingredient_mentions(text)
    closed = [Span(mention.start, mention.end) for mention in mentions]
    found = [Named(Span(m.start, m.end), wanted=m.entry in ids) for m in mentions if m.entry is not None]
    found += [
        Named(span, wanted=True)
        for span in spans(names, text)
        if not any(span.overlaps(other) for other in closed)
    ]
    return sorted(found, key=lambda named: named.span.start)


def decide_name(item: NameItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the answer names the entity, and not only to rule it out.

    Another drug in its place is false where it is of the same class, or where the record does not have it.
    """
    why = f"does not name {item.names[0]}"
    for sentence in sentences(evidence.said):
        for named in () if sentence.asks else named_in(item.names, sentence.text, vocabulary):
            if not named.wanted:
                continue
            if not ruled_out(sentence.text, named.span):
                return met(f"names {sentence.text[named.span.start : named.span.end]!r}")
            why = f"{item.names[0]} is only ruled out"
    mistaken = _in_its_place(item, evidence, vocabulary)
    return not_met(why) if mistaken is None else wrong(f"{why}, but {mistaken}")


def _in_its_place(item: NameItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> str | None:
    """Find a drug that the answer names in place of the one asked about: one of its class, or none of the record.

    A drug that is only advised to be given is not taken for the one that the record has.
    """
    asked = [drug for name in item.names if (drug := vocabulary.ingredient(name))]
    for sentence in sentences(evidence.said) if asked else ():
        for mention in () if sentence.asks else vocabulary.ingredient_mentions(sentence.text):
            other = None if mention.entry is None else vocabulary.ingredient_by_id(mention.entry)
            span = Span(mention.start, mention.end)
            if other is None or ruled_out(sentence.text, span):
                continue
            if _alike(other, asked) or (_is_stranger(other, asked, item) and not find_phrases(sentence.text)):
                return sentence.text[mention.start : mention.end]
    return None


def _alike(other: Ingredient, asked: Sequence[Ingredient]) -> bool:
    return any(set(other.classes) & set(drug.classes) for drug in asked)


def _is_stranger(other: Ingredient, asked: Sequence[Ingredient], item: NameItem) -> bool:
    """Tell whether the record, where it is known, does not have a drug."""
    known = {*item.on_record, *(drug.id for drug in asked)}
    return bool(item.on_record) and other.id not in known


def decide_selective(item: SelectiveItem, evidence: TurnEvidence) -> Finding:
    """Decide whether the answer names the target, and few of the others."""
    named = drugs_named((item.target, *item.others), evidence)
    if 0 not in named:
        return not_met(f"does not name {item.target[0]}")
    others = [item.others[index - 1][0] for index in sorted(named) if index]
    if len(others) > item.at_most:
        return not_met(f"names {len(others)} others, {item.at_most} are allowed: {', '.join(others)}")
    return met(f"names {item.target[0]} and {len(others)} of the others")


def drugs_named(entities: Sequence[tuple[str, ...]], evidence: TurnEvidence) -> set[int]:
    """Give which of some entities, each a tuple of synonyms, the answer names without ruling them out."""
    return {
        index
        for sentence in sentences(evidence.said)
        if not sentence.asks
        for index in _named(entities, sentence.text)
    }


def _named(entities: Sequence[tuple[str, ...]], text: str) -> set[int]:
    """Give the entities a sentence names: of names that overlap the longest, and on a tie the first listed."""
    placed = [(index, span) for index, names in enumerate(entities) for span in spans(names, text)]
    kept: list[tuple[int, Span]] = []
    for index, span in sorted(placed, key=lambda pair: (pair[1].start - pair[1].end, pair[0])):
        if not any(span.overlaps(other) for _, other in kept):
            kept.append((index, span))
    return {index for index, span in kept if not ruled_out(text, span)}
