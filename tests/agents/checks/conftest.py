"""Sound sessions, as generation makes them, for checkers to accept and for faults to be planted in."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from once import FoundInCohort

from agents.checks.case import Case
from agents.dialogue import reading_faults
from graphs.generate import generate
from graphs.workshop import Workshop
from state.base import Language
from state.gold import ToolCall
from state.session import Scenario
from tools.ehr.warehouse import Warehouse
from tools.fhir.context import Context
from tools.fhir.labels import Labels
from tools.interview.derive import derive_patient_facts

SESSIONS = 24
SEED = 7


@pytest.fixture(scope="session")
def workshop(synthetic_warehouse: Path, found_in_cohort: FoundInCohort) -> Iterator[Workshop]:
    """Give a workshop on the default cohort."""
    with Warehouse.open(synthetic_warehouse) as warehouse:
        yield Workshop(warehouse, tuple(Scenario), SEED, found=found_in_cohort(*Scenario))


@pytest.fixture(scope="session")
def cases(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    """Give two sessions of each scenario and tier, and some patient who can be asked beside each."""
    generate(workshop, SESSIONS, tmp_path_factory.mktemp("checked"))
    made = [workshop.finished[slot] for slot in sorted(workshop.finished)]
    return [
        Case(
            source=workshop.source(one.plan.match, one.patient),
            plan=one.plan,
            calls=tuple(turn.calls for turn in one.gold.turns),
            session=one.session,
            gold=one.gold,
            patient=one.patient,
            titles=workshop.titles,
            resolver=reading_faults,
        )
        for one in made
    ]


@pytest.fixture(scope="session")
def asked(cases: list[Case]) -> list[Case]:
    """Give the sessions with what their patients know, and the patients' drugs, symptoms and pain asked for."""
    found = []
    for case in cases:
        tools = case.source.toolset
        context = Context(tools.chart, tools.vocabulary, tools.dictionaries, Labels.load(Language.EN))
        known = derive_patient_facts(context, case.plan.session_id, SEED)
        subject = {"subject_id": case.plan.match.subject_id}
        calls = (
            ToolCall(
                tool="patient.get_medication_adherence", arguments={**subject, "drug": "all medications"}
            ),
            ToolCall(tool="patient.get_symptom_history", arguments={**subject, "query": "symptoms"}),
            ToolCall(tool="patient.get_pain_assessment", arguments=subject),
            ToolCall(tool="patient.get_social_history", arguments=subject),
        )
        found.append(case.having(patient=known, calls=(*case.calls[:-1], (*calls, *case.calls[-1]))))
    return found
