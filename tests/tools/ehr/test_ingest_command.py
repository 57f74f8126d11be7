"""``python -m tools.ehr`` as a person meets it."""

import gzip
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tools.ehr.__main__ import app
from tools.ehr.warehouse import Warehouse

WIDE = {"COLUMNS": "200"}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env=WIDE)


def shell(*arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "tools.ehr", *(str(argument) for argument in arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | WIDE, timeout=60
    )


def test_ingest_ends_with_a_table_and_info_reads_it_back(physionet, tmp_path: Path) -> None:
    out = tmp_path / "e.duckdb"
    ended = shell("ingest", "--root", physionet.root, "--out", out)
    assert ended.returncode == 0
    assert "hosp.admissions" in ended.stdout
    assert "2 tables" in ended.stdout
    assert "notice: not there, so empty: hosp.transfers" in ended.stderr
    info = run("info", out)
    assert info.exit_code == 0
    assert "hosp/patients.csv.gz" in info.stdout
    assert "not in the source" in info.stdout
    assert "cohort mimic-iv, fingerprint " in info.stdout
    rows = gzip.decompress((physionet.root / "hosp" / "patients.csv.gz").read_bytes())
    sums = run("info", out, "--checksums").stdout.splitlines()
    assert len(sums) == 2
    assert sums[0] == f"{hashlib.sha256(rows).hexdigest()}  hosp.patients"


def test_several_roots_and_some_patients_are_taken_and_shown(physionet, directory, tmp_path: Path) -> None:
    ed, out, ids = directory("ed"), tmp_path / "e.duckdb", tmp_path / "ids.txt"
    ed.table("ed.edstays", *({"subject_id": n, "stay_id": n} for n in range(1, 10)))
    physionet.table("hosp.patients", *({"subject_id": n} for n in range(1, 10)))
    ids.write_text("subject_id\n" + "\n".join(str(n) for n in range(2, 9)))
    chosen = ("--subjects", "1,2", "--subjects-file", ids)
    ended = run("ingest", "--root", physionet.root, "--root", ed.root, "--out", out, *chosen)
    assert ended.exit_code == 0, ended.stderr
    assert "notice: --subjects and --subjects-file are taken together: 8 patients" in ended.stderr
    info = run("info", out).stdout
    assert "only these of the source's patients: 1, 2, 3, 4, 5 and 3 more" in info
    assert "ed/edstays.csv.gz" in info
    with Warehouse.open(out) as warehouse:
        assert {table.name: table.rows for table in warehouse.tables()}["ed.edstays"] == 8


def test_no_subject_is_not_all_subjects(physionet, tmp_path: Path) -> None:
    ended = run("ingest", "--root", physionet.root, "--out", tmp_path / "e.duckdb", "--subjects", "")
    assert ended.exit_code == 2
    assert ended.stderr == "error: --subjects names no patient: write it like 10000032,10000980\n"


def test_a_damaged_file_is_one_line_on_stderr_and_exit_2(physionet, tmp_path: Path) -> None:
    path = physionet.table("hosp.services", {"subject_id": 1, "hadm_id": 20})
    path.write_bytes(path.read_bytes()[:-9])
    ended = shell("ingest", "--root", physionet.root, "--out", tmp_path / "e.duckdb")
    assert ended.returncode == 2
    assert ended.stdout == ""
    errors = [line for line in ended.stderr.splitlines() if not line.startswith("notice: ")]
    assert len(errors) == 1
    assert errors[0].startswith("error: ")
    assert "hosp/services.csv.gz" in errors[0]
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("ingest", "--root", "nowhere", "--out", "e.duckdb"), "no directory nowhere"),
        (("info", "nowhere.duckdb"), "no warehouse at nowhere.duckdb"),
        (
            ("fetch-demo", "--out", "d", "--base-url", "http://physionet.org"),
            "http://physionet.org is not https",
        ),
        (("synth", "--out", "nowhere/e.duckdb"), "the directory nowhere does not exist"),
    ],
)
def test_what_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = run(*arguments)
    assert ended.exit_code == 2
    assert ended.stderr.startswith(f"error: {sentence}")
    assert len(ended.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_synth_says_what_it_wrote(tmp_path: Path) -> None:
    out = tmp_path / "s.duckdb"
    assert run("synth", "--patients", 3, "--seed", 1, "--out", out).exit_code == 0
    info = run("info", out)
    assert "cohort synthetic" in info.stdout
    assert "written by a program" in info.stdout
