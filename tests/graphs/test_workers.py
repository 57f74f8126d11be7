"""Several processes share a run: the same figures, one budget, one rate, and any of them may be killed."""

import asyncio
import json
import multiprocessing
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from kills import Whole, check, journal_lines, kill_until, options, whole_run, workers_of
from servers import Runner, counting_server

from agents.cells import Cells
from agents.limiter import RATE_CELLS, Bucket
from agents.purse import RunLimits
from graphs.run_workers import RunPlan
from state.bill import Bill

WORKERS = 2
LINUX_ONLY = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="workers are found through /proc")


@pytest.fixture(scope="module")
def runner(cohort_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(tmp_path_factory.mktemp("workers"), cohort_cache)


@pytest.fixture(scope="module")
def whole(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return whole_run(runner, tmp_path_factory.mktemp("whole"))


def test_workers_end_with_the_figures_of_one_process(runner: Runner, whole: Whole, tmp_path: Path) -> None:
    with counting_server(tmp_path / "server") as server:
        assert runner.run(output=tmp_path / "runs", workers=WORKERS, **options(server)) == 0, runner.output()
        (run,) = (tmp_path / "runs").iterdir()
        check(run, server, whole, kills=0)
    assert len(list(run.glob("journal/*.jsonl"))) == len(list(run.glob("checkpoints-*.sqlite"))) == WORKERS
    bill = Bill.model_validate_json((run / "bill.json").read_text())
    assert bill.total.calls == whole.counts.total()


def test_workers_run_every_session_as_often_as_asked(runner: Runner, tmp_path: Path) -> None:
    asked = {"model": "offline/baseline", "limit": 3, "epochs": 2}
    for workers in (1, WORKERS):
        assert runner.run(output=tmp_path / f"runs-{workers}", workers=workers, **asked) == 0, runner.output()
    one, several = (next((tmp_path / f"runs-{workers}").iterdir()) for workers in (1, WORKERS))
    assert (one / "metrics.json").read_bytes() == (several / "metrics.json").read_bytes()
    assert len((several / "results.jsonl").read_text().splitlines()) == 6


@LINUX_ONLY
def test_workers_and_their_run_are_killed(runner: Runner, whole: Whole, tmp_path: Path) -> None:
    killer = kill_until(5, runner, whole, tmp_path, WORKERS)
    assert killer.workers_killed


@LINUX_ONLY
def test_a_killed_worker_ends_the_run_and_is_named(runner: Runner, whole: Whole, tmp_path: Path) -> None:
    with counting_server(tmp_path / "server", 0.3) as server:
        process = runner.start(output=tmp_path / "runs", workers=WORKERS, **options(server))
        run = begun(tmp_path / "runs")
        os.kill(workers_of(run)[0], signal.SIGKILL)
        process.join()
        assert process.exitcode == 3, runner.output()
        assert "was killed by signal 9; go on with" in " ".join(runner.output().split())
        assert workers_of(run) == []
        assert runner.run(resume=run) == 0, runner.output()
        check(run, server, whole, kills=1)


@LINUX_ONLY
def test_ctrl_c_ends_all_and_says_how_to_go_on(runner: Runner, whole: Whole, tmp_path: Path) -> None:
    with counting_server(tmp_path / "server", 0.3) as server:
        process = runner.start(output=tmp_path / "runs", workers=WORKERS, **options(server))
        run = begun(tmp_path / "runs")
        for pid in (*workers_of(run), process.pid):  # as a terminal does, to every process of the group
            os.kill(pid or 0, signal.SIGINT)
        process.join()
        assert process.exitcode == 130, runner.output()
        assert f"go on with python -m graphs.evaluate --resume {run}" in " ".join(runner.output().split())
        assert workers_of(run) == []
        assert runner.run(resume=run, workers=WORKERS) == 0, runner.output()
        check(run, server, whole, kills=1)


def begun(runs: Path) -> Path:
    """Wait until both workers of a run have paid for a call."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        for run in runs.glob("*"):
            if len(list(run.glob("journal/*.jsonl"))) == WORKERS and journal_lines(run) > WORKERS:
                return run
        time.sleep(0.01)
    raise AssertionError("no call was made")


def test_a_budget_is_kept_across_workers(runner: Runner, tmp_path: Path) -> None:
    source = {"url": "http://127.0.0.1", "read": "2026-01-01", "says": "a cent a call"}
    price = {"input_usd": 0.0, "output_usd": 1000.0, "source": source}  # ten tokens are a cent
    with counting_server(tmp_path / "server") as server:
        provider = {"base_url": server.url, "models": {"m": {"price": price}}}
        models = tmp_path / "models.yaml"
        models.write_text(json.dumps({"providers": {"loopback": provider}}))
        asked = {"model": "loopback/m", "models": models, "limit": 4, "concurrency": 4, "output_tokens": 10}
        runs = tmp_path / "runs"
        assert runner.run(budget=0.07, workers=WORKERS, output=runs, **asked) == 3, runner.output()
        assert len(server.served()) == 7
        (run,) = runs.iterdir()
        assert runner.run(budget=0.15, workers=WORKERS, resume=run) == 3, runner.output()
        assert len(server.served()) == 15
        assert runner.run(workers=WORKERS, resume=run) == 0, runner.output()
        assert len(server.served()) == len({digest for digest, _ in server.served()}) == 48


def spend(cells: Cells, calls: int, admitted: Any) -> None:
    """Pass a bucket as often as asked, in a process of its own."""

    async def all_calls() -> None:
        bucket = Bucket(600, None, time.monotonic, cells=cells)
        for _ in range(calls):
            await bucket.enter(1)
            admitted.put(time.monotonic())

    asyncio.run(all_calls())


def test_processes_keep_one_rate() -> None:
    """600 a minute, of which 100 may come at once: 130 calls of two processes take at least 3 seconds."""
    context = multiprocessing.get_context("forkserver")
    cells, admitted = Cells.together(RATE_CELLS, context), context.SimpleQueue()
    processes = [context.Process(target=spend, args=(cells, 65, admitted)) for _ in range(2)]
    for process in processes:
        process.start()
    times = sorted(admitted.get() for _ in range(130))
    for process in processes:
        process.join()
    assert times[129] - times[0] >= 3.0 - 0.1


@pytest.mark.parametrize(
    ("workers", "concurrency", "shares"), [(1, 8, [8]), (3, 8, [3, 3, 2]), (4, 2, [1, 1])]
)
def test_sessions_at_a_time_are_dealt_out(workers: int, concurrency: int, shares: list[int]) -> None:
    assert RunPlan(workers, concurrency, RunLimits()).shares() == shares
