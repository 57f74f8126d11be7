"""MIMIC-IV as PhysioNet ships it: modules in downloads of their own, versions in directories."""

from pathlib import Path

import pytest

from state.base import InputError
from tools.ehr.ingest import ingest
from tools.ehr.warehouse import Warehouse

STAY = {"subject_id": 1, "stay_id": 30}
NOTE = {"note_id": "1-DS-1", "subject_id": 1, "text": "Discharged home."}


def rows(out: Path, table: str) -> int:
    with Warehouse.open(out) as warehouse:
        return {info.name: info.rows for info in warehouse.tables()}[table]


def test_downloads_of_their_own_become_one_warehouse(physionet, directory, tmp_path: Path) -> None:
    ed, notes = directory("mimic-iv-ed/2.2"), directory("mimic-iv-note/2.2")
    ed.table("ed.edstays", STAY)
    notes.table("note.discharge", NOTE)
    ingest([physionet.root, ed.root, notes.root], tmp_path / "e.duckdb")
    with Warehouse.open(tmp_path / "e.duckdb") as warehouse:
        loaded = {info.name: info.source for info in warehouse.tables() if info.loaded}
    assert loaded == {
        "hosp.patients": "hosp/patients.csv.gz",
        "hosp.admissions": "hosp/admissions.csv.gz",
        "ed.edstays": "ed/edstays.csv.gz",
        "note.discharge": "note/discharge.csv.gz",
    }


def test_a_root_may_be_one_level_up(physionet, directory, tmp_path: Path) -> None:
    directory("source-of-ed/ed-2.2").table("ed.edstays", STAY)
    (tmp_path / "mimiciv").mkdir()
    physionet.root.rename(tmp_path / "mimiciv" / "3.1")
    (tmp_path / "source-of-ed" / "ed-2.2").rename(tmp_path / "mimiciv" / "ed-2.2")
    ingest(tmp_path / "mimiciv", tmp_path / "e.duckdb")
    with Warehouse.open(tmp_path / "e.duckdb") as warehouse:
        sources = {info.name: info.source for info in warehouse.tables() if info.loaded}
    assert sources["hosp.patients"] == "3.1/hosp/patients.csv.gz"
    assert sources["ed.edstays"] == "ed-2.2/ed/edstays.csv.gz"


def test_fingerprint_does_not_depend_on_where_the_files_lie(physionet, tmp_path: Path) -> None:
    ingest(physionet.root, tmp_path / "a.duckdb")
    (tmp_path / "up").mkdir()
    physionet.root.rename(tmp_path / "up" / "3.1")
    ingest([tmp_path / "up"], tmp_path / "b.duckdb")
    with Warehouse.open(tmp_path / "a.duckdb") as a, Warehouse.open(tmp_path / "b.duckdb") as b:
        assert a.fingerprint == b.fingerprint


def test_one_directory_named_twice_is_read_once(physionet, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(physionet.root)
    ingest([physionet.root, tmp_path / "link"], tmp_path / "e.duckdb")
    assert rows(tmp_path / "e.duckdb", "hosp.patients") == 1


@pytest.mark.parametrize("second", ["other", "versions"])
def test_a_table_found_twice_names_both_files(physionet, directory, tmp_path: Path, second: str) -> None:
    other = directory(f"{second}/2.2" if second == "versions" else second)
    other.table("hosp.admissions")
    with pytest.raises(InputError, match=r"both hold hosp\.admissions") as refusal:
        ingest([physionet.root, tmp_path / second], tmp_path / "e.duckdb")
    assert str(physionet.root / "hosp" / "admissions.csv.gz") in str(refusal.value)
    assert str(other.root / "hosp" / "admissions.csv.gz") in str(refusal.value)
    assert not (tmp_path / "e.duckdb").exists()


def test_a_root_with_nothing_in_it_is_refused(physionet, tmp_path: Path) -> None:
    (tmp_path / "empty" / "files").mkdir(parents=True)
    with pytest.raises(InputError, match=r"empty holds no hosp/, icu/, ed/ or note/"):
        ingest([physionet.root, tmp_path / "empty"], tmp_path / "e.duckdb")
    with pytest.raises(InputError, match=r"no directory .*nowhere"):
        ingest([physionet.root, tmp_path / "nowhere"], tmp_path / "e.duckdb")


@pytest.mark.parametrize("name", ["a*b", "a?b", "a[1]b", "year=2150", "it's {x} 100% $1"])
def test_the_directory_may_have_any_name(physionet, tmp_path: Path, name: str) -> None:
    decoy = tmp_path / "axb" / "hosp"
    decoy.mkdir(parents=True)
    for file in (physionet.root / "hosp").iterdir():
        (decoy / file.name).write_bytes(file.read_bytes())
    physionet.root.rename(tmp_path / name)
    ingest(tmp_path / name, tmp_path / "e.duckdb")
    assert rows(tmp_path / "e.duckdb", "hosp.patients") == 1
