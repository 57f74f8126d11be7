"""What a whole directory becomes: every row, typed, sorted, the same each time."""

from datetime import date, datetime
from pathlib import Path

import pytest

from state.base import Cohort
from tools.ehr.ingest import Watcher, ingest
from tools.ehr.warehouse import Warehouse

# Rows of MIMIC-IV Clinical Database Demo 2.2 and MIMIC-IV-ED Demo 2.2, as published with the files.
DEMO_ROWS = {
    "hosp.patients": 100,
    "hosp.admissions": 275,
    "hosp.labevents": 107727,
    "hosp.prescriptions": 18087,
    "hosp.emar": 35835,
    "hosp.emar_detail": 72018,
    "hosp.diagnoses_icd": 4506,
    "hosp.microbiologyevents": 2899,
    "hosp.omr": 2964,
    "hosp.pharmacy": 15306,
    "hosp.poe": 45154,
    "hosp.poe_detail": 3795,
    "hosp.procedures_icd": 722,
    "hosp.services": 319,
    "hosp.transfers": 1190,
    "hosp.drgcodes": 454,
    "hosp.hcpcsevents": 61,
    "hosp.provider": 40508,
    "hosp.d_labitems": 1622,
    "hosp.d_icd_diagnoses": 109775,
    "hosp.d_icd_procedures": 85257,
    "hosp.d_hcpcs": 89200,
    "icu.icustays": 140,
    "icu.d_items": 4014,
    "icu.inputevents": 20404,
    "icu.ingredientevents": 25728,
    "icu.outputevents": 9362,
    "icu.procedureevents": 1468,
    "icu.datetimeevents": 15280,
    "icu.caregiver": 15468,
    "ed.edstays": 222,
    "ed.triage": 222,
    "ed.diagnosis": 545,
    "ed.medrecon": 2764,
    "ed.pyxis": 1082,
    "ed.vitalsign": 1038,
}


def test_demo_ends_with_exactly_the_rows_of_its_files(demo_warehouse: Path) -> None:
    with Warehouse.open(demo_warehouse) as warehouse:
        described = {table.name: table.rows for table in warehouse.tables() if table.loaded}
        counted = {
            name: warehouse.cursor().execute(f"SELECT count(*) FROM {name}").fetchall()[0][0]
            for name in DEMO_ROWS
        }
        absent = {table.name for table in warehouse.tables() if not table.loaded}
        cohort = warehouse.cohort
    # Not every copy of the demo has its chart events.
    described.pop("icu.chartevents", None)
    assert described == DEMO_ROWS
    assert counted == DEMO_ROWS
    assert absent - {"icu.chartevents"} == {
        f"note.{kind}" for kind in ("discharge", "radiology", "discharge_detail", "radiology_detail")
    }
    assert cohort is Cohort.MIMIC_IV


def test_demo_rows_lie_in_order_of_patient(demo_warehouse: Path) -> None:
    with Warehouse.open(demo_warehouse) as warehouse:
        subjects = (
            warehouse.cursor().execute("SELECT subject_id FROM hosp.labevents ORDER BY rowid").fetchall()
        )
    assert subjects == sorted(subjects)
    assert len(set(subjects)) == 100


def test_values_get_their_types(physionet, tmp_path: Path) -> None:
    physionet.table(
        "hosp.prescriptions",
        {
            "subject_id": 1,
            "hadm_id": 20,
            "starttime": "2150-01-01 09:00:00",
            "ndc": "00071015523",
            "dose_val_rx": "1",
        },
    )
    physionet.table(
        "hosp.omr", {"subject_id": 1, "chartdate": "2150-01-02", "seq_num": 1, "result_value": ""}
    )
    physionet.table(
        "hosp.labevents", {"labevent_id": 5, "subject_id": 1, "valuenum": "4.10", "value": "4.10"}
    )
    ingest(physionet.root, tmp_path / "e.duckdb")
    with Warehouse.open(tmp_path / "e.duckdb") as warehouse:
        cursor = warehouse.cursor()
        order = cursor.execute(
            "SELECT starttime, ndc, dose_val_rx, stoptime FROM hosp.prescriptions"
        ).fetchall()
        omr = cursor.execute("SELECT chartdate, result_value FROM hosp.omr").fetchall()
        lab = cursor.execute("SELECT valuenum, value FROM hosp.labevents").fetchall()
    assert order == [(datetime(2150, 1, 1, 9), "00071015523", "1", None)]
    assert omr == [(date(2150, 1, 2), None)]
    assert lab == [(4.1, "4.10")]


def test_newlines_and_quotes_inside_a_value_are_not_records(physionet, tmp_path: Path) -> None:
    text = 'Line one\n\nLine "three", end\r\n'
    physionet.table(
        "note.discharge", *({"note_id": f"1-DS-{n}", "subject_id": 1, "text": text} for n in range(3))
    )
    ingest(physionet.root, tmp_path / "e.duckdb")
    with Warehouse.open(tmp_path / "e.duckdb") as warehouse:
        rows = warehouse.cursor().execute("SELECT text FROM note.discharge").fetchall()
    assert rows == [(text,)] * 3


