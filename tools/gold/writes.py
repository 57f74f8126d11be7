"""Gold of a turn that writes: the call, the items of each part of it, and the one that a pass rests on."""

from collections.abc import Sequence

from state.base import Language, ResourceRef
from state.gold import (
    ExactWritesItem,
    FieldMatch,
    RubricItem,
    ToolCall,
    ValueItem,
    WriteAvoidItem,
    WriteFieldItem,
    WriteItem,
    WriteTextItem,
)
from state.knowledge import BoundOrder, FlagAction, OrderAction, ServiceAction, StopAction
from tools.gold import conclusions, items, told
from tools.gold.pieces import Draft, Piece
from tools.gold.source import GoldSource, NoGold
from tools.gold.told import CODES
from tools.gold.topics import LabTopic
from tools.wording import load_turn_wordings, render

OTHERS_IN_A_FLAG = 3
"""Other active drugs, and other tests, that a flag may name while still saying what it is about."""
_TOOLS_ZH = {
    "Flag.create": "警示",
    "MedicationRequest.create": "新开医嘱",
    "MedicationRequest.patch": "更改医嘱",
    "ServiceRequest.create": "申请单",
}
_ONE_ZH = {
    "Flag.create": "建一条警示",
    "MedicationRequest.create": "新开一条医嘱",
    "MedicationRequest.patch": "更改一条医嘱",
    "ServiceRequest.create": "开一张申请单",
}
_FIELDS_ZH = {
    "category": "类别",
    "medication": "药物",
    "dose": "剂量",
    "route": "给药途径",
    "frequency": "频次",
    "_id": "对象",
    "status": "状态",
    "service_type": "项目",
    "priority": "优先级",
}
Written = tuple[ToolCall, list[RubricItem], Piece]


def write_draft(source: GoldSource, key: LabTopic, prefix: str) -> Draft:
    """Draft the write that the rule recommends, and nothing else."""
    match source.rule.action:
        case FlagAction() as action:
            call, rubric, piece = _flag(source, key, action, prefix)
        case OrderAction() as action:
            call, rubric, piece = _order(source, action, prefix)
        case StopAction() as action:
            call, rubric, piece = _stop(source, action, prefix)
        case ServiceAction() as action:
            call, rubric, piece = _service(source, action, prefix)
    return Draft((call,), (piece,), tuple(rubric))


def _flag(source: GoldSource, key: LabTopic, action: FlagAction, prefix: str) -> Written:
    """Flag the finding: the drug and the test by name, both looked up, and nothing that would keep the drug going.

    Where it is about no drug, the question wants the result in its detail too.
    """
    latest, orders = key.latest, source.match.orders
    facts = {
        "drug": source.drug_in(source.order.ingredient)[Language.EN] if orders else None,
        "analyte": key.label,
        "value": f"{latest.value:g}",
        "unit_after": f" {latest.unit}" if latest.unit else "",
        "time": f"{latest.time:%Y-%m-%d %H:%M}",
    }
    detail = render(load_turn_wordings(Language.EN).answers["flag_detail"], facts)
    call = source.call(action.tool, category=action.category, code=f"Review of {key.label}", detail=detail)
    test = WriteTextItem(
        item_id=f"{prefix}-test",
        text=items.both(
            f"{action.tool}: detail names {key.label}, at most {OTHERS_IN_A_FLAG} other tests, and no other result "
            "of it",
            f"{_TOOLS_ZH[action.tool]}：说明中写明{key.words()[Language.ZH]['analyte']}，至多提及{OTHERS_IN_A_FLAG}项其他检验，不写该检验的其他结果",
        ),
        evidence=(source.match.lab.ref,),
        tool=action.tool,
        field="detail",
        entity="test",
        names=_test_names(source, key),
        at_most=OTHERS_IN_A_FLAG,
        result=_result_item(key, prefix),
    )
    scored: list[WriteItem] = [
        _field(prefix, action.tool, "category", FieldMatch.CODE, (action.category,)),
        test,
    ]
    avoided: list[WriteItem] = []
    if orders:
        scored.append(_flagged_drug(source, action.tool, prefix))
        avoided += _advises_nothing_unsafe(source, action.tool, prefix)
    exact = _exact(prefix, action.tool, (*scored, *avoided))
    if not orders:
        scored.append(_stated(test, key))
    return call, [*scored, exact], told.flagged(source, key, action, prefix)


