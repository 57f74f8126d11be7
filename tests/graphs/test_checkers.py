"""The checkers of generation: what is sound passes, and each planted fault is caught with its reason."""

from collections.abc import Callable
from typing import Any

import pytest
from made import LOOKUP, REASON, WRITE, Made, make
from wards import OpenWorkshop

from agents.checkers import check_gold
from agents.checks.case import Case
from agents.checks.wording import check_wording
from state.base import Language
from state.gold import GoldTurn, NameItem, RubricItem, ToolCall, ValueItem
from state.session import Session


def case_of(made: Made, session: Session) -> Case:
    return Case(source=made.source(), plan=made.plan, session=session, gold=made.gold)


def faults_of(made: Made, index: int, change: Callable[[GoldTurn], GoldTurn]) -> list[str]:
    """Check the gold with one turn changed."""
    turns = tuple(change(turn) if turn.index == index else turn for turn in made.gold.turns)
    gold = made.gold.model_copy(update={"turns": turns})
    return check_gold(made.session, gold, made.drafts, made.source())


@pytest.fixture(
    scope="module", params=["potassium_chloride_hyperkalemia", "spironolactone_hyperkalemia_halve"]
)
def made(request: pytest.FixtureRequest, med_safety: OpenWorkshop) -> Made:
    """Make a session that ends in a flag, and one that ends in an order."""
    return make(med_safety(), request.param, (LOOKUP, LOOKUP, REASON, WRITE))


def with_argument(name: str, value: Any) -> Callable[[GoldTurn], GoldTurn]:
    def change(turn: GoldTurn) -> GoldTurn:
        calls = tuple(ToolCall(tool=c.tool, arguments={**c.arguments, name: value}) for c in turn.calls)
        return turn.model_copy(update={"calls": calls})

    return change


def with_items(**changes: Any) -> Callable[[GoldTurn], GoldTurn]:
    """Change the fields of every value item."""

    def item(old: RubricItem) -> RubricItem:
        return old.model_copy(update=changes) if isinstance(old, ValueItem) else old

    return lambda turn: turn.model_copy(update={"rubric": tuple(map(item, turn.rubric))})


def test_what_is_sound_passes(made: Made) -> None:
    assert check_wording(case_of(made, made.session)) == []
    assert faults_of(made, 0, lambda turn: turn) == []


def test_a_stop_is_proved_although_stopping_twice_changes_nothing(med_safety: OpenWorkshop) -> None:
    made = make(med_safety(), "statin_creatine_kinase", (LOOKUP, LOOKUP, REASON, WRITE))
    assert [call.tool for call in made.gold.turns[3].calls] == ["MedicationRequest.patch"]
    assert faults_of(made, 0, lambda turn: turn) == []


@pytest.mark.parametrize(
    ("index", "change", "reason"),
    [
        (0, with_argument("subject_id", 1), "is refused"),
        (0, with_argument("code", "Sodium"), "gold does not meet"),
        (0, with_argument("flavour", "x"), "is refused"),
        (3, with_argument("subject_id", 1), "is refused"),
        (0, with_items(value=1.25), "gold does not meet t0-value"),
        (0, with_items(evidence=("Observation/lab-0",)), "gold does not meet t0-value"),
        (0, with_items(tolerance=1e6), "t0-value is met by an answer made wrong"),
        (
            2,
            lambda turn: turn.model_copy(update={"answer": dict.fromkeys(turn.answer, "")}),
            "gold does not meet t2-conclusion",
        ),
        (
            3,
            lambda turn: turn.model_copy(update={"calls": turn.calls * 2}),
            "gold does not meet t3-nothing-else",
        ),
        (3, lambda turn: turn.model_copy(update={"calls": ()}), "gold does not meet t3-nothing-else"),
    ],
)
def test_a_planted_fault_of_gold_is_caught(
    made: Made, index: int, change: Callable[[GoldTurn], GoldTurn], reason: str
) -> None:
    faults = faults_of(made, index, change)
    assert any(reason in fault for fault in faults), faults


@pytest.mark.parametrize(
    ("index", "form", "addition", "reason"),
    [
        (1, "implicit", "Is it {drug}?", "names the drug"),
        (1, "explicit", "Is it {drug}?", "names the drug"),
        (2, "implicit", "It was {value} {unit}.", "states the value"),
        (1, "implicit", "I mean the {analyte}.", "names the test"),
    ],
)
def test_a_planted_fault_of_wording_is_caught(
    made: Made, index: int, form: str, addition: str, reason: str
) -> None:
    match = made.plan.match
    told = addition.format(
        drug=match.orders[0].drug, value=f"{match.lab.value:g}", unit=match.lab.unit, analyte=match.lab.label
    )
    turn = made.session.turns[index]
    wording = turn.wording[Language.EN]
    spoiled = wording.model_copy(update={form: f"{getattr(wording, form)} {told}"})
    turns = tuple(
        turn.model_copy(update={"wording": {**turn.wording, Language.EN: spoiled}})
        if turn.index == index
        else turn
        for turn in made.session.turns
    )
    faults = check_wording(case_of(made, made.session.model_copy(update={"turns": turns})))
    assert any(reason in fault for fault in faults), faults


def test_an_implicit_form_that_leaves_nothing_unsaid_is_caught(made: Made) -> None:
    turn = made.session.turns[1]
    wording = turn.wording[Language.EN]
    same = wording.model_copy(update={"implicit": wording.explicit})
    turns = (
        made.session.turns[0],
        turn.model_copy(update={"wording": {**turn.wording, Language.EN: same}}),
        *made.session.turns[2:],
    )
    faults = check_wording(case_of(made, made.session.model_copy(update={"turns": turns})))
    assert any("leaves nothing unsaid" in fault for fault in faults)


def test_a_rubric_that_reciting_the_record_would_meet_is_refused(med_safety: OpenWorkshop) -> None:
    """The drug of the order, without what is concluded of it, stands in what the tools show."""
    made = make(med_safety(), "spironolactone_hyperkalemia_halve", (LOOKUP, LOOKUP, REASON, WRITE))
    drug = made.source().order.drug.strip()

    def only_named(turn: GoldTurn) -> GoldTurn:
        named = NameItem(item_id="t2-drug", text=dict.fromkeys(Language, drug), names=(drug,))
        return turn.model_copy(update={"rubric": (named,)})

    assert any("a dump of the tool results passes" in fault for fault in faults_of(made, 2, only_named))
