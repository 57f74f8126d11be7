"""Every fact is told whole at every literacy level, in both languages, and in other words at each."""

import pytest
from bedside import knowing, utterance
from every_fact import QUESTION, every_fact

from state.base import Language
from state.patient import Fact
from state.patient_values import Level
from tools.interview.interview import Utterance
from tools.interview.words import read
from tools.vocabulary import Vocabulary


def spoken(
    fact: Fact,
    vocabulary: Vocabulary,
    language: Language,
    literacy: Level,
    asides: Level = Level.LOW,
    seed: int = 1,
) -> Utterance:
    known = knowing(fact, seed=seed, literacy=literacy, anxiety=asides, self_diagnosis=asides)
    return utterance(known, vocabulary, language, *QUESTION[fact.kind])


@pytest.mark.parametrize("language", list(Language))
def test_every_element_of_every_fact_is_in_every_rendering(
    vocabulary: Vocabulary, language: Language
) -> None:
    renderings = 0
    for fact in every_fact(vocabulary):
        for literacy in Level:
            said = spoken(fact, vocabulary, language, literacy, Level.HIGH, seed=renderings % 5)
            assert said.told == (fact.fact_id,)
            assert said.faults(said.plain) == [], (fact, said.plain)
            renderings += 1
    assert renderings > 2000


@pytest.mark.parametrize("language", list(Language))
def test_levels_use_different_words(vocabulary: Vocabulary, language: Language) -> None:
    for fact in every_fact(vocabulary):
        texts = {spoken(fact, vocabulary, language, literacy).plain for literacy in Level}
        assert len(texts) == len(Level), fact


@pytest.mark.parametrize("language", list(Language))
def test_a_sentence_less_is_noticed(vocabulary: Vocabulary, language: Language) -> None:
    """The checker can fail: without its first sentence no rendering passes."""
    end = "。" if language is Language.ZH else ". "
    for fact in every_fact(vocabulary):
        said = spoken(fact, vocabulary, language, Level.MEDIUM)
        assert said.faults(said.plain.partition(end)[2] or "."), fact


def shapes(node: object) -> object:
    """Give the keys of nested mappings; lists and texts are leaves."""
    return {key: shapes(value) for key, value in node.items()} if isinstance(node, dict) else None


def test_both_languages_word_the_same_things() -> None:
    english, chinese = read("en"), read("zh")
    assert shapes(dict(english)) == shapes(dict(chinese))
