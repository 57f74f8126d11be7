"""Worker processes that share one run: who gets which session, one result file, one budget, one rate a provider."""

import math
import multiprocessing
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from pathlib import Path

from agents.cells import Cells
from agents.limiter import RATE_CELLS
from agents.models import COMPATIBLE, read_catalogue
from agents.purse import PURSE_CELLS, Purse, RunLimits
from agents.silence import FIRST_SECONDS
from graphs.run_folder import RunFolder
from graphs.run_sessions import unfinished
from graphs.run_worker import Job, Message, Missed, Silent, Stopped, Task, work
from graphs.ward import Ward
from state.journal import Entry, Place

CLOSING_SECONDS = 10.0


@dataclass
class Worker:
    """A process, the wire to it, and how many more sessions it may be given."""

    number: int
    process: BaseProcess
    wire: Connection
    free: int
    given: int = 0

    def give(self, task: Task) -> None:
        """Hand over a session."""
        self.wire.send(task)
        self.given, self.free = self.given + 1, self.free - 1

    def take_back(self) -> None:
        """Note that a session has come to its end."""
        self.given, self.free = self.given - 1, self.free + 1


@dataclass(frozen=True)
class RunPlan:
    """How a run is to be held by workers: how many, how many sessions at a time in all, under which limits."""

    workers: int
    concurrency: int
    limits: RunLimits
    replies_from: Path | None = None
    why_miss: bool = False
    trace: bool = False

    def shares(self) -> list[int]:
        """Deal out the sessions that run at a time; a worker that would get none is not started."""
        workers = min(self.workers, self.concurrency)
        return [self.concurrency // workers + (i < self.concurrency % workers) for i in range(workers)]


@dataclass
class Crew:
    """The workers of a run, what waits for them, and why no more is given out."""

    folder: RunFolder
    workers: list[Worker]
    waiting: deque[Task]
    on_done: Callable[[], None]
    on_miss: Callable[[Place, str], None]
    on_silence: Callable[[str], None] = lambda _: None
    stopped: list[str] = field(default_factory=list)
    told: float = -math.inf

    def run(self) -> str | None:
        """Give out sessions and keep their results until all are done; return why the run stopped, if it did."""
        while self._give_out():
            ready = wait([worker.wire for worker in self.workers])
            for worker in [worker for worker in self.workers if worker.wire in ready]:
                try:
                    message: Message = worker.wire.recv()
                except (EOFError, OSError):
                    return self._lost(worker)
                self._hear(worker, message)
        return self.stopped[0] if self.stopped else None

    def _give_out(self) -> bool:
        """Hand sessions to whoever has room, the idlest first; tell whether anything is under way."""
        while self.waiting and not self.stopped:
            worker = max(self.workers, key=lambda worker: worker.free)
            if not worker.free:
                break
            try:
                worker.give(self.waiting.popleft())
            except OSError:
                self.stopped.append(self._lost(worker))
        return any(worker.given for worker in self.workers)

    def _hear(self, worker: Worker, message: Message) -> None:
        match message:
            case Missed(place, changed):
                self.on_miss(place, changed)
            case Silent(line):
                if time.monotonic() - self.told >= FIRST_SECONDS:  # all workers say it at once: one will do
                    self.told = time.monotonic()
                    self.on_silence(line)
            case Stopped(reason):
                worker.take_back()
                self.stopped.append(reason)
            case _:
                worker.take_back()
                self.folder.append(*message)
                self.on_done()

    def _lost(self, worker: Worker) -> str:
        """Say how a worker ended that should not have. Who died may have held a lock, so that nobody can go on."""
        worker.process.join(CLOSING_SECONDS)
        code = worker.process.exitcode
        end = (
            f"was killed by signal {-code}"
            if code is not None and code < 0
            else f"ended with exit code {code}"
        )
        return f"worker {worker.number} {end}"


def run_in_workers(
    ward: Ward,
    folder: RunFolder,
    plan: RunPlan,
    on_done: Callable[[], None] = lambda: None,
    on_miss: Callable[[Place, str], None] = lambda _place, _changed: None,
    on_silence: Callable[[str], None] = lambda _: None,
) -> str | None:
    """Run every planned session that the folder does not hold yet, in processes of their own.

    Returns why the run stopped before its end, None when it did not. When this process dies, so do the workers; when
    a worker dies, the run stops. Either can be resumed, with any number of workers.
    """
    left = unfinished(ward, folder, on_done)
    waiting = deque((session.session_id, epoch) for session, epoch in left)
    if not waiting:
        return None
    with _started(ward, folder, plan) as workers:
        return Crew(folder, workers, waiting, on_done, on_miss, on_silence).run()


@contextmanager
def _started(ward: Ward, folder: RunFolder, plan: RunPlan) -> Iterator[list[Worker]]:
    """Start the workers; at the end, let those that are idle close their files, and kill the rest."""
    context = _context(live=bool(ward.served))
    settings = ward.settings
    catalogue = read_catalogue(None if settings.models is None else Path(settings.models))
    spent = Cells.together(PURSE_CELLS, context)
    rates = {name: Cells.together(RATE_CELLS, context) for name in (*catalogue.providers, COMPATIBLE)}
    count_earlier(spent, folder.journal().entries())
    workers: list[Worker] = []
    started = time.monotonic()
    try:
        for number, share in enumerate(plan.shares()):
            job = Job(
                number=number,
                folder=folder.path,
                warehouse=ward.warehouse.path,
                settings=settings,
                limits=plan.limits,
                started=started,
                spent=spent,
                rates=rates,
                replies_from=plan.replies_from,
                why_miss=plan.why_miss,
                trace=plan.trace,
            )
            ours, theirs = context.Pipe()
            process = context.Process(target=work, args=(job, theirs), name=f"worker-{number}")
            process.start()
            theirs.close()
            workers.append(Worker(number, process, ours, share))
        yield workers
    finally:
        idle = [worker for worker in workers if not worker.given and worker.process.is_alive()]
        _let_go(idle)
        for worker in workers:
            worker.process.kill()
            worker.process.join()
            worker.wire.close()


def _context(*, live: bool) -> SpawnContext | ForkServerContext:
    """Say how processes are started. Never by a plain fork: DuckDB's threads would not come along."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["graphs.run_worker", *(["agents.live_model"] if live else [])])
    return context


def count_earlier(spent: Cells, entries: Iterable[Entry]) -> None:
    """Put what the run has spent so far into the numbers its workers share."""
    purse = Purse(RunLimits(), time.monotonic, cells=spent)
    for entry in entries:
        purse.count(entry)


def _let_go(workers: list[Worker]) -> None:
    for worker in workers:
        try:
            worker.wire.send(None)
        except OSError:
            continue
    for worker in workers:
        worker.process.join(CLOSING_SECONDS)
