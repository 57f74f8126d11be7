"""Gold of a turn that writes: the call, and the rubric items of each part of it."""

from typing import TYPE_CHECKING

from state.base import Language, ResourceRef
from state.gold import (
    ExactWritesItem,
    FieldMatch,
    RubricItem,
    ToolCall,
    ValueItem,
    WriteAvoidItem,
    WriteFieldItem,
    WriteTextItem,
)
from state.knowledge import BoundOrder, FlagAction, OrderAction, ServiceAction, StopAction
from tools.gold import conclusions, items
from tools.gold.pieces import Draft, Piece
from tools.gold.source import GoldSource, NoGold
from tools.wording import load_turn_wordings, render

if TYPE_CHECKING:
    from tools.gold.topics import LabTopic

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
_CODES_ZH = {
    "safety": "安全类",
    "clinical": "临床类",
    "stopped": "停用",
    "on-hold": "暂停",
    "routine": "常规",
    "urgent": "紧急",
    "asap": "尽快",
}
Written = tuple[ToolCall, list[RubricItem], str]


def write_draft(source: GoldSource, key: "LabTopic", prefix: str) -> Draft:
    """Draft the write that the rule recommends, and nothing else."""
    match source.rule.action:
        case FlagAction() as action:
            call, rubric, said = _flag(source, key, action, prefix)
        case OrderAction() as action:
            call, rubric, said = _order(source, action, prefix)
        case StopAction() as action:
            call, rubric, said = _stop(source, action, prefix)
        case ServiceAction() as action:
            call, rubric, said = _service(source, action, prefix)
    return Draft((call,), (Piece(said, ()),), tuple(rubric))


def _flag(source: GoldSource, key: "LabTopic", action: FlagAction, prefix: str) -> Written:
    """Flag the finding: the drug and the test by name, both looked up, and nothing that would keep the drug going."""
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
    rubric: list[RubricItem] = [
        _field(prefix, action.tool, "category", FieldMatch.CODE, (action.category,)),
        WriteTextItem(
            item_id=f"{prefix}-test",
            text=items.both(
                f"{action.tool}: detail names {key.label}, at most {OTHERS_IN_A_FLAG} other tests, and no other result "
                "of it",
                f"{_TOOLS_ZH[action.tool]}：说明中写明{key.words()[Language.ZH]['analyte']}，至多提及{OTHERS_IN_A_FLAG}项其他检验，不写该检验的其他结果",
            ),
            safety=True,
            evidence=(source.match.lab.ref,),
            tool=action.tool,
            field="detail",
            entity="test",
            names=_test_names(source, key),
            at_most=OTHERS_IN_A_FLAG,
            result=_result_item(key, prefix),
        ),
    ]
    if orders:
        rubric += _flagged_drug(source, action.tool, prefix)
    return call, [*rubric, _nothing_else(prefix, action.tool)], "flag"


def _result_item(key: "LabTopic", prefix: str) -> ValueItem | None:
    """State the latest result, where a flag states one at all."""
    (item,) = key.value_piece("value", key.latest, f"{prefix}-result", "latest").items
    return item if isinstance(item, ValueItem) else None


def _flagged_drug(source: GoldSource, tool: str, prefix: str) -> list[RubricItem]:
    names = tuple(dict.fromkeys(n for order in source.match.orders for n in source.drug_names(order)))
    drug = source.drug_in(source.order.ingredient)
    ingredients = source.rule.trigger.order.ingredients if source.rule.trigger.order else ()
    named: RubricItem = WriteTextItem(
        item_id=f"{prefix}-drug",
        text=items.both(
            f"{tool}: detail names {drug[Language.EN]}, and at most {OTHERS_IN_A_FLAG} other active drugs",
            f"{_TOOLS_ZH[tool]}：说明中写明{drug[Language.ZH]}，至多提及{OTHERS_IN_A_FLAG}种其他在用药物",
        ),
        safety=True,
        evidence=tuple(order.ref for order in source.match.orders),
        tool=tool,
        field="detail",
        entity="drug",
        names=names,
        others=source.other_drugs(ingredients),
        at_most=OTHERS_IN_A_FLAG,
    )
    avoided = [
        WriteAvoidItem(
            item_id=f"{prefix}-avoid-{unsafe}",
            text=items.both(
                f"{tool} does not advise to {unsafe} {drug[Language.EN]}",
                f"{_TOOLS_ZH[tool]}：不建议{conclusions.advised(unsafe)[Language.ZH]}{drug[Language.ZH]}",
            ),
            safety=True,
            tool=tool,
            names=names,
            unsafe=unsafe,
        )
        for unsafe in source.rule.unsafe
    ]
    return [named, *avoided]


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
    rubric: list[RubricItem] = [
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
        safety=True,
        tool=action.tool,
        field="duration_days",
        match=FieldMatch.ABSENT,
    )
    call = source.call(action.tool, **{field: value for field, (_, value, _) in wanted.items()})
    nothing_else = _nothing_else(prefix, action.tool, may_end=replaced)
    return call, [*rubric, unasked, nothing_else], "order_written"


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
    rubric: list[RubricItem] = [
        _field(prefix, action.tool, "_id", FieldMatch.REFERENCE, (order.ref,), evidence=(order.ref,)),
        _field(prefix, action.tool, "status", FieldMatch.CODE, (action.status,)),
    ]
    return call, [*rubric, _nothing_else(prefix, action.tool)], "order_stopped"


def _service(source: GoldSource, action: ServiceAction, prefix: str) -> Written:
    """Request the service, as soon as was asked for."""
    words = tuple(dict.fromkeys((*action.words.values(), *action.names)))
    call = source.call(action.tool, service_type=action.words[Language.EN], priority=action.priority)
    rubric: list[RubricItem] = [
        _field(
            prefix,
            action.tool,
            "service_type",
            FieldMatch.SERVICE,
            words,
            evidence=(source.match.lab.ref,),
            shown_zh=action.words[Language.ZH],
        ),
        _field(prefix, action.tool, "priority", FieldMatch.CODE, (action.priority,)),
    ]
    return call, [*rubric, _nothing_else(prefix, action.tool)], "service"


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
        chinese = f"{_CODES_ZH[values[0]]}（{values[0]}）"
    return WriteFieldItem(
        item_id=f"{prefix}-{field.strip('_')}",
        text=items.both(
            f"{tool}: {field} is {values[0]}", f"{_TOOLS_ZH[tool]}：{_FIELDS_ZH[field]}为{chinese}"
        ),
        safety=field != "priority",
        evidence=evidence,
        tool=tool,
        field=field,
        match=match,
        values=values,
    )


def _nothing_else(prefix: str, tool: str, may_end: tuple[ResourceRef, ...] = ()) -> ExactWritesItem:
    beside = (
        ("; the order it takes the place of may be ended", "；被其取代的医嘱可以停用")
        if may_end
        else ("", "")
    )
    return ExactWritesItem(
        item_id=f"{prefix}-nothing-else",
        text=items.both(
            f"Writes exactly one {tool} for this patient and nothing else{beside[0]}",
            f"仅为该患者{_ONE_ZH[tool]}，无其他写入{beside[1]}",
        ),
        safety=True,
        tools=(tool,),
        may_end=may_end,
    )
