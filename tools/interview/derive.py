"""The facts of a patient from a chart: everything the patient of one session knows at its as_of."""

import random
from collections.abc import Collection, Sequence

from state.base import Cohort, InputError, SessionId, SubjectId
from state.patient import AdherenceFact, Fact, PainFact, PatientFacts, Persona, SymptomFact
from state.patient_values import Completeness, HomeUse
from tools.fhir.context import Context
from tools.fhir.notes import Notes
from tools.interview.adherence import adherence_facts
from tools.interview.arrival import arrival_facts
from tools.interview.lifestyle import lifestyle_facts
from tools.interview.story import draw_persona, invent

PART_WITHHELD = 0.34
"""Share of its facts that a patient of partial completeness tells only when asked for them."""


def known_facts(context: Context, session_id: SessionId, seed: int) -> list[Fact]:
    """Derive what the record tells; on a synthetic cohort the gaps are filled by invention, labelled as such.

    Every fact rests on records known at as_of; on real patients nothing is invented.
    """
    notes = Notes(context)
    facts: list[Fact] = [*arrival_facts(context), *adherence_facts(context, notes), *lifestyle_facts(notes)]
    if context.chart.warehouse.cohort is not Cohort.SYNTHETIC:
        return facts
    return invent(context, facts, random.Random(f"{seed}:{session_id}"))  # noqa: S311


def derive_patient_facts(
    context: Context,
    session_id: SessionId,
    seed: int,
    persona: Persona | None = None,
    story: Sequence[Fact] = (),
    critical: Collection[str] = (),
    known: Sequence[Fact] | None = None,
) -> PatientFacts:
    """Derive the facts of the patient of a session from its chart; the same arguments give the same facts.

    ``known`` are those of ``known_facts``, where they are at hand. On a synthetic cohort ``story`` (facts the session
    is built on, without proof) replaces what was derived under the same id; on real patients a story is refused.
    ``critical`` names the facts by id that a patient of completeness ``critical_withheld`` keeps back: where none are
    named, drugs not taken as prescribed.
    """
    if story and context.chart.warehouse.cohort is not Cohort.SYNTHETIC:
        raise InputError(
            f"session {session_id} is about a real patient: its facts come from the record, leave the story out"
        )
    rng = random.Random(f"told:{seed}:{session_id}")  # noqa: S311
    persona = persona or draw_persona(rng)
    facts = list(known_facts(context, session_id, seed) if known is None else known)
    replaced = {fact.fact_id: fact for fact in story}
    facts = [replaced.pop(fact.fact_id, fact) for fact in facts] + list(replaced.values())
    if unknown := set(critical) - {fact.fact_id for fact in facts}:
        raise InputError(f"session {session_id}: the patient has no fact {min(unknown)!r} to keep back")
    kept_back = _withheld(facts, persona.completeness, set(critical), rng)
    return PatientFacts(
        session_id=session_id,
        subject_id=SubjectId(context.chart.subject_id),
        seed=seed,
        persona=persona,
        facts=tuple(fact.model_copy(update={"withheld": fact.fact_id in kept_back}) for fact in facts),
    )


def _withheld(
    facts: list[Fact], completeness: Completeness, critical: set[str], rng: random.Random
) -> set[str]:
    """Choose what is told only when asked for; what brought the patient in, and pain, always are told."""
    open_to_it = [
        f for f in facts if not (isinstance(f, PainFact) or (isinstance(f, SymptomFact) and f.chief))
    ]
    matters = critical or {
        f.fact_id for f in facts if isinstance(f, AdherenceFact) and f.home not in (None, HomeUse.TAKING)
    }
    match completeness:
        case Completeness.FULL:
            return set()
        case Completeness.PARTIAL:
            return {
                f.fact_id for f in open_to_it if f.fact_id not in matters and rng.random() < PART_WITHHELD
            }
        case Completeness.CRITICAL_WITHHELD:
            return {f.fact_id for f in open_to_it if f.fact_id in matters}
