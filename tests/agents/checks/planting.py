"""Ways to plant one fault in one place of a session."""

from collections.abc import Callable
from typing import Any

from agents.checks.case import Case
from state.base import Language
from state.gold import GoldTurn, RubricItem, ToolCall
from state.plan import PlannedTurn

Planter = Callable[[Case], Case | None]
"""Gives the case with a fault in it; None where the session has no place for that fault."""


def plan_with(**changes: Any) -> Planter:
    """Change fields of the plan."""
    return lambda case: case.having(plan=case.plan.model_copy(update=changes))


def planned(case: Case, index: int, **changes: Any) -> Case:
    """Change fields of one planned turn."""
    turns = [
        turn.model_copy(update=changes) if at == index else turn for at, turn in enumerate(case.plan.turns)
    ]
    return with_plan_turns(case, turns)


def with_plan_turns(case: Case, turns: list[PlannedTurn]) -> Case:
    """Change the turns of the plan."""
    return case.having(plan=case.plan.model_copy(update={"turns": tuple(turns)}))


def calls_of(case: Case, index: int, calls: tuple[ToolCall, ...]) -> Case:
    """Change the calls of one turn."""
    return case.having(calls=tuple(calls if at == index else old for at, old in enumerate(case.calls)))


def arguments_of(case: Case, index: int, **changes: Any) -> Case | None:
    """Change arguments of every call of one turn."""
    calls = case.calls[index]
    if not calls:
        return None
    return calls_of(
        case, index, tuple(c.model_copy(update={"arguments": {**c.arguments, **changes}}) for c in calls)
    )


def gold_turn(case: Case, index: int, change: Callable[[GoldTurn], GoldTurn]) -> Case:
    """Change the gold of one turn."""
    turns = tuple(change(turn) if turn.index == index else turn for turn in case.answers.turns)
    return case.having(gold=case.answers.model_copy(update={"turns": turns}))


def item(kind: type[RubricItem], change: Callable[[Any], dict[str, Any] | None]) -> Planter:
    """Change fields of the first item of a kind that ``change`` finds something to change in."""

    def plant(case: Case) -> Case | None:
        for turn in case.answers.turns:
            for one in turn.rubric:
                if isinstance(one, kind) and (changes := change(one)) is not None:
                    spoiled = one.model_copy(update=changes)
                    rubric = tuple(spoiled if old is one else old for old in turn.rubric)
                    return gold_turn(
                        case, turn.index, lambda old, new=rubric: old.model_copy(update={"rubric": new})
                    )
        return None

    return plant


def dropped(kind: type[RubricItem], where: Callable[[Any], bool] = lambda _: True) -> Planter:
    """Drop the first item of a kind, and whatever else of it its turn has."""

    def plant(case: Case) -> Case | None:
        for turn in case.answers.turns:
            kept = tuple(one for one in turn.rubric if not (isinstance(one, kind) and where(one)))
            if kept and len(kept) < len(turn.rubric):
                return gold_turn(
                    case, turn.index, lambda old, new=kept: old.model_copy(update={"rubric": new})
                )
        return None

    return plant


def answer(change: Callable[[str, Case], str | None], language: Language) -> Planter:
    """Change the first answer of a language that ``change`` finds something to change in."""

    def plant(case: Case) -> Case | None:
        for turn in case.answers.turns:
            new = change(turn.answer[language], case)
            if new is not None and new != turn.answer[language]:
                return gold_turn(
                    case,
                    turn.index,
                    lambda old, new=new: old.model_copy(update={"answer": {**old.answer, language: new}}),
                )
        return None

    return plant


def said(
    change: Callable[[str, Case], str | None], language: Language, *forms: str, first: int = 1
) -> Planter:
    """Change a question in a language, from turn ``first`` on, that ``change`` finds something to change in."""

    def plant(case: Case) -> Case | None:
        for turn in case.words.turns[first:]:
            wording = turn.wording[language]
            changes = {
                form: change(getattr(wording, form), case) for form in forms or ("explicit", "implicit")
            }
            if all(text is None or text == getattr(wording, form) for form, text in changes.items()):
                continue
            spoiled = wording.model_copy(
                update={form: text for form, text in changes.items() if text is not None}
            )
            return worded(case, turn.index, language, spoiled)
        return None

    return plant


def worded(case: Case, index: int, language: Language, wording: Any) -> Case:
    """Put another wording in a turn."""
    turns = tuple(
        turn.model_copy(update={"wording": {**turn.wording, language: wording}})
        if turn.index == index
        else turn
        for turn in case.words.turns
    )
    return case.having(session=case.words.model_copy(update={"turns": turns}))
