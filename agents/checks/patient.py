"""The patient checker: a patient knows facts of the record, or a story that says it is one, and says nothing else."""

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from agents.checks.case import Case
from state.base import Cohort, Language
from state.patient import AdherenceFact, Fact, FactBase, PatientFacts, Saying, SymptomFact
from tools.fhir.context import Context
from tools.fhir.labels import Labels
from tools.fhir.notes import Notes
from tools.interview.adherence import adherence_facts
from tools.interview.arrival import arrival_facts
from tools.interview.interview import Interview, Speaker, Utterance, say_plainly
from tools.interview.lifestyle import lifestyle_facts
from tools.interview.words import symptoms

INTERVIEW = "patient."
"""Begins the name of every interview tool."""


def check_patient(case: Case, speak: Speaker = say_plainly) -> list[str]:
    """Reject facts that the record does not show, and sayings, in any language, that hold anything but facts.

    ``speak`` is the voice of the patient. A session whose patient knows nothing has nothing to check.
    """
    known = case.patient
    if known is None:
        asked = [call.tool for calls in case.calls for call in calls if call.tool.startswith(INTERVIEW)]
        return [f"{asked[0]} asks a patient who knows nothing"] if asked else []
    try:
        PatientFacts.model_validate(known.model_dump())
    except ValidationError as error:
        return [f"the facts are none: {error.errors()[0]['msg']}"]
    # A fact that is none has no words: only facts of the record are spoken.
    return [*_identity(known, case), *_facts(known, case)] or list(_sayings(known, case, speak))


def _identity(known: PatientFacts, case: Case) -> Iterable[str]:
    if known.session_id != case.plan.session_id:
        yield "the facts are of another session"
    if known.subject_id != case.plan.match.subject_id:
        yield "the facts are of another patient"


def _facts(known: PatientFacts, case: Case) -> Iterable[str]:
    """Hold each fact that has proof against what the record gives, its invented parts apart."""
    chart = case.source.toolset.chart
    context = Context(
        chart, case.source.vocabulary, case.source.toolset.dictionaries, Labels.load(Language.EN)
    )
    notes = Notes(context)
    proved: list[Fact] = [*arrival_facts(context), *adherence_facts(context, notes), *lifestyle_facts(notes)]
    by_id = {fact.fact_id: fact for fact in proved}
    for fact in known.facts:
        yield from (f"{fact.fact_id}: {fault}" for fault in _fact_faults(fact, by_id, case))


def _fact_faults(fact: Fact, proved: dict[str, Fact], case: Case) -> Iterable[str]:
    if isinstance(fact, AdherenceFact) and case.source.vocabulary.ingredient_by_id(fact.drug) is None:
        yield f"{fact.drug} is no drug of the vocabulary"
    if isinstance(fact, SymptomFact) and fact.symptom not in symptoms():
        yield f"{fact.symptom} is no symptom a patient has words for"
    if fact.story or fact.invented:
        if case.source.toolset.chart.warehouse.cohort is not Cohort.SYNTHETIC:
            yield "is invented, of a real patient"
        if fact.story:
            return
    record = proved.get(fact.fact_id)
    if record is None:
        yield "the record shows no such fact"
        return
    if not set(fact.proof) <= set(record.proof):
        yield f"{min(set(fact.proof) - set(record.proof))} does not prove it"
    for name, value in _told(fact).items():
        if value != getattr(record, name, None) and name not in fact.invented:
            yield f"{name} is {value}, the record shows {getattr(record, name, None)}"


def _told(fact: Fact) -> dict[str, Any]:
    own = set(type(fact).model_fields) - set(FactBase.model_fields) - {"kind", "chief"}
    return {name: getattr(fact, name) for name in own}


def _sayings(known: PatientFacts, case: Case, speak: Speaker) -> Iterable[str]:
    """Put the questions of the gold calls to the patient, in every language, and guard the answers."""
    asked = [call for calls in case.calls for call in calls if call.tool.startswith(INTERVIEW)]
    for language in Language:
        faults: list[str] = []

        def guarded(utterance: Utterance, faults: list[str] = faults) -> Saying:
            saying = speak(utterance)
            faults += utterance.faults(saying.text)
            return saying

        interview = Interview(known, case.source.vocabulary, language, guarded, case.titles)
        for call in asked:
            interview.ask(call.tool, str(call.arguments.get("query") or call.arguments.get("drug") or ""))
        yield from (f"{language}: {fault}" for fault in faults)
