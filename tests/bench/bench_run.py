"""Time a run of the demo sessions beside the floor: the same model and tools in a plain loop.

Run with ``python tests/bench/bench_run.py [model]``. Prints sessions a second, milliseconds a session, and disk.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from langchain_core.messages import HumanMessage, ToolMessage

from agents.conversation import system_message
from configs.settings import Settings, set_tracing
from graphs.evaluate import make_manifest, open_data
from graphs.run_folder import RunFolder
from graphs.run_sessions import run_sessions
from graphs.ward import Ward
from state.manifest import RunSettings
from state.session import Session
from tools.ehr.chart import Chart
from tools.fhir.toolset import Toolset

REPEATS = 5


def plain_loop(ward: Ward, session: Session) -> None:
    """Run a session's model and tools with nothing around them."""
    chart = Chart(ward.warehouse, session.subject_id, session.as_of, session.hadm_id)
    toolset = Toolset(chart, ward.vocabulary)
    model = ward.make_doctor(ward.benchmark.gold[session.session_id])
    messages = [system_message(chart, session.hadm_id, ward.settings.language)]
    for turn in session.turns:
        messages.append(HumanMessage(turn.wording[ward.settings.language].implicit))
        while (reply := model.invoke(messages)).tool_calls:
            messages.append(reply)
            for call in reply.tool_calls:
                result = toolset.call(call["name"], call["args"])
                messages.append(ToolMessage(result.text, tool_call_id=call["id"], artifact=result))
        messages.append(reply)


def main() -> None:
    """Measure and print."""
    set_tracing(on=False)
    settings = RunSettings(model=sys.argv[1] if len(sys.argv) > 1 else "offline/gold")
    warehouse, benchmark = open_data(settings, Settings.read().cache_dir)
    ward = Ward.open(warehouse, benchmark, settings)
    sessions = ward.planned
    started = time.perf_counter()
    for _ in range(REPEATS):
        for session in sessions:
            plain_loop(ward, session)
    floor = (time.perf_counter() - started) / REPEATS / len(sessions)
    print(f"plain loop                {floor * 1000:8.1f} ms a session")
    for concurrency in (1, 8, 64):
        with tempfile.TemporaryDirectory() as place:
            folder = RunFolder.create(Path(place), make_manifest(ward))
            started = time.perf_counter()
            asyncio.run(run_sessions(ward, folder, concurrency))
            each = (time.perf_counter() - started) / len(sessions)
            disk = sum(file.stat().st_size for file in folder.path.iterdir()) / len(sessions) / 1024
        print(
            f"run, {concurrency:2d} at a time        {each * 1000:8.1f} ms a session, {each / floor:5.1f}x the floor, "
            f"{1 / each:6.1f} sessions/s, {disk:6.1f} KiB on disk a session"
        )
    warehouse.close()


if __name__ == "__main__":
    main()