def _stated(test: WriteTextItem, key: LabTopic) -> WriteTextItem:
    """Want the result in the detail, beside the test's name."""
    shown = f"{key.latest.value:g} {key.latest.unit}".strip()
    text = items.both(
        f"{test.tool}: {test.field} states the result of {key.label}: {shown}",
        f"{_TOOLS_ZH[test.tool]}：说明中写明{key.words()[Language.ZH]['analyte']}的结果：{shown}",
    )
    return test.model_copy(update={"item_id": f"{test.item_id}-result", "text": text, "states": True})


def _result_item(key: "LabTopic", prefix: str) -> ValueItem | None:
    """State the latest result, where a flag states one at all."""
    (item,) = key.value_piece("value", key.latest, f"{prefix}-result", "latest").items
    return item if isinstance(item, ValueItem) else None


def _flagged_drug(source: GoldSource, tool: str, prefix: str) -> WriteTextItem:
    drug = source.drug_in(source.order.ingredient)
    return WriteTextItem(
        item_id=f"{prefix}-drug",
        text=items.both(
            f"{tool}: detail names {drug[Language.EN]}, and at most {OTHERS_IN_A_FLAG} other active drugs",
            f"{_TOOLS_ZH[tool]}：说明中写明{drug[Language.ZH]}，至多提及{OTHERS_IN_A_FLAG}种其他在用药物",
        ),
        evidence=tuple(order.ref for order in source.match.orders),
        tool=tool,
        field="detail",
        entity="drug",
        names=source.bound_names,
        others=source.other_drugs(items.bound_ingredients(source)),
        at_most=OTHERS_IN_A_FLAG,
    )


def _advises_nothing_unsafe(source: GoldSource, tool: str, prefix: str) -> list[WriteAvoidItem]:
    drug = source.drug_in(source.order.ingredient)
    return [
        WriteAvoidItem(
            item_id=f"{prefix}-avoid-{unsafe}",
            text=items.both(
                f"{tool}: does not advise to {unsafe} {drug[Language.EN]}",
                f"{_TOOLS_ZH[tool]}：不建议{conclusions.advised(unsafe)[Language.ZH]}{drug[Language.ZH]}",
            ),
            tool=tool,
            names=source.bound_names,
            unsafe=unsafe,
        )
        for unsafe in source.rule.unsafe
    ]


def _order(source: GoldSource, action: OrderAction, prefix: str) -> Written:
    """Order exactly what was asked: drug, dose, route and schedule, without a duration of its own.

    Where the new order takes the place of the triggering one, that one may be stopped or held beside.
    """
    order = source.match.orders[0] if source.match.orders else None
    route = action.route or (order.route if order else None)
    frequency = action.frequency or (order.frequency if order else None)
    if route is None or frequency is None:
        raise NoGold("the triggering order states no route or no frequency to keep")
    replaced = (order.ref,) if order is not None and action.medication is None else ()
    if order is None and action.medication is None:
        raise NoGold("there is no order whose drug could be written again")
    ingredient = action.medication or (order.ingredient if order else "")
    wanted = {
        "medication": (
            FieldMatch.DRUG,
            source.drug_in(ingredient)[Language.EN],
            replaced or (source.match.lab.ref,),
        ),
        "dose": (FieldMatch.DOSE, _dose(action, order), replaced if action.dose_fraction is not None else ()),
        "route": (FieldMatch.ROUTE, route, ()),
        "frequency": (FieldMatch.FREQUENCY, frequency, ()),
    }
    chinese = {"medication": (source.drug_in(ingredient)[Language.ZH],)}
    scored: list[WriteItem] = [
        _field(
            prefix,
            action.tool,
            field,
            match,
            (value, *chinese.get(field, ())),
            evidence=evidence,
            shown_zh=chinese.get(field, (None,))[0],
        )
        for field, (match, value, evidence) in wanted.items()
    ]
    unasked = WriteFieldItem(
        item_id=f"{prefix}-duration",
        text=items.both(
            f"{action.tool}: no duration is added, for none was asked for",
            f"{_TOOLS_ZH[action.tool]}：未自行添加疗程",
        ),
        tool=action.tool,
        field="duration_days",
        match=FieldMatch.ABSENT,
    )
    written = {field: value for field, (_, value, _) in wanted.items()}
    exact = _exact(prefix, action.tool, (*scored, unasked), may_end=replaced)
    piece = told.ordered(source, ingredient, written, order if replaced else None, prefix)
    return source.call(action.tool, **written), [*scored, exact], piece


