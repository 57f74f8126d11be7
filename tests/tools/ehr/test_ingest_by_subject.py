"""PhysAssistBench's layout, a directory a patient: the same rows as from PhysioNet's."""

import csv
import gzip
import io
from pathlib import Path

import pytest

from state.base import InputError
from tools.ehr.ingest import Watcher, ingest
from tools.ehr.tables import TABLES
from tools.ehr.warehouse import Warehouse

LAB = {"labevent_id": 5, "subject_id": 1, "charttime": "2150-01-01 08:00:00", "valuenum": 4.1}
DICTIONARIES = ("hosp/d_labitems.csv.gz", "hosp/d_icd_diagnoses.csv.gz", "icu/d_items.csv.gz")


def split(root: Path, into: Path, subjects: set[int]) -> None:
    """Write every subject table of ``root`` once more, a file a patient."""
    for table in TABLES.values():
        path = root / f"{table.file_stem}.csv.gz"
        if not (table.of_subjects and path.is_file()):
            continue
        header, *rows = csv.reader(io.StringIO(gzip.decompress(path.read_bytes()).decode()))
        place = header.index("subject_id")
        for subject_id in subjects:
            text = io.StringIO()
            kept = [row for row in rows if row[place] == str(subject_id)]
            csv.writer(text, lineterminator="\n").writerows([header, *kept])
            file = into / str(subject_id) / f"{table.name.replace('.', '_')}.csv.csv.gz"
            file.parent.mkdir(parents=True, exist_ok=True)
            if kept:
                file.write_bytes(gzip.compress(text.getvalue().encode(), 1))


def test_the_demo_gives_the_same_rows_in_both_layouts(mimic_demo: Path, tmp_path: Path) -> None:
    with (mimic_demo / "demo_subject_id.csv").open() as file:
        subjects = {int(row["subject_id"]) for row in list(csv.DictReader(file))[::10]}
    split(mimic_demo, tmp_path / "split", subjects)
    of_patients = {name: table for name, table in TABLES.items() if table.of_subjects}
    for name in (*DICTIONARIES, *(f"{table.file_stem}.csv.gz" for table in of_patients.values())):
        link = tmp_path / ("tables" if name in DICTIONARIES else "whole") / name
        link.parent.mkdir(parents=True, exist_ok=True)
        if (mimic_demo / name).is_file():
            link.symlink_to(mimic_demo / name)
    ingest([tmp_path / "split", tmp_path / "tables"], tmp_path / "split.duckdb")
    ingest([tmp_path / "whole", tmp_path / "tables"], tmp_path / "whole.duckdb", subjects=subjects)
    with (
        Warehouse.open(tmp_path / "split.duckdb") as by_subject,
        Warehouse.open(tmp_path / "whole.duckdb") as whole,
    ):
        for name in TABLES:
            query = f"SELECT * FROM {name}"
            assert (
                by_subject.cursor().execute(query).fetchall() == whole.cursor().execute(query).fetchall()
            ), name
            assert by_subject.loaded(name) == whole.loaded(name), name
        rows = sum(info.rows for info in by_subject.tables() if info.name in of_patients)
    assert len(subjects) == 10
    assert rows > 20_000


def test_tables_are_the_union_over_patients_in_their_order(patient, tmp_path: Path) -> None:
    for subject_id in (10, 9, 100):
        patient(subject_id).table(
            "hosp.labevents", LAB | {"subject_id": subject_id, "labevent_id": subject_id}
        )
    patient(11)
    tables = {info.name: info for info in ingest(tmp_path / "split", tmp_path / "e.duckdb")}
    with Warehouse.open(tmp_path / "e.duckdb") as warehouse:
        labs = warehouse.cursor().execute("SELECT subject_id FROM hosp.labevents ORDER BY rowid").fetchall()
    assert labs == [(9,), (10,), (100,)]
    assert tables["hosp.patients"].rows == 4
    assert tables["hosp.labevents"].source == "*/hosp_labevents.csv.csv.gz (3 files)"
    assert not tables["hosp.emar"].loaded


def test_the_checksum_is_over_all_files_by_patient(patient, tmp_path: Path) -> None:
    def sha256(name: str) -> str | None:
        tables = ingest(tmp_path / "split", tmp_path / name)
        return {info.name: info.sha256 for info in tables}["hosp.labevents"]

    first, second = patient(1), patient(2)
    first.table("hosp.labevents", LAB)
    second.table("hosp.labevents", LAB | {"subject_id": 2})
    whole, again = sha256("a"), sha256("b")
    second.table("hosp.labevents", LAB | {"subject_id": 2, "valuenum": 4.2})
    assert whole == again != sha256("c")


def test_dictionaries_may_lie_beside_the_patients_and_the_root_one_level_up(
    patient, directory, tmp_path
) -> None:
    patient(1)
    directory("split").table("hosp.d_labitems", {"itemid": 7, "label": "Sodium"})
    (tmp_path / "up").mkdir()
    (tmp_path / "split").rename(tmp_path / "up" / "split")
    tables = {info.name: info.rows for info in ingest(tmp_path / "up", tmp_path / "e.duckdb")}
    assert (tables["hosp.patients"], tables["hosp.d_labitems"]) == (1, 1)


