"""The wording checker catches what a question gives away, what it does not leave unsaid, and a second reading."""

import pytest
from planting import Planter, said, worded
from seeded import caught

from agents.checks.case import Case
from agents.checks.wording import check_wording
from state.base import Language
from state.checking import Ruling, Stage
from state.gold import DoseItem, NameItem, RangeItem, TimeItem
from state.session import Implicitness, TaskType
from tools.wording import load_turn_wordings

EN, ZH = Language.EN, Language.ZH
FORMS = ("explicit", "implicit")


def _lab(text: str, case: Case) -> str:
    lab = case.source.match.lab
    return f"{text} It was {lab.value:g} {lab.unit}."


def _lab_zh(text: str, case: Case) -> str:
    return f"{text}结果是{case.source.match.lab.value:g}。"


def _bare(text: str, case: Case) -> str:
    return f"{text} I see {case.source.match.lab.value:g} here."


def _drug(text: str, case: Case, language: Language) -> str | None:
    orders = [
        order for order in case.source.match.orders if order.ingredient not in case.source.told_by_the_test
    ]
    return f"{text} {case.source.drug_in(orders[0].ingredient)[language]}?" if orders else None


def _brand(text: str, case: Case) -> str | None:
    orders = [
        order for order in case.source.match.orders if order.ingredient not in case.source.told_by_the_test
    ]
    return f"{text} Is it {orders[0].drug.strip()}?" if orders else None


def _beside(text: str, case: Case) -> str | None:
    kinds = ("given", "home_medication")
    found = next((b for b in case.source.match.also if b.kind in kinds and not b.absent), None)
    if found is None or found.subject in case.source.told_by_the_test:
        return None
    return f"{text} Perhaps {case.source.drug_in(found.subject)[EN]}?"


def _of_gold(kind: type, read: object) -> Planter:
    def change(text: str, case: Case) -> str | None:
        for turn in case.answers.turns:
            for one in turn.rubric:
                if isinstance(one, kind) and (found := read(one)) is not None:
                    return f"{text} ({found})"
        return None

    return said(change, EN)


def _diagnosis(one: NameItem) -> str | None:
    return one.names[0] if one.item_id.endswith("-diagnosis") else None


def _test(text: str, case: Case) -> str:
    return f"{text} I mean the {case.source.analyte(case.source.match.lab.analyte).names[EN]}."


def _test_zh(text: str, case: Case) -> str:
    return f"{text}我是说{case.source.analyte(case.source.match.lab.analyte).names[ZH]}。"


def _as_explicit(case: Case) -> Case:
    wording = case.words.turns[1].wording[EN]
    return worded(case, 1, EN, wording.model_copy(update={"implicit": wording.explicit}))


def _opening_unsaid(case: Case) -> Case:
    wording = case.words.turns[0].wording[EN]
    return worded(case, 0, EN, wording.model_copy(update={"implicit": "How is it now?"}))


def _swapped(case: Case) -> Case:
    return worded(case, 1, ZH, case.words.turns[1].wording[EN])


def _turns(**changes: object) -> Planter:
    def plant(case: Case) -> Case:
        turns = tuple(
            turn.model_copy(update=changes) if turn.index == 1 else turn for turn in case.words.turns
        )
        return case.having(session=case.words.model_copy(update={"turns": turns}))

    return plant


def _other_way(case: Case) -> Case:
    ways = [way for way in Implicitness if way is not Implicitness.EXPLICIT]
    return _turns(implicitness=next(way for way in ways if way is not case.words.turns[1].implicitness))(case)


def _other_task(case: Case) -> Case:
    return _turns(task_type=next(task for task in TaskType if task is not case.words.turns[1].task_type))(
        case
    )


def _asked(text: str, language: Language) -> Planter:
    """Put another implicit question in turn 1; before it, only the key result has been named."""

    def plant(case: Case) -> Case | None:
        if case.source.told_by_the_test:
            return None
        wording = case.words.turns[1].wording[language]
        return worded(case, 1, language, wording.model_copy(update={"implicit": text}))

    return plant


