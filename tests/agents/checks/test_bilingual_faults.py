"""The bilingual checker catches whatever one language says and the other does not."""

import re
from dataclasses import replace

import pytest
from planting import Planter, answer, item, said, worded
from seeded import caught

from agents.checks.bilingual import asked_phrases, check_bilingual, disparities
from agents.checks.case import Case
from state.base import Language
from state.checking import Stage
from state.gold import DecisionItem, ExactWritesItem, NameItem, RangeItem, TimeItem, ValueItem, WriteFieldItem
from state.knowledge import OrderAction
from state.plan import ASKS_THE_PATIENT
from tools.clinical.judgements import load_judgements
from tools.clinical.rules import load_rules
from tools.gold.topics import STRANGER
from tools.wording import load_turn_wordings

EN, ZH = Language.EN, Language.ZH


def _one_more(text: str) -> str:
    return re.sub(
        r"(\d+(?:\.\d+)?)(?= ?(?:mg|mEq|mmol|g|U|IU|K)/)", lambda n: f"{float(n[1]) + 3:g}", text, count=1
    )


def _another_unit(text: str) -> str:
    for old, new in (
        ("mEq/L", "mg/dL"),
        ("mg/dL", "g/dL"),
        ("g/dL", "mg/dL"),
        ("K/uL", "g/L"),
        ("mmol/L", "mg/dL"),
    ):
        if old in text:
            return text.replace(old, new)
    return text


def _another_day(text: str) -> str:
    return re.sub(
        r"(\d{4}-\d{2}-)(\d{2})", lambda day: f"{day[1]}{'28' if day[2] != '28' else '27'}", text, count=1
    )


def _another_drug(text: str, case: Case) -> str:
    for order in case.source.match.orders:
        if order.ingredient not in case.source.told_by_the_test:
            text = text.replace(case.source.drug_in(order.ingredient)[ZH], case.source.drug_in(STRANGER)[ZH])
    return text


def _another_test(text: str, case: Case) -> str:
    own = case.source.analyte(case.source.match.lab.analyte).names[ZH]
    return text.replace(own, "脂肪酶")


def _denied(text: str, case: Case) -> str:
    return re.sub(r"建议(?=暂停|将|立即|继续)", "不建议", text)


def _undenied(text: str, case: Case) -> str:
    for negated in ("不能", "不需", "不应", "没有", "不支持", "不是", "未", "无", "不"):
        if negated in text:
            return text.replace(negated, {"不能": "能", "没有": "有"}.get(negated, ""), 1)
    return text


def _without_bearing(text: str, case: Case) -> str:
    wording = case.source.rule.wording[ZH]
    return text.replace(wording.bearing, "在用的药物") if wording.bearing else text


def _other_conclusion(text: str, case: Case) -> str:
    judgement = case.source.rule.judgement
    if judgement is None:
        return text
    answers = load_judgements()[judgement.question].answers
    other = next(one for key, one in answers.items() if key != judgement.answer)
    return text.replace(answers[judgement.answer].say[ZH], other.say[ZH])


def _other_view(text: str, case: Case) -> str:
    """Let the colleague who is quoted hold what another answer says."""
    judgement = case.source.rule.judgement
    if judgement is None:
        return text
    held = [one.held(ZH) for one in load_judgements()[judgement.question].answers.values()]
    quoted = next((view for view in held if f"“{view}”" in text), None)
    return text if quoted is None else text.replace(quoted, next(view for view in held if view != quoted))


def _other_schedule(text: str, case: Case) -> str:
    action = case.source.rule.action
    if not isinstance(action, OrderAction) or action.frequency is None:
        return text
    table = load_turn_wordings(ZH).frequencies
    other = next(words for code, words in table.items() if code != action.frequency)
    return text.replace(table[action.frequency], other)


def _text(language: Language, change: object) -> object:
    def spoil(one: object) -> dict[str, object] | None:
        text = change(one.text[language])
        return {"text": {**one.text, language: text}} if text != one.text[language] else None

    return spoil


def _no_chinese(case: Case) -> Case:
    turn = case.words.turns[1]
    english = turn.model_copy(update={"wording": {EN: turn.wording[EN]}})
    turns = tuple(english if one.index == 1 else one for one in case.words.turns)
    return case.having(session=case.words.model_copy(update={"turns": turns}))


def _window(text: str, _: Case) -> str:
    return text.replace("72", "24")


def _titles(one: NameItem) -> dict[str, object] | None:
    if not one.item_id.endswith("-diagnosis"):
        return None
    return {"text": {**one.text, ZH: "说出：E66.9"}}


def _another_turn(case: Case) -> Case | None:
    """Put the Chinese of one turn into another; where a level is asked for, its drug goes by the same name."""
    if case.source.told_by_the_test:
        return None
    first, second = (case.words.turns[at].wording[ZH] for at in (0, 1))
    differ = case.words.turns[0].wording[EN] != case.words.turns[1].wording[EN]
    return worded(worded(case, 0, ZH, second), 1, ZH, first) if differ else None


