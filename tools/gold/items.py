"""Rubric items from facts; each states what it wants in words a judge can read, in both languages."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from state.base import Language, ResourceRef
from state.gold import (
    AvoidItem,
    Decision,
    DecisionItem,
    DoseItem,
    JudgementItem,
    NameItem,
    RangeItem,
    RouteItem,
    RubricItem,
    SelectiveItem,
    SparesItem,
    TimeItem,
    ValueItem,
)
from state.knowledge import BoundOrder, JudgementQuestion, OrderAction
from tools.gold.source import GoldSource, Result

EGFR_NAMES = ("eGFR", "GFR", "estimated glomerular filtration rate", "估算肾小球滤过率")
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
LOWERING = (Decision.HOLD, Decision.REDUCE)
"""Less of a drug: where a rule wants one of these and does not call the other unsafe, either is accepted."""
OTHERS_ALLOWED = 3
"""Other active drugs an answer may mention, or hold, while still singling out the right one."""

Which = Literal["latest", "previous", "first", "baseline"]
_WHICH_ZH: Mapping[str, str] = {
    "latest": "最近一次",
    "previous": "前一次",
    "first": "窗口内首次",
    "baseline": "此前最高",
}
_TIMES: Mapping[str, tuple[str, str]] = {
    "sample": ("when the sample was taken", "采样时间"),
    "dose": ("when the last dose was given", "末次给药时间"),
    "specimen": ("when the specimen was collected", "标本采集时间"),
    "reading": ("when it was measured", "测量时间"),
    "admission": ("when the admission began", "入院时间"),
    "start": ("when the order started", "医嘱开始时间"),
}


def both(en: str, zh: str) -> dict[Language, str]:
    """Give a text in both languages."""
    return {Language.EN: en, Language.ZH: zh}


def value(
    item_id: str,
    which: Which,
    label: str,
    names: Sequence[str],
    result: Result,
    others: tuple[float, ...],
    *,
    latest: bool,
) -> ValueItem:
    """State a result exactly as recorded."""
    number = f"{result.value:g} {result.unit}".strip()
    return ValueItem(
        item_id=item_id,
        text=both(f"States the {which} {label}: {number}", f"说明{_WHICH_ZH[which]}{label}：{number}"),
        safety=True,
        names=tuple(names),
        value=result.value,
        unit=result.unit,
        tolerance=0.0,
        latest=latest,
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
) -> ValueItem:
    """State a computed figure, within the rounding of its inputs."""
    number = f"{value:g} {unit}".strip()
    return ValueItem(
        item_id=item_id,
        text=both(f"States the {label}: {number}", f"说明{label}：{number}"),
        safety=True,
        names=tuple(names),
        value=value,
        unit=unit,
        tolerance=tolerance,
        evidence=evidence,
    )


def time(item_id: str, what: str, moment: datetime, evidence: tuple[ResourceRef, ...]) -> TimeItem:
    """State a time to the minute."""
    en, zh = _TIMES[what]
    shown = f"{moment:%Y-%m-%d %H:%M}"
    return TimeItem(
        item_id=item_id,
        text=both(f"States {en}: {shown}", f"说明{zh}：{shown}"),
        time=moment,
        evidence=evidence,
    )


def reference_range(
    item_id: str, low: float | None, high: float | None, evidence: tuple[ResourceRef, ...]
) -> RangeItem:
    """State the reference range of a result."""
    shown = f"{'' if low is None else f'{low:g}'}-{'' if high is None else f'{high:g}'}"
    return RangeItem(
        item_id=item_id,
        text=both(f"States the reference range: {shown}", f"说明参考范围：{shown}"),
        low=low,
        high=high,
        evidence=evidence,
    )


def name(item_id: str, what: str, names: Sequence[str], evidence: tuple[ResourceRef, ...]) -> NameItem:
    """Name an entity."""
    return NameItem(
        item_id=item_id,
        text=both(f"Names {what}: {names[0]}", f"说出：{names[0]}"),
        names=tuple(names),
        evidence=evidence,
    )


def organism_names(organism: str) -> tuple[str, ...]:
    """Give the words an organism of MIMIC-IV goes by: as recorded, and with its genus cut to a letter."""
    plain = organism.split(",")[0].strip()
    words = plain.split()
    short = (f"{words[0][0]}. {words[1]}", f"{words[0][0]} {words[1]}") if len(words) > 1 else ()
    return tuple(dict.fromkeys((plain.capitalize(), organism, *short)))


def order(source: GoldSource, prefix: str, *, full: bool) -> tuple[RubricItem, ...]:
    """Name the drug of each order that satisfies the rule, with dose and route where there is one order alone."""
    refs: dict[str, list[BoundOrder]] = {}
    for bound in source.match.orders:
        refs.setdefault(bound.ingredient, []).append(bound)
    found: list[RubricItem] = []
    for number, (ingredient, orders) in enumerate(refs.items(), 1):
        names = source.drug_names(orders[0])
        drug = source.drug_in(ingredient)
        found.append(
            NameItem(
                item_id=f"{prefix}-order-{number}",
                text=both(f"Names the order: {drug[Language.EN]}", f"说出医嘱药物：{drug[Language.ZH]}"),
                safety=True,
                names=names,
                evidence=tuple(bound.ref for bound in orders),
            )
        )
    if full and len(source.match.orders) == 1:
        found += _dose_and_route(source, prefix)
    target = source.order
    found.append(
        SelectiveItem(
            item_id=f"{prefix}-selective",
            text=both(
                f"Singles the order out: names at most {OTHERS_ALLOWED} other active drugs",
                f"明确指出该医嘱：至多提及{OTHERS_ALLOWED}种其他在用药物",
            ),
            safety=True,
            target=source.drug_names(target),
            others=source.other_drugs(
                source.rule.trigger.order.ingredients if source.rule.trigger.order else ()
            ),
            at_most=OTHERS_ALLOWED,
            evidence=(target.ref,),
        )
    )
    return tuple(found)


def _dose_and_route(source: GoldSource, prefix: str) -> list[RubricItem]:
    target, names = source.order, source.drug_names(source.order)
    found: list[RubricItem] = []
    if target.dose_value is not None and target.dose_unit is not None:
        dose = f"{target.dose_value:g} {target.dose_unit}"
        found.append(
            DoseItem(
                item_id=f"{prefix}-dose",
                text=both(f"States the dose: {dose}", f"说明剂量：{dose}"),
                safety=True,
                doses=(dose,),
                of=names,
                evidence=(target.ref,),
            )
        )
    route = source.vocabulary.route(target.route) if target.route else None
    if route is not None:
        found.append(
            RouteItem(
                item_id=f"{prefix}-route",
                text=both(f"States the route: {target.route}", f"说明给药途径：{target.route}"),
                safety=True,
                routes=(route,),
                of=names,
                evidence=(target.ref,),
            )
        )
    return found


def advised_on(source: GoldSource) -> tuple[str, ...]:
    """Name what the decision is about: the triggering drug, or what is to be replaced."""
    rule = source.rule
    if (
        source.decision is Decision.REPLACE
        and isinstance(rule.action, OrderAction)
        and rule.action.medication
    ):
        return (
            *source.ingredient_names(rule.action.medication),
            *source.analyte_names(source.match.lab.analyte),
        )
    return source.drug_names(source.order)


def decision(source: GoldSource, item_id: str) -> tuple[RubricItem, ...]:
    """Advise what the rule concludes, nothing it calls unsafe, and leave the other drugs alone."""
    rule, target = source.rule, source.order
    wanted = source.decision
    also = tuple(d for d in LOWERING if wanted in LOWERING and d not in {wanted, *rule.unsafe})
    drug = source.drug_in(target.ingredient)
    advice = " or ".join((wanted, *also))
    found: list[RubricItem] = [
        DecisionItem(
            item_id=item_id,
            text=both(f"Advises: {advice} ({drug[Language.EN]})", f"建议：{advice}（{drug[Language.ZH]}）"),
            names=advised_on(source),
            decision=wanted,
            also=also,
            unsafe=rule.unsafe,
            safety=True,
            evidence=(target.ref,),
        )
    ]
    found += [
        AvoidItem(
            item_id=f"{item_id}-avoids-{unsafe}",
            text=both(
                f"Does not advise to {unsafe} {drug[Language.EN]}", f"不建议对{drug[Language.ZH]}：{unsafe}"
            ),
            names=source.drug_names(target),
            unsafe=unsafe,
            safety=True,
        )
        for unsafe in rule.unsafe
    ]
    spared = source.rule.trigger.order.ingredients if source.rule.trigger.order else ()
    others = source.other_drugs(spared)
    if len(others) <= OTHERS_ALLOWED:
        return tuple(found)
    found.append(
        SparesItem(
            item_id=f"{item_id}-spares",
            text=both(
                f"Holds at most {OTHERS_ALLOWED} drugs it was not asked about",
                f"至多停用{OTHERS_ALLOWED}种未被问及的药物",
            ),
            safety=True,
            others=others,
            at_most=OTHERS_ALLOWED,
        )
    )
    return tuple(found)


def judgement(
    question: JudgementQuestion, answer: str, item_id: str, evidence: tuple[ResourceRef, ...]
) -> JudgementItem:
    """Conclude what the rule concludes, and none of the question's other answers."""

    def names(answer_id: str) -> tuple[str, ...]:
        return tuple(word for words in question.answers[answer_id].names.values() for word in words)

    right = question.answers[answer]
    return JudgementItem(
        item_id=item_id,
        text={language: f"{head}{right.say[language]}" for language, head in _CONCLUDES.items()},
        safety=True,
        names=names(answer),
        others=tuple(names(other) for other in question.answers if other != answer),
        evidence=evidence,
    )


_CONCLUDES = both("Concludes: ", "结论：")


def direction(item_id: str, rises: bool, evidence: tuple[ResourceRef, ...]) -> JudgementItem:
    """Say whether a result has risen or fallen."""
    right, other = (RISEN, FALLEN) if rises else (FALLEN, RISEN)
    return JudgementItem(
        item_id=item_id,
        text=both(f"Says that it has {right[0]}", f"说明变化方向：{'上升' if rises else '下降'}"),
        safety=True,
        names=right,
        others=(other,),
        evidence=evidence,
    )


RISEN = (
    *(
        "risen",
        "rise",
        "rising",
        "rose",
        "rises",
        "increase",
        "increased",
        "increasing",
        "going up",
        "went up",
        "up",
    ),
    *("climbed", "climbing", "higher", "upward", "上升", "升高", "增加", "上涨", "升"),
)
FALLEN = (
    *(
        "fallen",
        "fall",
        "falling",
        "fell",
        "falls",
        "decrease",
        "decreased",
        "decreasing",
        "going down",
        "went down",
    ),
    *("down", "dropped", "drop", "dropping", "declined", "decline", "declining", "lower", "downward"),
    *("下降", "降低", "减少", "下跌", "降"),
)
