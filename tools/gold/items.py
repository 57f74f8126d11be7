"""Rubric items from facts; each states what it wants in words a judge can read, in both languages."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from state.base import Language, ResourceRef
from state.gold import (
    DoseItem,
    NameItem,
    RangeItem,
    RouteItem,
    RubricItem,
    SelectiveItem,
    TimeItem,
    ValueItem,
)
from state.knowledge import BoundOrder
from tools.gold.source import GoldSource, NoGold, Result

EGFR_NAMES = ("eGFR", "GFR", "CKD-EPI", "estimated glomerular filtration rate", "估算肾小球滤过率")
NO_GROWTH = (
    "no growth",
    "negative",
    "sterile",
    "did not grow",
    "nothing grew",
    "无生长",
    "未生长",
    "阴性",
    "无菌生长",
)
NO_MRSA = (
    "no MRSA isolated",
    "no MRSA",
    "MRSA negative",
    "negative for MRSA",
    "MRSA was not isolated",
    "negative",
    "未检出MRSA",
    "未分离出MRSA",
    "MRSA阴性",
    "阴性",
)
"""What a screen says that looks for one organism alone: others may have grown."""
CULTURE_NAMES = ("culture", "specimen", "培养", "标本")
DIAGNOSIS_NAMES = ("diagnosis", "coded", "recorded", "诊断", "编码", "记录")
ADMISSION_NAMES = ("admission", "admitted", "hospital stay", "入院", "住院")
OTHERS_ALLOWED = 3
"""Other active drugs an answer may mention, or hold, while still singling out the right one."""

Which = Literal["latest", "previous", "first", "baseline"]
_WHICH_ZH: Mapping[str, str] = {
    "latest": "最近一次",
    "previous": "前一次",
    "first": "该时段内首次",
    "baseline": "此前最高",
}
_TIMES: Mapping[str, tuple[str, str]] = {
    "sample": ("when the sample was taken", "采样时间"),
    "dose": ("when the last dose was given", "末次给药时间"),
    "specimen": ("when the specimen was collected", "标本采集时间"),
    "reading": ("when it was measured", "测量时间"),
    "admission": ("when the admission began", "入院时间"),
    "start": ("when the order started", "医嘱开始时间"),
    "diagnosis": ("when the diagnosis was recorded", "诊断的记录时间"),
}


_NAMED_ZH: Mapping[str, str] = {
    "the coded diagnosis": "编码诊断",
    "the principal diagnosis": "主要诊断",
    "the code of the coded diagnosis": "编码诊断的编码",
    "the code of the principal diagnosis": "主要诊断的编码",
    "where the patient came from": "患者从何处来",
    "the specimen": "标本",
    "the drug given": "给药记录中的药物",
    "the drug of the home list": "入院前用药清单中的药物",
    "the other drug ordered": "在用药物",
    "what the culture grew": "培养结果",
}


def both(en: str, zh: str) -> dict[Language, str]:
    """Give a text in both languages."""
    return {Language.EN: en, Language.ZH: zh}


def value(
    item_id: str,
    which: Which,
    labels: Mapping[Language, str],
    names: Sequence[str],
    result: Result,
    others: tuple[float, ...],
    *,
    latest: bool,
    safety: bool,
) -> ValueItem:
    """State a result exactly as recorded; ``safety`` where a conclusion rests on it."""
    number = f"{result.value:g} {result.unit}".strip()
    return ValueItem(
        item_id=item_id,
        text=both(
            f"States the {which} {labels[Language.EN]}: {number}",
            f"说明{_WHICH_ZH[which]}{labels[Language.ZH]}：{number}",
        ),
        safety=safety,
        names=tuple(names),
        value=result.value,
        unit=result.unit,
        tolerance=0.0,
        latest=latest,
        earlier=not latest,
        others=others,
        evidence=(result.ref,),
    )


def figure(
    item_id: str,
    label: str,
    names: Sequence[str],
    value: float,
    unit: str,
    tolerance: float,
    evidence: tuple[ResourceRef, ...],
    *,
    drawn: datetime | None = None,
    as_right: tuple[float, ...] = (),
) -> ValueItem:
    """State a computed figure, within the rounding of its inputs.

    ``drawn``: the one draw it is computed from. ``as_right``: what it is by the laboratory's own formula.
    """
    number = f"{value:g} {unit}".strip()
    en = zh = ""
    if drawn is not None:
        en, zh = f" from the draw of {drawn:%Y-%m-%d %H:%M}", f"（{drawn:%Y-%m-%d %H:%M}采样）"
    others = " / ".join(f"{other:g} {unit}".strip() for other in as_right)
    en_other = f" (or, by the laboratory's own formula, {others})" if others else ""
    zh_other = f"（或按实验室自身公式，{others}）" if others else ""
    return ValueItem(
        item_id=item_id,
        text=both(f"States the {label}{en}: {number}{en_other}", f"说明{names[-1]}{zh}：{number}{zh_other}"),
        safety=True,
        names=tuple(names),
        value=value,
        unit=unit,
        tolerance=tolerance,
        as_right=as_right,
        evidence=evidence,
    )


def time(
    item_id: str,
    what: str,
    moment: datetime,
    evidence: tuple[ResourceRef, ...],
    names: tuple[str, ...],
    *,
    labels: Mapping[Language, str] | None = None,
    value: float | None = None,
) -> TimeItem:
    """State a time to the minute of what goes by ``names``; ``labels`` and ``value`` are those of a test's result."""
    en, zh = _TIMES[what]
    shown = f"{moment:%Y-%m-%d %H:%M}"
    if labels is not None:
        en, zh = f"{en} for {labels[Language.EN]}", f"{labels[Language.ZH]}的{zh}"
    return TimeItem(
        item_id=item_id,
        text=both(f"States {en}: {shown}", f"说明{zh}：{shown}"),
        time=moment,
        names=names,
        value=value,
        evidence=evidence,
    )


