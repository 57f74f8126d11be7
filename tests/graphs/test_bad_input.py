"""Bad input ends with one sentence on stderr and exit code 2, and leaves nothing behind."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import chdir, closing
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agents.models import read_catalogue, serve
from graphs.benchmark import MANIFEST
from graphs.embedded import demo_benchmark, synthetic_warehouse
from graphs.write_tables import writable
from state.base import InputError
from state.models import ModelChoice


def run(tmp_path: Path, module: str, *arguments: str) -> Result:
    app = import_module(f"{module}.__main__" if module == "tools.ehr" else module).app
    with chdir(tmp_path):
        return CliRunner().invoke(
            app, arguments, env={"WARDROUND_CACHE": str(tmp_path / "cache"), "COLUMNS": "200"}
        )


def refused(done: Result, *words: str) -> None:
    assert done.exit_code == 2, (done.stderr, done.exc_info)
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    """Copy the demo sessions to where a test may spoil them, without the digests that would tell."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    for entry in (files("configs") / "demo").iterdir():
        if entry.is_file():
            (folder / entry.name).write_bytes(entry.read_bytes())
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    (folder / MANIFEST).write_text(json.dumps(manifest | {"files": {}}), "utf-8")
    return folder


def test_unknown_model_at_a_shell(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "graphs.evaluate", "--model", "offline/nobody"],
        cwd=tmp_path,
        env={**os.environ, "WARDROUND_CACHE": str(tmp_path / "cache"), "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert "offline/nobody" in done.stderr
    assert "offline/baseline" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_unknown_judge(tmp_path: Path) -> None:
    refused(run(tmp_path, "graphs.evaluate", "--judge", "offline/coin"), "offline/coin", "offline/rules")
    assert list(tmp_path.iterdir()) == []


def test_unknown_patient(tmp_path: Path) -> None:
    refused(
        run(tmp_path, "graphs.evaluate", "--patient-model", "offline/ghost"), "offline/ghost", "templates"
    )
    assert list(tmp_path.iterdir()) == []


def test_missing_warehouse(tmp_path: Path, sessions: Path) -> None:
    done = run(tmp_path, "graphs.evaluate", "--ehr", "nowhere.duckdb", "--sessions", str(sessions))
    refused(done, "nowhere.duckdb")


def test_sessions_without_a_warehouse(tmp_path: Path, sessions: Path) -> None:
    refused(run(tmp_path, "graphs.evaluate", "--sessions", str(sessions)), "--ehr and --sessions go together")


def test_unknown_session_field(tmp_path: Path, sessions: Path, synthetic_warehouse: Path) -> None:
    lines = (sessions / "sessions.jsonl").read_text().splitlines()
    spoiled = {**json.loads(lines[1]), "mood": "cheerful"}
    (sessions / "sessions.jsonl").write_text("\n".join([lines[0], json.dumps(spoiled), *lines[2:]]) + "\n")
    done = run(tmp_path, "graphs.evaluate", "--ehr", str(synthetic_warehouse), "--sessions", str(sessions))
    refused(done, "sessions.jsonl line 2", "mood")
    assert not (tmp_path / "runs").exists()


def test_sessions_of_another_warehouse(tmp_path: Path, sessions: Path, empty_warehouse: Path) -> None:
    done = run(tmp_path, "graphs.evaluate", "--ehr", str(empty_warehouse), "--sessions", str(sessions))
    refused(done, "another warehouse")


@pytest.mark.parametrize(
    ("field", "value"), [("subject_id", 1), ("hadm_id", 1), ("as_of", "1900-01-01T00:00:00")]
)
def test_a_session_about_nobody_of_the_warehouse(
    tmp_path: Path, sessions: Path, synthetic_warehouse: Path, field: str, value: object
) -> None:
    lines = (sessions / "sessions.jsonl").read_text().splitlines()
    stranger = {**json.loads(lines[2]), field: value}
    (sessions / "sessions.jsonl").write_text("\n".join([*lines[:2], json.dumps(stranger), *lines[3:]]) + "\n")
    known = [json.loads(line) for line in (sessions / "patients.jsonl").read_text().splitlines()]
    named = {stranger["session_id"]: stranger["subject_id"]}
    told = [{**one, "subject_id": named.get(one["session_id"], one["subject_id"])} for one in known]
    (sessions / "patients.jsonl").write_text("".join(json.dumps(one) + "\n" for one in told))
    done = run(tmp_path, "graphs.evaluate", "--ehr", str(synthetic_warehouse), "--sessions", str(sessions))
    refused(done, f"session {stranger['session_id']} is about an admission", "give --ehr the file")
    assert not (tmp_path / "runs").exists()


def test_resume_of_no_run(tmp_path: Path) -> None:
    refused(run(tmp_path, "graphs.evaluate", "--resume", str(tmp_path)), "is not a run")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/v1",
        "127.0.0.1:9/v1",
        "ftp://127.0.0.1/v1",
        "http://",
        "http://127.0.0.1:99999/v1",
        "http://a b/v1",
        "http://127.0.0.1:abc/v1",
        "http://user:secret@127.0.0.1:9/v1",
    ],
)
def test_an_endpoint_that_is_no_address(url: str) -> None:
    with pytest.raises(InputError, match="--base-url") as refused_with:
        serve(ModelChoice(name="openai-compatible/x", base_url=url), read_catalogue())
    assert "secret" not in str(refused_with.value)


