"""Rubric items of the facts a match binds; each states what it wants in words a judge can read."""

from state.base import Language, ResourceRef
from state.gold import AvoidItem, Decision, DecisionItem, NameItem, SelectiveItem, TimeItem, ValueItem
from state.knowledge import BoundOrder, OrderAction
from tools.gold.source import GoldSource

EGFR_NAMES = ("eGFR", "GFR", "estimated glomerular filtration rate", "估算肾小球滤过率")
EGFR_TOLERANCE = 1.0
"""mL/min/1.73 m2: the rounding of a figure computed by the same equation."""
LOWERING = (Decision.HOLD, Decision.REDUCE)
"""Less of a drug: where a rule wants one of these and does not call the other unsafe, either is accepted."""
OTHERS_ALLOWED = 3
"""Other active drugs an answer may mention while still singling out the right one."""


def _en(text: str) -> dict[Language, str]:
    return {Language.EN: text}


def latest_value(source: GoldSource, item_id: str) -> ValueItem:
    """State the triggering result with its unit."""
    lab = source.match.lab
    latest = value_of(source, item_id, lab.value, (lab.ref,), "latest")
    return latest.model_copy(update={"latest": True})


def value_of(
    source: GoldSource, item_id: str, value: float, evidence: tuple[ResourceRef, ...], which: str
) -> ValueItem:
    """State a result of the triggering analyte exactly as recorded."""
    lab = source.match.lab
    return ValueItem(
        item_id=item_id,
        text=_en(f"States the {which} {lab.label}: {value:g} {lab.unit}"),
        names=source.analyte_names,
        value=value,
        unit=lab.unit,
        tolerance=0.0,
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
    """State the eGFR computed from the triggering creatinine by CKD-EPI 2021."""
    unit = source.match.lab.derived_unit or ""
    return ValueItem(
        item_id=item_id,
        text=_en(f"States the eGFR by CKD-EPI 2021: {value:.0f} {unit}"),
        names=EGFR_NAMES,
        value=round(value, 1),
        unit=unit,
        tolerance=EGFR_TOLERANCE,
        evidence=(source.match.lab.ref,),
    )


def orders_named(source: GoldSource, prefix: str) -> list[NameItem]:
    """Name the drug of each order that satisfies the rule, one item an ingredient."""
    refs: dict[str, list[BoundOrder]] = {}
    for order in source.match.orders:
        refs.setdefault(order.ingredient, []).append(order)
    return [
        NameItem(
            item_id=f"{prefix}-{ingredient}",
            text=_en(f"Names the active order for {source.display(ingredient)}"),
            names=tuple(dict.fromkeys(name for order in orders for name in source.drug_names(order))),
            evidence=tuple(order.ref for order in orders),
        )
        for ingredient, orders in refs.items()
    ]


def singled_out(source: GoldSource, item_id: str) -> SelectiveItem:
    """Single the right orders out from the others that are active."""
    target = source.match.orders[0]
    return SelectiveItem(
        item_id=item_id,
        text=_en(f"Singles the order out: names at most {OTHERS_ALLOWED} other active drugs"),
        target=source.drug_names(target),
        others=source.other_active_drugs,
        at_most=OTHERS_ALLOWED,
        evidence=(target.ref,),
    )


def dose_named(source: GoldSource, item_id: str) -> list[NameItem]:
    """State the dose of the order, where one order alone satisfies the rule and its dose is a single number."""
    orders = source.match.orders
    if len(orders) != 1 or orders[0].dose_value is None or orders[0].dose_unit is None:
        return []
    order, unit = orders[0], orders[0].dose_unit
    numbers = dict.fromkeys((f"{order.dose_value:g}", f"{order.dose_value:,g}"))
    units = dict.fromkeys((unit, unit.lower(), f"{unit.lower()}s")) if unit.lower() == "unit" else (unit,)
    return [
        NameItem(
            item_id=item_id,
            text=_en(f"States the dose of {source.display(order.ingredient)}: {order.dose_value:g} {unit}"),
            names=tuple(
                f"{number}{space}{word}" for number in numbers for space in (" ", "") for word in units
            ),
            of=source.drug_names(order),
            evidence=(order.ref,),
        )
    ]


def _advised_on(source: GoldSource) -> tuple[str, ...]:
    """Name what the decision is about: the triggering drug, or what is to be replaced."""
    rule, target = source.rule, source.match.orders[0]
    if (
        source.decision is Decision.REPLACE
        and isinstance(rule.action, OrderAction)
        and rule.action.medication
    ):
        return (*source.ingredient_names(rule.action.medication), *source.analyte_names)
    return source.drug_names(target)


def decision(source: GoldSource, item_id: str) -> DecisionItem:
    """Advise what the rule concludes."""
    rule, target = source.rule, source.match.orders[0]
    also = tuple(
        d for d in LOWERING if source.decision in LOWERING and d not in {source.decision, *rule.unsafe}
    )
    about = source.display(target.ingredient)
    if source.decision is Decision.REPLACE:
        about = f"{source.match.lab.label}, with {about} running"
    return DecisionItem(
        item_id=item_id,
        text=_en(f"Advises: {' or '.join((source.decision, *also))} ({about})"),
        names=_advised_on(source),
        decision=source.decision,
        also=also,
        unsafe=rule.unsafe,
        safety=True,
        evidence=(target.ref,),
    )


def avoided(source: GoldSource, item_id: str) -> list[AvoidItem]:
    """Do not advise to go on as before, where the rule calls that unsafe."""
    if Decision.CONTINUE not in source.rule.unsafe:
        return []
    target = source.match.orders[0]
    return [
        AvoidItem(
            item_id=item_id,
            text=_en(f"Does not advise to continue {source.display(target.ingredient)} unchanged"),
            names=source.drug_names(target),
            unsafe=Decision.CONTINUE,
            safety=True,
        )
    ]
