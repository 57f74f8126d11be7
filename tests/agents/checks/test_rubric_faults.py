"""The rubric checker catches items that are dropped, doubled, or say something else than they hold."""

from collections.abc import Callable
from typing import Any

import pytest
from planting import Planter, dropped, gold_turn, item
from seeded import caught

from agents.checks.case import Case
from agents.checks.rubric import check_rubric
from state.base import Language
from state.checking import Stage
from state.gold import (
    AvoidItem,
    DecisionItem,
    DoseItem,
    ExactWritesItem,
    JudgementItem,
    NameItem,
    PatientFactItem,
    PatientUnknownItem,
    RangeItem,
    SelectiveItem,
    TimeItem,
    ValueItem,
    WriteAvoidItem,
    WriteFieldItem,
    WriteItem,
    WriteTextItem,
)
from tools.gold.conclusions import FALLEN, RISEN

EN, ZH = Language.EN, Language.ZH


def _twice(case: Case) -> Case:
    return gold_turn(case, 0, lambda turn: turn.model_copy(update={"rubric": (*turn.rubric, turn.rubric[0])}))


def _moved(case: Case) -> Case:
    stray = case.answers.turns[0].rubric[0]
    return gold_turn(case, 1, lambda turn: turn.model_copy(update={"rubric": (*turn.rubric, stray)}))


def _a_turn_less(case: Case) -> Case:
    return case.having(gold=case.answers.model_copy(update={"turns": case.answers.turns[:-1]}))


def _text(language: Language, old: str, new: str) -> Any:
    def change(one: Any) -> dict[str, Any] | None:
        text = one.text[language].replace(old, new)
        return {"text": {**one.text, language: text}} if text != one.text[language] else None

    return change


def _numbered(one: ValueItem) -> dict[str, Any]:
    return {"text": {**one.text, ZH: one.text[ZH].replace(f"{one.value:g}", f"{one.value * 10 + 7:g}")}}


def _last_topic(case: Case) -> Case | None:
    """Drop everything that is scored of the last topic of a turn with several."""
    for index, turn in enumerate(case.plan.turns):
        number = len(turn.topics) if turn.kind == "gather" else len(turn.topics) - 1
        gone = f"t{index}-{number}-"
        kept = tuple(one for one in case.answers.turns[index].rubric if not one.item_id.startswith(gone))
        if number and len(kept) < len(case.answers.turns[index].rubric):
            return gold_turn(case, index, lambda old, new=kept: old.model_copy(update={"rubric": new}))
    return None


def _asked_again(case: Case) -> Case | None:
    """Want a figure or a finding in a later turn that an earlier one had to state."""
    key = case.source.match.lab.ref
    for turn in case.answers.turns[1:-1]:
        told = [one for one in turn.rubric if isinstance(one, ValueItem | NameItem)]
        if (
            again := next((one for one in told if one.evidence and one.evidence[0] != key), None)
        ) is not None:
            at = len(case.answers.turns) - 1
            moved = again.model_copy(update={"item_id": f"t{at}-again"})
            return gold_turn(
                case, at, lambda old, new=moved: old.model_copy(update={"rubric": (*old.rubric, new)})
            )
    return None


def _exact_with(change: Callable[[ExactWritesItem], dict[str, Any] | None]) -> Planter:
    """Change the item of a write that a pass rests on."""
    return item(ExactWritesItem, lambda one: change(one) if one.tools else None)


def _without_condition(kind: type[WriteItem], where: Callable[[Any], bool] = lambda _: True) -> Planter:
    """Let a part of a write be wrong without capping the turn."""

    def change(one: ExactWritesItem) -> dict[str, Any] | None:
        kept = tuple(part for part in one.conditions if not (isinstance(part, kind) and where(part)))
        return {"conditions": kept} if len(kept) < len(one.conditions) else None

    return _exact_with(change)


def _nothing_to_tell(case: Case) -> Case | None:
    """Ask a patient for what is not known: of one thing asked, only what the patient cannot tell is left."""
    for turn in case.answers.turns:
        unknown = next((one for one in turn.rubric if isinstance(one, PatientUnknownItem)), None)
        if unknown is not None:
            topic = unknown.item_id.rpartition("-")[0]
            kept = tuple(
                one
                for one in turn.rubric
                if not (isinstance(one, PatientFactItem) and one.item_id.startswith(f"{topic}-"))
            )
            return gold_turn(case, turn.index, lambda old, new=kept: old.model_copy(update={"rubric": new}))
    return None


FAULTS: dict[str, Planter] = {
    "a figure wanted that an earlier turn stated": _asked_again,
    "a patient asked for what is not known": _nothing_to_tell,
    "the value of a lookup dropped": dropped(ValueItem),
    "the time of a lookup dropped": dropped(TimeItem, lambda one: one.item_id == "t0-time"),
    "the range of a lookup dropped": dropped(RangeItem),
    "the conclusion dropped": dropped(JudgementItem, lambda one: one.names not in (RISEN, FALLEN)),
    "the decision dropped": dropped(DecisionItem),
    "the direction dropped": dropped(JudgementItem, lambda one: one.names in (RISEN, FALLEN)),
    "unsafe advice no longer asked about": dropped(AvoidItem),
    "singling out no longer asked for": dropped(
        SelectiveItem, lambda one: one.item_id.startswith("t1-selective")
    ),
    "a written field dropped": dropped(WriteFieldItem),
    "what else is written no longer asked about": dropped(ExactWritesItem),
    "what a flag names dropped": dropped(WriteTextItem),
    "what a flag advises may be unsafe": _without_condition(WriteAvoidItem),
    "a flag may name nothing": _without_condition(WriteTextItem),
    "a wrong written field may pass": _without_condition(WriteFieldItem),
    "a duration may be added": _without_condition(
        WriteFieldItem, lambda one: one.item_id.endswith("-duration")
    ),
    "a write a pass does not rest on": _exact_with(lambda _: {"safety": False}),
    "two items of a write that a pass rests on": item(WriteFieldItem, lambda _: {"safety": True}),
    "the dose of an order written not told": dropped(DoseItem, lambda one: one.before is not None),
    "what was written not told": dropped(NameItem, lambda one: one.written),
    "the result that was flagged not told": dropped(
        ValueItem, lambda one: one.item_id.endswith("-told-result")
    ),
    "a write of which the text leaves a part out": _exact_with(
        lambda one: {"text": dict.fromkeys(one.text, "Writes it.")}
    ),
    "an item twice": _twice,
    "an item in another turn": _moved,
    "the gold of a turn dropped": _a_turn_less,
    "the items of a topic dropped": _last_topic,
    "an item without Chinese": item(ValueItem, lambda one: {"text": {EN: one.text[EN]}}),
    "another number in an item's Chinese": item(ValueItem, _numbered),
    "another time in an item's English": item(TimeItem, _text(EN, "21", "19")),
    "an item that does not say which complaint it is of": item(
        PatientFactItem,
        lambda one: {"text": dict.fromkeys(one.text, "It began.")} if one.element == "onset" else None,
    ),
    "an item of another unit than it says": item(
        ValueItem, lambda one: {"unit": "stone"} if one.unit else None
    ),
    "a conclusion a pass does not rest on": item(
        JudgementItem, lambda one: {"safety": False} if one.names not in (RISEN, FALLEN) else None
    ),
}


def test_sound_rubrics_are_accepted(cases: list[Case]) -> None:
    assert [fault for case in cases for fault in check_rubric(case)] == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str, cases: list[Case]) -> None:
    caught(Stage.RUBRIC, fault, FAULTS[fault], check_rubric, cases)
