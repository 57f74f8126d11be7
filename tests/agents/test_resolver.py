"""The resolver on questions whose readings are known: one, none, several, in English and Chinese."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from agents.resolver import Entity, Heard, Kind, Listener
from state.base import Language
from tools.vocabulary import Vocabulary

VOCABULARY = Vocabulary.load()
PHRASES = {
    Language.EN: {
        "order": (Kind.DRUG, "diuretic that can push it higher"),
        "dose": (Kind.DRUG, "the last antibacterial dose charted as given"),
        "culture": (Kind.CULTURE, "the culture result that names the pathogen"),
        "weight": (Kind.RESULT, "weight"),
        "diagnosis": (Kind.DIAGNOSIS, "the cardiac diagnosis coded at an earlier stay"),
        "matter": (Kind.MATTER, "the antibiotic treatment after the culture result"),
        "account": (Kind.ACCOUNT, "ask the patient"),
        "plain order": (Kind.DRUG, "diuretic that can push the potassium higher"),
    },
    Language.ZH: {
        "order": (Kind.DRUG, "可使其升高的利尿药"),
        "dose": (Kind.DRUG, "最近一次记录为已给的抗菌药"),
        "culture": (Kind.CULTURE, "检出病原体的培养结果"),
        "weight": (Kind.RESULT, "体重"),
        "diagnosis": (Kind.DIAGNOSIS, "既往住院编码的心脏诊断"),
        "matter": (Kind.MATTER, "培养结果回报后的抗感染治疗"),
        "account": (Kind.ACCOUNT, "问问患者"),
    },
}
KEY = ("potassium", "血钾")
FRAGMENTS = {Language.EN: "Narrow, keep, or broaden?", Language.ZH: "降阶梯、维持，还是扩大？"}
CASES = [
    (language, case)
    for language in Language
    for case in yaml.safe_load((Path(__file__).parent / f"readings.{language}.yaml").read_text("utf-8"))
]


def _listener(language: Language, *, several: bool = False) -> Listener:
    entities = tuple(
        Entity(name, kind, (phrase,), several=several and name == "order", opaque=name != "order")
        for name, (kind, phrase) in PHRASES[language].items()
    )
    return Listener(entities, language, VOCABULARY, (FRAGMENTS[language],), KEY)


def _hear(ears: Listener, case: dict[str, Any]) -> Heard:
    dialogue: list[Heard] = []
    for said in case["before"]:
        concludes = said.startswith("= ")
        dialogue.append(ears.hear(said.removeprefix("= "), dialogue, reports=not concludes))
    return ears.hear(case["asks"], dialogue, reports=True)


@pytest.mark.parametrize(("language", "case"), CASES, ids=lambda value: str(value)[:60])
def test_a_question_has_the_readings_it_has(language: Language, case: dict[str, Any]):
    heard = _hear(_listener(language), case)
    readings = [anaphor.readings for anaphor in heard.anaphors]
    if "as" in case:
        assert readings == [(reading,) for reading in case["as"]], heard
        assert heard.faults == []
    elif "none" in case:
        assert () in readings, heard
        assert any("has no antecedent" in fault for fault in heard.faults)
    else:
        assert any(len(several) > 1 for several in readings), heard
        assert any("could be" in fault for fault in heard.faults)


def test_there_are_enough_cases_of_each_sort_in_each_language():
    for language in Language:
        cases = [case for of, case in CASES if of is language]
        assert all(sum(sort in case for case in cases) >= 7 for sort in ("as", "none", "two"))
    assert len(CASES) >= 70


@pytest.mark.parametrize(
    ("language", "case"),
    [
        (
            Language.EN,
            {"before": ["Which diuretic that can push it higher is running?"], "asks": "Hold that drug."},
        ),
        (Language.ZH, {"before": ["在用的可使其升高的利尿药有哪些？"], "asks": "那个药先暂停。"}),
    ],
)
def test_of_several_orders_no_singular_means_one(language: Language, case: dict[str, Any]):
    one = _hear(_listener(language), case)
    assert [anaphor.readings for anaphor in one.anaphors] == [("order",)]
    several = _hear(_listener(language, several=True), case)
    assert [anaphor.readings for anaphor in several.anaphors] == [("order", "another order")]


@pytest.mark.parametrize("language", Language)
def test_pronouns_inside_a_set_sentence_point_to_nothing(language: Language):
    words = {Language.EN: "Keep it as it is.", Language.ZH: "它照旧。"}[language]
    ears = Listener((Entity("matter", Kind.MATTER, (words,)),), language, VOCABULARY)
    assert ears.hear(f"“{words}”", (), reports=False).anaphors == ()


def test_a_drug_s_name_within_its_level_s_names_the_level_alone():
    ears = Listener((Entity("order", Kind.DRUG, ("digoxin",), opaque=False),), Language.EN, VOCABULARY)
    assert list(ears.named_in("What's the latest digoxin level?")) == ["digoxin_level"]
    assert list(ears.named_in("Is he on any digoxin?")) == ["order"]
