"""The guard: nothing leaves a patient's mouth that is not that patient's, and all that was to be said is said.

It reads a saying by the words of configs/patient, and where it cannot tell, it refuses: a saying it lets through is
right, one it refuses may be. The template steps in for those.
"""

from collections.abc import Callable, Iterable

from state.patient import AdherenceFact, Fact, FunctionalFact, PainFact, SocialFact, SymptomFact
from state.patient_values import HomeUse
from tools.interview.drugs import DrugWords
from tools.interview.ground import Ground, Tied, elements, is_said, tie
from tools.interview.plain import strange_words
from tools.interview.reading import Passage, passages
from tools.interview.spans import same_length
from tools.interview.words import pattern
from tools.vocabulary import Vocabulary

LONGEST = 1500
"""Characters of a reply; a patient with thirty drugs needs about 1,000."""
ALSO_TAKEN = {HomeUse.MISSING_DOSES, HomeUse.TAKING_MORE}
ABOUT_DRUGS = ("home", "reason", "here")
Titles = Callable[[str], str | None]
"""Finds a diagnosis title of the hospital's dictionary in a text."""


class Guard:
    """Holds sayings against facts."""

    def __init__(self, vocabulary: Vocabulary, words: DrugWords, titles: Titles | None = None) -> None:
        self._vocabulary = vocabulary
        self._words = words
        self._titles = titles

    def faults(self, text: str, ground: Ground) -> list[str]:
        """List what is wrong with a saying; none means that it may be said."""
        language = ground.language
        if not text.strip():
            return ["it says nothing"]
        if len(text) > LONGEST:
            return [f"it is longer than {LONGEST} characters"]
        if pattern(language, "foreign").search(text):
            return [f"it is not in the language of the session, {language.value}"]
        read = passages(text, language, self._words)
        found = [
            *self._strange(read, ground),
            *self._contradicted(read, ground),
            *self._left_out(read, ground),
        ]
        return list(dict.fromkeys(found))

    def _strange(self, read: list[Passage], ground: Ground) -> Iterable[str]:
        """Find what no patient says: diagnoses, laboratory values, numbers and times of no fact."""
        language = ground.language
        for passage in read:
            rest = passage.rest
            for name, fault in (
                ("diagnosis", "it names a diagnosis"),
                ("hearsay", "it tells what somebody else said"),
                ("body", "it speaks of a part of the body"),
                ("measured", "it speaks of a measurement or an allergy"),
                ("not_a_patient", "it is not the voice of a patient"),
                ("doubtful", "a double negation: what it means cannot be told"),
                ("other_times", "it gives a time that is in no fact"),
                ("stray_number", "it gives a number that is in no fact"),
            ):
                if found := pattern(language, name).search(rest):
                    yield f"{fault}: {found[0]!r}"
            if analyte := next((m.entry for m in self._vocabulary.analyte_mentions(rest) if m.entry), None):
                yield f"it names a laboratory test: {analyte}"
            if unplaced := strange_words(passage, language):
                yield f"words that are of no fact: {', '.join(unplaced)}"
        if self._titles is not None and (title := self._titles("\n".join(passage.rest for passage in read))):
            yield f"it names a diagnosis: {title!r}"

    def _contradicted(self, read: list[Passage], ground: Ground) -> Iterable[str]:
        """Find drugs, symptoms and claims that are not those of the facts to be told."""
        statuses = {f.status.value for f in ground.told if isinstance(f, SocialFact | FunctionalFact)}
        pains = {fact.score for fact in ground.told if isinstance(fact, PainFact)}
        for tied in tie(read, ground):
            yield from self._named(tied.passage, ground)
            for score in tied.passage.scores:
                if score not in pains:
                    yield f"it rates the pain {score}, which is in no fact to be told"
            for group, value in sorted(tied.passage.claims):
                if group not in ("social", "functional"):
                    yield from _unsaid(group, value, tied.drugs if group in ABOUT_DRUGS else tied.symptoms)
                elif value not in statuses:
                    yield f"{group}: {value} is in no fact to be told"
            yield from _other_lengths(tied)

    def _named(self, passage: Passage, ground: Ground) -> Iterable[str]:
        told = {fact.drug for fact in ground.told if isinstance(fact, AdherenceFact)}
        for mention in passage.drugs:
            own = mention.drugs & _drugs(ground.facts.facts) if mention.group else mention.drugs
            if (passage.unknown or passage.asks) and not mention.drugs.isdisjoint(ground.asked_drugs):
                continue
            if not own or not own <= told:
                named = ", ".join(sorted(own - told)) or (mention.group.id if mention.group else "a drug")
                yield f"it names another drug: {named}"
        symptoms = {fact.symptom: fact for fact in ground.told if isinstance(fact, SymptomFact)}
        for said in passage.symptoms:
            if (passage.unknown or passage.asks) and set(
                said.symptoms
            ) <= ground.asked_symptoms | symptoms.keys():
                continue
            if not said.symptoms or not set(said.symptoms) <= symptoms.keys():
                yield f"it names a symptom of no fact to be told: {', '.join(said.symptoms) or 'another'}"
                continue
            for name in said.symptoms:
                if said.denied != symptoms[name].denied:
                    yield f"{name} is {'denied' if said.denied else 'affirmed'}, against the fact"
                sides = {f.side for f in ground.told if isinstance(f, SymptomFact) and f.symptom == name}
                if said.side is not None and said.side not in sides:
                    yield f"{name} is on the {said.side}, against the fact"

    def _left_out(self, read: list[Passage], ground: Ground) -> Iterable[str]:
        """Find facts, or parts of them, that were to be told and are not."""
        known = [tied for tied in tie(read, ground) if not tied.passage.unknown]
        for fact in ground.told:
            for element in elements(fact):
                if not is_said(element, fact, known):
                    yield f"{fact.fact_id}: {element} is left out"
        if (ground.unknown or not ground.told) and all(not passage.unknown for passage in read):
            yield "it does not say that something is not known"


def _other_lengths(tied: Tied) -> Iterable[str]:
    lengths = [(f.fact_id, f.since) for f in tied.drugs] + [(f.fact_id, f.onset) for f in tied.symptoms]
    for span in tied.passage.spans:
        if not lengths:
            yield f"it says {span.count} {span.unit}, of what cannot be told"
        for name, length in lengths:
            if length is None or not same_length(span, length):
                yield f"it says {span.count} {span.unit}, which is not in {name}"


def _unsaid(group: str, value: str, subjects: list[AdherenceFact] | list[SymptomFact]) -> Iterable[str]:
    if not subjects:
        yield f"it says {value} ({group}), of what cannot be told"
    for fact in subjects:
        own = getattr(fact, group)
        if value != own and not (value == HomeUse.TAKING and own in ALSO_TAKEN):
            yield f"it says {value}, which is not the {group} of {fact.fact_id}"


def _drugs(facts: Iterable[Fact]) -> set[str]:
    return {fact.drug for fact in facts if isinstance(fact, AdherenceFact)}