def test_an_endpoint_for_an_offline_doctor(tmp_path: Path) -> None:
    refused(run(tmp_path, "graphs.evaluate", "--base-url", "http://127.0.0.1:9/v1"), "--base-url goes with")


def test_a_file_that_is_no_warehouse_is_not_fetched_for(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "s.sqlite")) as other:
        other.execute("CREATE TABLE t (x)")
    done = run(tmp_path, "tools.ehr", "info", "s.sqlite")
    refused(done, "s.sqlite")
    assert "http" not in done.stderr


def test_sessions_are_not_written_over(tmp_path: Path, sessions: Path, synthetic_warehouse: Path) -> None:
    arguments = ("graphs.generate", "--ehr", str(synthetic_warehouse), "--n", "1", "--out", str(sessions))
    refused(run(tmp_path, *arguments), "holds sessions already", "--overwrite")
    assert len((sessions / "sessions.jsonl").read_text().splitlines()) == len(demo_benchmark().sessions)


def test_an_output_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run(tmp_path, "graphs.generate", "--ehr", "nowhere.duckdb", "--n", "1", "--out", "file")
    refused(done, "cannot make the directory file")


def test_files_of_different_sets(tmp_path: Path, sessions: Path, synthetic_warehouse: Path) -> None:
    lines = (sessions / "sessions.jsonl").read_text().splitlines()
    (sessions / "sessions.jsonl").write_text("\n".join(lines[1:]) + "\n")
    done = run(tmp_path, "graphs.evaluate", "--ehr", str(synthetic_warehouse), "--sessions", str(sessions))
    refused(done, "not of one set")


def test_a_file_that_is_no_utf8(tmp_path: Path, sessions: Path, synthetic_warehouse: Path) -> None:
    (sessions / "sessions.jsonl").write_bytes(b"\xe9" + (sessions / "sessions.jsonl").read_bytes())
    done = run(tmp_path, "graphs.evaluate", "--ehr", str(synthetic_warehouse), "--sessions", str(sessions))
    refused(done, "not UTF-8")


def test_a_review_that_would_go_where_a_file_is(
    tmp_path: Path, sessions: Path, synthetic_warehouse: Path
) -> None:
    assert run(tmp_path, "graphs.review", "export", "sessions", "--xlsx", "set.xlsx").exit_code == 0
    command = (
        "import",
        "sessions",
        "--xlsx",
        "set.xlsx",
        "--out",
        "set.xlsx",
        "--ehr",
        str(synthetic_warehouse),
    )
    refused(run(tmp_path, "graphs.review", *command), "set.xlsx is a file: name a new directory with --out")


def test_models_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "models.xlsx").write_bytes(b"PK\x03\x04\xd1\xff")
    refused(run(tmp_path, "graphs.evaluate", "--models", "models.xlsx"), "models.xlsx is not UTF-8")


def test_replies_from_no_run_leave_no_run_behind(
    tmp_path: Path, sessions: Path, synthetic_warehouse: Path
) -> None:
    asked = ("--ehr", str(synthetic_warehouse), "--sessions", "sessions", "--replies-from", "nowhere")
    refused(run(tmp_path, "graphs.evaluate", *asked), "nowhere is not a run")
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("option", ["--turn-seconds", "--turn-usd", "--budget", "--run-seconds"])
@pytest.mark.parametrize("amount", ["inf", "nan"])
def test_a_limit_that_is_none(tmp_path: Path, option: str, amount: str) -> None:
    """A manifest is JSON, which has no infinity: a run with one could not be read again."""
    refused(run(tmp_path, "graphs.evaluate", option, amount), f"{option} must be ", f"not {amount}")


def test_figures_of_an_audit_in_no_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot write .*such\.json: .* with --output"):
        writable(tmp_path / "no" / "such.json", "--output")


def test_a_cache_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("")
    refused(run(tmp_path, "graphs.evaluate"), "cannot make", "name another directory in WARDROUND_CACHE")


def test_who_makes_the_cohort_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = demo_benchmark().manifest
    with pytest.raises(InputError, match="were made from another synthetic cohort"):
        synthetic_warehouse(tmp_path, "another")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("making the synthetic cohort of 220 patients in ")
    synthetic_warehouse(tmp_path, manifest.warehouse).close()
    assert capsys.readouterr().err == ""
