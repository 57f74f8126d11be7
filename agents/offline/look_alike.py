"""A doctor that takes one drug for another of a like name: the commonest way an order is for the wrong drug."""

from difflib import SequenceMatcher

from pydantic import JsonValue, SkipValidation

from agents.offline.scripted import GoldDoctor
from state.base import Language
from state.gold import GoldTurn, ToolCall
from tools.fhir.toolset import TOOLS
from tools.vocabulary import Ingredient, Vocabulary
from tools.vocabulary.lexicon import normalise


class LookAlikeDrugDoctor(GoldDoctor):
    """Do everything right, but write and speak of the drug whose name is most like the right one's."""

    name: str = "offline/look-alike-drug"
    vocabulary: SkipValidation[Vocabulary]

    def arguments(self, call: ToolCall) -> dict[str, JsonValue]:
        """Change the drug of what is written."""
        if not TOOLS[call.tool].writes:
            return dict(call.arguments)
        return {
            name: self._mistaken(value) if isinstance(value, str) and not name.startswith("_") else value
            for name, value in call.arguments.items()
        }

    def answer(self, turn: GoldTurn) -> str:
        """Change every drug of the answer."""
        return self._mistaken(super().answer(turn))

    def _mistaken(self, text: str) -> str:
        plain, done, at = normalise(text), "", 0
        for mention in self.vocabulary.ingredient_mentions(plain):
            drug = None if mention.entry is None else self.vocabulary.ingredient_by_id(mention.entry)
            if drug is not None:
                done += plain[at : mention.start] + look_alike(drug, self.vocabulary).names[self.language]
                at = mention.end
        return done + plain[at:] if done else text


def look_alike(drug: Ingredient, vocabulary: Vocabulary) -> Ingredient:
    """Find the ingredient whose English name is spelled most like another's, and is no part of it."""
    name = drug.names[Language.EN].casefold()
    others = [
        (other.names[Language.EN].casefold(), other)
        for other in vocabulary.ingredients
        if other.id != drug.id and not _share_words(other, drug)
    ]
    return max(others, key=lambda entry: (SequenceMatcher(None, name, entry[0]).ratio(), entry[0]))[1]


def _share_words(one: Ingredient, other: Ingredient) -> bool:
    """Tell whether two drugs go by names of which one holds the other: neither would be taken for another drug."""
    texts = [[text.casefold() for text in (*drug.names.values(), *drug.synonyms)] for drug in (one, other)]
    return any(a in b or b in a for a in texts[0] for b in texts[1])
