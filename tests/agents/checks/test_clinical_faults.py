"""The clinical checker catches values that no result shows, contradictions, and unsafe advice."""

from datetime import timedelta

import pytest
from planting import Planter, answer, item
from seeded import caught

from agents.checks.case import Case
from agents.checks.clinical import check_clinical
from state.base import Language
from state.checking import Stage
from state.gold import (
    AvoidItem,
    Decision,
    DecisionItem,
    DoseItem,
    JudgementItem,
    NameItem,
    RangeItem,
    RouteItem,
    TimeItem,
    ValueItem,
)
from tools.clinical.judgements import load_judgements
from tools.gold.conclusions import FALLEN, RISEN
from tools.gold.topics import STRANGER
from tools.gold.turns import OPPOSITE
from tools.wording import load_turn_wordings, render

EN, ZH = Language.EN, Language.ZH


def _value(case: Case) -> str:
    return f"{case.source.match.lab.value:g}"


def _wrong_number(text: str, case: Case) -> str:
    return text.replace(f" {_value(case)} ", f" {case.source.match.lab.value * 3 + 777:g} ")


def _tenfold(text: str, case: Case) -> str:
    return text.replace(f"为{_value(case)}", f"为{case.source.match.lab.value * 10 + 7000:g}")


def _unsafe_advice(language: Language, to_end: bool = True) -> Planter:
    def change(text: str, case: Case) -> str | None:
        rule = case.source.rule
        if not rule.unsafe or not case.source.match.orders:
            return None
        drug = case.source.drug_in(case.source.order.ingredient)[language]
        if rule.unsafe[0] is Decision.REPLACE:
            return None
        template = load_turn_wordings(language).answers[rule.unsafe[0].value]
        advice = render(template, {"drug": drug})
        return f"{text} {advice}" if to_end else f"{advice} {text}"

    return answer(change, language)


def _excluded_conclusion(language: Language) -> Planter:
    def change(text: str, case: Case) -> str | None:
        judgement = case.source.rule.judgement
        if judgement is None:
            return None
        answers = load_judgements()[judgement.question].answers
        other = next(one for key, one in answers.items() if key not in judgement.right)
        return text + other.say[language]

    return answer(change, language)


def _turned(one: JudgementItem) -> dict[str, object] | None:
    return {"names": FALLEN if one.names == RISEN else RISEN} if one.names in (RISEN, FALLEN) else None


def _moved_more(one: JudgementItem) -> dict[str, object] | None:
    return {"change": one.change.model_copy(update={"by": one.change.by + 1})} if one.change else None


def _concludes_otherwise(one: JudgementItem) -> dict[str, object] | None:
    if one.names in (RISEN, FALLEN):
        return None
    return {"names": one.others[0], "others": (one.names, *one.others[1:])}


def _unfounded(case: Case) -> Case:
    """Leave out the calls, and keep what rests on them."""
    return case.having(calls=tuple(() for _ in case.calls))


FAULTS: dict[str, Planter] = {
    "a wrong number in the English answer": answer(_wrong_number, EN),
    "a tenfold number in the Chinese answer": answer(_tenfold, ZH),
    "a number nobody measured": answer(lambda text, _: f"{text} The lactate is 98.7 mmol/L.", EN),
    "a time nobody recorded": answer(lambda text, _: f"{text} It was drawn on 2999-01-01 03:04.", EN),
    "a wrong value in the rubric": item(
        ValueItem, lambda one: None if one.tolerance else {"value": one.value + 0.5}
    ),
    "another unit in the rubric": item(ValueItem, lambda _: {"unit": "stone"}),
    "the value of another test": item(
        ValueItem, lambda one: None if one.tolerance else {"names": ("lipase", "脂肪酶")}
    ),
    "another figure than follows": item(
        ValueItem, lambda one: {"value": one.value + 50} if one.tolerance else None
    ),
    "a gap that no laboratory reports": item(
        ValueItem,
        lambda one: {"as_right": (one.value + 77,)} if one.tolerance and one.unit == "mEq/L" else None,
    ),
    "a swapped date": item(TimeItem, lambda one: {"time": one.time + timedelta(days=1)}),
    "another range": item(RangeItem, lambda one: {"high": (one.high or 0) + 1}),
    "proof of the future": item(ValueItem, lambda _: {"evidence": ("Observation/lab-999999999",)}),
    "nothing looked up": _unfounded,
    "a swapped drug": item(
        NameItem,
        lambda one: {"names": (STRANGER,)} if "-drug" in one.item_id or "-order-" in one.item_id else None,
    ),
    "another name than the record's": item(NameItem, lambda _: {"names": ("Listeria monocytogenes",)}),
    "another dose": item(DoseItem, lambda _: {"doses": ("7777 mg",)}),
    "another dose told than was written": item(
        DoseItem, lambda one: None if one.before is None else {"doses": ("7777 mg",)}
    ),
    "a dose before that no order had": item(
        DoseItem, lambda one: None if one.before is None else {"before": ("7777 mg",)}
    ),
    "another thing told than was written": item(
        NameItem, lambda one: {"names": (STRANGER,)} if one.written else None
    ),
    "another route": item(RouteItem, lambda _: {"routes": ("PR",)}),
    "the opposite decision": item(DecisionItem, lambda one: {"decision": OPPOSITE[one.decision], "also": ()}),
    "a decision its rule calls unsafe accepted too": item(
        DecisionItem, lambda one: {"also": one.unsafe} if one.unsafe else None
    ),
    "unsafe advice no longer unsafe": item(DecisionItem, lambda one: {"unsafe": ()} if one.unsafe else None),
    "safe advice called unsafe": item(AvoidItem, lambda one: {"unsafe": OPPOSITE[one.unsafe]}),
    "unsafe advice in English": _unsafe_advice(EN),
    "unsafe advice in Chinese": _unsafe_advice(ZH),
    "unsafe advice before the rest": _unsafe_advice(EN, to_end=False),
    "an excluded conclusion in English": _excluded_conclusion(EN),
    "an excluded conclusion in Chinese": _excluded_conclusion(ZH),
    "another conclusion in the rubric": item(JudgementItem, _concludes_otherwise),
    "a fall called a rise": item(JudgementItem, _turned),
    "another amount of a rise or fall": item(JudgementItem, _moved_more),
    "an answer it excludes left out": item(
        JudgementItem, lambda one: {"others": one.others[1:]} if len(one.others) > 1 else None
    ),
}


def test_sound_gold_is_accepted(cases: list[Case]) -> None:
    assert [fault for case in cases for fault in check_clinical(case)] == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str, cases: list[Case]) -> None:
    caught(Stage.CLINICAL, fault, FAULTS[fault], check_clinical, cases)
