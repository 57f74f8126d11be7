"""The patient answers the question that was asked, says what is not known, and holds back what is held back."""

import pytest
from bedside import ADHERENCE, COMPLAINT, FUNCTIONAL, PAIN, SOCIAL, SYMPTOMS, interview, knowing
from every_fact import SPANS

from state.base import Language
from state.patient import AdherenceFact, Fact, FunctionalFact, PainFact, SocialFact, SymptomFact
from tools.vocabulary import Vocabulary

KNOWN = knowing(
    SymptomFact(symptom="dyspnea", onset=SPANS[0], chief=True),
    SymptomFact(symptom="leg_swelling", side="left", withheld=True),
    SymptomFact(symptom="chest_pain", denied=True),
    SymptomFact(symptom="knee_pain", side="right"),
    AdherenceFact(drug="furosemide", home="not_taking", reason="cost", withheld=True),
    AdherenceFact(drug="warfarin", home="taking"),
    SocialFact(status="living_alone"),
    SocialFact(status="alcohol_daily", withheld=True),
    FunctionalFact(status="walking_alone"),
    PainFact(score=6),
)
OPEN = {"symptom-dyspnea", "symptom-chest_pain", "symptom-knee_pain-right"}
HELD_BACK = {"symptom-leg_swelling-left", "adherence-furosemide", "social-alcohol"}


@pytest.mark.parametrize(
    ("tool", "topic", "facts"),
    [
        (COMPLAINT, "", {"symptom-dyspnea"}),
        (SYMPTOMS, "symptoms", OPEN),
        (SYMPTOMS, "What brought you in, and when did it start?", OPEN),
        (SYMPTOMS, "哪里不舒服，多久了", OPEN),
        (SYMPTOMS, "shortness of breath", {"symptom-dyspnea"}),
        (SYMPTOMS, "When did the dyspnea begin?", {"symptom-dyspnea"}),
        (SYMPTOMS, "呼吸困难", {"symptom-dyspnea"}),
        (SYMPTOMS, "any chest pain or SOB?", {"symptom-dyspnea", "symptom-chest_pain"}),
        (SYMPTOMS, "leg edema", {"symptom-leg_swelling-left"}),
        (SYMPTOMS, "腿肿", {"symptom-leg_swelling-left"}),
        (SYMPTOMS, "fever", set()),
        (SYMPTOMS, "hemoptysis", set()),
        (SYMPTOMS, "insulin", set()),
        (SYMPTOMS, "qwerty", set()),
        (SYMPTOMS, "do you still take your warfarin?", {"adherence-warfarin"}),
        (SYMPTOMS, "pain", {"symptom-knee_pain-right", "pain-score"}),
        (ADHERENCE, "all", {"adherence-warfarin"}),
        (ADHERENCE, "furosemide", {"adherence-furosemide"}),
        (ADHERENCE, "water pill", {"adherence-furosemide"}),
        (ADHERENCE, "insulin", set()),
        (SOCIAL, "", {"social-living"}),
        (SOCIAL, "Do you drink alcohol?", {"social-alcohol"}),
        (SOCIAL, "喝酒吗", {"social-alcohol"}),
        (SOCIAL, "smoking", set()),
        (SOCIAL, "social history", {"social-living"}),
        (SYMPTOMS, "social history and alcohol", {"social-living", "social-alcohol"}),
        (FUNCTIONAL, "", {"functional-walking"}),
        (FUNCTIONAL, "can you walk?", {"functional-walking"}),
        (FUNCTIONAL, "cooking", set()),
        (PAIN, "", {"symptom-knee_pain-right", "pain-score"}),
        (PAIN, "knee pain", {"symptom-knee_pain-right"}),
        (PAIN, "pain score", {"pain-score"}),
        (PAIN, "headache", set()),
    ],
)
def test_the_question_decides_what_is_told(
    vocabulary: Vocabulary, tool: str, topic: str, facts: set[str]
) -> None:
    for language in Language:
        assert set(interview(KNOWN, vocabulary, language).ask(tool, topic).facts) == facts


@pytest.mark.parametrize(
    ("tool", "topic", "english", "chinese"),
    [
        (
            SYMPTOMS,
            "fever and cough",
            "I couldn't tell you about a fever or a cough.",
            "有没有发烧或者咳嗽的情况，我不太清楚。",
        ),
        (ADHERENCE, "Lantus", "I couldn't tell you about insulin glargine.", "甘精胰岛素的事，我不太清楚。"),
        (ADHERENCE, "fairy dust", "I don't know that medicine.", "我不知道这个药。"),
        (ADHERENCE, "statin", "I couldn't tell you about any statin.", "他汀的事，我不太清楚。"),
    ],
)
def test_what_is_not_known_is_named(
    vocabulary: Vocabulary, tool: str, topic: str, english: str, chinese: str
) -> None:
    for language, expected in ((Language.EN, english), (Language.ZH, chinese)):
        said = interview(KNOWN, vocabulary, language).ask(tool, topic)
        assert (said.text, said.facts) == (expected, ())