FAULTS: dict[str, Planter] = {
    "another number in the Chinese answer": answer(lambda text, _: _one_more(text), ZH),
    "another number in the English answer": answer(lambda text, _: _one_more(text), EN),
    "another unit in the Chinese answer": answer(lambda text, _: _another_unit(text), ZH),
    "another day in the Chinese answer": answer(lambda text, _: _another_day(text), ZH),
    "another drug in the Chinese answer": answer(_another_drug, ZH),
    "another test in the Chinese answer": answer(_another_test, ZH),
    "a negation too many in the Chinese answer": answer(_denied, ZH),
    "a negation missing in the Chinese answer": answer(_undenied, ZH),
    "another conclusion in the Chinese answer": answer(_other_conclusion, ZH),
    "a number dropped from the Chinese answer": answer(
        lambda text, _: re.sub(r"(?<![A-Z\d])\d+\.\d+", "", text, count=1), ZH
    ),
    "another test in the Chinese question": said(_another_test, ZH, "explicit"),
    "another window in the Chinese question": said(_window, ZH),
    "another order in the Chinese question": said(_without_bearing, ZH),
    "a negation missing in the Chinese question": said(_undenied, ZH),
    "another view of a colleague in the Chinese question": said(_other_view, ZH),
    "another schedule in the Chinese question": said(_other_schedule, ZH),
    "a drug named in the Chinese question alone": said(
        lambda text, case: f"{text}包括{case.source.drug_in(STRANGER)[ZH]}吗？", ZH
    ),
    "another number in a rubric's Chinese": item(ValueItem, _text(ZH, _one_more)),
    "another unit in a rubric's Chinese": item(ValueItem, _text(ZH, _another_unit)),
    "another day in a rubric's English": item(TimeItem, _text(EN, _another_day)),
    "a limit dropped from a rubric's Chinese": item(
        RangeItem, _text(ZH, lambda text: re.sub(r"-.*", "", text))
    ),
    "another diagnosis in a rubric's Chinese": item(NameItem, _titles),
    "advice of a rubric without its reason in Chinese": item(
        DecisionItem, _text(ZH, lambda text: text.split("。")[0])
    ),
    "a question without Chinese": _no_chinese,
    "the Chinese of another turn": _another_turn,
}


def test_sound_sessions_are_accepted(cases: list[Case]) -> None:
    assert [fault for case in cases for fault in check_bilingual(case)] == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str, cases: list[Case]) -> None:
    caught(Stage.BILINGUAL, fault, FAULTS[fault], check_bilingual, cases)


def test_chinese_rubrics_call_tests_and_drugs_by_their_chinese_names(cases: list[Case]) -> None:
    texts = [
        (name, item.text[ZH])
        for case in cases
        for turn in case.answers.turns
        for item in turn.rubric
        if isinstance(item, ValueItem | TimeItem)
        for analyte in [next(filter(None, map(case.source.vocabulary.analyte, item.names)), None)]
        if analyte is not None
        for name in [analyte.names[EN]]
        if name != analyte.names[ZH] and " " in name
    ]
    assert texts
    assert not [text for name, text in texts if name.lower() in text.lower()]


def test_advice_is_given_its_reason_and_its_exceptions_in_both_languages(cases: list[Case]) -> None:
    items = [
        (case.source.rule, item)
        for case in cases
        for turn in case.answers.turns
        for item in turn.rubric
        if isinstance(item, DecisionItem)
    ]
    assert items
    for rule, advice in items:
        for language in Language:
            assert rule.reason[language] in advice.text[language]
            assert rule.changes_if[language] in advice.text[language]


def test_chinese_rubrics_say_what_is_named_and_what_may_be_ended(cases: list[Case]) -> None:
    items = [one for case in cases for turn in case.answers.turns for one in turn.rubric]
    named = [one.text[ZH] for one in items if isinstance(one, NameItem)]
    assert named
    assert not [text for text in named if text.startswith("说出：")]
    ended = [one.text for one in items if isinstance(one, ExactWritesItem) and one.may_end]
    assert all("may be ended" in text[EN] and "可以停用" in text[ZH] for text in ended)
    fields = [one for one in items if isinstance(one, WriteFieldItem)]
    medications = [one.text[ZH] for one in fields if one.field == "medication"]
    assert all(re.search("药物为[\u4e00-\u9fff]", text) for text in medications)
    assert {one.field for one in fields} >= {
        "medication",
        "dose",
        "route",
        "frequency",
        "priority",
        "category",
    }
    assert not [one.text[ZH] for one in fields if one.tool in one.text[ZH] or one.field in one.text[ZH]]
    assert ended or medications


def test_what_the_holder_of_an_answer_says_is_one_phrase_in_both_languages(cases: list[Case]) -> None:
    """A session stands in for those of every rule: one without orders, that asks the patient nothing."""
    bare = next(
        case
        for case in cases
        if not case.source.match.orders and not any(turn.kind in ASKS_THE_PATIENT for turn in case.plan.turns)
    )
    judged = [
        rule
        for rule in load_rules()
        if rule.judgement is not None and rule.wording[Language.EN].bearing is None
    ]
    assert len(judged) > 40
    for rule in judged:
        case = replace(bare, source=replace(bare.source, rule=rule))
        phrases = asked_phrases(case, "explicit")
        for held in load_judgements()[rule.judgement.question].answers.values():
            pair = {at: load_turn_wordings(at).as_said(held.held(at)) for at in Language}
            assert not list(disparities(pair, phrases, case.source, {})), (rule.id, pair)
