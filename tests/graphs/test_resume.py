"""A run that is killed goes on from its checkpoints and ends with the same figures."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage
from wards import OpenWard, Run

from agents.offline.trivial import EchoDoctor
from graphs.close_run import close_run
from graphs.evaluate import make_manifest, unchanged
from graphs.run_folder import RunFolder, read_manifest
from graphs.run_sessions import run_sessions
from state.base import InputError
from state.outcome import Errored, Party


class FailsOnTurn(EchoDoctor):
    """Raise at one turn of a session, as a provider that is down does."""

    asked: int

    def reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        if sum(message.type == "human" for message in messages) == self.asked:
            raise ConnectionError("the provider hung up")
        return super().reply(messages)


def test_a_providers_failure_is_no_zero_and_is_tried_again(open_ward: OpenWard, run: Run) -> None:
    ward = open_ward("offline/gold", limit=2)
    gold, ward.make_doctor = ward.make_doctor, lambda _: FailsOnTurn(asked=2)
    folder = run(ward)
    for result in folder.results():
        assert [turn.outcome.kind for turn in result.turns] == ["scored", "errored", "errored", "errored"]
        broken = result.turns[1].outcome
        assert isinstance(broken, Errored)
        assert broken.who is Party.PROVIDER
        assert "hung up" in broken.error
    ward.make_doctor = gold
    asyncio.run(run_sessions(ward, folder, 2))
    assert {turn.outcome.kind for result in folder.results() for turn in result.turns} == {"scored"}


def test_a_killed_run_resumes_to_the_same_figures(cohort_cache: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "graphs.evaluate", "--model", "offline/gold", "--concurrency", "1"]
    environment = {**os.environ, "WARDROUND_CACHE": str(cohort_cache)}
    whole = tmp_path / "whole"
    subprocess.run([*command, "--output", str(whole)], check=True, env=environment, capture_output=True)

    cut = tmp_path / "cut"
    process = subprocess.Popen([*command, "--output", str(cut)], env=environment, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not list(cut.glob("*/results.jsonl")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (run,) = cut.iterdir()
    assert not (run / "metrics.json").exists()
    done = len((run / "results.jsonl").read_text().splitlines())
    subprocess.run(
        [sys.executable, "-m", "graphs.evaluate", "--resume", str(run)],
        check=True,
        env=environment,
        capture_output=True,
    )
    (complete,) = whole.iterdir()
    assert 0 < done < len((run / "results.jsonl").read_text().splitlines())
    assert json.loads((run / "metrics.json").read_text()) == json.loads(
        (complete / "metrics.json").read_text()
    )


def test_a_changed_benchmark_is_not_resumed(cohort_cache: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "WARDROUND_CACHE": str(cohort_cache)}
    command = [sys.executable, "-m", "graphs.evaluate"]
    subprocess.run(
        [*command, "--model", "offline/echo", "--limit", "1", "--output", str(tmp_path / "runs")],
        check=True,
        env=environment,
        capture_output=True,
    )
    (run,) = (tmp_path / "runs").iterdir()
    manifest: dict[str, Any] = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**manifest, "benchmark": "0" * 64}))
    refused = subprocess.run(
        [*command, "--resume", str(run)], env=environment, capture_output=True, text=True
    )
    assert refused.returncode == 2
    assert "benchmark changed" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    "what",
    ["benchmark", "warehouse", "prompts", "vocabulary", "patient_words", "labels", "grading_words", "tools"],
)
def test_whatever_the_figures_rest_on_is_named_when_it_changed(open_ward: OpenWard, what: str) -> None:
    now = make_manifest(open_ward("offline/gold"))
    assert unchanged(now, now) == now
    assert getattr(now, what) not in {"", "0" * 64}
    with pytest.raises(InputError, match=rf"cannot be gone on with: {what} changed \(00000000 was, "):
        unchanged(now.model_copy(update={what: "0" * 64}), now)


def test_a_run_folder_is_never_without_its_manifest(open_ward: OpenWard, tmp_path: Path) -> None:
    """A run killed in between could be neither started again nor resumed."""
    manifest = make_manifest(open_ward("offline/gold"))
    stop, bare = threading.Event(), []

    def look() -> None:
        while not stop.is_set():
            runs = tmp_path.glob("[!.]*")
            bare.extend(run for run in runs if not (run / "manifest.json").exists() and run.exists())

    looking = threading.Thread(target=look)
    looking.start()
    for number in range(300):
        made = RunFolder.create(tmp_path, manifest.model_copy(update={"run_id": f"run-{number}"}))
        shutil.rmtree(made.path.rename(tmp_path / ".gone"))
    stop.set()
    looking.join()
    assert bare == []


def test_a_run_that_is_there_is_not_written_over(open_ward: OpenWard, tmp_path: Path) -> None:
    manifest = make_manifest(open_ward("offline/gold"))
    RunFolder.create(tmp_path, manifest)
    with pytest.raises(InputError, match="exists already"):
        RunFolder.create(tmp_path, manifest)


@pytest.mark.parametrize("tail", ['{"session_id": "cut off', ""])
def test_a_line_cut_off_by_a_crash_spoils_no_other(open_ward: OpenWard, run: Run, tail: str) -> None:
    ward = open_ward("offline/echo", limit=1)
    folder = run(ward)
    with (folder.path / "results.jsonl").open("a") as file:
        file.write(tail)
    ward = open_ward("offline/echo", limit=2)
    asyncio.run(run_sessions(ward, folder, 1))
    assert [result.session_id for result in folder.results()] == [s.session_id for s in ward.planned]


def test_a_text_with_other_line_ends_is_one_line(open_ward: OpenWard, run: Run) -> None:
    """JSON leaves U+2028 and U+0085 as they are: a session whose answer held one never counted as finished."""
    folder = run(open_ward("offline/echo", limit=1))
    (result,), (record,) = folder.results(), folder.records()
    first, *others = record.turns
    told = first.model_copy(update={"answer": "Potassium\u2028is\u0085low.\u2029"})
    folder.append(result, record.model_copy(update={"turns": (told, *others)}))
    assert folder.records()[0].turns[0].answer == told.answer
    assert (folder.broken_lines(), len(folder.finished())) == ([], 1)


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        (
            '{"run_id": "x"}',
            "manifest.json: started: Field required; take it from a copy of the run, or run again",
        ),
        ("{", "manifest.json: the text: Invalid JSON"),
        (b"\xe9{}", "manifest.json is not UTF-8 at byte 0; take it from a copy of the run"),
    ],
)
def test_a_broken_manifest_is_told_as_one_of_a_run(tmp_path: Path, spoilt: str | bytes, said: str) -> None:
    (tmp_path / "manifest.json").write_bytes(spoilt if isinstance(spoilt, bytes) else spoilt.encode())
    with pytest.raises(InputError) as refused:
        read_manifest(tmp_path)
    assert said in str(refused.value)
    assert "set" not in str(refused.value).replace(str(tmp_path), "").split()


def test_a_line_of_another_version_is_told_with_file_and_line(open_ward: OpenWard, run: Run) -> None:
    folder = run(open_ward("offline/echo", limit=1))
    file = folder.path / "results.jsonl"
    file.write_text(file.read_text("utf-8") + '{"session_id": "x"}\n', "utf-8")
    with pytest.raises(
        InputError, match=r"results\.jsonl line 2: .*; delete the line: .* --resume .* holds that"
    ):
        folder.results()


def test_a_result_without_its_trajectory_is_held_again(open_ward: OpenWard, run: Run) -> None:
    """A spoilt line of trajectories.jsonl leaves a result that nothing could be shown for."""
    ward = open_ward("offline/echo", limit=2)
    folder = run(ward)
    whole = folder.results()
    file = folder.path / "trajectories.jsonl"
    first, *others = file.read_text().splitlines()
    file.write_text("\n".join([first[: len(first) // 2], *others]) + "\n")
    assert len(folder.finished()) == 1
    asyncio.run(run_sessions(ward, folder, 1))
    assert {result.session_id: result for result in folder.results()} == {r.session_id: r for r in whole}
    close_run(ward, folder, read_manifest(folder.path))
