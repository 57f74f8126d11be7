"""Rubric items of the facts a match binds; each states what it wants in words a judge can read."""

from state.base import Language, ResourceRef
from state.gold import (
    AvoidItem,
    Decision,
    DecisionItem,
    DoseItem,
    NameItem,
    RouteItem,
    SelectiveItem,
    SparesItem,
    TimeItem,
    ValueItem,
)
from state.knowledge import OrderAction
from tools.gold.source import GoldSource

EGFR_NAMES = ("eGFR", "GFR", "CKD-EPI", "estimated glomerular filtration rate", "估算肾小球滤过率")
EGFR_TOLERANCE = 1.0
"""mL/min/1.73 m2: the rounding of a figure computed by the same equation."""
LOWERING = (Decision.HOLD, Decision.REDUCE)
"""Less of a drug: where a rule wants one of these and does not call the other unsafe, either is accepted."""
OTHERS_ALLOWED = 3
"""Other active drugs an answer may mention while still singling out the right one, or advise to hold beside it."""


def _en(text: str) -> dict[Language, str]:
    return {Language.EN: text}


def latest_value(source: GoldSource, item_id: str, *, safety: bool = False) -> ValueItem:
    """State the triggering result with its unit; ``safety`` where a decision rests on it."""
    lab = source.match.lab
    latest = _value(source, item_id, lab.value, (lab.ref,), "latest")
    return latest.model_copy(update={"latest": True, "safety": safety})


def earlier_value(
    source: GoldSource,
    item_id: str,
    value: float,
    evidence: tuple[ResourceRef, ...],
    which: str,
    *,
    safety: bool = False,
) -> ValueItem:
    """State an older result of the triggering analyte exactly as recorded."""
    earlier = _value(source, item_id, value, evidence, which)
    return earlier.model_copy(update={"earlier": True, "safety": safety})


def _value(
    source: GoldSource, item_id: str, value: float, evidence: tuple[ResourceRef, ...], which: str
) -> ValueItem:
    lab = source.match.lab
    return ValueItem(
        item_id=item_id,
        text=_en(f"States the {which} {lab.label}: {value:g} {lab.unit}"),
        names=source.analyte_names,
        value=value,
        unit=lab.unit,
        tolerance=0.0,
        others=tuple(other for other in source.results if other != value),
        evidence=evidence,
    )


def latest_time(source: GoldSource, item_id: str) -> TimeItem:
    """State when the sample of the triggering result was taken."""
    lab = source.match.lab
    return TimeItem(
        item_id=item_id,
        text=_en(f"States when the sample was taken: {lab.charttime:%Y-%m-%d %H:%M}"),
        time=lab.charttime,
        evidence=(lab.ref,),
    )


def egfr(source: GoldSource, item_id: str, value: float) -> ValueItem:
    """State the eGFR computed from the triggering creatinine by CKD-EPI 2021, which the decision rests on."""
    unit = source.match.lab.derived_unit or ""
    return ValueItem(
        item_id=item_id,
        text=_en(f"States the eGFR by CKD-EPI 2021: {value:.0f} {unit}"),
        names=EGFR_NAMES,
        value=round(value, 1),
        unit=unit,
        tolerance=EGFR_TOLERANCE,
        safety=True,
        evidence=(source.match.lab.ref,),
    )


def orders_named(source: GoldSource, prefix: str) -> list[NameItem]:
    """Name the drug of each order that satisfies the rule, one item an ingredient."""
    return [
        NameItem(
            item_id=f"{prefix}-{number}",
            text=_en(f"Names the active order for {source.display(ingredient)}"),
            names=tuple(dict.fromkeys(name for order in orders for name in source.drug_names(order))),
            evidence=source.shown_by(orders),
        )
        for number, (ingredient, orders) in enumerate(source.orders_by_ingredient.items(), 1)
    ]


