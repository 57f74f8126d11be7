"""Turns that write, through the real tools on a patient of the synthetic cohort."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from state.base import Language, ResourceRef
from tools.ehr.chart import Chart
from tools.ehr.overlay import Overlay
from tools.ehr.warehouse import Warehouse
from tools.fhir.toolset import Toolset
from tools.grading import TurnEvidence
from tools.vocabulary import Vocabulary

Call = tuple[str, dict[str, Any]]
Turn = Callable[..., TurnEvidence]


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    """Give the product's vocabulary."""
    return Vocabulary.load()


@pytest.fixture(scope="module")
def record(synthetic_warehouse: Path, vocabulary: Vocabulary) -> Iterator[Toolset]:
    """Give the tools of the first patient of the cohort, in the middle of an admission."""
    with Warehouse.open(synthetic_warehouse) as warehouse:
        query = (
            "SELECT subject_id, hadm_id, admittime, dischtime FROM hosp.admissions ORDER BY hadm_id LIMIT 1"
        )
        ((subject_id, hadm_id, admitted, discharged),) = warehouse.cursor().execute(query).fetchall()
        chart = Chart(warehouse, subject_id, admitted + (discharged - admitted) / 2, hadm_id)
        yield Toolset(chart, vocabulary)


@pytest.fixture
def turn(record: Toolset) -> Turn:
    """Give a function that runs the calls of one turn and gives what it is judged on.

    ``earlier`` calls are those of turns before. A call without ``subject_id`` is about the patient.
    """

    def run(
        *calls: Call, earlier: tuple[Call, ...] = (), answer: str = "", shown: tuple[str, ...] = ()
    ) -> TurnEvidence:
        tools = record.with_overlay(Overlay())
        patient = {"subject_id": tools.chart.subject_id}
        for name, arguments in earlier:
            result = tools.call(name, patient | arguments)
            assert result.ok, result.text
        before = tools.chart.overlay.snapshot()
        results = [tools.call(name, patient | arguments) for name, arguments in calls]
        return TurnEvidence(
            question="Then write it.",
            answer=answer,
            language=Language.EN,
            shown=frozenset(map(ResourceRef, shown)),
            writes=tuple(result.write for result in results if result.write is not None),
            subject_id=tools.chart.subject_id,
            before=tuple(before),
            after=tuple(tools.chart.overlay.snapshot()),
        )

    return run
