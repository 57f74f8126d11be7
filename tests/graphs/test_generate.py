"""Generation: the same bytes each time, a log of every candidate, and nothing accepted that does not prove itself."""

import multiprocessing
from importlib.resources import files
from pathlib import Path

import pytest
from wards import OpenWorkshop

from graphs.benchmark import GOLD, MANIFEST, PLANS, SESSIONS, read_benchmark, read_lines
from graphs.embedded import SEED, demo_benchmark
from graphs.generate import LOG, generate
from graphs.generation_report import shortfall_lines
from graphs.slot_workers import SlotWorkers
from graphs.workshop import Workshop
from state.base import InputError
from state.generation import Attempt
from state.session import Scenario
from tools.ehr.warehouse import Warehouse


@pytest.fixture(scope="module")
def workshop(med_safety: OpenWorkshop) -> Workshop:
    return med_safety()


def test_demo_sessions_are_remade_byte_for_byte_by_two_processes(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    generate(
        Workshop(warehouse, tuple(Scenario), seed=SEED), len(demo_benchmark().sessions), tmp_path, workers=2
    )
    demo = files("configs") / "demo"
    for name in (SESSIONS, GOLD, PLANS, MANIFEST, LOG):
        assert (tmp_path / name).read_bytes() == (demo / name).read_bytes(), name


def test_every_try_is_in_the_log_with_its_reason(workshop: Workshop, tmp_path: Path) -> None:
    attempts = generate(workshop, 12, tmp_path)
    assert [attempt.slot for attempt in attempts] == sorted(attempt.slot for attempt in attempts)
    assert read_lines(tmp_path / LOG, Attempt) == attempts
    assert all(bool(attempt.reasons) is not attempt.accepted for attempt in attempts)
    accepted = [attempt for attempt in attempts if attempt.accepted]
    ids = [session.session_id for session in read_benchmark(tmp_path).sessions]
    assert len(set(ids)) == len(ids) == len(accepted)


def test_one_match_makes_a_session(workshop: Workshop, med_safety: OpenWorkshop, tmp_path: Path) -> None:
    """A warehouse of few patients has few matches, and the stages of a slot are as many as elsewhere."""
    alone = next(match for match in workshop.candidates if match.rule_id == "warfarin_high_inr")
    few = med_safety()
    few.found = (alone,)
    attempts = generate(few, 6, tmp_path)
    assert len(read_benchmark(tmp_path).sessions) >= 1
    tier = few.rules[alone.rule_id].tier
    told = [
        line for line in shortfall_lines(few.layout, few.slots, attempts, 6) if "no rule match fits" in line
    ]
    assert [line.split(":")[0].split()[-1] for line in told] == [
        str(other) for other in (1, 2, 3) if other != tier
    ]


def test_a_worker_that_is_killed_is_said_in_a_sentence(workshop: Workshop, tmp_path: Path) -> None:
    with SlotWorkers(workshop, 1) as workers:
        ((slot, candidate), *_) = workshop.casting(1).deal([], [])
        assert workers.attempt(slot, candidate).attempt.slot == slot
        for process in multiprocessing.active_children():
            process.kill()
        with pytest.raises(InputError, match="the same command goes on"):
            workers.attempt(slot, candidate)


def test_a_warehouse_without_records_is_bad_input(empty_warehouse: Path, tmp_path: Path) -> None:
    with Warehouse.open(empty_warehouse) as nothing, pytest.raises(InputError, match=r"no hosp\.patients"):
        generate(Workshop(nothing, (Scenario.MED_SAFETY,), seed=1), 4, tmp_path / "out")
    assert not (tmp_path / "out").exists()
