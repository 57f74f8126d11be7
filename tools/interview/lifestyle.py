"""Social and functional facts that earlier discharge summaries state."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from state.base import ResourceRef
from state.patient import FunctionalFact, SocialFact
from state.patient_values import Functional, Social
from tools.fhir.headings import DISCHARGE_SUMMARY
from tools.fhir.notes import Note, Notes
from tools.interview.words import read

_SENTENCE = re.compile(r"(?<=[.;])\s+|\n")
_OWN_NEGATION = re.compile(
    r"(?:no|not|never|denies|non|without|doesn't|abstains|quit|stopped|used to|previously)", re.IGNORECASE
)
SOCIAL_HISTORY, DISCHARGE_CONDITION = (
    next(heading for heading in DISCHARGE_SUMMARY if heading.name == name)
    for name in ("Social History", "Discharge Condition")
)


def lifestyle_facts(notes: Notes) -> list[SocialFact | FunctionalFact]:
    """Derive a fact a topic, each from the newest discharge summary that tells it plainly.

    How the patient left the hospital is taken from the newest summary alone.
    """
    data = read("records")
    social: dict[str, SocialFact] = {}
    functional: dict[str, FunctionalFact] = {}
    for number, note in enumerate(notes.discharge_summaries):
        proof = (ResourceRef(f"DocumentReference/{note.document_id}"),)
        history = note.section(SOCIAL_HISTORY) or ""
        for status in _stated(history, data["social"], data["negation"]):
            fact = SocialFact(status=Social(status), proof=proof)
            social.setdefault(fact.topic, fact)
        can_do = _stated(history, data["functional"], data["negation"])
        if number == 0:
            can_do += _left(note, data["leaving"])
        for status in can_do:
            ability = FunctionalFact(status=Functional(status), proof=proof)
            functional.setdefault(ability.topic, ability)
    return [*social.values(), *functional.values()]


def _left(note: Note, patterns: Mapping[str, Sequence[str]]) -> list[str]:
    condition = " ".join((note.section(DISCHARGE_CONDITION) or "").split())
    found = [s for s, p in patterns.items() if re.search("|".join(p), condition, re.IGNORECASE)]
    return found if len(found) == 1 else []


def _stated(text: str, patterns: Mapping[str, Sequence[str]], negation: str) -> list[str]:
    """List the values a section states; a topic with two different ones is dropped."""
    by_topic: dict[str, set[str]] = defaultdict(set)
    for sentence in _SENTENCE.split(text):
        for status, written in patterns.items():
            match = re.search("|".join(f"(?:{one})" for one in written), sentence, re.IGNORECASE)
            if match is None:
                continue
            turned = re.search(negation, sentence[: match.start()], re.IGNORECASE)
            if turned is None or _OWN_NEGATION.match(match[0]):
                by_topic[status.partition("_")[0]].add(status)
            else:
                by_topic[status.partition("_")[0]].add("")
    return [next(iter(values)) for values in by_topic.values() if len(values) == 1 and "" not in values]
