"""Notes and procedures of the admission under way, and reports not stored yet, do not show by any way."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.fhir.toolset import ToolResult, Toolset
from tools.vocabulary import Vocabulary

SECOND = timedelta(seconds=1)
READERS = (
    "DocumentReference.search",
    "DiagnosticReport.search",
    "CarePlan.search",
    "AllergyIntolerance.search",
    "Procedure.search",
    "Patient.everything",
)


class Ward:
    """A warehouse with notes, and its vocabulary."""

    def __init__(self, path: Path) -> None:
        self.warehouse = Warehouse.open(path)
        self.vocabulary = Vocabulary.load()

    def some(self, query: str, most: int = 3) -> list[tuple[int, str, datetime]]:
        """Give some of the rows of a query, spread over all."""
        rows = self.warehouse.cursor().execute(query).fetchall()
        assert rows
        return rows[:: -(-len(rows) // most)]

    def calls(self, subject_id: int, as_of: datetime, **arguments: object) -> Iterator[ToolResult]:
        """Ask every reader of notes, by every way that could lead to one."""
        tools = Toolset(Chart(self.warehouse, subject_id, as_of), self.vocabulary)
        for name in READERS:
            for more in ({}, {"date_to": "2999-01-01"}, arguments):
                yield tools.call(name, {"subject_id": subject_id, "_count": 100, **more})

    def shows(self, note_id: str, subject_id: int, as_of: datetime, resource_id: str) -> bool:
        return any(note_id in str(r.refs) for r in self.calls(subject_id, as_of, _id=resource_id))


@pytest.fixture(scope="module", params=["noted_demo", "noted_synthetic"])
def ward(request: pytest.FixtureRequest) -> Iterator[Ward]:
    opened = Ward(request.getfixturevalue(request.param))
    yield opened
    opened.warehouse.close()


def test_a_report_charted_but_not_stored_is_not_known(ward: Ward) -> None:
    for subject_id, note_id, stored in ward.some(
        "SELECT subject_id, note_id, storetime FROM note.radiology WHERE storetime > charttime ORDER BY note_id"
    ):
        assert not ward.shows(note_id, subject_id, stored - SECOND, f"note-{note_id}")
        assert ward.shows(note_id, subject_id, stored, f"note-{note_id}")


def test_the_summary_of_the_admission_under_way_is_not_known(ward: Ward) -> None:
    for subject_id, note_id, signed in ward.some(
        "SELECT subject_id, note_id, storetime FROM note.discharge ORDER BY note_id"
    ):
        told = f"Written {signed:%Y-%m-%d %H:%M}"
        for early in (timedelta(hours=10), SECOND):
            assert not ward.shows(note_id, subject_id, signed - early, f"note-{note_id}")
            results = ward.calls(subject_id, signed - early, keyword=told, section="Discharge Instructions")
            assert not any(told in str(result.resource) for result in results)
        assert ward.shows(note_id, subject_id, signed + timedelta(days=1), f"note-{note_id}")


def test_procedure_codes_of_the_admission_under_way_are_not_known(ward: Ward) -> None:
    rows = ward.some(
        "SELECT subject_id, hadm_id || '-' || seq_num, dischtime FROM hosp.procedures_icd "
        "JOIN hosp.admissions USING (subject_id, hadm_id) WHERE chartdate < dischtime::DATE AND deathtime IS NULL "
        "ORDER BY hadm_id"
    )
    for subject_id, row_id, discharged in rows:
        assert not ward.shows(f"Procedure/icd-{row_id}'", subject_id, discharged - SECOND, f"icd-{row_id}")
        assert ward.shows(f"Procedure/icd-{row_id}'", subject_id, discharged, f"icd-{row_id}")


def test_an_addendum_does_not_show_through_its_report(ward: Ward) -> None:
    for subject_id, note_id, stored in ward.some(
        "SELECT subject_id, note_id, storetime FROM note.radiology WHERE note_type = 'AR' ORDER BY note_id"
    ):
        for result in ward.calls(subject_id, stored - SECOND):
            assert note_id not in str(result.resource)
