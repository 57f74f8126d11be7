"""Processes that try candidates side by side: the stages are work for the processor, and Python threads share one."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from pathlib import Path
from types import TracebackType
from typing import Self

from graphs.slot import build_slot_graph
from graphs.workshop import Workshop
from state.base import GatePolicy, InputError
from state.generation import Tried
from state.knowledge import RuleMatch
from state.session import Scenario
from tools.ehr.warehouse import Warehouse


class SlotWorkers:
    """Worker processes with a workshop each, on the same warehouse and the matches that were found in it.

    No model is asked in them: whoever waits for replies needs threads (``--concurrency``), not processors.
    """

    def __init__(self, workshop: Workshop, size: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(
            size,
            context,
            _settle,
            (
                workshop.warehouse.path,
                workshop.scenarios,
                workshop.seed,
                workshop.gate,
                tuple(workshop.matches),
            ),
        )

    def attempt(self, slot: int, candidate: int) -> Tried:
        """Take a candidate through all stages in one of the processes."""
        try:
            return Tried.model_validate_json(self._pool.submit(_attempt, slot, candidate).result())
        except BrokenProcessPool as error:
            raise InputError(
                "a worker process was killed: the same command goes on; give fewer --workers if memory ran out"
            ) from error

    def kill(self) -> None:
        """End the processes amid their candidates; what is on disk is kept."""
        for child in multiprocessing.active_children():
            child.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)


class _Bench:
    """What a worker process keeps: its workshop's slot graph and the last candidate tried."""

    def __init__(self, workshop: Workshop) -> None:
        self.graph = build_slot_graph(workshop).compile(name="slot")
        self.tried: list[Tried] = []
        workshop.keep = self.tried.append


_bench: _Bench | None = None


def _settle(
    ehr: Path,
    scenarios: tuple[Scenario, ...],
    seed: int,
    gate: GatePolicy,
    matches: Sequence[RuleMatch],
) -> None:
    """Make a worker process ready. Ctrl-C is its parent's affair; without a parent it ends."""
    global _bench
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _bench = _Bench(Workshop(Warehouse.open(ehr), scenarios, seed, gate, found=tuple(matches)))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _attempt(slot: int, candidate: int) -> str:
    if _bench is None:
        raise RuntimeError("this process was not made ready")
    _bench.tried.clear()
    _bench.graph.invoke({"slot": slot, "candidate": candidate})
    (tried,) = _bench.tried
    return tried.model_dump_json()