def _unsaid(text: str, language: Language) -> Planter:
    """Put another question in the place of the last, understood after those before it."""

    def plant(case: Case) -> Case | None:
        if case.source.match.lab.analyte in {"ferritin", "ammonia"}:
            return None
        wording = case.words.turns[-1].wording[language]
        return worded(
            case, len(case.words.turns) - 1, language, wording.model_copy(update={"implicit": text})
        )

    return plant


FAULTS: dict[str, Planter] = {
    "the value with its unit": said(_lab, EN),
    "the value without a unit": said(_bare, EN),
    "the value in Chinese": said(_lab_zh, ZH),
    "the value in the full form alone": said(_lab, EN, "explicit"),
    "a dose that is to be looked up": _of_gold(DoseItem, lambda one: one.doses[0]),
    "a time that is to be looked up": _of_gold(TimeItem, lambda one: f"{one.time:%Y-%m-%d %H:%M}"),
    "a range that is to be looked up": _of_gold(
        RangeItem, lambda one: f"up to {one.high}" if one.high else None
    ),
    "a diagnosis that is to be looked up": _of_gold(NameItem, _diagnosis),
    "the drug by its ingredient": said(lambda text, case: _drug(text, case, EN), EN),
    "the drug in Chinese": said(lambda text, case: _drug(text, case, ZH), ZH),
    "the drug as the record has it": said(_brand, EN),
    "a drug found beside": said(_beside, EN),
    "the test named where it is to be left out": said(_test, EN, "implicit"),
    "the test named in Chinese": said(_test_zh, ZH, "implicit"),
    "an implicit form that says it all": _as_explicit,
    "an opening that leaves something unsaid": _opening_unsaid,
    "English in place of Chinese": _swapped,
    "an it that may be two things": _asked("Beside the lactate and the lipase, how is it now?", EN),
    "an it that may be two things, in Chinese": _asked("除了乳酸和脂肪酶，它现在怎么样？", ZH),
    "a drug pointed to that nobody named": _asked("Since when has that drug been running?", EN),
    "a drug pointed to that nobody named, in Chinese": _asked("该药从什么时候开始用的？", ZH),
    "a question that points to nothing": _asked("Please have a look at the chart.", EN),
    "a question that points to nothing, in Chinese": _asked("请看一下病历。", ZH),
    "another way to leave it unsaid than planned": _other_way,
    "another task than planned": _other_task,
    "an it that may be either of two": _unsaid("Next to the ferritin and the ammonia, has it moved?", EN),
    "a result that was never spoken of": _unsaid("Beside the ferritin, has it moved?", EN),
    "an opinion that nobody gave": _unsaid("Do you agree?", EN),
    "an it that may be either of two, in Chinese": _unsaid("看铁蛋白和血氨，它是升了还是降了？", ZH),
    "a result that was never spoken of, in Chinese": _unsaid("看铁蛋白，它是升了还是降了？", ZH),
    "an opinion that nobody gave, in Chinese": _unsaid("你同意吗？", ZH),
}


def test_sound_wordings_are_accepted(cases: list[Case]) -> None:
    assert [fault for case in cases for fault in check_wording(case)] == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str, cases: list[Case]) -> None:
    caught(Stage.WORDING, fault, FAULTS[fault], check_wording, cases, ruling=Ruling.REJECT)


def test_the_scale_that_pain_is_asked_on_is_no_value(cases: list[Case]):
    for case in cases:
        for language in Language:
            asked = load_turn_wordings(language).asks["said_pain"]
            wording = case.words.turns[-1].wording[language]
            texts = {form: f"{getattr(wording, form)} {asked[0].upper()}{asked[1:]}" for form in FORMS}
            planted = worded(case, len(case.words.turns) - 1, language, wording.model_copy(update=texts))
            assert not [fault for fault in check_wording(planted) if "states the value" in fault]
