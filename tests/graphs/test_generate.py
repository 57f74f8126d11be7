"""Generation: the same bytes each time, a log of every candidate, and nothing accepted that does not prove itself."""

from importlib.resources import files
from pathlib import Path

import pytest

from agents.checkers import check_gold, check_wording
from graphs.benchmark import GOLD, MANIFEST, SESSIONS, read_benchmark, read_lines
from graphs.embedded import DEMO_SESSIONS, SEED
from graphs.generate import LOG, generate
from graphs.workshop import Workshop
from state.base import InputError, Language
from state.generation import Attempt
from state.gold import GoldSession, ValueItem
from state.plan import SessionPlan
from state.session import Scenario, Session
from tools.ehr.warehouse import Warehouse


@pytest.fixture(scope="module")
def workshop(warehouse: Warehouse) -> Workshop:
    return Workshop(warehouse, (Scenario.MED_SAFETY,), seed=SEED)


def test_demo_sessions_are_remade_byte_for_byte(workshop: Workshop, tmp_path: Path) -> None:
    generate(workshop, DEMO_SESSIONS, tmp_path)
    demo = files("configs") / "demo"
    for name in (SESSIONS, GOLD, MANIFEST):
        assert (tmp_path / name).read_bytes() == (demo / name).read_bytes(), name


def test_every_candidate_is_in_the_log_with_its_reason(workshop: Workshop, tmp_path: Path) -> None:
    attempts = generate(workshop, 10_000, tmp_path)
    assert [attempt.candidate for attempt in attempts] == list(range(len(workshop.candidates)))
    assert read_lines(tmp_path / LOG, Attempt) == attempts
    assert all(bool(attempt.reasons) is not attempt.accepted for attempt in attempts)
    accepted = [attempt for attempt in attempts if attempt.accepted]
    assert len(read_benchmark(tmp_path).sessions) == len(accepted)


def test_session_ids_are_unique_over_all_candidates(workshop: Workshop, tmp_path: Path) -> None:
    generate(workshop, 10_000, tmp_path)
    ids = [session.session_id for session in read_benchmark(tmp_path).sessions]
    assert len(set(ids)) == len(ids)


def test_a_warehouse_without_matches_is_bad_input(empty_warehouse: Path, tmp_path: Path) -> None:
    with (
        Warehouse.open(empty_warehouse) as nothing,
        pytest.raises(InputError, match="no session could be made"),
    ):
        generate(Workshop(nothing, (Scenario.MED_SAFETY,), seed=1), 4, tmp_path / "out")


class TestCheckers:
    """Each kind of corruption is caught, with the reason."""

    @pytest.fixture(scope="class")
    def accepted(
        self, workshop: Workshop, tmp_path_factory: pytest.TempPathFactory
    ) -> tuple[SessionPlan, Session, GoldSession]:
        from agents.physician import word_turns
        from agents.planner import plan_session
        from tools.gold import derive_gold

        match = next(m for m in workshop.candidates if workshop.rules[m.rule_id].trigger.lab.derived is None)
        plan = plan_session(workshop.source(match), workshop.seed)
        gold = derive_gold(plan, workshop.source(match))
        session = Session(
            session_id=plan.session_id,
            scenario=plan.scenario,
            tier=plan.tier,
            cohort=workshop.warehouse.cohort,
            subject_id=match.subject_id,
            hadm_id=match.hadm_id,
            as_of=match.as_of,
            turns=word_turns(plan, workshop.rules[match.rule_id]),
        )
        return plan, session, gold

    def test_accepts_what_is_sound(
        self, workshop: Workshop, accepted: tuple[SessionPlan, Session, GoldSession]
    ) -> None:
        plan, session, gold = accepted
        assert check_wording(session, workshop.source(plan.match)) == []
        assert check_gold(plan, session, gold, workshop.source(plan.match)) == []

    def test_rejects_gold_for_another_patient(
        self, workshop: Workshop, accepted: tuple[SessionPlan, Session, GoldSession]
    ) -> None:
        plan, session, gold = accepted
        first = gold.turns[0]
        strange = first.calls[0].model_copy(
            update={"arguments": {**first.calls[0].arguments, "subject_id": 1}}
        )
        turns = (first.model_copy(update={"calls": (strange,)}), *gold.turns[1:])
        faults = check_gold(
            plan, session, gold.model_copy(update={"turns": turns}), workshop.source(plan.match)
        )
        assert any("is refused" in fault for fault in faults)

    def test_rejects_a_wrong_value(
        self, workshop: Workshop, accepted: tuple[SessionPlan, Session, GoldSession]
    ) -> None:
        plan, session, gold = accepted
        first = gold.turns[0]
        rubric = tuple(
            item.model_copy(update={"value": item.value + 0.7}) if isinstance(item, ValueItem) else item
            for item in first.rubric
        )
        turns = (first.model_copy(update={"rubric": rubric}), *gold.turns[1:])
        faults = check_gold(
            plan, session, gold.model_copy(update={"turns": turns}), workshop.source(plan.match)
        )
        assert any("gold does not meet" in fault for fault in faults)

    def test_rejects_a_rubric_that_anything_passes(
        self, workshop: Workshop, accepted: tuple[SessionPlan, Session, GoldSession]
    ) -> None:
        plan, session, gold = accepted
        first = gold.turns[0]
        rubric = tuple(
            item.model_copy(update={"tolerance": 1e6}) if isinstance(item, ValueItem) else item
            for item in first.rubric
        )
        turns = (first.model_copy(update={"rubric": rubric}), *gold.turns[1:])
        faults = check_gold(
            plan, session, gold.model_copy(update={"turns": turns}), workshop.source(plan.match)
        )
        assert any("made wrong" in fault for fault in faults)

    def test_rejects_a_question_that_names_the_drug(
        self, workshop: Workshop, accepted: tuple[SessionPlan, Session, GoldSession]
    ) -> None:
        plan, session, _ = accepted
        source = workshop.source(plan.match)
        turn = session.turns[1]
        wording = turn.wording[Language.EN]
        told = wording.model_copy(
            update={"implicit": f"{wording.implicit} Is it {plan.match.orders[0].drug}?"}
        )
        turns = (
            session.turns[0],
            turn.model_copy(update={"wording": {Language.EN: told}}),
            *session.turns[2:],
        )
        faults = check_wording(session.model_copy(update={"turns": turns}), source)
        assert any("names the drug" in fault for fault in faults)
