"""What the benchmark is worth: gold passes all of it, nothing trivial passes any of it."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from graphs.evaluate import make_manifest
from graphs.run_folder import RunFolder
from graphs.run_sessions import run_sessions
from graphs.ward import Ward
from state.outcome import Scored, SessionResult

PASS_MARK = 0.60


def run(ward: Ward, model: str, output: Path) -> list[SessionResult]:
    sessions = ward.benchmark.sessions
    folder = RunFolder.create(output, make_manifest(ward, model, "offline/rules", len(sessions), None))
    asyncio.run(run_sessions(ward, sessions, folder, concurrency=8, on_done=lambda: None))
    return folder.results()


def scores(results: list[SessionResult]) -> dict[tuple[str, int], float]:
    found = {}
    for result in results:
        for turn in result.turns:
            assert isinstance(turn.outcome, Scored), (result.session_id, turn)
            found[result.session_id, turn.index] = turn.outcome.score
    return found


def test_gold_is_the_ceiling(open_ward: Callable[[str], Ward], tmp_path: Path) -> None:
    results = run(open_ward("offline/gold"), "offline/gold", tmp_path)
    assert set(scores(results).values()) == {1.0}
    assert len(results) == len(open_ward("offline/gold").benchmark.sessions)


@pytest.mark.parametrize("model", ["offline/empty", "offline/refuse", "offline/echo", "offline/wrong-patient"])
def test_doctors_that_do_no_work_pass_no_turn(open_ward: Callable[[str], Ward], tmp_path: Path, model: str) -> None:
    found = scores(run(open_ward(model), model, tmp_path))
    passed = {turn: score for turn, score in found.items() if score >= PASS_MARK}
    assert passed == {}


def test_double_dose_passes_no_turn_that_orders_a_drug(open_ward: Callable[[str], Ward], tmp_path: Path) -> None:
    ward = open_ward("offline/double-dose")
    found = scores(run(ward, "offline/double-dose", tmp_path))
    orders = {
        (gold.session_id, turn.index)
        for gold in ward.benchmark.gold.values()
        for turn in gold.turns
        if any(call.tool == "MedicationRequest.create" for call in turn.calls)
    }
    assert len(orders) >= 2
    assert all(found[turn] < PASS_MARK for turn in orders)
    assert all(found[turn] == 1.0 for turn in found.keys() - orders)


def test_baseline_lies_strictly_between(open_ward: Callable[[str], Ward], tmp_path: Path) -> None:
    found = scores(run(open_ward("offline/baseline"), "offline/baseline", tmp_path))
    passed = sum(score >= PASS_MARK for score in found.values())
    assert 0 < passed < len(found)
