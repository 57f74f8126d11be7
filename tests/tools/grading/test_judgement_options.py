"""An answer that is an option of the question, and nothing else, is that answer and no other."""

import pytest
from judged import judge

from state.base import Language
from state.outcome import Verdict
from tools.clinical.judgements import load_judgements
from tools.vocabulary import Vocabulary

QUESTIONS = load_judgements()
LED_UP_TO = {
    Language.EN: ["{}.", "**{}.**", "Recommendation: {}.", "I'd say {}.", "{}", "{} for now."],
    Language.ZH: ["{}。", "**{}**", "结论：{}。", "我认为{}。", "应该是{}。"],
}
DENIED = {
    Language.EN: ["Not {}.", "No {}.", "It is not {}."],
    Language.ZH: ["不是{}。", "并非{}。", "不认为是{}。"],
}


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


def verdict_on(question: str, answer: str, said: str, language: Language, vocabulary: Vocabulary) -> Verdict:
    asked = QUESTIONS[question].ask[language]
    item = {"kind": "judgement", "question": question, "answer": answer}
    return judge({"question": asked, "item": item}, said, vocabulary).verdict


@pytest.mark.parametrize("question", sorted(QUESTIONS))
def test_every_answer_is_an_option_that_is_no_others(question: str):
    for language in Language:
        options = [
            {one.casefold() for one in answer.options[language]}
            for answer in QUESTIONS[question].answers.values()
        ]
        assert all(options)
        assert sum(map(len, options)) == len(set().union(*options))


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("question", sorted(QUESTIONS))
def test_an_option_alone_is_its_answer(question: str, language: Language, vocabulary: Vocabulary):
    answers = QUESTIONS[question].answers
    for right, answer in answers.items():
        for option in answer.options[language]:
            for said in (form.format(option) for form in LED_UP_TO[language]):
                assert verdict_on(question, right, said, language, vocabulary) is Verdict.MET, said
                for wrong in answers.keys() - {right}:
                    found = verdict_on(question, wrong, said, language, vocabulary)
                    assert found is Verdict.NOT_MET, (said, wrong)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("question", sorted(QUESTIONS))
def test_an_option_denied_is_not_its_answer(question: str, language: Language, vocabulary: Vocabulary):
    for right, answer in QUESTIONS[question].answers.items():
        for option in answer.options[language]:
            for said in (form.format(option) for form in DENIED[language]):
                assert verdict_on(question, right, said, language, vocabulary) is not Verdict.MET, said


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        ("muscle_breakdown", "present", "Not present:\n- rhabdo"),
        ("myocardial_injury", "chronic", "CKD\n- chronic\nThe troponin rise is new and dynamic."),
        ("home_sparing_drug", "withhold", "If the potassium rises above 6:\n- Hold it."),
        ("home_sparing_drug", "withhold", "Hold it? I would not."),
        ("diabetes_at_discharge", "intensify", "Not needed:\n- step it up"),
    ],
)
def test_an_option_under_a_heading_or_asked_is_no_answer(
    question: str, answer: str, said: str, vocabulary: Vocabulary
):
    assert verdict_on(question, answer, said, Language.EN, vocabulary) is not Verdict.MET


def test_options_side_by_side_decide_nothing(vocabulary: Vocabulary):
    said = "- Narrow the antibiotics\n- Keep the same regimen\n- Broaden the antibiotics"
    found = verdict_on("antibiotic_plan", "narrow", said, Language.EN, vocabulary)
    assert found is Verdict.CANNOT_TELL
