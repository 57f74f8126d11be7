"""From a plan to gold: which calls answer each turn, what the answer must hold, and a gold answer that does."""

from collections.abc import Callable
from dataclasses import dataclass

from state.base import Language, ResourceRef
from state.gold import GoldSession, GoldTurn, RubricItem, ToolCall
from state.plan import PlannedTurn, SessionPlan, TurnKind
from tools.gold import items
from tools.gold.facts import Facts
from tools.gold.flags import raise_flag
from tools.gold.source import GoldSource, NoGold
from tools.gold.writes import write_order
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
    return _Draft(
        calls=(source.active_orders,),
        rubric=(
            *items.orders_named(source, f"{turn}-order"),
            *items.dose_named(source, f"{turn}-dose"),
            items.singled_out(source, f"{turn}-selective"),
        ),
    )


def _trend_and_order(source: GoldSource, turn: str) -> _Draft:
    if len(source.trend) < 2:
        raise NoGold("fewer than two numeric results in the trend window")
    facts, oldest = Facts.of(source), source.trend[0]
    first = items.value_of(
        source,
        f"{turn}-first",
        facts.first_value,
        (ResourceRef(f"Observation/{oldest['id']}"),),
        "window's first",
    )
    return _Draft(
        calls=(source.lab_trend, source.active_orders),
        rubric=(
            first,
            items.latest_value(source, f"{turn}-latest"),
            *items.orders_named(source, f"{turn}-order"),
            items.singled_out(source, f"{turn}-selective"),
        ),
    )


def _decision(source: GoldSource, turn: str) -> _Draft:
    lab = source.match.lab
    rubric: list[RubricItem] = [
        items.decision(source, f"{turn}-decision"),
        items.latest_value(source, f"{turn}-value"),
        *items.avoided(source, f"{turn}-avoid"),
    ]
    if lab.derived_value is not None:
        rubric.insert(2, items.egfr(source, f"{turn}-egfr", lab.derived_value))
    calls: tuple[ToolCall, ...] = ()
    if lab.baseline_value is not None and lab.baseline_ref is not None:
        baseline = items.value_of(
            source, f"{turn}-baseline", lab.baseline_value, (lab.baseline_ref,), "baseline"
        )
        rubric.insert(2, baseline)
        calls = (source.lab_since_baseline,)
    return _Draft(calls=calls, rubric=tuple(rubric))


def _raise_flag(source: GoldSource, turn: str) -> _Draft:
    call, rubric = raise_flag(source, turn)
    return _Draft(calls=(call,), rubric=rubric)


def _write_order(source: GoldSource, turn: str) -> _Draft:
    call, rubric = write_order(source, turn)
    return _Draft(calls=(call,), rubric=rubric)


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
