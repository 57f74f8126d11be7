"""What is invented for a session: details no record holds, for synthetic patients only, and the persona.

Nothing invented can be contradicted by the chart: details of symptoms are of the time before arrival, doses are missed
only of drugs whose effect no result of the chart measures, and habits that diagnosis codes tell of are left alone.
"""

import random

from state.patient import AdherenceFact, Fact, FunctionalFact, PainFact, Persona, SocialFact, SymptomFact
from state.patient_values import Completeness, Course, Functional, HomeUse, Level, Reason, Severity, Social
from tools.fhir.context import Context
from tools.fhir.elements import text_of
from tools.interview.words import symptoms

UNMEASURED = frozenset({"proton_pump_inhibitor", "h2_blocker", "laxative", "alpha_blocker"})
"""Classes of which some missed doses show in no laboratory result."""
MISSES = 0.4
"""Share of patients on such a drug who miss doses of it."""
WHY_MISSED = (Reason.FORGETS, Reason.COST, Reason.SIDE_EFFECT, Reason.FELT_BETTER)
RETIREMENT_AGE = 67
"""Full retirement age of US Social Security for those born 1960 or later, https://www.ssa.gov/benefits/retirement."""

MODERATE_PAIN, SEVERE_PAIN = 4, 7
"""Lowest ratings of moderate and of severe pain, of 10: National Health Commission of China, 癌症疼痛诊疗规范, 2018."""


def draw_persona(rng: random.Random) -> Persona:
    """Draw how the patient speaks; every combination comes up."""
    return Persona(
        literacy=rng.choice(list(Level)),
        anxiety=rng.choice(list(Level)),
        completeness=rng.choice(list(Completeness)),
        self_diagnosis=rng.choice(list(Level)),
    )


def invent(context: Context, facts: list[Fact], rng: random.Random) -> list[Fact]:
    """Add what the record leaves open; what it holds is not changed."""
    rating = next((fact.score for fact in facts if isinstance(fact, PainFact)), None)
    told = [_detailed(fact, rating, rng) if isinstance(fact, SymptomFact) else fact for fact in facts]
    told = _missed(context, told, rng)
    social = {fact.topic for fact in told if isinstance(fact, SocialFact)}
    told += [fact for fact in _social(context, rng) if fact.topic not in social]
    abilities = _functional(rng)
    # What a note says of one ability bears on the others: then none is invented.
    return told if any(isinstance(fact, FunctionalFact) for fact in told) else told + abilities


def _detailed(fact: SymptomFact, rating: int | None, rng: random.Random) -> SymptomFact:
    """Invent onset, course and severity; a pain is as severe as it was rated at triage."""
    symptom = symptoms()[fact.symptom]
    details: dict[str, object] = {"onset": rng.choice(symptom.onsets)}
    if not symptom.event:
        details["course"] = rng.choice([Course.WORSE, Course.WORSE, Course.SAME, Course.COMES_AND_GOES])
        drawn = rng.choice(list(Severity))
        details["severity"] = drawn if rating is None or not symptom.pain else _severity_of(rating)
    if fact.denied:
        return fact
    return fact.model_copy(update={**details, "invented": tuple(details)})


def _severity_of(rating: int) -> Severity:
    if rating >= SEVERE_PAIN:
        return Severity.SEVERE
    return Severity.MODERATE if rating >= MODERATE_PAIN else Severity.MILD


def _missed(context: Context, facts: list[Fact], rng: random.Random) -> list[Fact]:
    open_to_it = [
        fact
        for fact in facts
        if isinstance(fact, AdherenceFact)
        and fact.home is HomeUse.TAKING
        and (drug := context.vocabulary.ingredient_by_id(fact.drug)) is not None
        and drug.classes
        and set(drug.classes) <= UNMEASURED
    ]
    if not open_to_it or rng.random() >= MISSES:
        return facts
    chosen = rng.choice(open_to_it)
    details = {
        "home": HomeUse.MISSING_DOSES,
        "reason": rng.choice(WHY_MISSED),
        "invented": ("home", "reason"),
    }
    return [chosen.model_copy(update=details) if fact is chosen else fact for fact in facts]


def _social(context: Context, rng: random.Random) -> list[SocialFact]:
    """Invent a home that fits the marital status of the admission, and work that fits the age."""
    admissions = context.admissions.values()
    row = next((a for a in admissions if a["hadm_id"] == context.chart.hadm_id), {})
    married = text_of(row.get("marital_status")) == "MARRIED"
    homes = [Social.LIVING_WITH_SPOUSE] if married else [Social.LIVING_ALONE, Social.LIVING_WITH_FAMILY]
    (patient,) = context.rows("hosp.patients")
    age = int(patient["anchor_age"]) + context.chart.as_of.year - int(patient["anchor_year"])
    work = (
        Social.WORK_RETIRED if age >= RETIREMENT_AGE else rng.choice([Social.WORK_WORKING, Social.WORK_NONE])
    )
    return [SocialFact(status=rng.choice(homes)), SocialFact(status=work)]


def _functional(rng: random.Random) -> list[Fact]:
    independent = rng.random() < 0.6
    pick = (
        (Functional.WALKING_ALONE, Functional.CARE_ALONE, Functional.HOUSEHOLD_ALONE)
        if independent
        else (Functional.WALKING_WITH_AID, Functional.CARE_ALONE, Functional.HOUSEHOLD_WITH_HELP)
    )
    pills = rng.choice([Functional.PILLS_ALONE, Functional.PILLS_WITH_HELP])
    return [FunctionalFact(status=status) for status in (*pick, pills)]
