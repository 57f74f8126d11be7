"""A question to the patient, read: which facts it asks for, and what else it names."""

from dataclasses import dataclass

from state.patient import AdherenceFact, Fact, PainFact, PatientFacts, SymptomFact
from tools.interview.drugs import DrugMention, DrugWords
from tools.interview.words import (
    ASKED_ONLY,
    general_lexicon,
    symptom_lexicon,
    symptoms,
    topic_lexicon,
)
from tools.vocabulary.lexicon import Lexicon, normalise

KIND_OF_TOOL = {
    "patient.get_chief_complaint": "chief",
    "patient.get_symptom_history": "symptom",
    "patient.get_medication_adherence": "adherence",
    "patient.get_social_history": "social",
    "patient.get_functional_status": "functional",
    "patient.get_pain_assessment": "pain",
}
MOST_UNKNOWN = 3
"""Things named one by one as not known; a longer list is answered in general."""


@dataclass(frozen=True)
class Asked:
    """What a question is about.

    ``general`` lists the kinds asked for at large, ``facts`` what is asked for by name. ``symptoms`` and ``drugs`` are
    named without a fact; ``strange``: something was named that the patient cannot place. ``onset``: since when.
    """

    kind: str
    general: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    symptoms: tuple[str, ...] = ()
    drugs: tuple[DrugMention, ...] = ()
    strange: bool = False
    onset: bool = False


def read_question(tool: str, topic: str, known: PatientFacts, words: DrugWords) -> Asked:
    """Read the question of an interview tool; ``topic`` is its argument, empty for a question at large."""
    kind = KIND_OF_TOOL[tool]
    if kind == "adherence":
        return _about_drugs(topic, known, words)
    if not topic:
        return Asked(kind, general=(kind,))
    return _about_anything(kind, topic, known, words)


def of_kind(kind: str, known: PatientFacts) -> tuple[Fact, ...]:
    """List the facts a general question of a tool is about; where it hurts belongs to pain."""
    match kind:
        case "chief":
            return tuple(fact for fact in known.facts if isinstance(fact, SymptomFact) and fact.chief)
        case "pain":
            return tuple(fact for fact in known.facts if _hurts(fact))
        case _:
            return tuple(fact for fact in known.facts if fact.kind == kind)


def _hurts(fact: Fact) -> bool:
    return isinstance(fact, PainFact) or (
        isinstance(fact, SymptomFact) and symptoms()[fact.symptom].pain and not fact.denied
    )


def _about_drugs(topic: str, known: PatientFacts, words: DrugWords) -> Asked:
    if words.is_all(topic):
        return Asked("adherence", general=("adherence",))
    mentions = words.asked(topic)
    facts, unknown = _by_drug(mentions, known, words)
    return Asked("adherence", facts=facts, drugs=unknown, strange=not mentions)


def _by_drug(
    mentions: tuple[DrugMention, ...], known: PatientFacts, words: DrugWords
) -> tuple[tuple[Fact, ...], tuple[DrugMention, ...]]:
    adherence = [fact for fact in known.facts if isinstance(fact, AdherenceFact)]
    facts = tuple(fact for fact in adherence if any(words.answers(m, fact.drug) for m in mentions))
    unknown = tuple(m for m in mentions if not any(words.answers(m, fact.drug) for fact in adherence))
    return facts, unknown


def _about_anything(kind: str, topic: str, known: PatientFacts, words: DrugWords) -> Asked:
    """Read a question in free words: what it names is asked for, of whatever kind it is."""
    text = normalise(topic)
    named, strange, text = _symptoms_named(text)
    mentions = tuple(words.mentions(text))
    for mention in mentions:
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    topics = set(topic_lexicon().find(text))
    facts, unknown_drugs = _by_drug(mentions, known, words)
    with_fact = {fact.symptom for fact in known.facts if isinstance(fact, SymptomFact)}
    by_name = topics | {fact.fact_id for fact in facts}
    at_large = tuple(sorted(name.removeprefix("all-") for name in topics if name.startswith("all-")))
    if named:
        at_large = tuple(name for name in at_large if name != "pain")
    known_topics = {fact.fact_id for fact in known.facts}
    known_topics |= {f"all-{name}" for name in KIND_OF_TOOL.values() if of_kind(name, known)}
    general = set(general_lexicon().find(text))
    if general and not (named or strange or mentions or topics):
        at_large = (kind,)
    return Asked(
        kind,
        general=at_large,
        facts=tuple(
            fact
            for fact in known.facts
            if fact.fact_id in by_name or (isinstance(fact, SymptomFact) and fact.symptom in named)
        ),
        symptoms=tuple(name for name in named if name not in with_fact),
        drugs=unknown_drugs,
        strange=strange or not topics <= known_topics or not (named or mentions or topics or general),
        onset="onset" in general,
    )


def _symptoms_named(text: str) -> tuple[tuple[str, ...], bool, str]:
    """Find symptoms; the rest of the text comes back without them."""
    named: list[str] = []
    strange = False
    lexicon: Lexicon = symptom_lexicon()
    for mention in list(lexicon.mentions(text)):
        if mention.entry is None:
            continue
        if mention.entry == ASKED_ONLY:
            strange = True
        else:
            named += mention.entry.split("+")
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return tuple(dict.fromkeys(named)), strange, text
