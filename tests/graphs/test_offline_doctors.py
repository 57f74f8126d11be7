"""What the benchmark is worth: gold passes all of it, nothing trivial passes any of it."""

import pytest
from wards import OpenWard, Run

from state.outcome import Scored, SessionResult

PASS_MARK = 0.60


def scores(results: list[SessionResult]) -> dict[tuple[str, int], float]:
    found = {}
    for result in results:
        for turn in result.turns:
            assert isinstance(turn.outcome, Scored), (result.session_id, turn)
            found[result.session_id, turn.index] = turn.outcome.score
    return found


def test_gold_is_the_ceiling(open_ward: OpenWard, run: Run) -> None:
    ward = open_ward("offline/gold")
    found = scores(run(ward).results())
    assert set(found.values()) == {1.0}
    assert len(found) == sum(len(session.turns) for session in ward.planned)


@pytest.mark.parametrize(
    "model", ["offline/empty", "offline/refuse", "offline/echo", "offline/wrong-patient"]
)
def test_doctors_that_do_no_work_pass_no_turn(open_ward: OpenWard, run: Run, model: str) -> None:
    found = scores(run(open_ward(model)).results())
    assert {turn: score for turn, score in found.items() if score >= PASS_MARK} == {}


def test_double_dose_passes_no_turn_that_orders_a_drug(open_ward: OpenWard, run: Run) -> None:
    ward = open_ward("offline/double-dose")
    found = scores(run(ward).results())
    orders = {
        (gold.session_id, turn.index)
        for gold in ward.benchmark.gold.values()
        for turn in gold.turns
        if any(call.tool == "MedicationRequest.create" for call in turn.calls)
    }
    if not orders:
        pytest.skip("no demo session of this version orders a drug")
    assert all(found[turn] < PASS_MARK for turn in orders)
    assert all(found[turn] == 1.0 for turn in found.keys() - orders)


def test_baseline_lies_strictly_between(open_ward: OpenWard, run: Run) -> None:
    found = scores(run(open_ward("offline/baseline")).results())
    passed = sum(score >= PASS_MARK for score in found.values())
    assert 0 < passed < len(found)
