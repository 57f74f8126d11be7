"""The plan checker catches every fault that is planted in a plan."""

from collections.abc import Callable

import pytest
from planting import Planter, plan_with, planned, with_plan_turns
from seeded import caught

from agents.checks.case import Case
from agents.checks.plan import TOPICS, check_plan
from state.checking import Ruling, Stage
from state.plan import CONCLUDING, KEY_LAB, ORDER, PlannedTurn, TurnKind
from state.session import Implicitness, Scenario

EXTRA = PlannedTurn(kind=TurnKind.PREVIOUS, topics=(KEY_LAB,), implicitness=Implicitness.NOMINAL_ANAPHORA)


def _at(kind: TurnKind, **changes: object) -> Planter:
    def plant(case: Case) -> Case | None:
        found = next((at for at, turn in enumerate(case.plan.turns) if turn.kind is kind), None)
        return None if found is None else planned(case, found, **changes)

    return plant


def _order_that_is_none(case: Case) -> Case | None:
    return None if case.source.match.orders else planned(case, 1, kind=TurnKind.LOOK_UP, topics=(ORDER,))


def _control_that_writes(case: Case) -> Case | None:
    if case.plan.turns[-1].kind is not TurnKind.WRITE:
        return None
    return case.having(
        plan=case.plan.model_copy(update={"match": case.plan.match.model_copy(update={"control": True})})
    )


def _a_second_conclusion(case: Case) -> Case | None:
    turns = list(enumerate(case.plan.turns))
    other = next((at for at, t in turns if t.kind in {TurnKind.RECONSIDER, TurnKind.DIRECTION}), None)
    if other is None or not any(turn.kind in CONCLUDING for _, turn in turns):
        return None
    return planned(case, other, kind=TurnKind.CONCLUDE)


def _quoted_then_looked_up(case: Case) -> Case | None:
    """Look up what the conclusion before had to quote."""
    for at, turn in enumerate(case.plan.turns[:-1]):
        if turn.kind is TurnKind.CONCLUDE and len(turn.topics) > 1:
            return planned(case, at + 1, kind=TurnKind.LOOK_UP, topics=turn.topics[1:2])
    return None


def _looked_up_then_quoted(case: Case) -> Case | None:
    """Have the conclusion quote what an earlier turn looked up."""
    for at, turn in enumerate(case.plan.turns):
        if turn.kind is TurnKind.CONCLUDE:
            told = [
                name for one in case.plan.turns[1:at] for name in one.topics if not name.startswith("said_")
            ]
            again = next((name for name in told if name not in {KEY_LAB, *turn.topics}), None)
            if again is not None:
                return planned(case, at, topics=(KEY_LAB, again))
    return None


def _course_twice(case: Case) -> Case | None:
    """Ask for the first result of the trend window once more."""
    at = next((at for at, turn in enumerate(case.plan.turns) if turn.kind is TurnKind.DIRECTION), None)
    if at is None or at + 1 == len(case.plan.turns):
        return None
    return planned(case, at + 1, kind=TurnKind.TREND, topics=(KEY_LAB, "admission"))


def _told_then_listed(case: Case) -> Case | None:
    """Look up the drug of the home list that the patient was asked about before."""
    listed = [b.name for b in case.source.match.also if b.kind == "home_medication" and not b.absent]
    for at, turn in enumerate(case.plan.turns[:-1]):
        if "said_drug" in turn.topics and listed:
            return planned(case, at + 1, kind=TurnKind.LOOK_UP, topics=(listed[0],))
    return None


def _order_after(case: Case, tells: Callable[[PlannedTurn], bool]) -> Case | None:
    """Look up the order after a turn that names its drug by the way, where nothing before looked it up."""
    if not case.source.match.orders:
        return None
    for at, turn in enumerate(case.plan.turns[:-1]):
        if ORDER in turn.topics:
            return None
        if tells(turn):
            return planned(case, at + 1, kind=TurnKind.LOOK_UP, topics=(ORDER,))
    return None


