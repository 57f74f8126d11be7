"""The same seed gives the same cohort, anywhere and at any size."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from state.base import Cohort, InputError
from tools.ehr.synth import synthesise
from tools.ehr.tables import TABLES
from tools.ehr.warehouse import Warehouse

SMALL, LARGER = 4, 7


@pytest.fixture(scope="module")
def larger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("synth") / "larger.duckdb"
    synthesise(out, patients=LARGER, seed=3)
    return out


def fingerprint(path: Path) -> str:
    with Warehouse.open(path) as warehouse:
        return warehouse.fingerprint


def test_another_process_gives_the_same_fingerprint(larger: Path, tmp_path: Path) -> None:
    out = tmp_path / "again.duckdb"
    code = (
        "import sys; from pathlib import Path; from tools.ehr.synth import synthesise; "
        f"synthesise(Path(sys.argv[1]), patients={LARGER}, seed=3)"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    subprocess.run([sys.executable, "-c", code, str(out)], check=True, env=environment)
    assert fingerprint(out) == fingerprint(larger)


def test_another_seed_gives_another_cohort(larger: Path, tmp_path: Path) -> None:
    out = tmp_path / "other.duckdb"
    synthesise(out, patients=LARGER, seed=4)
    assert fingerprint(out) != fingerprint(larger)


def test_a_patient_stays_the_same_when_the_cohort_grows(larger: Path, tmp_path: Path) -> None:
    out = tmp_path / "small.duckdb"
    synthesise(out, patients=SMALL, seed=3)
    with Warehouse.open(out) as few, Warehouse.open(larger) as more:
        few_cursor, more_cursor = few.cursor(), more.cursor()
        subjects = [row[0] for row in few_cursor.execute("SELECT subject_id FROM hosp.patients").fetchall()]
        assert len(subjects) == SMALL
        for table in (table.name for table in TABLES.values() if table.of_subjects):
            sql = f"SELECT * FROM {table} WHERE subject_id IN ? ORDER BY ALL"
            expected = more_cursor.execute(sql, [subjects]).fetchall()
            assert few_cursor.execute(sql, [subjects]).fetchall() == expected, table


def test_the_file_says_that_it_is_synthetic(larger: Path) -> None:
    with Warehouse.open(larger) as warehouse:
        assert warehouse.cohort is Cohort.SYNTHETIC


@pytest.mark.parametrize("patients", [0, -1, 10_000_000])
def test_an_impossible_number_of_patients_is_refused(patients: int, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ask for 1 to"):
        synthesise(tmp_path / "none.duckdb", patients=patients, seed=1)
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_is_kept_unless_asked(larger: Path) -> None:
    before = larger.read_bytes()
    with pytest.raises(InputError, match="exists"):
        synthesise(larger, patients=1, seed=1)
    assert larger.read_bytes() == before
