"""The published formula: every item counts the same, and nothing caps."""

import pytest
from metric_cases import session

from state.base import Cohort, Language
from state.outcome import ItemVerdict, Scored, SessionResult, TurnOutcome, TurnResult, Unscored, Verdict
from tools.metrics.published import as_published

MET, NOT = Verdict.MET, Verdict.NOT_MET


def one_turn(outcome: TurnOutcome, *verdicts: ItemVerdict) -> SessionResult:
    of = session("a", turns=1)
    turn = TurnResult(
        index=0,
        task_type=of.turns[0].task_type,
        implicitness=of.turns[0].implicitness,
        rests_on_answer=False,
        outcome=outcome,
        verdicts=verdicts,
    )
    return SessionResult(
        session_id="a",
        scenario=of.scenario,
        tier=1,
        language=Language.EN,
        cohort=Cohort.SYNTHETIC,
        turns=(turn,),
    )


def verdict(of: Verdict, *, safety: bool = False, gate: bool = False) -> ItemVerdict:
    return ItemVerdict(item_id="i", verdict=of, decided_by="code", reason="", safety=safety, gate=gate)


def test_a_capped_turn_gets_its_share_and_gates_count_as_items() -> None:
    items = [verdict(MET), verdict(MET), verdict(MET), verdict(MET, gate=True), verdict(NOT, safety=True)]
    (scored,) = as_published([one_turn(Scored(score=0.59, capped=True), *items)])
    outcome = scored.turns[0].outcome
    assert isinstance(outcome, Scored)
    assert outcome.score == pytest.approx(4 / 5)
    assert not outcome.capped


def test_what_has_no_score_gets_none() -> None:
    items = [verdict(MET), verdict(Verdict.CANNOT_TELL)]
    (left,) = as_published([one_turn(Unscored(reason="?"), *items)])
    assert left.turns[0].outcome == Unscored(reason="?")
