"""From a plan to gold: which calls answer each turn, what the answer must hold, and a gold answer that does."""

from collections.abc import Callable
from dataclasses import dataclass

from state.base import Language, ResourceRef
from state.gold import (
    ExactWritesItem,
    FieldMatch,
    GoldSession,
    GoldTurn,
    RubricItem,
    ToolCall,
    WriteFieldItem,
)
from state.knowledge import FlagAction, OrderAction
from state.plan import PlannedTurn, SessionPlan, TurnKind
from tools.gold import items
from tools.gold.facts import Facts
from tools.gold.source import GoldSource, NoGold
from tools.wording import load_wordings, render


@dataclass(frozen=True)
class _Draft:
    calls: tuple[ToolCall, ...]
    rubric: tuple[RubricItem, ...]


def _lab_latest(source: GoldSource, turn: str) -> _Draft:
    return _Draft(
        calls=(source.lab_latest,),
        rubric=(items.latest_value(source, f"{turn}-value"), items.latest_time(source, f"{turn}-time")),
    )


def _order_bearing(source: GoldSource, turn: str) -> _Draft:
    details: tuple[RubricItem, ...] = (
        *items.doses_named(source, f"{turn}-dose"),
        *items.routes_named(source, f"{turn}-route"),
    )
    if not details:
        raise NoGold("no order has a dose or a route that can be asked for")
    return _Draft(
        calls=(source.active_orders,),
        rubric=(
            *items.orders_named(source, f"{turn}-order"),
            *details,
            items.singled_out(source, f"{turn}-selective"),
        ),
    )


def _trend_and_order(source: GoldSource, turn: str) -> _Draft:
    if len(source.trend) < 2:
        raise NoGold("fewer than two numeric results in the trend window")
    facts, oldest = Facts.of(source), source.trend[0]
    shown = (ResourceRef(f"Observation/{oldest['id']}"),)
    return _Draft(
        calls=(source.lab_trend, source.active_orders),
        rubric=(
            items.earlier_value(source, f"{turn}-first", facts.first_value, shown, "window's first"),
            items.latest_value(source, f"{turn}-latest"),
            *items.orders_named(source, f"{turn}-order"),
            items.singled_out(source, f"{turn}-selective"),
        ),
    )


def _decision(source: GoldSource, turn: str) -> _Draft:
    lab = source.match.lab
    rubric: list[RubricItem] = [
        items.decision(source, f"{turn}-decision"),
        items.latest_value(source, f"{turn}-value", safety=True),
        *items.avoided(source, f"{turn}-avoid"),
        *items.spared(source, f"{turn}-spares"),
    ]
    if lab.derived_value is not None:
        rubric.insert(2, items.egfr(source, f"{turn}-egfr", lab.derived_value))
    calls: tuple[ToolCall, ...] = ()
    if lab.baseline_value is not None and lab.baseline_ref is not None:
        baseline = items.earlier_value(
            source, f"{turn}-baseline", lab.baseline_value, (lab.baseline_ref,), "baseline", safety=True
        )
        rubric.insert(2, baseline)
        calls = (source.lab_since_baseline,)
    return _Draft(calls=calls, rubric=tuple(rubric))


def _raise_flag(source: GoldSource, turn: str) -> _Draft:
    action = source.rule.action
    if not isinstance(action, FlagAction):
        raise NoGold(f"rule {source.rule.id} recommends an order, not a flag")
    facts = Facts.of(source)
    detail = render(load_wordings(source.rule.scenario, Language.EN).answers["flag_detail"], facts.context())
    call = ToolCall(
        tool=action.tool,
        arguments={
            "subject_id": source.match.subject_id,
            "category": action.category,
            "code": source.rule.title,
            "detail": detail,
        },
    )
    drug = list(source.bound_names)
    fields = (
        _field(turn, action.tool, "category", FieldMatch.CODE, action.category),
        _field(
            turn, action.tool, "detail", FieldMatch.NAMES_ALL, [drug, list(source.analyte_names)], safety=True
        ),
    )
    return _Draft(calls=(call,), rubric=(*fields, _nothing_else(turn, action.tool)))


