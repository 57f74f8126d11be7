"""A model speaks for the patient only as the guard lets it; what was refused, and whose fault it was, is kept."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from bad_openai import Reply, Server, fails, says, serve

from agents.gateway import JournalMiss
from agents.journal import Journal
from agents.patient import CUT_OFF, ModelPatient
from state.base import Language, SessionId, SubjectId
from state.journal import Role
from state.outcome import Party
from state.patient import AdherenceFact, PatientFacts, Persona, Saying, Span
from tools.interview.interview import Interview
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


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


Asked = Callable[..., tuple[list[Saying], Server]]


def one_by_one(replies: Sequence[str | Reply]) -> Callable[[dict[str, Any]], Reply]:
    left = iter(replies)

    def script(_: dict[str, Any]) -> Reply:
        reply = next(left)
        return says(reply) if isinstance(reply, str) else reply

    return script


@pytest.fixture
def asked(vocabulary: Vocabulary, gateway: Any, served: Any) -> Asked:
    """Give a function that puts questions for drugs to a patient for whom a scripted model speaks."""

    def ask(
        replies: Sequence[str | Reply],
        drugs: Sequence[str] = ("Lasix",),
        language: Language = Language.EN,
        journal: Journal | None = None,
        **fields: Any,
    ) -> tuple[list[Saying], Server]:
        interview = Interview(KNOWN, vocabulary, language)

        async def all_of(url: str) -> list[Saying]:
            async with gateway(journal=journal, **fields) as calls:
                speak = ModelPatient(served(url), calls, KNOWN.session_id)
                said = []
                for drug in drugs:
                    said.append(await speak(interview.utterance(ADHERENCE, drug)))
                    interview.recall(said[-1])
                return said

        with serve(one_by_one(replies)) as server:
            return asyncio.run(all_of(server.url)), server

    return ask


def plainly(vocabulary: Vocabulary, drug: str = "Lasix") -> Saying:
    return Interview(KNOWN, vocabulary).ask(ADHERENCE, drug)


def test_a_true_saying_is_said_in_the_models_words(asked: Asked) -> None:
    (said,), _ = asked([GOOD])
    assert said == Saying(text=GOOD, facts=("adherence-furosemide",), voice="model")


def test_thinking_before_the_words_is_not_said(asked: Asked) -> None:
    (said,), _ = asked([f"<think>my creatinine?</think>\n{GOOD}"])
    assert (said.text, said.refused) == (GOOD, ())


def test_a_wrong_saying_is_asked_for_once_more(asked: Asked) -> None:
    (said,), server = asked([WRONG, GOOD])
    assert (said.text, said.voice) == (GOOD, "model")
    assert [refused.who for refused in said.refused] == [Party.PATIENT]
    assert "3 week" in said.refused[0].reason
    assert said.refused[0].reason in server.requests[1]["messages"][-1]["content"]
    assert server.requests[1]["messages"][-2] == {"role": "assistant", "content": WRONG}


def test_after_two_wrong_sayings_the_template_speaks(asked: Asked, vocabulary: Vocabulary) -> None:
    (said,), server = asked([WRONG, WORSE, GOOD])
    plain = plainly(vocabulary)
    assert (said.text, said.facts, said.voice) == (plain.text, plain.facts, "template")
    assert [refused.who for refused in said.refused] == [Party.PATIENT, Party.PATIENT]
    assert "laboratory test: creatinine" in said.refused[1].reason
    assert len(server.requests) == 2


def test_an_empty_reply_is_the_patients_failure(asked: Asked) -> None:
    (said,), _ = asked(["", " "])
    assert [refused.reason for refused in said.refused] == ["it says nothing", "it says nothing"]
    assert said.voice == "template"


def test_words_that_were_cut_off_are_not_said(asked: Asked) -> None:
    (said,), _ = asked([says(GOOD, finish_reason="length"), GOOD])
    assert said.voice == "model"
    assert [refused.reason for refused in said.refused] == [CUT_OFF]


def test_a_model_that_cannot_be_reached_is_the_providers_failure(
    asked: Asked, vocabulary: Vocabulary
) -> None:
    (said,), server = asked([fails(401)])
    assert [refused.who for refused in said.refused] == [Party.PROVIDER]
    assert said.refused[0].reason.startswith("authentication: ")
    assert said.text == plainly(vocabulary).text
    assert len(server.requests) == 1


def test_the_model_is_told_only_what_is_to_be_said_now(asked: Asked) -> None:
    (said,), server = asked(["I don't know about digoxin."], ["digoxin"])
    sent = " ".join(message["content"] for message in server.requests[0]["messages"])
    assert said.voice == "model"
    assert said.unknown == ("unknown-drug-digoxin",)
    assert "digoxin" in sent
    assert "tools" not in server.requests[0]
    for secret in ("furosemide", "water pill", "warfarin", "afford", KNOWN.session_id):
        assert secret not in sent


def test_a_chinese_patient_is_spoken_to_and_answers_in_chinese(asked: Asked) -> None:
    good = "利尿药来医院前两个星期我就停了，太贵，买不起。"
    (said,), server = asked([GOOD, good], language=Language.ZH)
    assert (said.text, said.voice) == (good, "model")
    assert "not in the language of the session" in said.refused[0].reason
    assert "你扮演一位住院患者" in server.requests[0]["messages"][0]["content"]


def test_the_same_question_gets_the_same_words_without_a_call(asked: Asked, tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    said, server = asked([GOOD, WRONG], ["Lasix", "Lasix"], journal=journal)
    assert [one.text for one in said] == [GOOD, GOOD]
    assert len(server.requests) == 1
    assert [entry.place.role for entry in journal.entries()] == [Role.PATIENT]


def test_a_failure_stands_once_the_template_has_spoken_for_it(asked: Asked, tmp_path: Path) -> None:
    """A resumed session must hear what it heard before, or all that followed from it is asked and paid again."""
    before, _ = asked([fails(401)], journal=Journal(tmp_path))
    after, server = asked([GOOD], journal=Journal(tmp_path))
    assert after == before
    assert server.requests == []


def test_an_answer_that_was_never_given_ends_a_replay(asked: Asked, tmp_path: Path) -> None:
    with pytest.raises(JournalMiss, match="patient's call 0 of turn 0 of s-1: it was never made"):
        asked([GOOD], journal=Journal(tmp_path), replay_only=True)


def test_another_question_is_no_changed_call(asked: Asked, tmp_path: Path) -> None:
    """--why-miss speaks of calls made before in another form, not of what was never asked."""
    missed: list[str] = []
    journal = Journal(tmp_path)
    asked([GOOD], journal=journal)
    listening = {"journal": Journal(tmp_path), "on_miss": lambda _, changed: missed.append(changed)}
    asked(["I don't know about digoxin."], ["digoxin"], **listening)
    assert missed == []
