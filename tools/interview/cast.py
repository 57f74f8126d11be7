"""The patient of a session: what the record tells, and what its story adds where the cohort is synthetic."""

import random
from collections.abc import Collection, Sequence

from state.base import Cohort, SessionId
from state.patient import AdherenceFact, Fact, PatientFacts, Persona, Span, SymptomFact
from state.patient_values import HomeUse, SpanUnit
from tools.fhir.context import Context
from tools.interview.derive import derive_patient_facts, known_facts
from tools.interview.pertinent import matters_of
from tools.interview.story import UNMEASURED, WHY_MISSED

MAY_BE_MISSED = UNMEASURED | {"factor_xa_inhibitor", "statin"}
"""Classes of which a story may have doses missed: no result that a rule reads would show it."""
MISSES_HERE = 0.5
"""Share of stories on such a drug in which doses of it are missed."""
SINCE = (2, 3, 4, 6)
"""Weeks for which doses have been missed."""


def cast_patient(
    context: Context, session_id: SessionId, seed: int, persona: Persona, analyte: str, drugs: Collection[str]
) -> PatientFacts:
    """Derive the patient of a session about a test and the ``drugs`` (ingredient ids) its story turns on.

    A patient who keeps back what matters most keeps back how these drugs are taken. The same arguments give the same
    facts.
    """
    rng = random.Random(f"story:{seed}:{session_id}")  # noqa: S311
    known = known_facts(context, session_id, seed)
    synthetic = context.chart.warehouse.cohort is Cohort.SYNTHETIC
    story = _story(context, known, analyte, drugs, rng) if synthetic else ()
    critical = {f.fact_id for f in known if isinstance(f, AdherenceFact) and f.drug in drugs}
    return derive_patient_facts(context, session_id, seed, persona, story, critical, known)


def _story(
    context: Context, known: Sequence[Fact], analyte: str, drugs: Collection[str], rng: random.Random
) -> tuple[Fact, ...]:
    """Add a symptom that is denied, and doses missed of a drug where no result could tell."""
    has = {fact.symptom for fact in known if isinstance(fact, SymptomFact)}
    deniable = [name for name in matters_of(analyte).symptoms if name not in has]
    story: list[Fact] = [SymptomFact(symptom=rng.choice(deniable), denied=True)] if deniable else []
    taken = [f for f in known if isinstance(f, AdherenceFact) and f.drug in drugs]
    missable = [fact for fact in taken if _may_be_missed(context, fact)]
    return (*story, *(_missed(fact, rng) for fact in missable if rng.random() < MISSES_HERE))


def _may_be_missed(context: Context, fact: AdherenceFact) -> bool:
    drug = context.vocabulary.ingredient_by_id(fact.drug)
    return (
        fact.home is HomeUse.TAKING
        and drug is not None
        and bool(drug.classes)
        and set(drug.classes) <= MAY_BE_MISSED
    )


def _missed(fact: AdherenceFact, rng: random.Random) -> AdherenceFact:
    told = {
        "home": HomeUse.MISSING_DOSES,
        "reason": rng.choice(WHY_MISSED),
        "since": Span(count=rng.choice(SINCE), unit=SpanUnit.WEEK),
    }
    return fact.model_copy(update={**told, "invented": tuple(told)})
