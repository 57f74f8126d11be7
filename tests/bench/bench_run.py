"""Time a run beside its floor: the same model and tools in a plain loop.

Run with ``PYTHONPATH=.:tests:tests/graphs python tests/bench/bench_run.py``; ``--latency 0.2`` has a served model that
takes that long for every reply, in a process of its own, in place of ``offline/gold``. Prints beside each other

- wall time, from the first call on, over the ideal critical path: what the replies alone take when sessions start in
  the order planned, as many at a time as asked for, and all else costs nothing;
- CPU a session of the harness, workers included, and of the server, which takes part of the same processors;
- disk a session;
- the share of sessions that were judged and kept before the last call of the run was answered.
"""

import argparse
import asyncio
import heapq
import math
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from kills import workers_of
from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage
from servers import CountingServer, counting_server

from agents.conversation import system_message
from agents.doctors import Doctor
from agents.gateway import Call, Gateway
from agents.offline.model import ask_program
from agents.purse import RunLimits
from configs.settings import set_tracing
from graphs.benchmark import Benchmark, read_benchmark
from graphs.evaluate import make_manifest
from graphs.generate import generate
from graphs.run_folder import RunFolder
from graphs.run_sessions import run_sessions
from graphs.run_workers import RunPlan, run_in_workers
from graphs.ward import Ward
from graphs.workshop import Workshop
from state.journal import Place, Role
from state.manifest import RunSettings
from state.models import ServedModel
from state.session import Scenario, Session
from tools.ehr.chart import Chart
from tools.ehr.synth import synthesise
from tools.ehr.warehouse import Warehouse
from tools.fhir.toolset import Toolset

PATIENTS, SEED = 400, 7


@contextmanager
def many_sessions(wanted: int, ehr: Path | None, made: Path | None) -> Iterator[tuple[Warehouse, Path]]:
    """Make a synthetic cohort and sessions on it, or open those that are there."""
    if ehr is not None and made is not None:
        with Warehouse.open(ehr) as warehouse:
            yield warehouse, made
        return
    with tempfile.TemporaryDirectory() as place:
        file, out = Path(place) / "cohort.duckdb", Path(place) / "sessions"
        synthesise(file, patients=PATIENTS, seed=SEED)
        with Warehouse.open(file) as warehouse:
            generate(Workshop(warehouse, tuple(Scenario), SEED), wanted, out)
            yield warehouse, out


def cut_short(benchmark: Benchmark, turns: int) -> Benchmark:
    """Keep the first turns of every session."""
    return replace(
        benchmark,
        sessions=tuple(s.model_copy(update={"turns": s.turns[:turns]}) for s in benchmark.sessions),
        gold={of: g.model_copy(update={"turns": g.turns[:turns]}) for of, g in benchmark.gold.items()},
    )


async def plain_session(ward: Ward, gateway: Gateway, session: Session) -> None:
    """Run a session's model and tools with nothing around them."""
    chart = Chart(ward.warehouse, session.subject_id, session.as_of, session.hadm_id)
    toolset = Toolset(chart, ward.vocabulary, ward.dictionaries)
    doctor: Doctor = ward.make_doctor(ward.benchmark.gold[session.session_id])
    messages: list[AnyMessage] = [system_message(chart, session.hadm_id, ward.settings.language)]
    for turn in session.turns:
        messages.append(HumanMessage(turn.wording[ward.settings.language].implicit))
        for step in range(100):
            if isinstance(doctor, ServedModel):
                place = Place(role=Role.DOCTOR, session_id=session.session_id, turn=turn.index, step=step)
                reply = await gateway.ask(Call(doctor, place, messages, ward.wire_tools))
            else:
                reply = await ask_program(doctor, messages, toolset.as_langchain(), math.inf)
            messages.append(reply)
            if not reply.tool_calls:
                break
            for call in reply.tool_calls:
                result = await asyncio.to_thread(toolset.call, call["name"], call["args"])
                messages.append(ToolMessage(result.text, tool_call_id=call["id"], artifact=result))


async def floor(ward: Ward, concurrency: int) -> None:
    """Run all sessions in plain loops, at most ``concurrency`` at a time."""
    slots = asyncio.Semaphore(concurrency)
    async with Gateway() as gateway:

        async def one(session: Session) -> None:
            async with slots:
                await plain_session(ward, gateway, session)

        await asyncio.gather(*(one(session) for session in ward.planned))


def ideal_seconds(ward: Ward, folder: RunFolder, latency: float, concurrency: int) -> float:
    """Give the ideal critical path in seconds."""
    calls = {record.session_id: sum(len(t.steps) for t in record.turns) for record in folder.records()}
    slots = [0.0] * concurrency
    for session in ward.planned:
        heapq.heapreplace(slots, slots[0] + latency * calls[session.session_id])
    return max(slots)


def cpu_seconds(pid: int) -> float:
    """Read the processor time of a process."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Watch:
    """Looks at the processor time of a run's workers until they are gone."""

    run: Path
    seen: dict[int, float] = field(default_factory=dict)
    over: threading.Event = field(default_factory=threading.Event)

    def look(self) -> None:
        """Look twice a second for new workers, ten times for their time."""
        for tick in range(1_000_000):
            for pid in workers_of(self.run) if tick % 20 == 0 else list(self.seen):
                self.seen[pid] = max(self.seen.get(pid, 0.0), cpu_seconds(pid))
            if self.over.wait(0.1):
                return