def test_files_may_differ_in_header_and_packing(patient, tmp_path: Path) -> None:
    patient(1).raw(
        "1/hosp_omr.csv", "subject_id,chartdate,seq_num,result_name,result_value\n1,2150-01-02,1,BMI,30\n"
    )
    patient(2).raw(
        "2/hosp_omr.csv.gz",
        ",result_value,result_name,seq_num,chartdate,subject_id\n0,31.0,BMI,1.0,2150-01-02,2\n",
    )
    patient(3).table("hosp.labevents", LAB | {"subject_id": 3})
    patient(4).table("hosp.labevents", LAB | {"subject_id": 4}, without="order_provider_id")
    ingest(tmp_path / "split", tmp_path / "e.duckdb")
    with Warehouse.open(tmp_path / "e.duckdb") as warehouse:
        omr = warehouse.cursor().execute("SELECT subject_id, seq_num, result_value FROM hosp.omr").fetchall()
        labs = (
            warehouse.cursor().execute("SELECT subject_id, order_provider_id FROM hosp.labevents").fetchall()
        )
    assert omr == [(1, 1, "30"), (2, 1, "31.0")]
    assert labs == [(3, None), (4, None)]


def test_what_is_left_out_is_said_once_for_all_patients(patient, tmp_path: Path) -> None:
    class Listener(Watcher):
        def __init__(self) -> None:
            self.notices: list[str] = []
            self.size_bytes = self.checked_bytes = 0

        def begin(self, size_bytes: int) -> None:
            self.size_bytes = size_bytes

        def notice(self, sentence: str) -> None:
            self.notices.append(sentence)

        def checked(self, size_bytes: int) -> None:
            self.checked_bytes += size_bytes

    for subject_id in (1, 2, 3):
        of = patient(subject_id)
        of.table("hosp.labevents", LAB | {"subject_id": subject_id}, extra="loinc_code")
        of.raw(f"{subject_id}/hosp_d_labitems.csv", "itemid\n1\n")
    heard = Listener()
    ingest(tmp_path / "split", tmp_path / "e.duckdb", watcher=heard)
    assert heard.notices[:2] == [
        "*/hosp_labevents.csv.csv.gz (3 files): the column loinc_code is not in MIMIC-IV and is left out",
        "*/hosp_d_labitems.csv (3 files): not a file of MIMIC-IV, left out",
    ]
    assert heard.checked_bytes == heard.size_bytes > 0


def test_a_row_of_another_patient_is_refused(patient, tmp_path: Path) -> None:
    patient(1).table("hosp.labevents", LAB)
    patient(2).table("hosp.labevents", LAB | {"subject_id": 2}, LAB)
    with pytest.raises(
        InputError, match=r"2/hosp_labevents\.csv\.csv\.gz has 2 records but 1 rows of patient 2"
    ):
        ingest(tmp_path / "split", tmp_path / "e.duckdb")
    assert not (tmp_path / "e.duckdb").exists()


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"valuenum": "high"}, r"2/hosp_labevents\.csv\.csv\.gz line 3: the value of valuenum"),
        ({"hadm_id": "1.5"}, r"2/hosp_labevents\.csv\.csv\.gz line 3: the value of hadm_id .* INTEGER"),
    ],
)
def test_a_fault_names_the_patients_file_and_line(patient, tmp_path: Path, bad: dict, sentence: str) -> None:
    good = LAB | {"subject_id": 2}
    patient(1).table("hosp.labevents", LAB)
    patient(2).table("hosp.labevents", good, good | bad)
    with pytest.raises(InputError, match=sentence):
        ingest(tmp_path / "split", tmp_path / "e.duckdb")


def test_a_cut_file_and_a_bad_header_are_named(patient, tmp_path: Path) -> None:
    path = patient(1).table("hosp.labevents", LAB)
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(InputError, match=r"1/hosp_labevents\.csv\.csv\.gz is cut short"):
        ingest(tmp_path / "split", tmp_path / "e.duckdb")
    patient(1).table("hosp.labevents", without="storetime")
    with pytest.raises(InputError, match=r"1/hosp_labevents\.csv\.csv\.gz lacks the column storetime"):
        ingest(tmp_path / "split", tmp_path / "e.duckdb")


def test_a_table_in_both_layouts_and_a_patient_twice_are_refused(
    patient, physionet, directory, tmp_path
) -> None:
    patient(1)
    with pytest.raises(InputError, match=r"both hold hosp\.patients"):
        ingest([tmp_path / "split", physionet.root], tmp_path / "e.duckdb")
    directory("more/01").raw(
        "hosp_patients.csv", "subject_id,gender,anchor_age,anchor_year,anchor_year_group,dod\n"
    )
    with pytest.raises(
        InputError, match=r"split/1/hosp_patients.* and .*more/01/hosp_patients\.csv both hold"
    ):
        ingest([tmp_path / "split", tmp_path / "more"], tmp_path / "e.duckdb")
    patient(2).raw("2/hosp_patients.csv", "subject_id\n")
    with pytest.raises(InputError, match=r"both hold hosp\.patients"):
        ingest(tmp_path / "split", tmp_path / "e.duckdb")