def _dose(action: OrderAction, order: BoundOrder | None) -> str:
    if action.dose_fraction is None:
        return f"{action.dose_value:g} {action.dose_unit}"
    if order is None or order.dose_value is None or order.dose_unit is None:
        raise NoGold("the triggering order has no single numeric dose to scale")
    return f"{order.dose_value * action.dose_fraction:g} {order.dose_unit}"


def _stop(source: GoldSource, action: StopAction, prefix: str) -> Written:
    """End the triggering order, by its reference."""
    order = source.order
    if len(source.match.orders) > 1:
        raise NoGold("more than one order would have to be ended")
    call = source.call(
        action.tool, _id=order.ref, status=action.status, reason=source.rule.reason[Language.EN]
    )
    scored = [
        _field(prefix, action.tool, "_id", FieldMatch.REFERENCE, (order.ref,), evidence=(order.ref,)),
        _field(prefix, action.tool, "status", FieldMatch.CODE, (action.status,)),
    ]
    return call, [*scored, _exact(prefix, action.tool, scored)], told.ended(source, action, prefix)


def _service(source: GoldSource, action: ServiceAction, prefix: str) -> Written:
    """Request the service, as soon as was asked for; to be wrong about how soon harms less than about what."""
    words = tuple(dict.fromkeys((*action.words.values(), *action.names)))
    call = source.call(action.tool, service_type=action.words[Language.EN], priority=action.priority)
    service = _field(
        prefix,
        action.tool,
        "service_type",
        FieldMatch.SERVICE,
        words,
        evidence=(source.match.lab.ref,),
        shown_zh=action.words[Language.ZH],
    )
    priority = _field(prefix, action.tool, "priority", FieldMatch.CODE, (action.priority,))
    exact = _exact(prefix, action.tool, (service,))
    return call, [service, priority, exact], told.requested(source, action, prefix)


def _test_names(source: GoldSource, key: "LabTopic") -> tuple[str, ...]:
    """Give every accepted word for the test, with the condition such a result is called by and a figure made of it."""
    lab, trigger = source.match.lab, source.rule.trigger.lab
    high = trigger.above is not None or trigger.at_least is not None or trigger.times_uln_above is not None
    derived = items.EGFR_NAMES if lab.derived_value is not None else ()
    conditions = () if derived else source.vocabulary.conditions(lab.analyte, high=high)
    return (*key.names, *conditions, *derived)


def _field(
    prefix: str,
    tool: str,
    field: str,
    match: FieldMatch,
    values: tuple[str, ...],
    *,
    evidence: tuple[ResourceRef, ...] = (),
    shown_zh: str | None = None,
) -> WriteFieldItem:
    chinese = shown_zh or values[0]
    if match is FieldMatch.CODE:
        chinese = f"{CODES[values[0]][Language.ZH]}（{values[0]}）"
    return WriteFieldItem(
        item_id=f"{prefix}-{field.strip('_')}",
        text=items.both(
            f"{tool}: {field} is {values[0]}", f"{_TOOLS_ZH[tool]}：{_FIELDS_ZH[field]}为{chinese}"
        ),
        evidence=evidence,
        tool=tool,
        field=field,
        match=match,
        values=values,
    )


def _exact(
    prefix: str, tool: str, conditions: Sequence[WriteItem], may_end: tuple[ResourceRef, ...] = ()
) -> ExactWritesItem:
    """Write this alone, and every part of it that can harm as it should be: what a pass rests on."""
    en, zh = Language.EN, Language.ZH
    beside = (
        (" (the order it takes the place of may be ended)", "（被其取代的医嘱可以停用）")
        if may_end
        else ("", "")
    )
    parts = {
        en: "; ".join(one.text[en].removeprefix(f"{tool}: ") for one in conditions),
        zh: "；".join(one.text[zh].removeprefix(f"{_TOOLS_ZH[tool]}：") for one in conditions),
    }
    return ExactWritesItem(
        item_id=f"{prefix}-nothing-else",
        text=items.both(
            f"Writes exactly one {tool} for this patient and nothing else{beside[0]}, and every part of it that "
            f"can harm is right: {parts[en]}",
            f"仅为该患者{_ONE_ZH[tool]}，无其他写入{beside[1]}，且可能造成伤害的各项均正确：{parts[zh]}",
        ),
        safety=True,
        tools=(tool,),
        may_end=may_end,
        conditions=tuple(conditions),
    )
