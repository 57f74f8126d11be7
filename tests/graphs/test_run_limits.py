"""A run says what it will take, stops where it may take no more, says how to go on, and goes on."""

import json
import os
import re
import signal
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from servers import CountingServer, Runner, counting_server

CENT_A_CALL = {"input_usd": 0.0, "output_usd": 1000.0}
"""The scripted server counts 10 tokens written for every reply."""


@pytest.fixture(scope="module")
def runner(cohort_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(tmp_path_factory.mktemp("limits"), cohort_cache)


@pytest.fixture
def models(tmp_path: Path) -> Any:
    """Give a function that writes a catalogue with one model of the server, with a price or without."""

    def write(url: str, price: dict[str, float] | None = None, **facts: Any) -> Path:
        source = {"url": url, "read": "2026-01-01", "says": "made up"}
        model = {} if price is None else {"price": {**price, "source": source}}
        path = tmp_path / "models.yaml"
        path.write_text(
            yaml.safe_dump({"providers": {"loopback": {"base_url": url, **facts, "models": {"m": model}}}})
        )
        return path

    return write


def said(runner: Runner, **options: Any) -> tuple[int, str]:
    before = len(runner.output()) if runner.log.exists() else 0
    code = runner.run(**options)
    return code, " ".join(runner.output()[before:].split())


def only(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_a_budget_stops_the_run_and_a_larger_one_goes_on(runner: Runner, models: Any, tmp_path: Path) -> None:
    with counting_server(tmp_path / "server") as server:
        file = models(server.url, CENT_A_CALL)
        whole = {"model": "loopback/m", "models": file, "limit": 3, "concurrency": 3, "output_tokens": 10}
        code, text = said(runner, output=tmp_path / "runs", budget=0.155, **whole)
        run = only(tmp_path / "runs")
        assert code == 3
        assert "the budget of $0.155 is spent" in text
        assert f"python -m graphs.evaluate --resume {run}" in text
        assert len(server.served()) == 15
        assert json.loads((run / "bill.json").read_text())["roles"]["doctor"]["usd"] == pytest.approx(0.15)
        code, text = said(runner, resume=run, budget=0.2)
        assert code == 3
        assert len(server.served()) == 20
        code, text = said(runner, resume=run)
        assert code == 0
        assert "expected" in text
        assert "billed 36 calls" in text
        assert "$0.3600" in text
        assert max(server.counts().values()) == 1
        assert len(server.served()) == 36


@pytest.mark.parametrize("plan", [{"concurrency": 1}, {"concurrency": 8}, {"concurrency": 8, "workers": 2}])
def test_no_more_calls_are_begun_than_a_run_may_make(
    runner: Runner, models: Any, tmp_path: Path, plan: dict[str, int]
) -> None:
    with counting_server(tmp_path / "server", 0.1) as server:
        whole = {"output": tmp_path / "runs", "model": "loopback/m", "models": models(server.url), "limit": 8}
        code, text = said(runner, run_calls=7, **whole, **plan)
        assert code == 3
        assert "the run's limit of 7 calls is reached" in text
        assert len(server.served()) == 7


def test_a_run_stops_before_a_call_that_could_break_its_tokens(
    runner: Runner, models: Any, tmp_path: Path
) -> None:
    with counting_server(tmp_path / "server") as server:
        whole = {"model": "loopback/m", "models": models(server.url), "limit": 8, "output_tokens": 10}
        code, text = said(runner, output=tmp_path / "none", run_tokens=10, **whole)
        assert code == 3
        assert server.served() == []
        taken = re.search(r"limit of 10 tokens is reached: 0 so far, and the next call can take (\d+);", text)
        assert taken is not None
        limit = int(taken[1]) + 200
        code, text = said(runner, output=tmp_path / "some", run_tokens=limit, concurrency=8, **whole)
        assert code == 3
        assert f"limit of {limit} tokens is reached" in text
        assert 1 <= len(server.served()) <= 3


def test_a_dry_run_calls_nobody_and_writes_nothing(runner: Runner, models: Any, tmp_path: Path) -> None:
    with counting_server(tmp_path / "server") as server:
        options = {"output": tmp_path / "runs", "model": "loopback/m", "limit": 2, "dry_run": True}
        code, text = said(runner, models=models(server.url, CENT_A_CALL), **options)
        assert code == 0
        assert "2 sessions, expected" in text
        assert "$" in text
        code, text = said(runner, models=models(server.url), **options)
        assert "unknown" in text
        assert "$0" not in text
        assert server.served() == []
    assert not (tmp_path / "runs").exists()


def test_the_expected_calls_are_those_of_gold(runner: Runner, models: Any, tmp_path: Path) -> None:
    """The careful doctor makes three calls a turn, gold one for each of its reads and one to answer."""
    with counting_server(tmp_path / "server") as server:
        code, _ = said(
            runner, output=tmp_path / "runs", model="loopback/m", models=models(server.url), limit=2
        )
    run = only(tmp_path / "runs")
    expected = json.loads((run / "estimate.json").read_text())["roles"]["doctor"]
    billed = json.loads((run / "bill.json").read_text())["roles"]["doctor"]
    assert code == 0
    assert billed["calls"] == 24
    assert 8 < expected["calls"] < 48
    assert expected["usage"]["input_tokens"] > 1000 * expected["calls"]
    assert expected["usd"] is None
    assert billed["usd"] is None


def test_a_budget_needs_a_price(runner: Runner, models: Any, tmp_path: Path) -> None:
    with counting_server(tmp_path / "server") as server:
        options = {"output": tmp_path / "runs", "model": "loopback/m", "models": models(server.url)}
        code, text = said(runner, budget=1.0, **options)
    assert code == 2
    assert "--budget cannot be kept: the price of 'loopback/m' is not known" in text
    assert not (tmp_path / "runs").exists()


def test_a_missing_key_is_said_before_anything_is_written(
    runner: Runner, models: Any, tmp_path: Path
) -> None:
    file = models("http://127.0.0.1:9/v1", key_variable="LOOPBACK_KEY_NOBODY_SET")
    code, text = said(runner, output=tmp_path / "runs", model="loopback/m", models=file)
    assert code == 2
    assert "set LOOPBACK_KEY_NOBODY_SET" in text
    assert not (tmp_path / "runs").exists()


def test_nothing_scored_is_no_success_and_names_the_cause(
    runner: Runner, models: Any, tmp_path: Path
) -> None:
    with counting_server(tmp_path / "server", fault="401") as server:
        code, text = said(
            runner, output=tmp_path / "runs", model="loopback/m", models=models(server.url), limit=2
        )
    assert code == 3
    assert "failed: provider, 2 turns: authentication: HTTP 401: scripted 401 (tried once)" in text
    assert "nothing was scored" in text


def wait_for_calls(server: CountingServer, count: int) -> None:
    deadline = time.monotonic() + 60
    while len(server.served()) < count and time.monotonic() < deadline:
        time.sleep(0.01)


def test_ctrl_c_says_how_to_go_on_and_a_second_process_is_kept_out(
    runner: Runner, models: Any, tmp_path: Path
) -> None:
    with counting_server(tmp_path / "server", 0.05) as server:
        options = {"model": "loopback/m", "models": models(server.url), "limit": 10, "concurrency": 2}
        before = len(runner.output()) if runner.log.exists() else 0
        process = runner.start(output=tmp_path / "runs", **options)
        wait_for_calls(server, 4)
        run = only(tmp_path / "runs")
        code, text = said(runner, resume=run)
        assert code == 2
        assert "is being run by another process" in text
        assert process.pid is not None
        os.kill(process.pid, signal.SIGINT)
        process.join(30)
        assert process.exitcode == 130
        text = " ".join(runner.output()[before:].split())
        assert f"go on with python -m graphs.evaluate --resume {run}" in text
        assert "Traceback" not in text
        assert runner.run(resume=run) == 0
        kept = sum(file.read_bytes().count(b"\n") for file in run.glob("journal/*.jsonl"))
        assert kept == 120
        assert len(server.served()) <= 120 + 2


def test_why_miss_says_what_is_paid_again(runner: Runner, models: Any, tmp_path: Path) -> None:
    with counting_server(tmp_path / "server") as server:
        options = {"model": "loopback/m", "models": models(server.url), "limit": 1}
        assert runner.run(output=tmp_path / "one", **options) == 0
        borrowed = {"replies_from": only(tmp_path / "one"), **options}
        assert runner.run(output=tmp_path / "two", **borrowed) == 0
        assert len(server.served()) == 12
        code, text = said(runner, output=tmp_path / "three", temperature=0.9, why_miss=True, **borrowed)
        assert code == 0
        assert "turn 0 call 0, changed: parameters" in text
        assert len(server.served()) == 24


@pytest.mark.parametrize(
    "field", ["benchmark", "prompts", "grading_version", "parameters", "tools", "vocabulary"]
)
def test_a_run_whose_ground_has_changed_is_not_gone_on_with(
    runner: Runner, tmp_path: Path, field: str
) -> None:
    assert runner.run(output=tmp_path / "runs", model="offline/echo", limit=1) == 0
    run = only(tmp_path / "runs")
    manifest = json.loads((run / "manifest.json").read_text())
    was = {"grading_version": 0, "parameters": {"temperature": 1.0}}.get(field, "0" * 64)
    (run / "manifest.json").write_text(json.dumps({**manifest, field: was}))
    code, text = said(runner, resume=run)
    assert code == 2
    assert f"{field} changed" in text
    assert "Traceback" not in text
