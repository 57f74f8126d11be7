"""Every rule has its words in both languages, and they give nothing away."""

import re
from itertools import product

import pytest

from state.base import Language
from state.knowledge import Rule
from tools.clinical.judgements import load_judgements
from tools.clinical.rules import load_rules
from tools.vocabulary import Vocabulary
from tools.wording import load_turn_wordings

RULES = load_rules()
_POINTS_OUT = re.compile(r"\b(?:it|its)\b|[它其](?!他|余|中)", re.IGNORECASE)
"""Pronouns: a phrase for a finding stands in many questions, so that none of its own may point outside."""
ASKED = {"given", "culture", "condition", "order", "home_medication"}
"""Findings that are asked for in the rule's own words."""


@pytest.mark.parametrize(("rule", "language"), list(product(RULES, Language)), ids=str)
def test_a_rule_is_worded_and_gives_nothing_away(rule: Rule, language: Language) -> None:
    vocabulary = Vocabulary.load()
    wording = rule.wording[language]
    words = [wording.about]
    if rule.trigger.order is not None:
        assert wording.bearing
        words.append(wording.bearing)
        lab = rule.trigger.lab.analyte
        assert lab not in {analyte.id for analyte in vocabulary.analytes_in(wording.bearing)}
        assert not re.search(r"\b(?:this|that)\b", wording.bearing), "a drug is called by its kind"
    words += [f.ask[language] for f in rule.trigger.also if f.kind in ASKED and not f.absent]
    test = vocabulary.analyte_by_id(rule.trigger.lab.analyte)
    called = test.synonyms if test is not None else ()
    told = {drug.id for name in called for drug in vocabulary.ingredients_in(name)}
    order = rule.trigger.order.ingredients if rule.trigger.order is not None else ()
    turned = {*order, *(drug for f in rule.trigger.also for drug in getattr(f, "ingredients", ()))}
    for word in words:
        named = {drug.id for drug in vocabulary.ingredients_in(word)}
        assert not named & turned - told, word
    for word in words[1 + (rule.trigger.order is not None) :]:
        assert not _POINTS_OUT.search(word), word


@pytest.mark.parametrize("language", Language)
def test_both_languages_have_the_same_questions_and_answers(language: Language) -> None:
    english, other = load_turn_wordings(Language.EN), load_turn_wordings(language)
    assert set(other.questions) == set(english.questions)
    for name in (
        "answers",
        "asks",
        "rests_on",
        "decisions",
        "routes",
        "frequencies",
        "fractions",
        "directions",
        "details",
        "categories",
        "priorities",
    ):
        assert set(getattr(other, name)) == set(getattr(english, name)), name


@pytest.mark.parametrize("language", Language)
def test_a_judgement_s_sentence_holds_one_of_its_names_and_none_of_another_answer(language: Language) -> None:
    for question in load_judgements().values():
        for answer_id, answer in question.answers.items():
            said = answer.say[language].lower()
            assert any(name.lower() in said for name in answer.names[language]), (question.id, answer_id)


def test_english_answers_recommend_doing_and_not_to_do() -> None:
    for name, template in load_turn_wordings(Language.EN).answers.items():
        assert not re.search(r"\brecommend(?:s|ed)? to\b", template), name


def test_a_colleague_speaks_and_recites_no_answer() -> None:
    for question in load_judgements().values():
        for answer_id, answer in question.answers.items():
            held = answer.held(Language.EN)
            assert not re.search(r"\bshould\b", held), (question.id, answer_id)


def test_an_answer_quoted_in_other_words_is_so_in_both_languages_and_names_the_same_tests() -> None:
    vocabulary = Vocabulary.load()
    for question in load_judgements().values():
        for answer_id, answer in question.answers.items():
            if not answer.quote:
                continue
            assert set(answer.quote) == set(Language), (question.id, answer_id)
            assert all(answer.quote[language] != answer.say[language] for language in Language)
            english, chinese = (vocabulary.analytes_in(answer.held(at)) for at in (Language.EN, Language.ZH))
            assert {one.id for one in english} == {one.id for one in chinese}, (question.id, answer_id)
