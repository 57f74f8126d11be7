"""Notes of the cohort: MIMIC-IV-Note's headings, and no word against the tables."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.ids import Ids
from tools.ehr.synth.patient import make_stays
from tools.ehr.synth.person import make_person
from tools.ehr.synth.plan import make_plan
from tools.ehr.warehouse import Warehouse
from tools.fhir.search_arguments import DocumentType
from tools.fhir.sections import split
from tools.vocabulary import Vocabulary

CATALOG = Catalog.load()
HEADINGS = {
    *("Service", "Allergies", "Attending", "Chief Complaint", "Major Surgical or Invasive Procedure"),
    *("History of Present Illness", "Past Medical History", "Social History", "Family History"),
    *("Physical Exam", "Pertinent Results", "Brief Hospital Course", "Transitional Issues"),
    *("Medications on Admission", "Discharge Medications", "Discharge Disposition", "Discharge Diagnosis"),
    *("Discharge Condition", "Discharge Instructions", "Followup Instructions"),
}
RESULT = re.compile(r"(?P<name>[^\s*].*?)-(?P<value><?-?\d+(?:\.\d+)?)\*?(?= |$)")


@dataclass(frozen=True)
class Summary:
    """One discharge summary and the stay it is of."""

    subject_id: int
    hadm_id: int
    text: str
    sections: dict[str, str]


@pytest.fixture(scope="module")
def cursor(synthetic_warehouse: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with Warehouse.open(synthetic_warehouse) as warehouse:
        yield warehouse.cursor()


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.fixture(scope="module")
def summaries(cursor: duckdb.DuckDBPyConnection) -> list[Summary]:
    rows = cursor.execute("SELECT subject_id, hadm_id, text FROM note.discharge").fetchall()
    return [
        Summary(
            subject_id,
            hadm_id,
            text,
            {s.heading.name: s.text for s in split(DocumentType.DISCHARGE_SUMMARY, text)},
        )
        for subject_id, hadm_id, text in rows
    ]


def column(cursor: duckdb.DuckDBPyConnection, sql: str, *values: object) -> list[Any]:
    return [row[0] for row in cursor.execute(sql, list(values)).fetchall()]


def listed(section: str) -> list[str]:
    return [re.sub(r"^\d+\. ", "", line) for line in section.splitlines() if re.match(r"\d+\. ", line)]


def test_every_stay_has_one_summary_with_every_heading(
    summaries: list[Summary], cursor: duckdb.DuckDBPyConnection
) -> None:
    stays = column(cursor, "SELECT hadm_id FROM hosp.admissions")
    assert sorted(summary.hadm_id for summary in summaries) == sorted(stays)
    for summary in summaries:
        assert HEADINGS - summary.sections.keys() == set(), summary.hadm_id


def test_dates_ages_and_names_are_masked(summaries: list[Summary], cursor: duckdb.DuckDBPyConnection) -> None:
    reports = column(cursor, "SELECT text FROM note.radiology")
    assert len(reports) > 100
    for text in (*reports, *(summary.text for summary in summaries)):
        assert not re.search(r"\b2[01]\d\d-\d\d|\d+ ?year|[{}]", text), text
    assert all("\n\n" not in text for text in reports)


def test_results_of_a_summary_are_those_of_the_laboratory(
    summaries: list[Summary], cursor: duckdb.DuckDBPyConnection
) -> None:
    names = {
        CATALOG.phrases.short.get(key, analyte.label): analyte for key, analyte in CATALOG.analytes.items()
    }
    checked = 0
    for summary in summaries:
        stored = defaultdict(set)
        for itemid, clock, value in cursor.execute(
            "SELECT itemid, strftime(charttime, '%I:%M%p'), value FROM hosp.labevents WHERE hadm_id = ?",
            [summary.hadm_id],
        ).fetchall():
            stored[itemid, clock].add(value)
        for line in summary.sections["Pertinent Results"].splitlines():
            if not (match := re.match(r"___ (\d\d:\d\d[AP]M) (?:BLOOD|URINE) (.*)", line)):
                continue
            found = list(RESULT.finditer(match[2]))
            assert found, line
            for result in found:
                analyte = names[result["name"].strip()]
                assert result["value"] in stored[analyte.itemid, match[1]], (summary.hadm_id, line)
                checked += 1
    assert checked > 5000


def test_the_home_list_of_a_summary_is_that_of_the_emergency_visit(
    summaries: list[Summary], cursor: duckdb.DuckDBPyConnection, vocabulary: Vocabulary
) -> None:
    by_name = {drug.name: drug for drug in CATALOG.drugs.values() if drug.home}
    checked = 0
    for summary in summaries:
        told = column(
            cursor,
            "SELECT name FROM ed.medrecon JOIN ed.edstays USING (stay_id) WHERE hadm_id = ?",
            summary.hadm_id,
        )
        if not column(cursor, "SELECT stay_id FROM ed.edstays WHERE hadm_id = ?", summary.hadm_id):
            continue
        lines = listed(summary.sections["Medications on Admission"])
        assert len(lines) == len(told), summary.hadm_id
        drugs = [max((n for n in by_name if line.startswith(n)), key=len) for line in lines]
        homes = {drug.home for name in drugs for drug in CATALOG.drugs.values() if drug.name == name}
        assert set(told) <= homes, summary.hadm_id
        checked += len(lines)
    assert checked > 500


def test_nobody_is_given_what_the_allergy_list_names(
    summaries: list[Summary], cursor: duckdb.DuckDBPyConnection
) -> None:
    classes = {drug.name: set(drug.classes) for drug in CATALOG.drugs.values()}
    allergic = 0
    for summary in summaries:
        entry = CATALOG.phrases.allergies.get(summary.sections["Allergies"])
        if entry is None or not entry.unless:
            continue
        given = column(
            cursor, "SELECT DISTINCT medication FROM hosp.pharmacy WHERE subject_id = ?", summary.subject_id
        )
        assert not {name for name in given if classes[name] & set(entry.unless)}, summary.subject_id
        allergic += 1
    assert allergic > 10


def test_where_the_patient_went_and_what_was_coded_agree(
    summaries: list[Summary], cursor: duckdb.DuckDBPyConnection
) -> None:
    for summary in summaries:
        (place,) = column(
            cursor, "SELECT discharge_location FROM hosp.admissions WHERE hadm_id = ?", summary.hadm_id
        )
        disposition = summary.sections["Discharge Disposition"].splitlines()[0]
        assert disposition == CATALOG.phrases.disposition[place]
        titles = column(
            cursor,
            "SELECT long_title FROM hosp.diagnoses_icd JOIN hosp.d_icd_diagnoses USING (icd_code, icd_version) "
            "WHERE hadm_id = ? ORDER BY seq_num LIMIT 4",
            summary.hadm_id,
        )
        assert summary.sections["Discharge Diagnosis"].splitlines() == titles


def test_vital_signs_on_arrival_are_those_of_triage(
    summaries: list[Summary], cursor: duckdb.DuckDBPyConnection
) -> None:
    for summary in summaries:
        signs = cursor.execute(
            "SELECT t.temperature, t.heartrate, t.sbp, t.dbp, t.resprate, t.o2sat FROM ed.triage t "
            "JOIN ed.edstays USING (stay_id) WHERE hadm_id = ?",
            [summary.hadm_id],
        ).fetchall()
        line = next(
            (line for line in summary.sections["Physical Exam"].splitlines() if line.startswith("Vitals")),
            None,
        )
        assert (line is None) is not signs
        if line:
            assert [float(n) for n in re.findall(r"\d+(?:\.\d+)?", line.replace("O2", ""))] == list(signs[0])


def test_a_patient_tells_the_same_of_home_in_every_summary(summaries: list[Summary]) -> None:
    told: dict[int, set[str]] = defaultdict(set)
    for summary in summaries:
        told[summary.subject_id].add(summary.sections["Social History"])
    assert all(len(histories) == 1 for histories in told.values())
    assert len({next(iter(histories)) for histories in told.values()}) > 100


def test_facts_of_a_story_stand_in_an_earlier_summary(summaries: list[Summary]) -> None:
    first = {}
    for summary in sorted(summaries, key=lambda summary: summary.hadm_id):
        first.setdefault(summary.subject_id, summary)
    for story in CATALOG.stories:
        for fact in story.facts:
            if fact.variants or fact.kind == "symptom":
                continue
            pattern = (
                re.escape(fact.text).replace(r"\{his\}", "(his|her)").replace(r"\{spouse\}", "(wife|husband)")
            )
            assert any(re.search(pattern, summary.text) for summary in first.values()), (story.id, fact.text)


def test_an_earlier_stay_says_which_drugs_it_started_and_stopped(summaries: list[Summary]) -> None:
    by_stay = {summary.hadm_id: summary for summary in summaries}
    checked = 0
    for number in range(200):
        plan = make_plan(CATALOG, 7, number)
        ids = Ids(number)
        person = make_person(CATALOG, 7, plan, number, ids.next("subject"))
        for stay in make_stays(CATALOG, 7, person, plan, ids):
            earlier = stay.plan.earlier
            lines = listed(by_stay[stay.hadm_id].sections["Discharge Medications"])
            for new in earlier.started if earlier else ():
                drug = CATALOG.drugs[new.drug]
                assert [line for line in lines if line.startswith(f"{drug.name} {new.dose} {drug.unit}")]
                checked += 1
            for key in earlier.stopped if earlier else ():
                assert not [line for line in lines if line.startswith(CATALOG.drugs[key].name)]
                checked += 1
    assert checked >= 2


def test_radiology_reports_have_their_sections_and_the_right_patient(
    cursor: duckdb.DuckDBPyConnection,
) -> None:
    rows = cursor.execute(
        "SELECT r.text, p.gender, r.charttime, r.storetime, a.edregtime, a.admittime, a.dischtime "
        "FROM note.radiology r JOIN hosp.patients p USING (subject_id) JOIN hosp.admissions a USING (hadm_id)"
    ).fetchall()
    for text, sex, taken, stored, arrived, admitted, left in rows:
        names = [section.heading.name for section in split(DocumentType.RADIOLOGY, text)]
        assert names == ["Examination", "Indication", "Technique", "Comparison", "Findings", "Impression"]
        assert (" man " in text) == (sex == "M") or " woman " not in text
        assert (arrived or admitted) <= taken <= stored
        assert taken <= left
    details = cursor.execute(
        "SELECT note_id, count(DISTINCT field_name) FROM note.radiology_detail GROUP BY 1"
    ).fetchall()
    assert len(details) == len(rows)
    assert all(count == 2 for _, count in details)
