"""The physician who asks: words each planned turn from templates, in full and as it is said."""

import random
from collections.abc import Mapping
from typing import Any

from state.base import Language
from state.knowledge import OrderAction, Rule
from state.plan import TASK_TYPE, PlannedTurn, SessionPlan, TurnKind
from state.session import Implicitness, Turn, Wording
from tools.wording import Wordings, load_wordings, render

ALSO_IN_WHOLE_BLOOD = frozenset({"potassium", "sodium", "glucose", "chloride", "creatinine"})
"""Tests that blood-gas machines measure too: a question about them says which specimen it means."""


def question_key(kind: TurnKind, rule: Rule) -> str:
    """Give the entry of the wording file that fits a kind of question under a rule."""
    if kind is TurnKind.DECISION and rule.trigger.lab.derived is not None:
        return "decision_egfr"
    if kind is TurnKind.DECISION and rule.trigger.lab.fall_fraction_above is not None:
        return "decision_fall"
    if kind is TurnKind.WRITE_ORDER and isinstance(rule.action, OrderAction):
        return "write_order_scaled" if rule.action.dose_fraction is not None else "write_order_fixed"
    return kind.value


def implicitness_on_offer(kind: TurnKind, rule: Rule) -> tuple[Implicitness, ...]:
    """List, in file order, how a question can be left unsaid."""
    variants = load_wordings(rule.scenario, Language.EN).questions[question_key(kind, rule)]
    return tuple(dict.fromkeys(Implicitness(variant["implicitness"]) for variant in variants))


def _context(plan: SessionPlan, rule: Rule, wordings: Wordings) -> Mapping[str, Any]:
    context: dict[str, Any] = {
        "analyte": plan.match.lab.label,
        "specimen": "serum " if plan.match.lab.analyte in ALSO_IN_WHOLE_BLOOD else "",
        "bearing": wordings.bearing[rule.id],
    }
    if plan.match.lab.baseline_time is not None:
        context["baseline_day"] = f"{plan.match.lab.baseline_time:%Y-%m-%d}"
    action = rule.action
    if not isinstance(action, OrderAction):
        return context
    if action.dose_fraction is not None:
        return {**context, "fraction_words": wordings.fractions[action.dose_fraction]}
    return {
        **context,
        "dose": f"{action.dose_value:g} {action.dose_unit}",
        "route_words": wordings.routes[action.route or ""],
        "frequency_words": wordings.frequencies[action.frequency or ""],
    }


def _word(turn: PlannedTurn, index: int, plan: SessionPlan, rule: Rule, language: Language) -> Wording:
    wordings = load_wordings(plan.scenario, language)
    variants = [
        variant
        for variant in wordings.questions[question_key(turn.kind, rule)]
        if Implicitness(variant["implicitness"]) is turn.implicitness
    ]
    chosen = random.Random(f"{plan.wording_seed}:{index}:{language}").choice(variants)  # noqa: S311
    context = _context(plan, rule, wordings)
    explicit = render(chosen["explicit"], context)
    return Wording(
        explicit=explicit, implicit=render(chosen["implicit"], context) if "implicit" in chosen else explicit
    )


def word_turns(
    plan: SessionPlan, rule: Rule, languages: tuple[Language, ...] = (Language.EN,)
) -> tuple[Turn, ...]:
    """Word every turn of a plan. Deterministic for a plan: the plan's seed picks the variants."""
    return tuple(
        Turn(
            index=index,
            task_type=TASK_TYPE[turn.kind],
            implicitness=turn.implicitness,
            wording={language: _word(turn, index, plan, rule, language) for language in languages},
        )
        for index, turn in enumerate(plan.turns)
    )
