"""On real records: every proof was known, and no answer holds a value, a title or a score of the chart."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from bedside import ADHERENCE, COMPLAINT, FUNCTIONAL, PAIN, SOCIAL, SYMPTOMS, Heard
from known_by import Known

from state.base import Language
from state.patient import PatientFacts
from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.fhir.context import Context
from tools.fhir.dictionaries import Dictionaries
from tools.interview.derive import derive_patient_facts
from tools.interview.interview import Interview
from tools.interview.titles import diagnosis_titles
from tools.vocabulary import Vocabulary

QUESTIONS = (
    *((COMPLAINT, ""), (SYMPTOMS, "all symptoms, since when"), (ADHERENCE, "all medications"), (SOCIAL, "")),
    *((FUNCTIONAL, ""), (PAIN, ""), (ADHERENCE, "water pill"), (SYMPTOMS, "chest pain or fever")),
)
LISTED = """
    SELECT stay_id || '-' || left(md5(concat_ws('|', name, gsn, ndc, etc_rn, strftime(charttime, '%Y%m%d%H%M%S'))), 8)
    FROM ed.medrecon WHERE subject_id = ? AND charttime <= ?"""


@pytest.fixture(scope="module")
def warehouse(noted_demo: Path) -> Iterator[Warehouse]:
    with Warehouse.open(noted_demo) as opened:
        yield opened


@pytest.fixture(scope="module")
def charts(warehouse: Warehouse) -> list[Chart]:
    """Open every eighth admission of the demo, at its middle or an hour before its end."""
    rows = warehouse.cursor().execute(
        "SELECT subject_id, hadm_id, admittime, dischtime FROM hosp.admissions ORDER BY 2"
    )
    return [
        Chart(
            warehouse,
            subject_id,
            admitted + (discharged - admitted) / 2 if number % 2 else discharged - timedelta(hours=1),
            hadm_id,
        )
        for number, (subject_id, hadm_id, admitted, discharged) in enumerate(rows.fetchall())
        if number % 8 == 0 and discharged > admitted + timedelta(hours=2)
    ]


@pytest.fixture(scope="module")
def patients(charts: list[Chart], vocabulary: Vocabulary) -> list[PatientFacts]:
    dictionaries = Dictionaries(charts[0].warehouse)
    return [
        derive_patient_facts(Context(chart, vocabulary, dictionaries), f"s-{chart.hadm_id}", 7)
        for chart in charts
    ]


def test_every_proof_was_known(charts: list[Chart], patients: list[PatientFacts]) -> None:
    kinds: Counter[str] = Counter()
    for chart, known in zip(charts, patients, strict=True):
        cursor = chart.warehouse.cursor()
        on_record = Known(cursor, chart.subject_id, chart.as_of)
        listed = {row for (row,) in cursor.execute(LISTED, [chart.subject_id, chart.as_of]).fetchall()}
        for fact in known.facts:
            assert fact.proof
            assert not fact.invented
            for ref in fact.proof:
                if ref.startswith("MedicationStatement/medrecon-"):
                    assert ref.removeprefix("MedicationStatement/medrecon-") in listed
                else:
                    assert ref in on_record
                kinds[ref.partition("/")[0]] += 1
    assert kinds.keys() == {
        *("Encounter", "Observation", "MedicationStatement", "MedicationAdministration", "DocumentReference"),
    }


def test_no_answer_holds_what_only_the_chart_knows(
    charts: list[Chart], patients: list[PatientFacts], vocabulary: Vocabulary
) -> None:
    titles = diagnosis_titles(charts[0].warehouse)
    answers = 0
    for known in patients:
        for language in Language:
            heard = Heard()
            asked = Interview(known, vocabulary, language, heard, titles)
            for question in QUESTIONS:
                asked.ask(*question)
            for utterance in heard.utterances:
                assert utterance.faults(utterance.plain) == [], utterance.plain
                answers += 1
    assert answers > 300
