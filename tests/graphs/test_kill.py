"""A run that is killed anywhere, any number of times, ends with the same figures and pays for no call twice."""

import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from servers import CountingServer, Runner, counting_server

CONCURRENCY, SESSIONS, LATENCY = 3, 4, 0.01
DEADLINE = 60.0


def options(server: CountingServer) -> dict[str, object]:
    return {
        "model": "openai-compatible/careful",
        "base_url": server.url,
        "limit": SESSIONS,
        "concurrency": CONCURRENCY,
    }


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(tmp_path_factory.mktemp("kill"))


@dataclass(frozen=True)
class Whole:
    """A run nobody killed: what it ended with, and how often each request was served."""

    path: Path
    counts: Counter[str]
    seconds: float


@pytest.fixture(scope="module")
def whole(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    folder = tmp_path_factory.mktemp("whole")
    with counting_server(folder / "server", LATENCY) as server:
        assert runner.run(output=folder / "warm", **{**options(server), "limit": 1}) == 0, runner.output()
        warm = server.counts()
        started = time.monotonic()
        assert runner.run(output=folder / "runs", **options(server)) == 0, runner.output()
        (path,) = (folder / "runs").iterdir()
        return Whole(path, server.counts() - warm, time.monotonic() - started)


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def journal_lines(run: Path) -> int:
    return sum(map(lines, run.glob("journal/*.jsonl")))


@dataclass
class Killer:
    """Kills at moments of four kinds: after some time, amid calls, as results are written, as the run is closed."""

    rng: random.Random
    seconds: float
    kills: Counter[str] = field(default_factory=Counter)

    def kill(self, process: BaseProcess, runs: Path) -> bool:
        """Wait for the moment and kill; False when the run ended before it came."""
        kind = ("time", "call", "result", "close")[self.kills.total() % 4]
        run = next(iter(runs.iterdir()), None) if runs.exists() else None
        calls = (journal_lines(run) if run else 0) + self.rng.randint(1, 12)
        results = (lines(run / "results.jsonl") if run else 0) + 1
        until = time.monotonic() + self.rng.uniform(0.02, self.seconds)
        deadline = time.monotonic() + DEADLINE
        while process.is_alive() and time.monotonic() < deadline:
            run = next(iter(runs.iterdir()), None) if runs.exists() else None
            if run is not None and (
                (kind == "time" and time.monotonic() >= until)
                or (kind == "call" and journal_lines(run) >= calls)
                or (kind == "result" and lines(run / "results.jsonl") >= results)
                or (kind == "close" and list(run.glob("metrics.json*")))
            ):
                process.kill()
                process.join()
                self.kills[kind] += 1
                return True
            time.sleep(0.001)
        process.join()
        return False


def contents(run: Path, name: str) -> dict[str, object]:
    records = [json.loads(line) for line in (run / name).read_text().splitlines() if line]
    return {record["session_id"]: record for record in records}


def kill_until(times: int, runner: Runner, whole: Whole, folder: Path) -> Killer:
    killer = Killer(random.Random(20261129), whole.seconds)  # noqa: S311 - when to kill
    attempt = 0
    while killer.kills.total() < times:
        attempt += 1
        runs = folder / f"runs-{attempt}"
        with counting_server(folder / f"server-{attempt}", LATENCY) as server:
            before = killer.kills.total()
            process = runner.start(output=runs, **options(server))
            while killer.kill(process, runs) and killer.kills.total() < times:
                (run,) = runs.iterdir()
                process = runner.start(resume=run)
            (run,) = runs.iterdir()
            if process.is_alive():
                process.join()
            assert runner.run(resume=run) == 0, runner.output()
            check(run, server, whole, killer.kills.total() - before)
    return killer


def check(run: Path, server: CountingServer, whole: Whole, kills: int) -> None:
    assert (run / "metrics.json").read_bytes() == (whole.path / "metrics.json").read_bytes()
    kept = [
        json.loads(line)["reply"]["reply_id"]
        for file in run.glob("journal/*.jsonl")
        for line in file.read_bytes().splitlines(keepends=True)
        if line.endswith(b"\n")
    ]
    served = server.served()
    paid = Counter(digest for digest, reply_id in served if reply_id in set(kept))
    assert len(kept) == len(set(kept))
    assert paid == whole.counts
    lost = len(served) - sum(paid.values())
    assert lost <= CONCURRENCY * kills, f"{lost} replies were lost in {kills} kills"
    trajectories = [contents(path, "trajectories.jsonl") for path in (run, whole.path)]
    for trajectory in trajectories:
        for record in trajectory.values():
            for turn in record["turns"]:  # type: ignore[index]
                turn.pop("seconds")
                for step in turn["steps"]:
                    step.pop("seconds")
    assert trajectories[0] == trajectories[1]
    assert contents(run, "results.jsonl") == contents(whole.path, "results.jsonl")


def test_twenty_kills(runner: Runner, whole: Whole, tmp_path: Path) -> None:
    killer = kill_until(20, runner, whole, tmp_path)
    assert min(killer.kills[kind] for kind in ("time", "call", "result", "close")) >= 1, killer.kills


@pytest.mark.slow
def test_fifty_kills(runner: Runner, whole: Whole, tmp_path: Path) -> None:
    kill_until(50, runner, whole, tmp_path)
