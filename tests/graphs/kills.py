"""Runs that are killed again and again, and what must hold of them in the end."""

import json
import os
import random
import signal
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path

from bad_openai import ASKING
from servers import CountingServer, Runner, counting_server

CONCURRENCY, SESSIONS, LATENCY = 3, 4, 0.01
DEADLINE = 60.0


def options(server: CountingServer, *, asking: bool = False) -> dict[str, object]:
    """Give the options of a run; ``asking``: of a doctor who asks patients for whom a model speaks."""
    patient = {"patient_model": "openai-compatible/patient", "patient_base_url": server.url}
    return {
        "model": f"openai-compatible/{ASKING if asking else 'careful'}",
        "base_url": server.url,
        "limit": SESSIONS,
        "concurrency": CONCURRENCY,
        **(patient if asking else {}),
    }


@dataclass(frozen=True)
class Whole:
    """A run nobody killed: what it ended with, and how often each request was served."""

    path: Path
    counts: Counter[str]
    seconds: float
    asking: bool


def whole_run(runner: Runner, folder: Path, *, asking: bool = False) -> Whole:
    """Run all sessions in one process, undisturbed."""
    with counting_server(folder / "server", LATENCY) as server:
        asked = options(server, asking=asking)
        assert runner.run(output=folder / "warm", **{**asked, "limit": 1}) == 0, runner.output()
        warm = server.counts()
        started = time.monotonic()
        assert runner.run(output=folder / "runs", **asked) == 0, runner.output()
        (path,) = (folder / "runs").iterdir()
        return Whole(path, server.counts() - warm, time.monotonic() - started, asking)


def workers_of(run: Path) -> list[int]:
    """Give the ids of the processes that hold the lock files of a run's workers."""
    held = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                opened = [str(link.readlink()) for link in (entry / "fd").iterdir()]
            except OSError:
                continue  # it ended meanwhile, or is somebody else's
            if any(path.startswith(f"{run}/lock-") for path in opened):
                held.append(int(entry.name))
    return sorted(held)


def run_in(runs: Path) -> Path | None:
    """Give the run of a folder; None where it was killed before it was one, and is started again."""
    return next(iter(runs.glob("[!.]*")), None)


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def journal_lines(run: Path) -> int:
    return sum(map(lines, run.glob("journal/*.jsonl")))


@dataclass
class Killer:
    """Kills at moments of four kinds: after some time, amid calls, as results are written, as the run is closed.

    ``spare_parent``: every other time a worker of the run is killed, and not the process that started it.
    """

    rng: random.Random
    seconds: float
    spare_parent: bool = False
    kills: Counter[str] = field(default_factory=Counter)
    workers_killed: int = 0

    def kill(self, process: BaseProcess, runs: Path) -> bool:
        """Wait for the moment and kill; False when the run ended before it came."""
        kind = ("time", "call", "result", "close")[self.kills.total() % 4]
        run = run_in(runs)
        calls = (journal_lines(run) if run else 0) + self.rng.randint(1, 12)
        results = (lines(run / "results.jsonl") if run else 0) + 1
        until = time.monotonic() + self.rng.uniform(0.02, self.seconds)
        deadline = time.monotonic() + DEADLINE
        while process.is_alive() and time.monotonic() < deadline:
            run = run_in(runs)
            if run is not None and (
                (kind == "time" and time.monotonic() >= until)
                or (kind == "call" and journal_lines(run) >= calls)
                or (kind == "result" and lines(run / "results.jsonl") >= results)
                or (kind == "close" and list(run.glob("metrics.json*")))
            ):
                self._kill(process, run)
                self.kills[kind] += 1
                return True
            time.sleep(0.001)
        process.join()
        return False

    def _kill(self, process: BaseProcess, run: Path) -> None:
        workers = workers_of(run) if self.spare_parent and self.rng.random() < 0.5 else []
        if workers:
            os.kill(self.rng.choice(workers), signal.SIGKILL)
            self.workers_killed += 1
        else:
            process.kill()
        process.join()


def contents(run: Path, name: str) -> dict[str, object]:
    records = [json.loads(line) for line in (run / name).read_text().splitlines() if line]
    return {record["session_id"]: record for record in records}


def kill_until(times: int, runner: Runner, whole: Whole, folder: Path, workers: int = 1) -> Killer:
    """Kill runs ``times`` in all, finish each, and check what came of it."""
    killer = Killer(random.Random(20261129), whole.seconds, spare_parent=workers > 1)  # noqa: S311 - when to kill
    attempt = 0
    while killer.kills.total() < times:
        attempt += 1
        runs = folder / f"runs-{attempt}"
        with counting_server(folder / f"server-{attempt}", LATENCY) as server:
            before = killer.kills.total()
            asked = options(server, asking=whole.asking)
            process = runner.start(output=runs, workers=workers, **asked)
            while killer.kill(process, runs) and killer.kills.total() < times:
                run = run_in(runs)
                where = {"output": runs, **asked} if run is None else {"resume": run}
                process = runner.start(workers=workers, **where)
            run = run_in(runs)
            assert run is not None
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
