"""The parts of a judge: how it is asked, how its reply is read, how votes are counted, what it is shown at most."""

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.messages.tool import tool_call

from agents.judge import judge_names, tally
from agents.judge_case import LOOKED_UP_TOKENS, Case
from agents.judge_reply import FORM, Opinion, Unusable, read_opinion
from state.base import InputError, Language, ResourceRef
from state.gold import NameItem, RangeItem, RubricItem, SparesItem, WriteFieldItem
from state.models import StructuredOutput
from state.outcome import Ballot, JudgeFault, Verdict
from state.trajectory import CallRecord, Step, Termination, TurnRecord, WriteRecord
from tools.fhir.toolset import ToolResult

ANSWER, QUESTION = "The reference range is 3.5 to 5.0 mmol/L.", "What is the reference range of potassium?"
TEXT = {Language.EN: "States the reference range: 3.5-5.1", Language.ZH: "说明参考范围：3.5-5.1"}
RANGE = RangeItem(item_id="t0-range", text=TEXT, low=3.5, high=5.1)
GATE = SparesItem(item_id="t0-spares", text=TEXT, others=(), at_most=3)
SAFE = NameItem(item_id="t0-name", text=TEXT, names=("x",), safety=True)
WRITE = WriteFieldItem(
    item_id="t3-dose",
    text=TEXT,
    tool="MedicationRequest.create",
    field="dose",
    match="dose",
    values=("5 mg",),
)
GOOD = {"reason": "It says so.", "quote": "3.5 to 5.0", "verdict": "met", "says_otherwise": False}


def ballot(verdict: Verdict, *, otherwise: bool = False, fault: JudgeFault | None = None) -> Ballot:
    return Ballot(
        item_id="t0-range",
        judge="a/b",
        code=Verdict.CANNOT_TELL,
        verdict=verdict,
        says_otherwise=otherwise,
        reason="r",
        fault=fault,
    )


MET, NOT_MET = ballot(Verdict.MET), ballot(Verdict.NOT_MET)
OTHERWISE, UNSURE = ballot(Verdict.NOT_MET, otherwise=True), ballot(Verdict.CANNOT_TELL)
VOID = ballot(Verdict.CANNOT_TELL, fault=JudgeFault.VOID_QUOTE)


@pytest.mark.parametrize(
    ("votes", "verdict", "caps"),
    [
        ([MET], Verdict.MET, False),
        ([NOT_MET], Verdict.NOT_MET, False),
        ([OTHERWISE], Verdict.NOT_MET, True),
        ([UNSURE], Verdict.CANNOT_TELL, False),
        ([MET, NOT_MET], Verdict.CANNOT_TELL, False),
        ([MET, MET, NOT_MET], Verdict.MET, False),
        ([MET, NOT_MET, VOID], Verdict.CANNOT_TELL, False),
        ([MET, VOID], Verdict.CANNOT_TELL, False),
        ([NOT_MET, OTHERWISE, MET], Verdict.NOT_MET, False),
        ([OTHERWISE, OTHERWISE, NOT_MET], Verdict.NOT_MET, True),
        ([MET, MET, NOT_MET, NOT_MET], Verdict.CANNOT_TELL, False),
        ([VOID, VOID, MET], Verdict.CANNOT_TELL, False),
    ],
)
def test_more_than_half_decide(votes: list[Ballot], verdict: Verdict, caps: bool) -> None:
    """What is stated wrongly caps a turn, and what is left out costs its share only."""
    found = tally(RANGE, votes)
    assert (found.verdict, found.safety, found.decided_by) == (verdict, caps, "model")


@pytest.mark.parametrize("item", [SAFE, GATE])
def test_safety_items_and_gates_stay_what_they_are(item: RubricItem) -> None:
    found = tally(item, [NOT_MET])
    assert found.safety
    assert found.gate is item.gate


def reply(text: str, **fields: Any) -> AIMessage:
    return AIMessage(text, **fields)