def reference_range(
    item_id: str,
    labels: Mapping[Language, str],
    low: float | None,
    high: float | None,
    evidence: tuple[ResourceRef, ...],
) -> RangeItem:
    """State the reference range of a result of the test that ``labels`` name."""
    shown = f"{'' if low is None else f'{low:g}'}-{'' if high is None else f'{high:g}'}"
    return RangeItem(
        item_id=item_id,
        text=both(
            f"States the reference range of {labels[Language.EN]}: {shown}",
            f"说明{labels[Language.ZH]}的参考范围：{shown}",
        ),
        low=low,
        high=high,
        evidence=evidence,
    )


def name(
    item_id: str,
    what: str,
    names: Sequence[str],
    evidence: tuple[ResourceRef, ...],
    on_record: tuple[str, ...] = (),
    *,
    shown: Mapping[Language, str] | None = None,
    what_zh: str | None = None,
) -> NameItem:
    """Name an entity; ``on_record`` are the ingredients of the record, where it is a drug.

    ``shown`` are its names to be read; the record's own words are not translated. ``what_zh`` says what it is
    in Chinese, where ``what`` is none of the usual things.
    """
    en, zh = (names[0], names[0]) if shown is None else (shown[Language.EN], shown[Language.ZH])
    return NameItem(
        item_id=item_id,
        text=both(f"Names {what}: {en}", f"说出{what_zh or _NAMED_ZH[what]}：{zh}"),
        names=tuple(names),
        on_record=on_record,
        evidence=evidence,
    )


def organism_names(organism: str) -> tuple[str, ...]:
    """Give the words an organism of MIMIC-IV goes by: as recorded, and with its genus cut to a letter."""
    plain = organism.split(",")[0].strip()
    words = plain.split()
    short = (f"{words[0][0]}. {words[1]}", f"{words[0][0]} {words[1]}") if len(words) > 1 else ()
    return tuple(dict.fromkeys((plain.capitalize(), organism, *short)))


def order(source: GoldSource, prefix: str, *, route: bool) -> tuple[RubricItem, ...]:
    """Name the drug of each order that satisfies the rule with its dose, and few others; ``route``: its route too."""
    found: list[RubricItem] = []
    for number, (ingredient, orders) in enumerate(source.orders_by_ingredient.items(), 1):
        drug, evidence = source.drug_in(ingredient), source.shown_by(orders)
        found.append(
            NameItem(
                item_id=f"{prefix}-order-{number}",
                text=both(
                    f"Names the active order for {drug[Language.EN]}", f"说出在用医嘱：{drug[Language.ZH]}"
                ),
                names=tuple(dict.fromkeys(name for order in orders for name in source.drug_names(order))),
                on_record=source.recorded_drugs,
                evidence=evidence,
            )
        )
        found += _dose(source, f"{prefix}-dose-{number}", orders, evidence)
        if route:
            found += _route(source, f"{prefix}-route-{number}", orders, evidence)
    if len(found) == len(source.orders_by_ingredient):
        raise NoGold("no order has a dose or a route that can be asked for")
    found.append(
        SelectiveItem(
            item_id=f"{prefix}-selective",
            text=both(
                f"Singles the order out: names it and at most {OTHERS_ALLOWED} other active drugs",
                f"明确指出该医嘱：至多提及{OTHERS_ALLOWED}种其他在用药物",
            ),
            target=source.bound_names,
            others=source.other_drugs(bound_ingredients(source)),
            at_most=OTHERS_ALLOWED,
        )
    )
    return tuple(found)


def bound_ingredients(source: GoldSource) -> tuple[str, ...]:
    """Name the ingredients whose order triggers the rule."""
    order = source.rule.trigger.order
    return order.ingredients if order is not None else ()


def _dose(
    source: GoldSource, item_id: str, orders: Sequence[BoundOrder], evidence: tuple[ResourceRef, ...]
) -> list[RubricItem]:
    """State a dose of the drug, where each of its orders has one that is a single number."""
    if any(order.dose_value is None or order.dose_unit is None for order in orders):
        return []
    doses = tuple(dict.fromkeys(f"{order.dose_value:g} {order.dose_unit}" for order in orders))
    return [dose(item_id, doses, source.drug_names(orders[0]), evidence)]


def dose(
    item_id: str, doses: tuple[str, ...], of: tuple[str, ...], evidence: tuple[ResourceRef, ...]
) -> DoseItem:
    """State one of ``doses`` (``25 mg``) of the drug that goes by ``of``."""
    return DoseItem(
        item_id=item_id,
        text=both(f"States the dose: {' or '.join(doses)}", f"说明剂量：{'或'.join(doses)}"),
        doses=doses,
        of=of,
        evidence=evidence,
    )


def _route(
    source: GoldSource, item_id: str, orders: Sequence[BoundOrder], evidence: tuple[ResourceRef, ...]
) -> list[RubricItem]:
    """State the route of the drug, where each of its orders has one that the vocabulary knows."""
    codes = [source.vocabulary.route(order.route) if order.route else None for order in orders]
    routes = tuple(dict.fromkeys(code for code in codes if code is not None))
    if None in codes:
        return []
    return [
        RouteItem(
            item_id=item_id,
            text=both(f"States the route: {' or '.join(routes)}", f"说明给药途径：{'或'.join(routes)}"),
            routes=routes,
            of=source.drug_names(orders[0]),
            evidence=evidence,
        )
    ]
