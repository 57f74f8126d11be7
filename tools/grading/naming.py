"""NameItem and SelectiveItem: what the answer names."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from state.gold import NameItem, SelectiveItem
from tools.grading.advice_words import find_phrases
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, met, not_met, wrong
from tools.grading.names import Span, ruled_out, spans
from tools.grading.standing import (
    Line,
    Standing,
    asked,
    ends_it,
    is_bare,
    lines,
    listed_standing,
    says_none,
    standing,
)
from tools.grading.text import sentences
from tools.vocabulary import Ingredient, Vocabulary

_HOLDING = frozenset({Standing.HOLDS, Standing.NOW, Standing.WARD})
_OPEN = (Standing.HEDGED, Standing.WARD)
_NOW_SO_MUCH = re.compile(
    r"(?:现|目前|改为|\bnow\b)\D{0,10}\d[\d.]*\s?(?:[mμ]?g|mcg|units?|[毫微]?克|单位)", re.IGNORECASE
)
_EITHER = re.compile(r"\s*,?\s*(?:\bor\b|或者?|还是)\s*(?:the\s+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Named:
    """A drug named at a place; ``wanted`` is the one asked about."""

    span: Span
    wanted: bool


def named_in(names: tuple[str, ...], text: str, vocabulary: Vocabulary) -> list[Named]:
    """Place every drug a sentence names, in order; the longest name wins, so insulin glargine is no insulin.

    What is no drug may have one within its name, as "lithium level" has.
    """
    ids = {drug.id for name in names if (drug := vocabulary.ingredient(name))}
    mentions = vocabulary.ingredient_mentions(text)
    closed = [Span(mention.start, mention.end) for mention in mentions]
    found = [Named(Span(m.start, m.end), wanted=m.entry in ids) for m in mentions if m.entry is not None]
    found += [
        Named(span, wanted=True)
        for span in spans(names, text)
        if not any(span.overlaps(other) and (ids or not span.holds(other)) for other in closed)
    ]
    return sorted(found, key=lambda named: named.span.start)


def decide_name(item: NameItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the answer names the entity as what was asked for, and not as stopped, denied or only supposed.

    Another drug in its place is false where it is of the same class, or where the record does not have it.
    """
    told = list(_told(item, evidence, vocabulary))
    if item.written:
        named = next((name for name, stands in told if stands is not Standing.DENIED), None)
        return not_met(f"does not name {item.names[0]}") if named is None else met(f"names {named!r}")
    if not told:
        why = f"does not name {item.names[0]}"
    elif found := _answering(told):
        ended = told[-1][1] is Standing.GONE and not any(stands is Standing.NOW for _, stands in told)
        if ended:
            return cannot_tell(f"names {found!r}, and says that it was stopped")
        home = Standing.HOME in asked(evidence.question, item.text)
        if not home and contested(item.names, evidence, vocabulary):
            return cannot_tell(f"names {found!r} after another answer")
        return met(f"names {found!r}")
    elif any(stands in _OPEN for _, stands in told):
        return cannot_tell(f"may not mean {told[0][0]!r} as the answer: {told[0][1]}")
    else:
        why = f"{item.names[0]} is only named as {told[0][1]}"
    mistaken = _in_its_place(item, evidence, vocabulary)
    return not_met(why) if mistaken is None else wrong(f"{why}, but {mistaken}")


def contested(names: tuple[str, ...], evidence: TurnEvidence, vocabulary: Vocabulary) -> bool:
    """Tell whether another answer ("Diltiazem.", "None.") comes first, or the drug is only named as gone.

    A sentence of nothing but a drug and how it is given is one of a list, and so is one that says "now".
    """
    asked_for = [drug for name in names if (drug := vocabulary.ingredient(name))]
    first = gone = False
    for line in lines(evidence.in_settings) if asked_for else ():
        mentions = [] if line.asks else named_in(names, line.text, vocabulary)
        things = [mention.span for mention in mentions]
        own = [mention.span for mention in mentions if mention.wanted]
        stands = {standing(line, span, things) for span in own}
        holds = bool(stands & {Standing.HOLDS, Standing.WARD})
        if Standing.NOW in stands or (holds and (not first or is_bare(line.text, things))):
            return False
        goes_on = any(_goes_on(line.text, span, things) for span in own)
        gone |= bool(stands & {Standing.GONE, Standing.DENIED}) and not goes_on
        if not own:
            first |= says_none(line.text) or (bool(things) and is_bare(line.text, things))
            first |= _names_alike(line, asked_for, vocabulary)
    return first or gone


def _names_alike(line: Line, asked_for: Sequence[Ingredient], vocabulary: Vocabulary) -> bool:
    """Tell whether a sentence names a drug of the same class as what holds."""
    mentions = vocabulary.ingredient_mentions(line.text)
    things = [Span(mention.start, mention.end) for mention in mentions]
    for mention, span in zip(mentions, things, strict=True):
        other = None if line.asks or mention.entry is None else vocabulary.ingredient_by_id(mention.entry)
        if other and _alike(other, asked_for) and standing(line, span, things) in _HOLDING:
            return True
    return False