AGAIN: dict[str, Planter] = {
    "the order that a conclusion was about": lambda case: _order_after(
        case, lambda turn: turn.kind in CONCLUDING
    ),
    "the order that the patient was asked about": lambda case: _order_after(
        case, lambda turn: "said_drug" in turn.topics and turn.kind not in CONCLUDING
    ),
    "a lookup of what a conclusion quoted": _quoted_then_looked_up,
    "a conclusion that quotes what was looked up": _looked_up_then_quoted,
    "the first of the trend window twice": _course_twice,
    "a drug of the home list that the patient named": _told_then_listed,
}
"""Faults that ask once more for what was told; the reason says so."""


FAULTS: dict[str, Planter] = {
    **AGAIN,
    "a fifth turn": lambda case: with_plan_turns(case, [*case.plan.turns, EXTRA]),
    "a turn too few": lambda case: with_plan_turns(case, list(case.plan.turns[:-1])),
    "no turn": lambda case: with_plan_turns(case, []),
    "a turn twice": lambda case: with_plan_turns(
        case, [*case.plan.turns[:2], case.plan.turns[1], *case.plan.turns[3:]]
    ),
    "turns in another order": lambda case: with_plan_turns(case, [*case.plan.turns[1:], case.plan.turns[0]]),
    "an opening that leaves something unsaid": lambda case: planned(
        case, 0, implicitness=Implicitness.PREDICATE_ELLIPSIS
    ),
    "a later turn that leaves nothing unsaid": lambda case: planned(
        case, 2, implicitness=Implicitness.EXPLICIT
    ),
    "a topic of no match": lambda case: planned(case, 1, topics=("with_unobtainium",)),
    "a test of another panel": lambda case: planned(case, 1, kind=TurnKind.LOOK_UP, topics=("with_psa",)),
    "an order where there is none": _order_that_is_none,
    "a gathering of one thing": _at(TurnKind.GATHER, topics=("admission",)),
    "a trend of one thing": _at(TurnKind.TREND, topics=(KEY_LAB,)),
    "a topic twice in a question": _at(TurnKind.GATHER, topics=("admission", "admission")),
    "a question about nothing": lambda case: planned(case, 1, topics=()),
    "a conclusion about something else": _at(TurnKind.CONCLUDE, topics=("admission",)),
    "an opening with another result": lambda case: planned(case, 0, topics=("admission",)),
    "another tier": lambda case: plan_with(tier=case.plan.tier % 3 + 1)(case),
    "another scenario": lambda case: plan_with(
        scenario=next(one for one in Scenario if one is not case.plan.scenario)
    )(case),
    "another arc": lambda case: plan_with(arc=case.plan.arc % 27 + 1)(case),
    "the id of another session": plan_with(session_id="med_safety-t1-a01-000000000000"),
    "the match of another patient": lambda case: plan_with(
        match=case.plan.match.model_copy(update={"subject_id": case.plan.match.subject_id + 1})
    )(case),
    "the conclusion asked for twice": _a_second_conclusion,
    "a write where nothing is to be changed": _control_that_writes,
}


def test_every_question_has_a_cardinality() -> None:
    assert set(TOPICS) == set(TurnKind)


def test_sound_plans_are_accepted(cases: list[Case]) -> None:
    assert [fault for case in cases for fault in check_plan(case)] == []


@pytest.mark.parametrize("fault", AGAIN)
def test_what_is_asked_for_again_is_named(fault: str, cases: list[Case]) -> None:
    planted = [one for case in cases if (one := AGAIN[fault](case)) is not None]
    assert planted
    for case in planted:
        assert any("which an earlier turn tells" in reason for reason in check_plan(case))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str, cases: list[Case]) -> None:
    caught(Stage.PLAN, fault, FAULTS[fault], check_plan, cases, ruling=Ruling.REJECT)
