"""Which drug a question is about: ingredients, brands, lay words, in English and Chinese; never another drug."""

import pytest
from bedside import ADHERENCE, interview, knowing

from state.base import Language
from state.patient import AdherenceFact
from state.patient_values import Level
from tools.interview.drugs import DrugWords
from tools.interview.words import drug_groups
from tools.vocabulary import Vocabulary

DRUGS = (
    *("furosemide", "warfarin", "metformin", "insulin_glargine", "metoprolol_succinate", "aspirin"),
    *(
        "atorvastatin",
        "losartan_hydrochlorothiazide",
        "levothyroxine",
        "oxycodone_acetaminophen",
        "potassium_chloride",
    ),
)
KNOWN = knowing(*(AdherenceFact(drug=drug, home="taking") for drug in DRUGS))


@pytest.mark.parametrize(
    ("asked", "drugs"),
    [
        ("furosemide", {"furosemide"}),
        ("Lasix", {"furosemide"}),
        ("LASIX 40 mg", {"furosemide"}),
        ("furosemide (Lasix) 40 mg tablet daily", {"furosemide"}),
        ("速尿", {"furosemide"}),
        ("呋塞米片", {"furosemide"}),
        ("water pill", {"furosemide", "losartan_hydrochlorothiazide"}),
        ("Water pills", {"furosemide", "losartan_hydrochlorothiazide"}),
        ("利尿药", {"furosemide", "losartan_hydrochlorothiazide"}),
        ("loop diuretic", {"furosemide"}),
        ("blood thinner", {"warfarin"}),
        ("anticoagulants", {"warfarin"}),
        ("抗凝药", {"warfarin"}),
        ("Coumadin", {"warfarin"}),
        ("antiplatelet", {"aspirin"}),
        ("insulin", {"insulin_glargine"}),
        ("Lantus", {"insulin_glargine"}),
        ("胰岛素", {"insulin_glargine"}),
        ("insulin lispro", set()),
        ("metoprolol", {"metoprolol_succinate"}),
        ("倍他乐克", {"metoprolol_succinate"}),
        ("metoprolol tartrate", set()),
        ("losartan", {"losartan_hydrochlorothiazide"}),
        ("Tylenol", {"oxycodone_acetaminophen"}),
        ("pain medication", {"oxycodone_acetaminophen"}),
        ("降糖药", {"metformin"}),
        ("statin", {"atorvastatin"}),
        ("potassium", {"potassium_chloride"}),
        ("thyroid pill", {"levothyroxine"}),
        ("warfarin and aspirin", {"warfarin", "aspirin"}),
        ("digoxin", set()),
        ("spironolactone", set()),
        ("hydralazine", set()),
        ("hydroxyzine", set()),
        ("seizure pill", set()),
        ("fairy dust", set()),
        ("chest pain", set()),
        ("x" * 5000, set()),
    ],
)
def test_only_the_drug_that_was_asked_for_is_told(
    vocabulary: Vocabulary, asked: str, drugs: set[str]
) -> None:
    for language in Language:
        said = interview(KNOWN, vocabulary, language).ask(ADHERENCE, asked)
        assert set(said.facts) == {f"adherence-{drug}" for drug in drugs}


@pytest.mark.parametrize(
    "asked", ["all", "All medications", "home meds", "medications", "药", "所有药", "用药情况"]
)
def test_all_is_all(vocabulary: Vocabulary, asked: str) -> None:
    said = interview(KNOWN, vocabulary).ask(ADHERENCE, asked)
    assert len(said.facts) == len(DRUGS)


def test_a_lay_word_is_said_only_where_it_tells_drugs_apart(vocabulary: Vocabulary) -> None:
    words = DrugWords(vocabulary)
    assert words.spoken("furosemide", {"furosemide", "aspirin"}, Language.EN, Level.LOW) == "water pill"
    assert words.spoken("furosemide", {"furosemide", "torsemide"}, Language.EN, Level.LOW) == "furosemide"
    assert words.spoken("furosemide", {"furosemide"}, Language.ZH, Level.LOW) == "利尿药"
    assert words.spoken("furosemide", {"furosemide"}, Language.EN, Level.HIGH) == "furosemide"


def test_a_name_that_means_several_of_the_patients_drugs_does_not_tell_them_apart(
    vocabulary: Vocabulary,
) -> None:
    words = DrugWords(vocabulary)
    assert not words.told_apart("insulin", {"insulin", "insulin_glargine"})
    assert words.told_apart("insulin", {"insulin", "aspirin"})
    assert words.told_apart("insulin_glargine", {"insulin", "insulin_glargine"})


def test_every_group_means_some_drug_of_the_vocabulary(vocabulary: Vocabulary) -> None:
    words = DrugWords(vocabulary)
    known = {drug.id for drug in vocabulary.ingredients}
    classes = {name for drug in vocabulary.ingredients for name in drug.classes}
    for group in drug_groups().values():
        assert words.drugs_of(group), group.id
        assert group.drugs <= known
        assert group.classes <= classes