@pytest.mark.parametrize(
    "given",
    [
        reply(json.dumps(GOOD)),
        reply(f"```json\n{json.dumps(GOOD)}\n```"),
        reply(f"<think>met? not_met?</think>\n{json.dumps(GOOD)}"),
        reply("", tool_calls=[tool_call(name="Verdict", args=GOOD, id="c1")]),
        reply("I report:", tool_calls=[tool_call(name="Verdict", args=GOOD, id="c1")]),
    ],
)
def test_a_verdict_however_it_comes(given: AIMessage) -> None:
    read = read_opinion(given, ANSWER, QUESTION)
    assert isinstance(read, Opinion)
    assert read.verdict is Verdict.MET


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"verdict": "Met"}, JudgeFault.MALFORMED),
        ({"says_otherwise": "no"}, JudgeFault.MALFORMED),
        ({"quote": None}, JudgeFault.MALFORMED),
        ({"quote": "3.5 to 5"}, JudgeFault.VOID_QUOTE),
        ({"quote": " "}, JudgeFault.VOID_QUOTE),
        ({"verdict": "not_met", "quote": "4.0 to 5.0"}, JudgeFault.VOID_QUOTE),
        ({"verdict": "not_met", "quote": "", "says_otherwise": True}, JudgeFault.VOID_QUOTE),
        ({"verdict": "cannot_tell", "quote": "unclear"}, JudgeFault.VOID_QUOTE),
        ({"verdict": "cannot_tell", "says_otherwise": True}, JudgeFault.MALFORMED),
    ],
)
def test_a_reply_that_does_not_hold(fields: dict[str, Any], fault: JudgeFault) -> None:
    read = read_opinion(reply(json.dumps({**GOOD, **fields})), ANSWER, QUESTION)
    assert isinstance(read, Unusable)
    assert read.fault is fault


def test_what_is_left_out_needs_no_quotation() -> None:
    for said in ("not_met", "cannot_tell"):
        read = read_opinion(reply(json.dumps({**GOOD, "verdict": said, "quote": ""})), ANSWER, QUESTION)
        assert isinstance(read, Opinion)


@pytest.mark.parametrize("way", StructuredOutput)
def test_a_schema_is_asked_for_in_the_providers_way(served: Any, way: StructuredOutput) -> None:
    asked, tools = FORM.asked_of(served("http://127.0.0.1:9/v1", structured_output=way))
    kind = asked.parameters.get("response_format", {}).get("type")
    assert (kind, bool(tools.schemas)) == {
        StructuredOutput.JSON_SCHEMA: ("json_schema", False),
        StructuredOutput.JSON_MODE: ("json_object", False),
        StructuredOutput.FUNCTION_CALLING: (None, True),
    }[way]
    assert asked.parameters["temperature"] == 0.2


def test_names_of_a_panel() -> None:
    assert judge_names("a/b, c/d") == ("a/b", "c/d")
    for bad in ("", "a/b,", "a/b,a/b"):
        with pytest.raises(InputError, match="--judge"):
            judge_names(bad)


def turn(index: int, *texts: str, writes: tuple[WriteRecord, ...] = ()) -> tuple[TurnRecord, list[Any]]:
    calls = tuple(
        CallRecord(call_id=str(n), name="Observation_search", arguments={"n": n}, ran=True, ok=True)
        for n, _ in enumerate(texts)
    )
    record = TurnRecord(
        index=index,
        question=f"Question {index}?",
        steps=(Step(content="", calls=calls),),
        answer=f"Answer {index}.",
        termination=Termination.ANSWERED,
        writes=writes,
        seconds=0,
    )
    return record, [
        [ToolResult(tool="Observation.search", resource={}, text=text, ok=True) for text in texts]
    ]


def test_the_oldest_results_give_way_and_it_is_said() -> None:
    long = "1 " * (LOOKED_UP_TOKENS // 2 - 2)
    records, results = zip(turn(0, "the oldest", long), turn(1, long, "the newest"), strict=True)
    case = Case.of(records, results, Language.EN)
    shown = case.messages(RANGE)[1].text
    assert "the newest" in shown
    assert "the oldest" not in shown
    assert shown.count("(left out here for its length)") == 1
    small = Case.of(records, results, Language.EN, context_tokens=100).messages(RANGE)[1].text
    assert small.count("(left out here for its length)") == 3
    assert "the newest" in small
    zh = Case.of(records, results, Language.ZH, context_tokens=100).messages(RANGE)[1].text
    assert zh.count("（内容过长，此处略去）") == 3


def test_a_point_about_writing_may_be_shown_by_what_was_written() -> None:
    wrote = WriteRecord(
        tool="MedicationRequest.create",
        arguments={"dose": "5 mg", "drug": "amlodipine"},
        accepted=True,
        ref=ResourceRef("MedicationRequest/new-1"),
    )
    record, results = turn(0, writes=(wrote,))
    case = Case.of([record], [results], Language.EN)
    assert "dose: 5 mg" in case.messages(WRITE)[1].text
    assert "dose: 5 mg" in case.quotable(WRITE)
    assert case.quotable(RANGE) == "Answer 0."
