"""A worker process: runs the sessions it is given, one journal file and one checkpoint file of its own.

It hands every finished session back, and writes no result itself: one process keeps the run's results.
"""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from agents.cells import Cells
from agents.gateway import Gateway
from agents.purse import Purse, RunLimits, RunStopped
from configs.settings import Settings, set_tracing
from graphs.benchmark import read_benchmark
from graphs.embedded import demo_benchmark
from graphs.run_folder import RunFolder
from graphs.run_sessions import SessionRunner, Told
from graphs.ward import Ward
from state.base import SessionId
from state.journal import Place
from state.manifest import RunSettings
from tools.ehr.warehouse import Warehouse

LEFT_ALONE = 1
"""Exit code of a worker whose run has died."""


@dataclass(frozen=True)
class Job:
    """All that a worker needs to know. ``spent`` and ``rates`` are shared with the other workers."""

    number: int
    folder: Path
    warehouse: Path
    settings: RunSettings
    limits: RunLimits
    started: float
    spent: Cells
    rates: dict[str, Cells]
    replies_from: Path | None = None
    why_miss: bool = False
    trace: bool = False


@dataclass(frozen=True)
class Stopped:
    """A session was broken off by a limit of the run."""

    reason: str


@dataclass(frozen=True)
class Missed:
    """A call is paid again that was made before in another form."""

    place: Place
    changed: str


@dataclass(frozen=True)
class Silent:
    """An endpoint gives no reply, in words."""

    line: str


Task = tuple[SessionId, int]
"""A session to run, and which time it is."""
Message = Told | Stopped | Missed | Silent


def work(job: Job, wire: Connection) -> None:
    """Be a worker: Tasks come over ``wire``, Messages go back; None is the end, and so is a broken wire."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that gives out the work
    folder = RunFolder(job.folder)
    set_tracing(on=job.trace)
    sessions = job.settings.sessions
    benchmark = demo_benchmark() if sessions is None else read_benchmark(Path(sessions))
    with folder.worker_locked(job.number), Warehouse.open(job.warehouse) as warehouse:
        ward = Ward.open(warehouse, benchmark, job.settings, Settings.read().api_key)
        asyncio.run(_work(job, ward, folder, wire))


async def _work(job: Job, ward: Ward, folder: RunFolder, wire: Connection) -> None:
    def missed(place: Place, changed: str) -> None:
        wire.send(Missed(place, changed))

    other = None if job.replies_from is None else RunFolder(job.replies_from)
    gateway = Gateway(
        folder.journal([other] if other is not None else ()),
        Purse(job.limits, time.monotonic, cells=job.spent, shared=True, started=job.started),
        key_of=ward.key,
        rates=job.rates,
        on_miss=missed if job.why_miss else None,
        on_silence=lambda line: wire.send(Silent(f"worker {job.number}: {line}")),
    )
    given: asyncio.Queue[Task | None] = asyncio.Queue()
    _listen(wire, asyncio.get_running_loop(), given.put_nowait)
    async with SessionRunner.on(ward, gateway, folder.checkpoints(job.number)) as runner:

        async def run_one(session_id: str, epoch: int) -> None:
            try:
                wire.send(await runner.run(ward.benchmark.session(session_id), epoch))
            except RunStopped as reason:
                wire.send(Stopped(str(reason)))

        async with asyncio.TaskGroup() as group:
            while (task := await given.get()) is not None:
                group.create_task(run_one(*task))


def _listen(wire: Connection, loop: asyncio.AbstractEventLoop, give: Callable[[Task | None], None]) -> None:
    """Take in what comes over the wire. When it breaks, the run is dead, and its worker must not pay for more calls."""

    def take_in() -> None:
        while True:
            try:
                task = wire.recv()
            except (EOFError, OSError):
                os._exit(LEFT_ALONE)
            loop.call_soon_threadsafe(give, task)
            if task is None:
                return

    threading.Thread(target=take_in, daemon=True).start()
