"""A model speaks for the patient only as the guard lets it; what was refused, and whose fault it was, is kept."""

from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import Field

from agents.patient import ModelPatient, patient_speaker
from state.base import Language, SessionId, SubjectId
from state.outcome import Party
from state.patient import AdherenceFact, PatientFacts, Persona, Saying, Span
from tools.interview.interview import Interview, say_plainly
from tools.vocabulary import Vocabulary

ADHERENCE = "patient.get_medication_adherence"
KNOWN = PatientFacts(
    session_id=SessionId("s-1"),
    subject_id=SubjectId(1),
    seed=1,
    persona=Persona(literacy="low", anxiety="high"),
    facts=(
        AdherenceFact(
            drug="furosemide",
            home="not_taking",
            since=Span(count=2, unit="week"),
            reason="cost",
            withheld=True,
        ),
        AdherenceFact(drug="warfarin", home="taking"),
    ),
)
GOOD = "I stopped my water pill two weeks before I came in. I can't afford it."
WRONG = "I stopped my water pill three weeks before I came in. I can't afford it."
WORSE = "I take my water pill, and my creatinine was 2.1."


class Listening(GenericFakeChatModel):
    """LangChain's scripted model, keeping what it was sent."""

    heard: list[list[BaseMessage]] = Field(default_factory=list)

    def invoke(self, input: Any, *args: Any, **kwargs: Any) -> AIMessage:  # noqa: A002
        self.heard.append(list(input))
        return super().invoke(input, *args, **kwargs)


class Unreachable(FakeListChatModel):
    """A provider that is down."""

    def _call(self, *args: Any, **kwargs: Any) -> str:
        raise ConnectionError("no route to host")


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


def listening(replies: Sequence[str]) -> Listening:
    return Listening(messages=iter([AIMessage(reply) for reply in replies]))


def asked(
    vocabulary: Vocabulary, speak: Any, language: Language = Language.EN, drug: str = "Lasix"
) -> Saying:
    return Interview(KNOWN, vocabulary, language, speak).ask(ADHERENCE, drug)


def test_a_true_saying_is_said_in_the_models_words(vocabulary: Vocabulary) -> None:
    said = asked(vocabulary, ModelPatient(listening([GOOD])))
    assert said == Saying(text=GOOD, facts=("adherence-furosemide",), voice="model")


def test_a_wrong_saying_is_asked_for_once_more(vocabulary: Vocabulary) -> None:
    model = listening([WRONG, GOOD])
    said = asked(vocabulary, ModelPatient(model))
    assert (said.text, said.voice) == (GOOD, "model")
    assert [refused.who for refused in said.refused] == [Party.PATIENT]
    assert "3 week" in said.refused[0].reason
    assert said.refused[0].reason in model.heard[1][-1].text


def test_after_two_wrong_sayings_the_template_speaks(vocabulary: Vocabulary) -> None:
    said = asked(vocabulary, ModelPatient(listening([WRONG, WORSE, GOOD])))
    plain = asked(vocabulary, say_plainly)
    assert (said.text, said.facts, said.voice) == (plain.text, plain.facts, "template")
    assert [refused.who for refused in said.refused] == [Party.PATIENT, Party.PATIENT]
    assert "laboratory test: creatinine" in said.refused[1].reason


def test_an_empty_reply_is_the_patients_failure(vocabulary: Vocabulary) -> None:
    said = asked(vocabulary, ModelPatient(listening(["", " "])))
    assert [refused.reason for refused in said.refused] == ["it says nothing", "it says nothing"]
    assert said.voice == "template"


def test_a_model_that_cannot_be_reached_is_the_providers_failure(vocabulary: Vocabulary) -> None:
    said = asked(vocabulary, ModelPatient(Unreachable(responses=[GOOD])))
    assert [(refused.who, refused.reason) for refused in said.refused] == [
        (Party.PROVIDER, "ConnectionError: no route to host")
    ]
    assert said.text == asked(vocabulary, say_plainly).text


def test_the_model_is_told_only_what_is_to_be_said_now(vocabulary: Vocabulary) -> None:
    model = listening(["I don't know about digoxin."])
    said = asked(vocabulary, ModelPatient(model), drug="digoxin")
    sent = " ".join(message.text for message in model.heard[0])
    assert said.voice == "model"
    assert "digoxin" in sent
    for secret in ("furosemide", "water pill", "warfarin", "afford", KNOWN.session_id):
        assert secret not in sent


def test_a_chinese_patient_is_spoken_to_and_answers_in_chinese(vocabulary: Vocabulary) -> None:
    good = "利尿药来医院前两个星期我就停了，太贵，买不起。"
    model = listening([GOOD, good])
    said = asked(vocabulary, ModelPatient(model), Language.ZH)
    assert (said.text, said.voice) == (good, "model")
    assert "not in the language of the session" in said.refused[0].reason
    assert "你扮演一位住院患者" in model.heard[0][0].text


def test_the_voice_is_the_templates_without_a_model() -> None:
    assert patient_speaker(None) is say_plainly
    assert isinstance(patient_speaker(listening([])), ModelPatient)