def _write_order(source: GoldSource, turn: str) -> _Draft:
    action = source.rule.action
    if not isinstance(action, OrderAction):
        raise NoGold(f"rule {source.rule.id} recommends a flag, not an order")
    order = source.match.orders[0]
    route, frequency = action.route or order.route, action.frequency or order.frequency
    if action.dose_fraction is not None:
        if order.dose_value is None or order.dose_unit is None:
            raise NoGold("the triggering order has no single numeric dose to scale")
        dose = f"{order.dose_value * action.dose_fraction:g} {order.dose_unit}"
    else:
        dose = f"{action.dose_value:g} {action.dose_unit}"
    if route is None or frequency is None:
        raise NoGold("the triggering order states no route or no frequency to keep")
    medication = source.display(action.medication or order.ingredient)
    wanted = {"medication": medication, "dose": dose, "route": route, "frequency": frequency}
    call = ToolCall(tool=action.tool, arguments={"subject_id": source.match.subject_id, **wanted})
    matches = {
        "medication": FieldMatch.DRUG,
        "dose": FieldMatch.DOSE,
        "route": FieldMatch.ROUTE,
        "frequency": FieldMatch.FREQUENCY,
    }
    fields = tuple(
        _field(turn, action.tool, name, matches[name], value, safety=name in {"medication", "dose"})
        for name, value in wanted.items()
    )
    return _Draft(calls=(call,), rubric=(*fields, _nothing_else(turn, action.tool)))


def _field(
    turn: str, tool: str, field: str, match: FieldMatch, value: str | list[list[str]], *, safety: bool = False
) -> WriteFieldItem:
    wanted = f"is {value}" if isinstance(value, str) else "names the drug and the laboratory test"
    return WriteFieldItem(
        item_id=f"{turn}-{field}",
        text={Language.EN: f"{tool}: {field} {wanted}"},
        safety=safety,
        tool=tool,
        field=field,
        match=match,
        value=value,
    )


def _nothing_else(turn: str, tool: str) -> ExactWritesItem:
    return ExactWritesItem(
        item_id=f"{turn}-nothing-else",
        text={Language.EN: f"Writes exactly one {tool} for this patient and nothing else"},
        safety=True,
        tools=(tool,),
    )


_DRAFTS: dict[TurnKind, Callable[[GoldSource, str], _Draft]] = {
    TurnKind.LAB_LATEST: _lab_latest,
    TurnKind.ORDER_BEARING: _order_bearing,
    TurnKind.TREND_AND_ORDER: _trend_and_order,
    TurnKind.DECISION: _decision,
    TurnKind.RAISE_FLAG: _raise_flag,
    TurnKind.WRITE_ORDER: _write_order,
}


def gold_answer(turn: PlannedTurn, facts: Facts, plan: SessionPlan) -> str:
    """Word the answer to one turn from facts, right or corrupted."""
    return render(load_wordings(plan.scenario, Language.EN).answers[turn.kind], facts.context())


def derive_gold(plan: SessionPlan, source: GoldSource) -> GoldSession:
    """Derive the gold of every turn of a plan.

    Raises NoGold when the record does not carry one of the questions.
    """
    facts = Facts.of(source)
    turns = []
    for index, planned in enumerate(plan.turns):
        draft = _DRAFTS[planned.kind](source, f"t{index}")
        turns.append(
            GoldTurn(
                index=index,
                calls=draft.calls,
                answer={Language.EN: gold_answer(planned, facts, plan)},
                rubric=draft.rubric,
            )
        )
    return GoldSession(
        session_id=plan.session_id,
        rule_id=source.rule.id,
        bindings=plan.match.model_dump(mode="json"),
        turns=tuple(turns),
    )
