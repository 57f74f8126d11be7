"""Bad input ends with one sentence on stderr and exit code 2, and leaves nothing behind."""

import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest


def run(tmp_path: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "WARDROUND_CACHE": str(tmp_path / "cache"), "COLUMNS": "200"}
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )


def refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    """Copy the demo sessions to where a test may spoil them."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    for entry in (files("configs") / "demo").iterdir():
        if entry.is_file():
            (folder / entry.name).write_bytes(entry.read_bytes())
    return folder


def test_unknown_model(tmp_path: Path) -> None:
    refused(
        run(tmp_path, "graphs.evaluate", "--model", "offline/nobody"), "offline/nobody", "offline/baseline"
    )
    assert not (tmp_path / "runs").exists()


def test_unknown_judge(tmp_path: Path) -> None:
    refused(run(tmp_path, "graphs.evaluate", "--judge", "offline/coin"), "offline/coin", "offline/rules")
    assert not (tmp_path / "runs").exists()


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


def test_unbuilt_scenario(tmp_path: Path, empty_warehouse: Path) -> None:
    done = run(
        tmp_path,
        "graphs.generate",
        "--ehr",
        str(empty_warehouse),
        "--scenarios",
        "discharge_planning",
        "--out",
        "o",
    )
    refused(done, "discharge_planning", "not built yet")
    assert not (tmp_path / "o").exists()


def test_unworded_language(tmp_path: Path) -> None:
    refused(run(tmp_path, "graphs.evaluate", "--language", "zh"), "not worded in 'zh'")


def test_resume_of_no_run(tmp_path: Path) -> None:
    refused(run(tmp_path, "graphs.evaluate", "--resume", str(tmp_path)), "is not a run")
