"""What the benchmark is worth: gold passes all of it, nothing trivial passes any of it."""

import re

import pytest
from made import LOOKUP, REASON, WRITE, make
from trivial import TRIVIAL, decided_turns, ordering_turns, passed_turns
from wards import OpenWard, OpenWorkshop, Run

from graphs.benchmark import Benchmark, read_benchmark, write_benchmark
from graphs.embedded import SEED, demo_benchmark
from graphs.generate import generate
from graphs.ward import Ward
from graphs.workshop import Workshop
from state.base import Language
from state.manifest import RunSettings
from state.outcome import Scored, SessionResult
from state.session import Scenario
from tools.ehr.warehouse import Warehouse

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


IDLE = ("offline/empty", "offline/refuse", "offline/echo", "offline/wrong-patient", "offline/dump-everything")


@pytest.mark.parametrize("model", IDLE)
def test_doctors_that_do_no_work_pass_no_turn(open_ward: OpenWard, run: Run, model: str) -> None:
    assert passed_turns(run(open_ward(model)).results()) == {}


@pytest.mark.parametrize("language", Language)
def test_a_look_alike_drug_passes_no_turn_that_decides_on_a_drug(
    open_ward: OpenWard, run: Run, language: Language
) -> None:
    ward = open_ward("offline/look-alike-drug", language=language)
    decided = decided_turns(ward.benchmark.gold.values(), language, ward.vocabulary)
    passed = passed_turns(run(ward).results())
    assert decided
    assert passed
    assert passed.keys() & decided == set()


@pytest.fixture(scope="module")
def full_set(warehouse: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    """Give a set of 48 sessions, four of every scenario and tier, in both languages."""
    out = tmp_path_factory.mktemp("48")
    generate(Workshop(warehouse, tuple(Scenario), seed=SEED), 48, out)
    return read_benchmark(out)


@pytest.mark.slow
@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("model", TRIVIAL)
def test_only_gold_passes_a_set_of_48(
    warehouse: Warehouse, full_set: Benchmark, run: Run, model: str, language: Language
) -> None:
    ward = Ward.open(warehouse, full_set, RunSettings(model=model, language=language))
    results, gold = run(ward).results(), full_set.gold.values()
    passed, every = passed_turns(results), {(r.session_id, t.index) for r in results for t in r.turns}
    assert (len(results), len(every)) == (48, 192)
    orders, decided = ordering_turns(gold), decided_turns(gold, language, ward.vocabulary)
    must_fail = {
        "offline/gold": set(),
        "offline/double-dose": orders,
        "offline/look-alike-drug": orders | decided,
    }
    assert passed.keys() & must_fail.get(model, every) == set()
    if model in ("offline/gold", "offline/double-dose"):
        assert passed.keys() == every - must_fail[model]


@pytest.fixture(scope="module")
def ordering(
    warehouse: Warehouse, med_safety: OpenWorkshop, tmp_path_factory: pytest.TempPathFactory
) -> Benchmark:
    """Give a set of one session, which ends in an order of a drug; no demo session does."""
    made = make(med_safety(), "spironolactone_hyperkalemia_halve", (LOOKUP, LOOKUP, REASON, WRITE))
    folder = tmp_path_factory.mktemp("ordering")
    demo = demo_benchmark().manifest
    manifest = demo.model_copy(
        update={"warehouse": warehouse.fingerprint, "sessions": 1, "scenarios": (made.plan.scenario.value,)}
    )
    write_benchmark(folder, [made.session], [made.gold], [made.plan], manifest)
    return read_benchmark(folder)


@pytest.mark.parametrize("language", Language)
def test_double_dose_passes_no_turn_that_orders_a_drug(
    warehouse: Warehouse, ordering: Benchmark, run: Run, language: Language
) -> None:
    (gold,) = ordering.gold.values()
    orders = {
        (gold.session_id, turn.index)
        for turn in gold.turns
        if any(call.tool == "MedicationRequest.create" for call in turn.calls)
    }
    assert orders == {(gold.session_id, 3)}
    settings = RunSettings(model="offline/double-dose", language=language)
    found = scores(run(Ward.open(warehouse, ordering, settings)).results())
    assert all(found[turn] < PASS_MARK for turn in orders)
    assert {found[turn] for turn in found.keys() - orders} == {1.0}
    assert len(found) == 4


def test_gold_is_the_ceiling_where_a_drug_is_ordered(
    warehouse: Warehouse, ordering: Benchmark, run: Run
) -> None:
    found = scores(run(Ward.open(warehouse, ordering, RunSettings(model="offline/gold"))).results())
    assert list(found.values()) == [1.0] * 4


def test_baseline_lies_strictly_between(open_ward: OpenWard, run: Run) -> None:
    found = scores(run(open_ward("offline/baseline")).results())
    passed = sum(score >= PASS_MARK for score in found.values())
    assert 0 < passed < len(found)


def test_baseline_answers_in_the_language_of_the_session(open_ward: OpenWard, run: Run) -> None:
    folder = run(open_ward("offline/baseline", language=Language.ZH, limit=2))
    answers = [turn.answer for record in folder.records() for turn in record.turns]
    assert len(answers) == 8
    assert all(re.search("[\u4e00-\u9fff]", answer) for answer in answers)
    assert not any(re.search("latest|recommend|found|Done", answer) for answer in answers)
