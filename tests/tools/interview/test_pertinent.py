"""What a physician asks beside a test: every name is understood as what it stands for, in both languages."""

import pytest

from state.base import Language
from state.patient_values import Side
from tools.interview.accounts import drug_words
from tools.interview.pertinent import clinical_name, matters_of, probe_question, probe_words, symptom_words
from tools.interview.words import drug_groups, read, symptom_lexicon, symptoms
from tools.vocabulary import Vocabulary
from tools.vocabulary.lexicon import normalise

MATTERS = read("pertinent")["matters"]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.mark.parametrize("name", sorted(symptom_words()))
@pytest.mark.parametrize("language", Language)
def test_a_symptom_is_understood_by_its_name(name: str, language: Language, vocabulary: Vocabulary) -> None:
    words = symptom_words()[name][language]
    assert [mention.entry for mention in symptom_lexicon().mentions(normalise(words))] == [name]
    assert not vocabulary.analytes_in(words)
    assert not vocabulary.ingredients_in(words)


@pytest.mark.parametrize("name", sorted(symptoms()))
@pytest.mark.parametrize("language", Language)
def test_any_symptom_is_understood_as_a_physician_names_it(name: str, language: Language) -> None:
    for side in (None, *Side) if symptoms()[name].sided else (None,):
        words = clinical_name(name, language, side)
        assert [mention.entry for mention in symptom_lexicon().mentions(normalise(words))] == [name]
        assert " my " not in f" {words} "


@pytest.mark.parametrize("group", sorted(read("pertinent")["probes"]))
def test_a_group_of_drugs_is_understood_by_its_name(group: str, vocabulary: Vocabulary) -> None:
    words = drug_words(vocabulary)
    for language in Language:
        named = list(words.mentions(normalise(probe_words(group)[language])))
        assert group in {mention.group.id for mention in named if mention.group}
    (asked,) = words.asked(probe_question(group))
    assert asked.group is drug_groups()[group]


def test_every_test_and_name_exists(vocabulary: Vocabulary) -> None:
    known = {analyte.id for analyte in vocabulary.analytes}
    for entry in MATTERS:
        assert set(entry.get("tests", ())) <= known
        assert {*entry["symptoms"], *entry["unsure"]} <= symptom_words().keys()
        assert set(entry["probes"]) <= read("pertinent")["probes"].keys()
        assert set(entry["symptoms"]).isdisjoint(entry["unsure"])
    assert "tests" not in MATTERS[-1]
    assert matters_of("sodium") != matters_of("no such test")
