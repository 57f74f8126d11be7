"""What is said to a model in the middle of a session is said in the session's language."""

import re
from importlib.resources import files

import pytest
from langchain_core.messages import AIMessage

from agents.conversation import turn_messages
from agents.judge_case import written_lines
from agents.judge_reply import Unusable, read_opinion
from agents.prompts import prompt
from agents.reply_faults import NUDGES, nudge
from state.base import Language
from state.trajectory import ReplyFault, Step, Termination, TurnRecord, WriteRecord

EN, ZH = Language.EN, Language.ZH
CHINESE = re.compile(r"[\u4e00-\u9fff]")
ENGLISH = re.compile(r"[A-Za-z]+ [A-Za-z]+ [A-Za-z]+")
"""Three English words in a row: a sentence, and no name of a field."""
READ_IN_ENGLISH = {"bilingual_reading", "clinical_reading"}
"""Prompts of readers who are shown both languages, or English alone."""


def _files() -> set[tuple[str, str, str]]:
    roles = (files("configs") / "prompts").iterdir()
    return {
        (role.name, *name.name.removesuffix(".md.j2").split(".")) for role in roles for name in role.iterdir()
    }


def test_every_prompt_is_there_in_both_languages() -> None:
    found = _files()
    both = {(role, name) for role, name, _ in found if name not in READ_IN_ENGLISH}
    assert {(*one, language) for one in both for language in ("en", "zh")} <= found
    assert {language for _, _, language in found} == {"en", "zh"}


@pytest.mark.parametrize("fault", sorted(NUDGES))
def test_a_doctor_is_asked_once_more_in_its_language(fault: ReplyFault) -> None:
    english, chinese = nudge(fault, EN), nudge(fault, ZH)
    assert ENGLISH.search(english.text)
    assert not CHINESE.search(english.text)
    assert CHINESE.search(chinese.text)
    assert not ENGLISH.search(chinese.text)
    assert chinese.response_metadata == english.response_metadata
    assert len({nudge(each, ZH).text for each in NUDGES}) == len(NUDGES)


def _turn(fault: ReplyFault | None) -> TurnRecord:
    return TurnRecord(
        index=0,
        question="血钾是多少？",
        steps=(Step(content="", calls=(), fault=fault),),
        answer="",
        termination=Termination.EMPTY_REPLY,
        writes=(
            WriteRecord(tool="Flag.create", arguments={"detail": "血钾 6.1"}, accepted=True),
            WriteRecord(tool="Flag.create", arguments={"detail": ""}, accepted=False),
        ),
        seconds=0,
    )


def test_a_chinese_history_says_in_chinese_what_was_not_answered() -> None:
    told, answer = turn_messages(_turn(ReplyFault.EMPTY), [[]], ZH)[1:]
    assert told.text == nudge(ReplyFault.EMPTY, ZH).text
    assert answer.text == "（未作回答）"
    assert turn_messages(_turn(None), [[]], EN)[-1].text == "(no answer given)"


def test_a_chinese_judge_reads_in_chinese_what_became_of_a_write() -> None:
    assert [line for line in written_lines(_turn(None), ZH) if line.startswith("Flag")] == [
        "Flag.create (已写入)",
        "Flag.create (被拒绝)",
    ]
    assert written_lines(_turn(None), EN)[0] == "Flag.create (accepted)"


ANSWER, QUESTION = "血钾为6.1 mmol/L。", "最近一次的血钾结果是多少？"
REPLIES = {
    "cut off": AIMessage("{", response_metadata={"finish_reason": "length"}),
    "empty": AIMessage(""),
    "contradicts itself": AIMessage(
        '{"reason": "r", "quote": "6.1", "verdict": "met", "says_otherwise": true}'
    ),
    "no quotation": AIMessage('{"reason": "r", "quote": "", "verdict": "met", "says_otherwise": false}'),
    "short quotation": AIMessage('{"reason": "r", "quote": "6", "verdict": "met", "says_otherwise": false}'),
    "made up": AIMessage('{"reason": "r", "quote": "血钾为5.0", "verdict": "met", "says_otherwise": false}'),
    "of the question": AIMessage(
        '{"reason": "r", "quote": "最近一次的血钾结果是多少", "verdict": "met", "says_otherwise": false}'
    ),
}


@pytest.mark.parametrize("name", REPLIES)
def test_a_chinese_judge_is_told_in_chinese_what_was_wrong(name: str) -> None:
    read = read_opinion(REPLIES[name], f"{ANSWER}{QUESTION}", QUESTION)
    assert isinstance(read, Unusable)
    told = prompt("judge", "again", ZH, fault=read.why)
    assert not ENGLISH.search(told), told
    assert read.why in prompt("judge", "again", EN, fault=read.why)


def test_a_chinese_judge_is_told_which_field_is_wrong() -> None:
    read = read_opinion(AIMessage('{"reason": "r"}'), ANSWER, QUESTION)
    assert isinstance(read, Unusable)
    assert "不是所要求的 JSON 对象：quote Field required" in prompt("judge", "again", ZH, fault=read.why)
