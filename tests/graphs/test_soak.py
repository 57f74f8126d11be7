"""Many sessions at a time, many responses broken: nothing lost, nothing double, the same figures."""

import asyncio
import gc
import json
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from servers import counting_server

from agents.gateway import Gateway
from agents.patience import Patience
from graphs.benchmark import Benchmark
from graphs.close_run import close_run
from graphs.embedded import demo_benchmark
from graphs.evaluate import make_manifest
from graphs.run_folder import RunFolder
from graphs.run_sessions import run_sessions
from graphs.ward import Ward
from state.base import SessionId
from state.journal import Entry
from state.manifest import RunSettings
from tools.ehr.warehouse import Warehouse

CONCURRENCY = 64
LOOKS_EVERY = 16
PATIENCE = Patience(tries=12, first_seconds=0.02, longest_seconds=0.2)


def one_run(
    place: Path, warehouse: Warehouse, benchmark: Benchmark, faults: float, look: Callable[[], None]
) -> tuple[RunFolder, list[Entry]]:
    """Run all sessions against a server that breaks a share of its responses; check that it and we agree."""
    with counting_server(place / "server", 0.0, faults=faults) as server:
        settings = RunSettings(model="openai-compatible/careful", base_url=server.url)
        ward = Ward.open(warehouse, benchmark, settings)
        folder = RunFolder.create(place / "runs", make_manifest(ward))
        gateway = Gateway(folder.journal(), patience=PATIENCE)
        asyncio.run(run_sessions(ward, folder, CONCURRENCY, look, gateway))
        close_run(ward, folder, make_manifest(ward))
        served = {reply_id for _, reply_id in server.served()}
    entries = list(folder.journal().entries())
    kept = [entry.reply.reply_id for entry in entries if entry.reply is not None]
    assert len(kept) == len(set(kept)) == len(entries)
    assert set(kept) == served
    assert len(folder.records()) == len(folder.results()) == len(benchmark.sessions)
    return folder, entries


def soak(
    place: Path,
    warehouse: Warehouse,
    benchmark: Benchmark,
    faults: float,
    look: Callable[[], None] = lambda: None,
) -> tuple[int, int]:
    """Compare a run with faults, whose every finished session ``look`` sees, to one without; count calls, responses."""
    good, _ = one_run(place / "good", warehouse, benchmark, 0.0, lambda: None)
    bad, entries = one_run(place / "bad", warehouse, benchmark, faults, look)
    assert (bad.path / "metrics.json").read_bytes() == (good.path / "metrics.json").read_bytes()
    answers = [
        {record.session_id: [turn.answer for turn in record.turns] for record in folder.records()}
        for folder in (good, bad)
    ]
    assert answers[0] == answers[1]
    outcomes = json.loads((bad.path / "metrics.json").read_text())["outcomes"]
    assert outcomes["not_attempted"] == 0
    assert "errored" not in outcomes
    return len(entries), sum(entry.tries for entry in entries)


@dataclass
class Memory:
    """What Python has allocated since the first session ended, looked at after every so many."""

    sessions: int = 0
    seen: list[int] = field(default_factory=list)

    def look(self) -> None:
        self.sessions += 1
        if not tracemalloc.is_tracing():
            tracemalloc.start()
        if self.sessions % LOOKS_EVERY == 0:
            gc.collect()
            self.seen.append(tracemalloc.get_traced_memory()[0])


def test_every_fourth_response_broken(warehouse: Warehouse, tmp_path: Path) -> None:
    calls, responses = soak(tmp_path, warehouse, demo_benchmark(), faults=0.25)
    assert calls == 12 * 4 * 3
    assert responses > 1.1 * calls


def many_times(benchmark: Benchmark, times: int) -> Benchmark:
    """Give every session of a set several times, under ids of its own."""
    copies = [
        (
            session.model_copy(update={"session_id": SessionId(f"{session.session_id}-{n}")}),
            session.session_id,
        )
        for n in range(times)
        for session in benchmark.sessions
    ]
    gold = {
        copy.session_id: benchmark.gold[of].model_copy(update={"session_id": copy.session_id})
        for copy, of in copies
    }
    return replace(benchmark, sessions=tuple(copy for copy, _ in copies), gold=gold)


@pytest.mark.slow
def test_thousands_of_calls(warehouse: Warehouse, tmp_path: Path) -> None:
    memory = Memory()
    try:
        calls, responses = soak(tmp_path, warehouse, many_times(demo_benchmark(), 20), 0.1, memory.look)
    finally:
        tracemalloc.stop()
    # While the last sessions run out there are fewer of them; before that, there are as many all the time.
    full = memory.seen[: -CONCURRENCY // LOOKS_EVERY]
    half, end = full[len(full) // 2], full[-1]
    seen = ", ".join(f"{each / 2**20:.1f}" for each in memory.seen)
    print(f"{calls} calls, {responses} responses; MiB after every {LOOKS_EVERY} sessions: {seen}")
    assert calls == 20 * 12 * 12
    assert responses > 1.05 * calls
    assert end < 1.1 * half