def test_what_is_known_and_what_is_not_are_told_together(vocabulary: Vocabulary) -> None:
    said = interview(KNOWN, vocabulary).ask(SYMPTOMS, "dyspnea and fever: onset?")
    assert said.facts == ("symptom-dyspnea",)
    assert "two days" in said.text
    assert said.text.endswith("I couldn't tell you about a fever.")


def test_an_onset_that_is_not_known_is_said_not_to_be(vocabulary: Vocabulary) -> None:
    asked = interview(KNOWN, vocabulary)
    assert (
        "couldn't tell you exactly when it started"
        in asked.ask(SYMPTOMS, "since when is the knee pain?").text
    )
    assert "exactly when" not in asked.ask(SYMPTOMS, "is there knee pain?").text


def test_a_withheld_fact_comes_out_when_asked_for_and_stays_out(vocabulary: Vocabulary) -> None:
    asked = interview(KNOWN, vocabulary)
    before = asked.ask(ADHERENCE, "all")
    specific = asked.ask(ADHERENCE, "Lasix")
    after = asked.ask(ADHERENCE, "all")
    assert "furosemide" not in before.text
    assert "water pill" not in before.text
    assert "furosemide" in specific.text
    assert set(after.facts) == {"adherence-warfarin", "adherence-furosemide"}
    assert asked.ask(ADHERENCE, "Lasix").text == specific.text


@pytest.mark.parametrize(
    ("fact", "tool", "topic", "frank"),
    [
        (
            AdherenceFact(drug="furosemide", home="missing_doses", withheld=True),
            ADHERENCE,
            "furosemide",
            True,
        ),
        (AdherenceFact(drug="furosemide", home="taking", withheld=True), ADHERENCE, "furosemide", False),
        (AdherenceFact(drug="furosemide", here="given", withheld=True), ADHERENCE, "furosemide", False),
        (SocialFact(status="alcohol_daily", withheld=True), SOCIAL, "alcohol", True),
        (SocialFact(status="smoking_current", withheld=True), SOCIAL, "smoking", True),
        (SocialFact(status="living_with_family", withheld=True), SOCIAL, "who do you live with", False),
        (FunctionalFact(status="walking_alone", withheld=True), FUNCTIONAL, "walking", False),
        (SymptomFact(symptom="dyspnea", withheld=True), SYMPTOMS, "dyspnea", False),
    ],
)
def test_only_what_is_hard_to_own_up_to_is_told_with_a_preface(
    vocabulary: Vocabulary, fact: Fact, tool: str, topic: str, frank: bool
) -> None:
    for language, preface in ((Language.EN, "To be honest with you:"), (Language.ZH, "跟您说实话吧，")):
        said = interview(knowing(fact), vocabulary, language).ask(tool, topic)
        assert said.facts == (fact.fact_id,)
        assert said.text.startswith(preface) is frank, said.text


def test_no_general_question_gets_a_withheld_fact(vocabulary: Vocabulary) -> None:
    asked = interview(KNOWN, vocabulary)
    general = (
        (SOCIAL, "social history"),
        (SYMPTOMS, "any other symptoms?"),
        (ADHERENCE, "medications"),
        (SOCIAL, ""),
        (FUNCTIONAL, ""),
        (PAIN, ""),
    )
    for tool, topic in (*general, (COMPLAINT, "")):
        assert HELD_BACK.isdisjoint(asked.ask(tool, topic).facts)


def test_the_same_conversation_is_the_same_in_every_interview(vocabulary: Vocabulary) -> None:
    questions = [
        (SYMPTOMS, "symptoms"),
        (ADHERENCE, "water pill"),
        (ADHERENCE, "all"),
        (SYMPTOMS, "symptoms"),
        (SOCIAL, ""),
    ]
    one, other = (interview(KNOWN, vocabulary) for _ in range(2))
    assert [one.ask(*question) for question in questions] == [other.ask(*question) for question in questions]


def test_the_seed_and_the_question_change_the_words(vocabulary: Vocabulary) -> None:
    fact = SymptomFact(symptom="dyspnea", onset=SPANS[0], course="worse", severity="mild")
    by_seed = {interview(knowing(fact, seed=s), vocabulary).ask(SYMPTOMS, "dyspnea").text for s in range(12)}
    asked = interview(knowing(fact), vocabulary)
    by_question = {asked.ask(SYMPTOMS, f"shortness of breath {'?' * n}").text for n in range(12)}
    assert len(by_seed) > 3
    assert len(by_question) > 3


def test_a_rebuilt_interview_goes_on_where_it_was(vocabulary: Vocabulary) -> None:
    first = interview(KNOWN, vocabulary)
    said = first.ask(ADHERENCE, "Lasix")
    again = interview(KNOWN, vocabulary)
    again.recall(said)
    assert again.ask(ADHERENCE, "all") == first.ask(ADHERENCE, "all")


def test_a_patient_without_facts_knows_nothing(vocabulary: Vocabulary) -> None:
    asked = interview(None, vocabulary)
    for tool, topic in (
        (SYMPTOMS, "symptoms"),
        (ADHERENCE, "aspirin"),
        (SOCIAL, ""),
        (FUNCTIONAL, ""),
        (PAIN, ""),
    ):
        said = asked.ask(tool, topic)
        assert said.facts == ()
        assert "n't" in said.text or "not" in said.text
