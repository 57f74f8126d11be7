"""Time a run beside its floor: the same model and tools in a plain loop.

Run with ``PYTHONPATH=tests/graphs python tests/bench/bench_run.py [LATENCY_SECONDS] [SESSIONS]``. Without a latency
the doctor is ``offline/gold``; with one it is a served model that takes that long for every reply, in a process of its
own. Prints wall time beside the ideal critical path, CPU and disk a session.
"""

import asyncio
import math
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage
from servers import counting_server

from agents.conversation import system_message
from agents.doctors import Doctor
from agents.gateway import Call, Gateway
from agents.offline.model import ask_program
from configs.settings import set_tracing
from graphs.benchmark import Benchmark, read_benchmark
from graphs.evaluate import make_manifest
from graphs.generate import generate
from graphs.run_folder import RunFolder
from graphs.run_sessions import run_sessions
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
def many_sessions(wanted: int) -> Iterator[tuple[Warehouse, Benchmark]]:
    """Make a synthetic cohort and sessions on it."""
    with tempfile.TemporaryDirectory() as place:
        file, out = Path(place) / "cohort.duckdb", Path(place) / "sessions"
        synthesise(file, patients=PATIENTS, seed=SEED)
        with Warehouse.open(file) as warehouse:
            generate(Workshop(warehouse, (Scenario.MED_SAFETY,), SEED), wanted, out)
            yield warehouse, read_benchmark(out)


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


def ideal_seconds(folder: RunFolder, latency: float, concurrency: int) -> float:
    """Give the least time the replies take: the longest session, and all of them over the slots."""
    each = [latency * sum(len(turn.steps) for turn in record.turns) for record in folder.records()]
    return max(*each, sum(each) / concurrency)


def measure(ward: Ward, latency: float, concurrency: int) -> None:
    """Run the floor, then the harness; print both."""
    wall, cpu = time.perf_counter(), time.process_time()
    asyncio.run(floor(ward, concurrency))
    count = len(ward.planned)
    floor_wall, floor_cpu = time.perf_counter() - wall, (time.process_time() - cpu) / count
    with tempfile.TemporaryDirectory() as place:
        folder = RunFolder.create(Path(place), make_manifest(ward))
        wall, cpu = time.perf_counter(), time.process_time()
        asyncio.run(run_sessions(ward, folder, concurrency))
        run_wall, run_cpu = time.perf_counter() - wall, (time.process_time() - cpu) / count
        disk = sum(file.stat().st_size for file in folder.path.rglob("*") if file.is_file()) / count / 1024
        ideal = ideal_seconds(folder, latency, concurrency)
        calls = sum(len(turn.steps) for record in folder.records() for turn in record.turns)
    against = (
        f", {run_wall / ideal:4.2f}x the ideal {ideal:.1f} s (plain loop {floor_wall / ideal:4.2f}x)"
        if ideal
        else ""
    )
    print(
        f"{count} sessions, {calls} calls, {concurrency:2d} at a time: {run_wall:6.1f} s{against}; "
        f"CPU {1000 * run_cpu:5.1f} ms a session (plain loop {1000 * floor_cpu:5.1f}); {disk:5.1f} KiB a session"
    )


def main() -> None:
    """Measure and print."""
    set_tracing(on=False)
    latency = float(sys.argv[1]) if len(sys.argv) > 1 else 0.0
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 64
    with many_sessions(wanted) as (warehouse, benchmark), tempfile.TemporaryDirectory() as place:
        if not latency:
            for concurrency in (1, 8, 64):
                measure(Ward.open(warehouse, benchmark, RunSettings(model="offline/gold")), 0.0, concurrency)
            return
        with counting_server(Path(place), latency) as server:
            settings = RunSettings(model="openai-compatible/careful", base_url=server.url)
            for concurrency in (8, 64):
                measure(Ward.open(warehouse, benchmark, settings), latency, concurrency)


if __name__ == "__main__":
    main()