def _answering(told: Sequence[tuple[str, Standing]]) -> str | None:
    return next((name for name, stands in told if stands in (Standing.HOLDS, Standing.NOW)), None)


def _told(item: NameItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Iterator[tuple[str, Standing]]:
    """Give each mention of the entity with how it stands; what the question asks about is as good as what holds."""
    wanted = asked(evidence.question, item.text)
    drug = any(vocabulary.ingredient(name) for name in item.names)
    named_last = False
    for line in lines(evidence.in_settings):
        mentions = [] if line.asks else named_in(item.names, line.text, vocabulary)
        things = [mention.span for mention in mentions]
        for mention in mentions:
            if mention.wanted:
                name = line.text[mention.span.start : mention.span.end]
                yield name, _standing(line, mention.span, things, wanted, drug=drug)
        ends = not mentions and named_last and drug and not wanted & {Standing.GONE, Standing.HOME}
        if ends and ends_it(line.text):
            yield item.names[0], Standing.GONE
        named_last = mentions[-1].wanted if mentions else named_last


def _standing(
    line: Line, span: Span, things: Sequence[Span], wanted: frozenset[Standing], *, drug: bool
) -> Standing:
    if not drug:
        return Standing.DENIED if ruled_out(line.text, span) else Standing.HOLDS
    listed = listed_standing(line.text, span, things)
    found = listed or standing(line, span, things)
    if listed is Standing.NOW and Standing.HOME in wanted:
        return Standing.WARD
    if found is Standing.GONE and _goes_on(line.text, span, things):
        return Standing.NOW
    if found is Standing.GONE and Standing.HOME in wanted:
        return Standing.HOLDS
    if found is Standing.WARD:
        return found if Standing.HOME in wanted else Standing.NOW
    if found is Standing.HOLDS and _is_one_of_two(line.text, span, things):
        return Standing.HEDGED
    return Standing.HOLDS if found in wanted else found


def _goes_on(text: str, span: Span, things: Sequence[Span]) -> bool:
    """Tell whether the same drug goes on in another dose or route: "the load is over, now 200 mg by mouth"."""
    end = min((thing.start for thing in things if thing.start >= span.end), default=len(text))
    return _NOW_SO_MUCH.search(text[span.end : end]) is not None


def _is_one_of_two(text: str, span: Span, things: Sequence[Span]) -> bool:
    """Tell whether the name is joined by "or" to that of another drug."""
    gaps = [text[span.end : thing.start] for thing in things if thing.start >= span.end][:1]
    gaps += [text[thing.end : span.start] for thing in things if thing.end <= span.start][-1:]
    return any(_EITHER.fullmatch(gap) for gap in gaps)


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


def decide_selective(item: SelectiveItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether the answer names the target as what holds, and few of the others.

    A drug in the name of another thing, such as its level, is not named.
    """
    entities = (item.target, *item.others)
    wanted = asked(evidence.question, item.text)
    named: dict[int, set[Standing]] = {}
    for line in lines(evidence.said):
        placed = [] if line.asks else _placed(entities, line.text)
        placed = [
            (index, span) for index, span in placed if not _in_another_name(span, line.text, vocabulary)
        ]
        things = [span for _, span in placed]
        for index, span in placed:
            named.setdefault(index, set()).add(_standing(line, span, things, wanted, drug=True))
    if not named.get(0, set()) & _HOLDING:
        if Standing.HEDGED in named.get(0, set()):
            return cannot_tell(f"may not name {item.target[0]} as the answer")
        return not_met(f"does not name {item.target[0]}")
    others = [item.others[index - 1][0] for index in sorted(named) if index and named[index] & _HOLDING]
    if len(others) > item.at_most:
        return not_met(f"names {len(others)} others, {item.at_most} are allowed: {', '.join(others)}")
    return met(f"names {item.target[0]} and {len(others)} of the others")


def _in_another_name(span: Span, text: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a drug's name is part of a longer one that is no drug's."""
    return any(
        mention.entry is None
        and mention.start <= span.start
        and span.end <= mention.end
        and mention.end - mention.start > span.end - span.start
        for mention in vocabulary.ingredient_mentions(text)
    )


def drugs_named(entities: Sequence[tuple[str, ...]], evidence: TurnEvidence) -> set[int]:
    """Give which of some entities, each a tuple of synonyms, the answer names without ruling them out."""
    return {
        index
        for sentence in sentences(evidence.said)
        if not sentence.asks
        for index in _named(entities, sentence.text)
    }


def _named(entities: Sequence[tuple[str, ...]], text: str) -> set[int]:
    return {index for index, span in _placed(entities, text) if not ruled_out(text, span)}


def _placed(entities: Sequence[tuple[str, ...]], text: str) -> list[tuple[int, Span]]:
    """Place the entities a sentence names: of names that overlap the longest, and on a tie the first listed."""
    placed = [(index, span) for index, names in enumerate(entities) for span in spans(names, text)]
    kept: list[tuple[int, Span]] = []
    for index, span in sorted(placed, key=lambda pair: (pair[1].start - pair[1].end, pair[0])):
        if not any(span.overlaps(other) for _, other in kept):
            kept.append((index, span))
    return kept
