"""The file between ingest and charts."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from pathlib import Path

import duckdb
import pytest

from state.base import Cohort, InputError
from tools.ehr.tables import TABLES
from tools.ehr.warehouse import Warehouse
from tools.ehr.writer import SourceFile, WarehouseWriter

LAB = {
    "subject_id": 1,
    "itemid": 50971,
    "charttime": datetime(2150, 1, 1, 8),
    "value": "4.1",
    "valuenum": 4.1,
}


def write(out: Path, *labs: dict[str, object], cohort: Cohort = Cohort.SYNTHETIC) -> Path:
    with WarehouseWriter(out, cohort) as writer:
        writer.insert("hosp.patients", [{"subject_id": 1, "gender": "F", "dod": date(2151, 2, 3)}])
        writer.insert("hosp.labevents", labs)
        writer.insert("hosp.services", [])
        writer.commit()
    return out


def test_what_is_written_is_read_back_with_its_types(tmp_path: Path) -> None:
    labs = [LAB | {"labevent_id": n, "storetime": None} for n in range(5000)]
    with Warehouse.open(write(tmp_path / "e.duckdb", *labs)) as warehouse:
        cursor = warehouse.cursor()
        cursor.execute("SELECT labevent_id, charttime, valuenum, storetime, hadm_id FROM hosp.labevents")
        rows = cursor.fetchall()
        assert rows == [(n, datetime(2150, 1, 1, 8), 4.1, None, None) for n in range(5000)]
        assert cursor.execute("SELECT dod FROM hosp.patients").fetchall() == [(date(2151, 2, 3),)]
        assert warehouse.cohort is Cohort.SYNTHETIC


def test_every_table_exists_and_none_is_not_the_same_as_not_loaded(tmp_path: Path) -> None:
    with Warehouse.open(write(tmp_path / "e.duckdb")) as warehouse:
        for name, table in TABLES.items():
            cursor = warehouse.cursor().execute(f"SELECT * FROM {name}")
            assert [column[0] for column in cursor.description] == list(table.columns)
        assert [table.name for table in warehouse.tables()] == list(TABLES)
        assert warehouse.loaded("hosp.patients")
        assert warehouse.loaded("hosp.services")
        assert not warehouse.loaded("hosp.emar")


def test_fingerprint_follows_the_rows_and_the_cohort_not_the_file(tmp_path: Path) -> None:
    def fingerprint(name: str, *labs: dict[str, object], cohort: Cohort = Cohort.SYNTHETIC) -> str:
        with Warehouse.open(write(tmp_path / name, *labs, cohort=cohort)) as warehouse:
            return warehouse.fingerprint

    first = fingerprint("a", LAB)
    assert first == fingerprint("b", LAB)
    assert first != fingerprint("c", LAB | {"valuenum": 4.2})
    assert first != fingerprint("d", LAB, LAB)
    assert first != fingerprint("e", LAB, cohort=Cohort.MIMIC_IV)


def test_sources_are_remembered(tmp_path: Path) -> None:
    with WarehouseWriter(tmp_path / "e.duckdb", Cohort.MIMIC_IV) as writer:
        writer.commit({"hosp.omr": SourceFile("hosp/omr.csv", 0, "ab" * 32)})
    with Warehouse.open(tmp_path / "e.duckdb") as warehouse:
        (omr,) = (table for table in warehouse.tables() if table.loaded)
    assert (omr.name, omr.source, omr.sha256, omr.rows) == ("hosp.omr", "hosp/omr.csv", "ab" * 32, 0)


def test_threads_read_at_once(tmp_path: Path) -> None:
    labs = [LAB | {"labevent_id": n, "subject_id": n % 10} for n in range(1000)]
    with Warehouse.open(write(tmp_path / "e.duckdb", *labs)) as warehouse, ThreadPoolExecutor(8) as pool:

        def ids(subject_id: int) -> list[int]:
            cursor = warehouse.cursor()
            cursor.execute("SELECT labevent_id FROM hosp.labevents WHERE subject_id = $s", {"s": subject_id})
            return sorted(row[0] for row in cursor.fetchall())

        found = list(pool.map(ids, list(range(10)) * 20))
    assert found == [list(range(subject_id, 1000, 10)) for subject_id in range(10)] * 20


def test_a_warehouse_cannot_be_written(tmp_path: Path) -> None:
    with (
        Warehouse.open(write(tmp_path / "e.duckdb", LAB)) as warehouse,
        pytest.raises(duckdb.InvalidInputException, match="read-only"),
    ):
        warehouse.cursor().execute("DELETE FROM hosp.labevents")


def test_a_writer_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with (
        pytest.raises(ValueError, match="no column"),
        WarehouseWriter(tmp_path / "e", Cohort.SYNTHETIC) as writer,
    ):
        writer.insert("hosp.labevents", [LAB | {"potassium": 4.1}])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("out", ["there", "folder", "nowhere/e.duckdb"])
def test_a_target_that_cannot_be_is_refused(tmp_path: Path, out: str) -> None:
    (tmp_path / "there").write_text("mine")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match=out.split("/")[0]):
        WarehouseWriter(tmp_path / out, Cohort.SYNTHETIC)
    assert (tmp_path / "there").read_text() == "mine"


def test_other_files_are_not_opened_as_warehouses(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("subject_id\n1\n" * 1000)
    with duckdb.connect(str(tmp_path / "other")) as other:
        other.execute("CREATE TABLE t (a INTEGER)")
    write(tmp_path / "later")
    with duckdb.connect(str(tmp_path / "later")) as later:
        later.execute("UPDATE wardround.info SET value = '999' WHERE key = 'format'")
    for name, sentence in {
        "missing": "no warehouse at",
        "text": "cannot be read",
        "other": "no warehouse of",
        "later": "layout 999",
    }.items():
        with pytest.raises(InputError, match=sentence) as refusal:
            Warehouse.open(tmp_path / name)
        assert "\n" not in str(refusal.value)