def doses_named(source: GoldSource, prefix: str) -> list[DoseItem]:
    """State a dose of each drug, where each of its orders has one that is a single number."""
    items = []
    for number, (ingredient, orders) in enumerate(source.orders_by_ingredient.items(), 1):
        if any(order.dose_value is None or order.dose_unit is None for order in orders):
            continue
        doses = tuple(dict.fromkeys(f"{order.dose_value:g} {order.dose_unit}" for order in orders))
        items.append(
            DoseItem(
                item_id=f"{prefix}-{number}",
                text=_en(f"States the dose of {source.display(ingredient)}: {' or '.join(doses)}"),
                doses=doses,
                of=source.drug_names(orders[0]),
                evidence=source.shown_by(orders),
            )
        )
    return items


def routes_named(source: GoldSource, prefix: str) -> list[RouteItem]:
    """State the route of each drug, where each of its orders has one that the vocabulary knows."""
    items = []
    for number, (ingredient, orders) in enumerate(source.orders_by_ingredient.items(), 1):
        codes = [source.vocabulary.route(order.route) if order.route else None for order in orders]
        routes = tuple(dict.fromkeys(code for code in codes if code is not None))
        if None in codes:
            continue
        items.append(
            RouteItem(
                item_id=f"{prefix}-{number}",
                text=_en(f"States the route of {source.display(ingredient)}: {' or '.join(routes)}"),
                routes=routes,
                of=source.drug_names(orders[0]),
                evidence=source.shown_by(orders),
            )
        )
    return items


def singled_out(source: GoldSource, item_id: str) -> SelectiveItem:
    """Single the right orders out from the others that are active."""
    return SelectiveItem(
        item_id=item_id,
        text=_en(f"Singles the order out: names it and at most {OTHERS_ALLOWED} other active drugs"),
        target=source.bound_names,
        others=source.other_active_drugs,
        at_most=OTHERS_ALLOWED,
    )


def _advised_on(source: GoldSource) -> tuple[str, ...]:
    """Name what the decision is about: the triggering drugs, or what is to be replaced."""
    rule = source.rule
    if (
        source.decision is Decision.REPLACE
        and isinstance(rule.action, OrderAction)
        and rule.action.medication
    ):
        return (*source.ingredient_names(rule.action.medication), *source.analyte_names)
    return source.bound_names


def decision(source: GoldSource, item_id: str) -> DecisionItem:
    """Advise what the rule concludes."""
    rule, match = source.rule, source.match
    wanted = source.decision
    also = tuple(d for d in LOWERING if wanted in LOWERING and d not in {wanted, *rule.unsafe})
    about = " or ".join(map(source.display, source.orders_by_ingredient))
    if wanted is Decision.REPLACE:
        about = f"{match.lab.label}, with {about} running"
    return DecisionItem(
        item_id=item_id,
        text=_en(
            f"Advises: {' or '.join((wanted, *also))} ({about}). {rule.reason} "
            f"It may say what would change this: {rule.changes_if}"
        ),
        names=_advised_on(source),
        decision=wanted,
        also=also,
        unsafe=rule.unsafe,
        safety=True,
        evidence=source.shown_by(match.orders),
    )


def avoided(source: GoldSource, item_id: str) -> list[AvoidItem]:
    """Do not advise what the rule calls unsafe before all else: to go on as before, or in a control to hold."""
    if not source.rule.unsafe:
        return []
    unsafe = source.rule.unsafe[0]
    about = " or ".join(map(source.display, source.orders_by_ingredient))
    return [
        AvoidItem(
            item_id=item_id,
            text=_en(f"Does not advise: {unsafe} ({about})"),
            names=source.bound_names,
            unsafe=unsafe,
        )
    ]


def spared(source: GoldSource, item_id: str) -> list[SparesItem]:
    """Hold few of the other active drugs, where there are more than a few."""
    if len(source.other_active_drugs) <= OTHERS_ALLOWED:
        return []
    return [
        SparesItem(
            item_id=item_id,
            text=_en(f"Advises to hold at most {OTHERS_ALLOWED} other active drugs"),
            others=source.other_active_drugs,
            at_most=OTHERS_ALLOWED,
        )
    ]
