"""Every judgement question: it names nothing looked up, some rule answers it, and its answers are told apart."""

import pytest

from state.base import Language
from state.session import Scenario
from tools.clinical.judgements import load_judgements
from tools.clinical.rules import load_rules
from tools.grading.names import spans
from tools.vocabulary import Vocabulary

QUESTIONS = load_judgements()


def test_every_question_is_that_of_a_rule():
    rules = [rule for scenario in Scenario for rule in load_rules(scenario)]
    assert {rule.judgement.question for rule in rules if rule.judgement is not None} == set(QUESTIONS)


def _told_by(analyte_id: str, vocabulary: Vocabulary) -> set[str]:
    """Name the drugs that a test is called by, as the level of one is."""
    test = vocabulary.analyte_by_id(analyte_id)
    called = test.synonyms if test is not None else ()
    return {drug.id for name in called for drug in vocabulary.ingredients_in(name)}


@pytest.mark.parametrize("question_id", sorted(QUESTIONS))
@pytest.mark.parametrize("language", Language)
def test_answers_are_known_by_names_of_their_own(
    question_id: str, language: Language, vocabulary: Vocabulary
):
    question = QUESTIONS[question_id]
    named = {drug.id for drug in vocabulary.ingredients_in(question.ask[language])}
    for rule in load_rules():
        if rule.judgement is not None and rule.judgement.question == question_id:
            assert named <= _told_by(rule.trigger.lab.analyte, vocabulary), rule.id
    short = question.short[language]
    assert vocabulary.ingredients_in(short) == vocabulary.analytes_in(short) == ()
    for answer_id, answer in question.answers.items():
        assert spans(answer.names[language], answer.say[language])
        for other_id, other in question.answers.items():
            if other_id == answer_id:
                continue
            assert not spans(other.names[language], answer.say[language]), (answer_id, other_id)
            for name in answer.names[language]:
                assert not spans(other.names[language], name), (name, other_id)
