"""An ingest that ends early: nothing at the target, nothing lost that was whole."""

import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from state.base import Cohort, InputError
from tools.ehr.ingest import Watcher, ingest
from tools.ehr.source import Source
from tools.ehr.warehouse import Warehouse
from tools.ehr.writer import WarehouseWriter


class CtrlC(Watcher):
    """Interrupts as ``table`` is begun, once all others are whole."""

    def __init__(self, table: str, others: int) -> None:
        self._table = table
        self._others = others
        self._whole = Event()

    def loading(self, source: Source) -> None:
        if source.table.name == self._table:
            assert self._whole.wait(60)
            raise KeyboardInterrupt

    def loaded(self, source: Source, rows: int, seconds: float) -> None:
        self._others -= 1
        if self._others == 0:
            self._whole.set()


class Reused(Watcher):
    """Lists the tables that were not loaded again."""

    def __init__(self) -> None:
        self.tables: list[str] = []

    def loaded(self, source: Source, rows: int, seconds: float) -> None:
        if seconds == 0:
            self.tables.append(source.table.name)


def interrupted(physionet, out: Path) -> None:
    physionet.table("hosp.labevents", {"labevent_id": 5, "subject_id": 1})
    others = len(list(physionet.root.rglob("*.csv*"))) - 1
    with pytest.raises(KeyboardInterrupt):
        ingest(physionet.root, out, watcher=CtrlC("hosp.labevents", others))
    assert not out.exists()


def fingerprint(path: Path) -> str:
    with Warehouse.open(path) as warehouse:
        return warehouse.fingerprint


def test_the_same_call_goes_on_from_what_was_whole(physionet, tmp_path: Path) -> None:
    out = tmp_path / "target" / "e.duckdb"
    out.parent.mkdir()
    interrupted(physionet, out)
    reused = Reused()
    ingest(physionet.root, out, watcher=reused)
    assert sorted(reused.tables) == ["hosp.admissions", "hosp.patients"]
    assert list(out.parent.iterdir()) == [out]
    ingest(physionet.root, tmp_path / "straight.duckdb")
    assert fingerprint(out) == fingerprint(tmp_path / "straight.duckdb")


def test_a_file_changed_since_is_loaded_again(physionet, tmp_path: Path) -> None:
    out = tmp_path / "e.duckdb"
    interrupted(physionet, out)
    physionet.table("hosp.patients", {"subject_id": 1, "gender": "M"}, {"subject_id": 2, "gender": "M"})
    reused = Reused()
    ingest(physionet.root, out, watcher=reused)
    with Warehouse.open(out) as warehouse:
        genders = warehouse.cursor().execute("SELECT gender FROM hosp.patients").fetchall()
    assert reused.tables == ["hosp.admissions"]
    assert genders == [("M",), ("M",)]


def test_a_table_gone_since_is_not_kept(physionet, tmp_path: Path) -> None:
    out = tmp_path / "e.duckdb"
    services = physionet.table("hosp.services", {"subject_id": 1, "hadm_id": 20})
    interrupted(physionet, out)
    services.unlink()
    ingest(physionet.root, out)
    with Warehouse.open(out) as warehouse:
        assert not warehouse.loaded("hosp.services")
        assert warehouse.cursor().execute("FROM hosp.services").fetchall() == []


def test_a_partial_file_that_is_no_database_is_replaced(physionet, tmp_path: Path) -> None:
    (tmp_path / "e.duckdb.partial").write_bytes(b"power cut" * 500)
    ingest(physionet.root, tmp_path / "e.duckdb")
    assert fingerprint(tmp_path / "e.duckdb")


def test_a_synthetic_partial_file_never_goes_on_as_real_records(physionet, tmp_path: Path) -> None:
    out = tmp_path / "e.duckdb"
    writer = WarehouseWriter(out, Cohort.SYNTHETIC)
    writer.insert("hosp.services", [{"subject_id": 99}])
    writer.connection.close()
    ingest(physionet.root, out)
    with Warehouse.open(out) as warehouse:
        assert warehouse.cohort is Cohort.MIMIC_IV
        assert warehouse.cursor().execute("FROM hosp.services").fetchall() == []


def test_what_exists_is_kept_unless_told(physionet, tmp_path: Path) -> None:
    out = tmp_path / "e.duckdb"
    out.write_text("mine")
    with pytest.raises(InputError, match="pass --overwrite"):
        ingest(physionet.root, out)
    assert out.read_text() == "mine"
    broken = physionet.raw("hosp/d_labitems.csv", "itemid\n")
    with pytest.raises(InputError, match="lacks the column label"):
        ingest(physionet.root, out, overwrite=True)
    assert out.read_text() == "mine"
    broken.unlink()
    ingest(physionet.root, out, overwrite=True)
    assert fingerprint(out)
    assert {path.name for path in tmp_path.iterdir()} == {"e.duckdb", "source"}


def test_two_ingests_of_one_target_do_not_mix(physionet, tmp_path: Path) -> None:
    out = tmp_path / "e.duckdb"
    held = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(out)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with held:
        assert held.stdout.readline() == "holding\n"
        with pytest.raises(InputError, match="another process"):
            ingest(physionet.root, out)
        held.communicate("end\n")
    assert out.exists()


HOLD = """
import sys
from pathlib import Path
from state.base import Cohort
from tools.ehr.writer import WarehouseWriter
with WarehouseWriter(Path(sys.argv[1]), Cohort.SYNTHETIC) as writer:
    print("holding", flush=True)
    sys.stdin.readline()
    writer.commit()
"""


def test_ctrl_c_ends_the_command_with_130_and_nothing_at_the_target(physionet, tmp_path: Path) -> None:
    out = tmp_path / "e.duckdb"
    command = subprocess.Popen(
        [sys.executable, "-c", SLOWLY, "ingest", "--root", str(physionet.root), "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with command:
        assert command.stdout.readline() == "begun\n"
        command.send_signal(signal.SIGINT)
        try:
            _, errors = command.communicate(timeout=60)
        finally:
            command.kill()
    assert command.returncode == 130
    assert "Traceback" not in errors
    assert "interrupted" in errors
    assert not out.exists()


# A statement that DuckDB needs long for stands in for a table of many gigabytes.
SLOWLY = """
from tools.ehr import __main__, load
def slow(source, *, chosen):
    print("begun\\n", end="", flush=True)  # one piece: tables are loaded side by side
    return "SELECT count(*) FROM range(10000000) a, range(10000000) b", {}
load.insert_statement = slow
__main__.app()
"""
