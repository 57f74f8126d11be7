"""Print what the trivial doctors pass, in English and Chinese.

Run with ``PYTHONPATH=tests/graphs python tests/bench/bench_trivial.py EHR SESSIONS``, on a set of
``python -m graphs.generate --ehr EHR --n 48 --seed 7 --out SESSIONS``. ``/`` parts passed from planned turns.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from trivial import TRIVIAL, ordering_turns, passed_turns, turns_by_type

from configs.settings import set_tracing
from graphs.benchmark import read_benchmark
from graphs.evaluate import make_manifest
from graphs.run_folder import RunFolder
from graphs.run_sessions import run_sessions
from graphs.ward import Ward
from state.base import Language
from state.manifest import RunSettings
from state.outcome import SessionResult, Unscored
from state.session import TaskType
from tools.ehr.warehouse import Warehouse


def row(model: str, language: Language, results: list[SessionResult], orders: set[tuple[str, int]]) -> str:
    """Lay out one run."""
    passed, all_turns = passed_turns(results), turns_by_type(results)
    by_type = [f"{sum(t is kind for t in passed.values())} / {all_turns[kind]}" for kind in TaskType]
    whole = sum(all((r.session_id, t.index) in passed for t in r.turns) for r in results)
    undecided = sum(isinstance(t.outcome, Unscored) for r in results for t in r.turns)
    cells = [
        f"`{model}`",
        language.value,
        *by_type,
        f"{len(passed.keys() & orders)} / {len(orders)}",
        f"{whole} / {len(results)}",
        str(undecided),
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Run every doctor in both languages and print the table."""
    set_tracing(on=False)
    benchmark = read_benchmark(Path(sys.argv[2]))
    orders = ordering_turns(benchmark.gold.values())
    heads = [
        "doctor",
        "language",
        *(kind.value for kind in TaskType),
        "drug orders",
        "sessions",
        "not scored",
    ]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    with Warehouse.open(Path(sys.argv[1])) as warehouse:
        for model in TRIVIAL:
            for language in Language:
                ward = Ward.open(warehouse, benchmark, RunSettings(model=model, language=language))
                with tempfile.TemporaryDirectory() as place:
                    folder = RunFolder.create(Path(place), make_manifest(ward))
                    asyncio.run(run_sessions(ward, folder, concurrency=4))
                    print(row(model, language, folder.results(), orders), flush=True)


if __name__ == "__main__":
    main()