def test_a_quoted_value_may_span_the_chunks_a_file_is_read_in(
    physionet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.ehr.source.CHUNK_BYTES", 7)
    physionet.raw(
        "hosp/poe_detail.csv",
        'poe_id,poe_seq,subject_id,field_name,field_value\n1-1,1,1,"a\n""\nb",\n1-2,2,1,c,d',
    )
    tables = ingest(physionet.root, tmp_path / "e.duckdb")
    assert {table.rows for table in tables if table.name == "hosp.poe_detail"} == {2}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("ends", "chunk_bytes"), [(0, 3), (2, 1 << 20), (40, 3)])
def test_blank_lines_at_the_end_are_no_records(
    physionet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, newline: str, ends: int, chunk_bytes: int
) -> None:
    monkeypatch.setattr("tools.ehr.source.CHUNK_BYTES", chunk_bytes)
    labs = ["itemid,label,fluid,category", "1,a,b,c", '2,a,b,"c\n\n"']
    physionet.raw("hosp/d_labitems.csv.gz", newline.join(labs) + newline * ends)
    physionet.raw("hosp/omr.csv", "subject_id,chartdate,seq_num,result_name,result_value" + newline * ends)
    tables = {table.name: table.rows for table in ingest(physionet.root, tmp_path / "e.duckdb")}
    assert (tables["hosp.d_labitems"], tables["hosp.omr"]) == (2, 0)


def test_capitals_in_a_header_and_another_order_of_columns_are_read(physionet, tmp_path: Path) -> None:
    physionet.raw("icu/caregiver.csv", "\ufeffCAREGIVER_ID\r\n7\r\n")
    physionet.raw("hosp/d_labitems.csv", "label,ItemId,category,fluid\nPotassium,50971,Chemistry,Blood\n")
    ingest(physionet.root, tmp_path / "e.duckdb")
    with Warehouse.open(tmp_path / "e.duckdb") as warehouse:
        assert warehouse.cursor().execute("FROM icu.caregiver").fetchall() == [(7,)]
        assert warehouse.cursor().execute("FROM hosp.d_labitems").fetchall() == [
            (50971, "Potassium", "Blood", "Chemistry")
        ]


def test_columns_that_older_versions_lack_are_null(physionet, tmp_path: Path) -> None:
    physionet.table("hosp.labevents", {"labevent_id": 5, "subject_id": 1}, without="order_provider_id")
    ingest(physionet.root, tmp_path / "e.duckdb")
    with Warehouse.open(tmp_path / "e.duckdb") as warehouse:
        rows = (
            warehouse.cursor().execute("SELECT labevent_id, order_provider_id FROM hosp.labevents").fetchall()
        )
    assert rows == [(5, None)]


def test_fingerprint_is_of_the_data_not_of_the_packing(physionet, tmp_path: Path) -> None:
    def fingerprint(name: str) -> str:
        ingest(physionet.root, tmp_path / name)
        with Warehouse.open(tmp_path / name) as warehouse:
            return warehouse.fingerprint

    row = {"icd_code": "0090", "icd_version": 9, "long_title": "Colitis"}
    packed = physionet.table("hosp.d_icd_diagnoses", row)
    first, again = fingerprint("a.duckdb"), fingerprint("b.duckdb")
    packed.unlink()
    physionet.raw("hosp/d_icd_diagnoses.csv", "icd_code,icd_version,long_title\n0090,9,Colitis\n")
    unpacked = fingerprint("c.duckdb")
    physionet.raw("hosp/d_icd_diagnoses.csv", "icd_code,icd_version,long_title\n0091,9,Colitis\n")
    changed = fingerprint("d.duckdb")
    assert first == again == unpacked != changed


class Listener(Watcher):
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.notices: list[str] = []
        self.size_bytes = self.checked_bytes = 0

    def begin(self, size_bytes: int) -> None:
        self.size_bytes = size_bytes

    def notice(self, sentence: str) -> None:
        self.notices.append(sentence)

    def checked(self, size_bytes: int) -> None:
        self.checked_bytes += size_bytes


def test_what_is_left_out_is_said(physionet, tmp_path: Path) -> None:
    physionet.table("hosp.d_labitems", {"itemid": 1, "loinc_code": "2823-3"}, extra="loinc_code")
    physionet.raw("icu/chartevents_more.csv.gz", "subject_id\n1\n")
    heard = Listener()
    ingest(physionet.root, tmp_path / "e.duckdb", watcher=heard)
    assert "hosp/d_labitems.csv.gz: the column loinc_code is not in MIMIC-IV and is left out" in heard.notices
    assert "icu/chartevents_more.csv.gz: not a file of MIMIC-IV, left out" in heard.notices
    assert any("hosp.labevents" in notice and "hosp.patients" not in notice for notice in heard.notices)
    assert heard.checked_bytes == heard.size_bytes > 0
