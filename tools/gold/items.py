"""Rubric items of the facts a match binds; each states what it wants in words a judge can read."""

from state.base import Language, ResourceRef
from state.gold import AvoidItem, DecisionItem, NameItem, SelectiveItem, TimeItem, ValueItem
from state.knowledge import BoundOrder
from tools.gold.source import GoldSource

EGFR_NAMES = ("eGFR", "GFR", "estimated glomerular filtration rate", "估算肾小球滤过率")
EGFR_TOLERANCE = 1.0
"""mL/min/1.73 m2: the rounding of a figure computed by the same equation."""
OTHERS_ALLOWED = 3
"""Other active drugs an answer may mention while still singling out the right one."""


def _en(text: str) -> dict[Language, str]:
    return {Language.EN: text}


def latest_value(source: GoldSource, item_id: str) -> ValueItem:
    """State the triggering result with its unit."""
    lab = source.match.lab
    return value_of(source, item_id, lab.value, (lab.ref,), "latest")


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


def decision(source: GoldSource, item_id: str) -> DecisionItem:
    """Advise what the rule concludes about the triggering drug."""
    rule, target = source.rule, source.match.orders[0]
    return DecisionItem(
        item_id=item_id,
        text=_en(f"Advises: {rule.decision} ({source.display(target.ingredient)})"),
        names=source.drug_names(target),
        decision=rule.decision,
        unsafe=rule.unsafe,
        safety=True,
        evidence=(target.ref,),
    )


def avoided(source: GoldSource, prefix: str) -> list[AvoidItem]:
    """Do not advise any of what the rule calls unsafe."""
    target = source.match.orders[0]
    return [
        AvoidItem(
            item_id=f"{prefix}-{unsafe}",
            text=_en(f"Does not advise: {unsafe} ({source.display(target.ingredient)})"),
            names=source.drug_names(target),
            unsafe=unsafe,
            safety=True,
        )
        for unsafe in source.rule.unsafe
    ]
