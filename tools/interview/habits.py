"""What a discharge summary tells of how drugs are taken: doses left out, drugs beside the list, and why."""

import re
from collections.abc import Iterator

from state.base import ResourceRef
from state.patient import AdherenceFact
from state.patient_values import HomeUse, Reason
from tools.fhir.headings import DISCHARGE_SUMMARY
from tools.fhir.notes import Note
from tools.interview.drugs import DrugWords
from tools.interview.words import read
from tools.vocabulary.lexicon import normalise

_SENTENCE = re.compile(r"(?<=[.;\n])\s+")
TOLD_IN = tuple(
    heading
    for heading in DISCHARGE_SUMMARY
    if heading.name in {"History of Present Illness", "Brief Hospital Course", "Transitional Issues"}
)


class Habits:
    """One note, read for a patient with a home list; a sentence counts if it names exactly one drug.

    A word such as "blood thinner" names the drug of the list that it can mean, if there is one.
    """

    def __init__(self, note: Note, words: DrugWords, listed: frozenset[str]) -> None:
        self._words = words
        self._listed = listed
        self._proof = ResourceRef(f"DocumentReference/{note.document_id}")
        self._sentences = list(self._read(note))

    def applied(self, fact: AdherenceFact) -> AdherenceFact:
        """Add to a drug that is taken what the note says of doses left out."""
        for drug, sentence in self._sentences:
            if drug == fact.drug and fact.home is HomeUse.TAKING and _says("missed", sentence):
                told = {"home": HomeUse.MISSING_DOSES, "reason": _reason(sentence)}
                return fact.model_copy(update={**told, "proof": (*fact.proof, self._proof)})
        return fact

    def beside_the_list(self) -> list[AdherenceFact]:
        """List drugs bought without a prescription that the home list lacks."""
        found = {drug for drug, sentence in self._sentences if _says("beside_the_list", sentence)}
        return [
            AdherenceFact(drug=drug, home=HomeUse.TAKING, proof=(self._proof,))
            for drug in sorted(found - self._listed)
        ]

    def why_not_taken(self, drug: str) -> Reason | None:
        """Find why a drug was not taken."""
        told = (s for named, s in self._sentences if named == drug and _says("not_taken", s))
        return next((reason for sentence in told if (reason := _reason(sentence))), None)

    def _read(self, note: Note) -> Iterator[tuple[str, str]]:
        for heading in TOLD_IN:
            for sentence in _SENTENCE.split(note.section(heading) or ""):
                drugs = self._drugs(sentence)
                if len(drugs) == 1:
                    yield drugs.pop(), sentence

    def _drugs(self, sentence: str) -> set[str]:
        drugs: set[str] = set()
        for mention in self._words.mentions(normalise(sentence)):
            drugs |= mention.drugs & self._listed if mention.group else mention.drugs
        return drugs


def _says(name: str, sentence: str) -> bool:
    return bool(re.search(read("records")[name], sentence, re.IGNORECASE))


def _reason(sentence: str) -> Reason | None:
    """Read the reason a sentence gives; none where it gives several."""
    told = [
        Reason(reason)
        for reason, patterns in read("records")["reasons"].items()
        if re.search("|".join(patterns), sentence, re.IGNORECASE)
    ]
    return told[0] if len(told) == 1 else None
