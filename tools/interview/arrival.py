"""What the patient came in with: chief complaint and pain, from triage in the stay that led to the admission."""

import re

from state.base import ResourceRef
from state.patient import PainFact, SymptomFact
from state.patient_values import Side
from tools.fhir.context import Context, Row
from tools.fhir.elements import text_of
from tools.interview.words import record_lexicon, symptoms
from tools.vocabulary.lexicon import normalise

_SIDE = re.compile(r"(?:^|[\s,;/(])(r|rt|right|l|lt|left)[\s.-]+(?:sided[\s-]+)?$", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:no|denies|without|r/o|rule out)\s+$|\?\s*$", re.IGNORECASE)
HIGHEST_PAIN = 10
"""Triage also charts 13 and words such as "unable" where no rating was given; those are no rating."""


def arrival_stay(context: Context) -> Row | None:
    """Find the emergency stay that led to the chart's admission."""
    hadm_id = context.chart.hadm_id
    stays = [stay for stay in context.ed_stays.values() if hadm_id is not None and stay["hadm_id"] == hadm_id]
    return max(stays, key=lambda stay: (stay["intime"], stay["stay_id"]), default=None)


def stay_ref(stay: Row) -> ResourceRef:
    """Refer to an emergency stay, whose triage states the chief complaint."""
    return ResourceRef(f"Encounter/ed-{stay['stay_id']}")


def arrival_facts(context: Context) -> list[SymptomFact | PainFact]:
    """Derive symptoms and the pain rating; none where the patient did not come through the emergency department."""
    stay = arrival_stay(context)
    triage = next(
        (row for row in context.rows("ed.triage") if stay and row["stay_id"] == stay["stay_id"]), None
    )
    if stay is None or triage is None:
        return []
    facts: list[SymptomFact | PainFact] = []
    facts += _complaints(text_of(triage["chiefcomplaint"]) or "", stay_ref(stay))
    rating = (text_of(triage["pain"]) or "").strip()
    if rating.isdecimal() and int(rating) <= HIGHEST_PAIN:
        proof = ResourceRef(f"Observation/vs-triage-{triage['row_id']}-pain")
        facts.append(PainFact(score=int(rating), proof=(proof,)))
    return facts


def _complaints(complaint: str, proof: ResourceRef) -> list[SymptomFact]:
    """Read the symptoms of a chief complaint; diagnoses, tests and reasons for transfer in it are no symptoms."""
    text = normalise(complaint)
    found: dict[str, SymptomFact] = {}
    for mention in record_lexicon().mentions(text):
        before = text[: mention.start]
        if mention.entry is None or _NEGATED.search(before):
            continue
        side = _SIDE.search(before)
        for name in mention.entry.split("+"):
            sided = side is not None and symptoms()[name].sided
            fact = SymptomFact(
                symptom=name,
                side=(Side.RIGHT if side[1].lower().startswith("r") else Side.LEFT)
                if side and sided
                else None,
                chief=True,
                proof=(proof,),
            )
            found.setdefault(fact.fact_id, fact)
    return list(found.values())