@dataclass(frozen=True)
class Measured:
    """What a way of running took: seconds of wall time from the first call on, and of CPU."""

    wall: float
    cpu: float
    kept_before_the_last_call: float = 0.0


def timed_floor(ward: Ward, server: CountingServer | None, concurrency: int) -> Measured:
    """Run the plain loop."""
    before, cpu, started = _calls(server), time.process_time(), time.time()
    asyncio.run(floor(ward, concurrency))
    return Measured(time.time() - _first(server, before, started), time.process_time() - cpu)


def timed_run(
    ward: Ward, folder: RunFolder, server: CountingServer | None, concurrency: int, workers: int
) -> Measured:
    """Run the harness."""
    before, cpu, started = _calls(server), time.process_time(), time.time()
    kept: list[float] = []
    watch = Watch(folder.path)
    if workers == 1:
        asyncio.run(run_sessions(ward, folder, concurrency, lambda: kept.append(time.time())))
    else:
        watching = threading.Thread(target=watch.look)
        watching.start()
        plan = RunPlan(workers, concurrency, RunLimits())
        assert run_in_workers(ward, folder, plan, lambda: kept.append(time.time())) is None
        watch.over.set()
        watching.join()
    last = float(_log(server)[-1].split()[2]) if server is not None else 0.0
    return Measured(
        max(kept) - _first(server, before, started),
        time.process_time() - cpu + sum(watch.seen.values()),
        sum(moment < last for moment in kept) / len(kept),
    )


def _log(server: CountingServer | None) -> list[str]:
    return server.log.read_text().splitlines() if server is not None and server.log.exists() else []


def _calls(server: CountingServer | None) -> int:
    return len(_log(server))


def _first(server: CountingServer | None, before: int, started: float) -> float:
    """Say when the first call was sent; it is logged once it is read."""
    return float(_log(server)[before].split()[2]) if server is not None else started


def measure(
    ward: Ward, server: CountingServer | None, latency: float, concurrency: int, workers: int
) -> None:
    """Run the floor, then the harness; print both."""
    count = len(ward.planned)
    plain = timed_floor(ward, server, concurrency)
    with tempfile.TemporaryDirectory() as place:
        folder = RunFolder.create(Path(place), make_manifest(ward))
        served = cpu_seconds(server.pid) if server is not None else 0.0
        run = timed_run(ward, folder, server, concurrency, workers)
        served = (cpu_seconds(server.pid) - served) if server is not None else 0.0
        disk = sum(file.stat().st_size for file in folder.path.rglob("*") if file.is_file()) / count / 1024
        ideal = ideal_seconds(ward, folder, latency, concurrency)
        calls = sum(len(turn.steps) for record in folder.records() for turn in record.turns)
    against = (
        f", {run.wall / ideal:4.2f}x the ideal {ideal:.1f} s (plain loop {plain.wall / ideal:4.2f}x)"
        if ideal
        else ""
    )
    print(
        f"{count} sessions, {calls} calls, {concurrency:2d} at a time, {workers} workers: {run.wall:6.1f} s{against}; "
        f"CPU {1000 * run.cpu / count:5.1f} ms a session (plain loop {1000 * plain.cpu / count:5.1f}, server "
        f"{1000 * served / count:5.1f}); {disk:5.1f} KiB a session; "
        f"{100 * run.kept_before_the_last_call:.0f} % kept before the last call; load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--sessions", type=int, default=64)
    parser.add_argument("--ehr", type=Path)
    parser.add_argument("--set", type=Path)
    parser.add_argument("--at-a-time", type=int, nargs="+", default=[8, 64])
    parser.add_argument("--turns", type=int, help="Only so many of each session.")
    parser.add_argument("--workers", type=int, nargs="+", default=[1])
    asked = parser.parse_args()
    set_tracing(on=False)
    with (
        many_sessions(asked.sessions, asked.ehr, asked.set) as (warehouse, made),
        tempfile.TemporaryDirectory() as place,
    ):
        benchmark = read_benchmark(made)
        if asked.turns is not None:
            assert asked.workers == [1], "workers read the whole set"
            benchmark = cut_short(benchmark, asked.turns)
        for concurrency in asked.at_a_time:
            for workers in asked.workers:
                if not asked.latency:
                    ward = Ward.open(
                        warehouse, benchmark, RunSettings(model="offline/gold", sessions=str(made))
                    )
                    measure(ward, None, 0.0, concurrency, workers)
                    continue
                with counting_server(Path(place) / f"{concurrency}-{workers}", asked.latency) as server:
                    settings = RunSettings(
                        model="openai-compatible/careful", base_url=server.url, sessions=str(made)
                    )
                    ward = Ward.open(warehouse, benchmark, settings)
                    measure(ward, server, asked.latency, concurrency, workers)


if __name__ == "__main__":
    main()
