"""Labels of all languages have the same phrases, with the same names to fill in."""

import re
from string import Formatter

import pytest

from state.base import Language
from tools.fhir.labels import Labels

ENGLISH = Labels.load(Language.EN)


def names(phrase: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(phrase) if name is not None}


@pytest.mark.parametrize("language", Language)
def test_every_language_says_everything(language: Language) -> None:
    labels = Labels.load(language)
    assert labels.phrases.keys() == ENGLISH.phrases.keys()
    for phrase, text in labels.phrases.items():
        assert names(text) == names(ENGLISH.phrases[phrase]), phrase


def test_words_of_another_language_are_its_own() -> None:
    chinese = Labels.load(Language.ZH)
    assert all(re.search(r"[\u4e00-\u9fff]", text) for text in chinese.words.values())
    assert [phrase for phrase, text in chinese.phrases.items() if text == ENGLISH.phrases[phrase]] == []
    assert chinese.word("stopped") == "已停止"
    assert chinese.word("Lisinopril") == "Lisinopril"


def test_an_unknown_phrase_is_a_fault_of_ours() -> None:
    with pytest.raises(KeyError):
        ENGLISH.say("nothing of the kind")
    with pytest.raises(KeyError):
        ENGLISH.say("note", words="x")
