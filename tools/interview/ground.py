"""What a saying is held against, and which of its passages speak of which fact."""

from collections.abc import Iterator
from dataclasses import dataclass

from state.base import Language
from state.patient import AdherenceFact, Fact, FunctionalFact, PainFact, PatientFacts, SocialFact, SymptomFact
from tools.interview.reading import Passage
from tools.interview.spans import same_length


@dataclass(frozen=True)
class Ground:
    """What a saying is held against: the patient's facts, those to be told now, and what else was asked about.

    ``asked_drugs`` and ``asked_symptoms`` may be named where the patient knows nothing of them; ``unknown`` says that
    something asked for is not known, which must be said.
    """

    facts: PatientFacts
    told: tuple[Fact, ...]
    language: Language
    asked_drugs: frozenset[str] = frozenset()
    asked_symptoms: frozenset[str] = frozenset()
    unknown: bool = False


@dataclass(frozen=True)
class Tied:
    """A passage and the facts it is about."""

    passage: Passage
    drugs: list[AdherenceFact]
    symptoms: list[SymptomFact]


def tie(read: list[Passage], ground: Ground) -> Iterator[Tied]:
    """Tie each passage to the facts it names, else to those of the passage before, else to the only one to be told."""
    adherence = [fact for fact in ground.told if isinstance(fact, AdherenceFact)]
    symptoms = [fact for fact in ground.told if isinstance(fact, SymptomFact)]
    drugs_now = adherence if len(adherence) == 1 else []
    symptoms_now = symptoms if len(symptoms) == 1 else []
    for passage in read:
        drugs = [f for f in adherence if any(f.drug in mention.drugs for mention in passage.drugs)]
        named = [
            fact
            for fact in symptoms
            for mention in passage.symptoms
            if fact.symptom in mention.symptoms and mention.side in (None, fact.side)
        ]
        if drugs or named:
            drugs_now, symptoms_now = drugs, named
        yield Tied(passage, drugs_now, symptoms_now)


def elements(fact: Fact) -> list[str]:
    """List what a rendering of a fact must hold."""
    names: tuple[str, ...]
    match fact:
        case SymptomFact():
            names = ("symptom", "side", "onset", "course", "severity")
        case AdherenceFact():
            names = ("drug", "home", "since", "reason", "here")
        case PainFact():
            names = ("score",)
        case _:
            names = ("status",)
    return [name for name in names if getattr(fact, name) is not None]


def is_said(element: str, fact: Fact, known: list[Tied]) -> bool:
    """Tell whether passages that claim to know something state an element of a fact."""
    own = [tied.passage for tied in known if fact in tied.drugs or fact in tied.symptoms]
    match fact:
        case PainFact():
            return any(fact.score in tied.passage.scores for tied in known)
        case SocialFact() | FunctionalFact():
            return any((fact.kind, fact.status.value) in tied.passage.claims for tied in known)
        case SymptomFact() if element == "side":
            return any(m.side is fact.side and fact.symptom in m.symptoms for p in own for m in p.symptoms)
        case SymptomFact() if element == "symptom":
            return any(fact.symptom in mention.symptoms for passage in own for mention in passage.symptoms)
        case AdherenceFact() if element == "drug":
            return any(fact.drug in mention.drugs for passage in own for mention in passage.drugs)
    if element in ("onset", "since"):
        length = getattr(fact, element)
        return any(same_length(span, length) for passage in own for span in passage.spans)
    return any((element, str(getattr(fact, element))) in passage.claims for passage in own)
