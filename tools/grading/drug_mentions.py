"""Which drugs a sentence names, and which of them is the one asked about."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from tools.grading.advice_words import pattern, words
from tools.grading.names import Span, spans
from tools.vocabulary import Vocabulary

_SOMETHING_ELSE = "(not a drug)"


class About(StrEnum):
    """Which drug advice is about."""

    TARGET = "target"
    OTHER = "other"
    UNCLEAR = "unclear"
    UNNAMED = "unnamed"


class Sense(StrEnum):
    """What a drug's name stands for: the drug, the analyte it replaces, or its level in the blood."""

    DRUG = "drug"
    ANALYTE = "analyte"
    LEVEL = "level"


@dataclass(frozen=True)
class DrugMention:
    """A drug named at a place of a sentence; ``drug`` is its ingredient, or "" for the one asked about."""

    span: Span
    drug: str
    sense: Sense = Sense.DRUG


@dataclass(frozen=True)
class Drugs:
    """The drug asked about, and all drugs of the vocabulary. ``heads``: analytes that stand for it after a verb."""

    names: tuple[str, ...]
    ids: frozenset[str]
    heads: tuple[str, ...]
    vocabulary: Vocabulary

    @classmethod
    def of(cls, names: tuple[str, ...], vocabulary: Vocabulary) -> "Drugs":
        """Find the drug that goes by ``names``; "hold potassium" is said of potassium chloride."""
        known = [vocabulary.ingredient(name) for name in names]
        heads = dict.fromkeys(name.split()[0] for name in names if len(name.split()) > 1)
        return cls(
            names=names,
            ids=frozenset(drug.id for drug in known if drug),
            heads=tuple(head for head in heads if vocabulary.analyte(head)),
            vocabulary=vocabulary,
        )

    @cached_property
    def classes(self) -> frozenset[str]:
        """Give the classes of the drug asked about."""
        found = (self.vocabulary.ingredient_by_id(drug) for drug in self.ids)
        return frozenset(name for drug in found if drug for name in drug.classes)

    def named_in(self, text: str) -> list[DrugMention]:
        """Place every drug a sentence names, in order."""
        placed = self.vocabulary.ingredient_mentions(text)
        found = [
            DrugMention(Span(m.start, m.end), "" if m.entry in self.ids else m.entry)
            for m in placed
            if m.entry is not None
        ]
        closed = [Span(m.start, m.end) for m in placed]
        found += [
            DrugMention(span, "")
            for span in spans(self.names, text)
            if not any(span.overlaps(c) for c in closed)
        ]
        return sorted(found, key=lambda mention: mention.span.start)

    def meant_in(self, text: str, named: Collection[str]) -> list[DrugMention]:
        """Place every drug a sentence means: by name, by class, or by a name that covers several products.

        ``named`` are the drugs of the whole answer: a class that two of them share tells neither.
        """
        levels = [Span(m.start, m.end) for m in self.vocabulary.analyte_mentions(text) if m.entry is not None]
        found = [self._meant(text, mention, levels) for mention in self.named_in(text)]
        found += [
            DrugMention(level, "", Sense.LEVEL)
            for level in levels
            if spans(self.names, text[level.start : level.end])
            and not any(level.overlaps(mention.span) for mention in found)
        ]
        for drug_class, written in words("classes").items():
            if drug_class in self.classes:
                other = any(drug_class in self._classes_of(drug) for drug in named)
                drug = _SOMETHING_ELSE if other else ""
            else:
                drug = drug_class
            for match in pattern("classes", drug_class).finditer(text) if written else ():
                span = Span(match.start(), match.end())
                found = [m for m in found if not m.span.overlaps(span) or m.drug == ""]
                if not any(m.span.overlaps(span) for m in found):
                    found.append(DrugMention(span, drug))
        return sorted(found, key=lambda mention: mention.span.start)

    def _meant(self, text: str, mention: DrugMention, levels: Sequence[Span]) -> DrugMention:
        said = text[mention.span.start : mention.span.end]
        within = any(level.overlaps(mention.span) and level.end - level.start > len(said) for level in levels)
        if pattern("antidotes").match(text[mention.span.end :]):
            return replace(mention, drug=_SOMETHING_ELSE)
        if mention.drug == "" and self.vocabulary.analyte(said) and not self.vocabulary.ingredient(said):
            goes_on = pattern("analyte_goes_on").match(text[mention.span.end :])
            return (
                replace(mention, drug=_SOMETHING_ELSE) if goes_on else replace(mention, sense=Sense.ANALYTE)
            )
        if mention.drug == "" and (within or pattern("measured").match(text[mention.span.end :])):
            return replace(mention, sense=Sense.LEVEL)
        generic = words("generic").get(mention.drug)
        if generic and generic["class"] in self.classes:
            narrowed = re.search(
                "(?:" + "|".join(generic["unless"]) + ")$", text[: mention.span.start], re.IGNORECASE
            )
            return mention if narrowed else replace(mention, drug="")
        return mention

    def _classes_of(self, drug: str) -> tuple[str, ...]:
        found = self.vocabulary.ingredient_by_id(drug)
        return found.classes if found else ()


def about(mentions: Sequence[DrugMention]) -> About:
    """Tell which drug mentions point at; two drugs at once leave it unclear."""
    drugs = {mention.drug for mention in mentions}
    if not drugs:
        return About.UNNAMED
    if "" not in drugs:
        return About.OTHER
    return About.TARGET if len(drugs) == 1 else About.UNCLEAR


def about_each(mentions: Sequence[DrugMention]) -> About:
    """Tell which drug mentions point at that are advised on together: advice on several is about each of them."""
    drugs = {mention.drug for mention in mentions}
    if "" in drugs:
        return About.TARGET
    return About.OTHER if drugs else About.UNNAMED
