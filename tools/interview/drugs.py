"""Drugs as patients and doctors call them: ingredients, brands, and a patient's own words."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from state.base import Language
from state.patient_values import Level
from tools.interview.words import DrugGroup, drug_group_lexicon, drug_groups, read
from tools.vocabulary import Vocabulary
from tools.vocabulary.lexicon import key, normalise


@dataclass(frozen=True)
class DrugMention:
    """Where normalised text names a drug, and which ingredients it may mean; ``group`` where it is a patient's word."""

    start: int
    end: int
    drugs: frozenset[str]
    group: DrugGroup | None = None


class DrugWords:
    """What words for drugs mean, by the vocabulary and by configs/patient/drugs.yaml."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        of_class: dict[str, set[str]] = defaultdict(set)
        for drug in vocabulary.ingredients:
            for name in drug.classes:
                of_class[name].add(drug.id)
        self._of_group = {
            group.id: group.drugs.union(*(of_class[name] for name in group.classes))
            for group in drug_groups().values()
        }
        self._all = {key(word) for word in read("drugs")["all"]}

    def drugs_of(self, group: DrugGroup) -> frozenset[str]:
        """List the ingredients a word of the group may mean."""
        return self._of_group[group.id]

    def name(self, drug: str, language: Language) -> str:
        """Name an ingredient."""
        found = self._vocabulary.ingredient_by_id(drug)
        if found is None:
            raise KeyError(f"{drug} is no ingredient of the vocabulary")
        return found.names[language]

    def is_all(self, asked: str) -> bool:
        """Tell whether the question is about every drug."""
        return key(asked) in self._all

    def asked(self, text: str) -> tuple[DrugMention, ...]:
        """Read the drug argument of a question: the whole of it as one name, else every drug it mentions."""
        plain = normalise(text)
        group = drug_group_lexicon().exact(text)
        if group is not None:
            return (self._group_mention(group, 0, len(plain)),)
        whole = self._vocabulary.ingredient(text)
        if whole is not None:
            return (DrugMention(0, len(plain), frozenset({whole.id})),)
        return tuple(self.mentions(plain))

    def mentions(self, text: str) -> Iterator[DrugMention]:
        """Find drugs in normalised text, in order; of two names that overlap the longer counts."""
        found = [
            DrugMention(mention.start, mention.end, frozenset({mention.entry}))
            for mention in self._vocabulary.ingredient_mentions(text)
            if mention.entry is not None
        ]
        found += [
            self._group_mention(mention.entry, mention.start, mention.end)
            for mention in drug_group_lexicon().mentions(text)
            if mention.entry is not None
        ]
        found.sort(key=lambda mention: (mention.start - mention.end, mention.group is None))
        kept: list[DrugMention] = []
        for mention in found:
            if all(mention.end <= other.start or other.end <= mention.start for other in kept):
                kept.append(mention)
        yield from sorted(kept, key=lambda mention: mention.start)

    def answers(self, mention: DrugMention, drug: str) -> bool:
        """Tell whether a question for ``mention`` is about ``drug``, or about a component of that product."""
        if drug in mention.drugs:
            return True
        product = self._vocabulary.ingredient_by_id(drug)
        return product is not None and not mention.drugs.isdisjoint(product.components)

    def spoken(self, drug: str, of_patient: Iterable[str], language: Language, literacy: Level) -> str:
        """Name a drug as the patient does: at low literacy by use, if that tells it from the patient's other drugs."""
        if literacy is Level.LOW:
            others = set(of_patient) - {drug}
            for group in drug_groups().values():
                meant = self.drugs_of(group)
                if language in group.says and drug in meant and meant.isdisjoint(others):
                    return group.says[language]
        return self.name(drug, language)

    def told_apart(self, drug: str, of_patient: Iterable[str]) -> bool:
        """Tell whether the drug's name means it alone: "insulin" does not for one who is on insulin glargine too."""
        groups = [drug_group_lexicon().exact(self.name(drug, language)) for language in Language]
        meant = frozenset[str]().union(*(self._of_group[group] for group in groups if group is not None))
        return meant.isdisjoint(set(of_patient) - {drug})

    def _group_mention(self, group: str, start: int, end: int) -> DrugMention:
        found = drug_groups()[group]
        return DrugMention(start, end, self.drugs_of(found), found)
