"""The policy of the README, row by row: the model is told, asked once more, and then the turn ends as what it was."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from bad_openai import Reply, asks, calls, says, tool_call
from endpoints import Evaluate, last_of, subject_of, turn_of
from langchain_core.messages import AIMessage

from agents.reply_faults import fault_of
from state.outcome import Scored
from state.trajectory import ReplyFault, Termination

Faulty = Callable[[dict[str, Any]], Reply]


def cut_off(request: dict[str, Any]) -> Reply:
    whole = json.dumps({"subject_id": subject_of(request)})
    return asks([tool_call("Patient_read", whole)], finish_reason="length")


def unknown_argument(request: dict[str, Any]) -> Reply:
    return calls("Observation_search", json.dumps({"subject_id": subject_of(request), "flavour": "x"}))


POLICY: dict[str, tuple[Faulty, str, Termination]] = {
    "empty": (lambda _: says(""), "Your reply was empty", Termination.EMPTY_REPLY),
    "reasoning only": (
        lambda _: says("", reasoning_content="Hmm, potassium..."),
        "Your reply was empty",
        Termination.EMPTY_REPLY,
    ),
    "truncated": (
        lambda _: says("The potassium is", finish_reason="length"),
        "was cut off",
        Termination.TRUNCATED_REPLY,
    ),
    "truncated in a tool call": (cut_off, "was cut off", Termination.TRUNCATED_REPLY),
    "tool call as JSON text": (
        lambda _: says('{"name": "Patient_read", "arguments": {"subject_id": 1}}'),
        "tool call as text",
        Termination.CALL_AS_TEXT,
    ),
    "tool call in a template's tags": (
        lambda _: says('<tool_call>\n{"name": "Patient_read"}\n</tool_call>'),
        "tool call as text",
        Termination.CALL_AS_TEXT,
    ),
    "tool call as code": (
        lambda _: says("```python\nPatient_read(subject_id=1)\n```"),
        "tool call as text",
        Termination.CALL_AS_TEXT,
    ),
    "arguments that are no JSON": (
        lambda _: calls("Patient_read", '{"subject_id": 1'),
        "must be one JSON object",
        Termination.MALFORMED_ARGUMENTS,
    ),
    "arguments that are no object": (
        lambda _: calls("Patient_read", "[1]"),
        "must be one JSON object",
        Termination.MALFORMED_ARGUMENTS,
    ),
    "huge arguments that are cut": (
        lambda _: calls("Patient_read", '{"subject_id": "' + "9" * 500_000),
        "must be one JSON object",
        Termination.MALFORMED_ARGUMENTS,
    ),
    "unknown tool": (
        lambda _: calls("Chart_burn", "{}"),
        "there is no tool 'Chart_burn'",
        Termination.UNKNOWN_TOOL,
    ),
    "unknown argument": (unknown_argument, "unknown argument 'flavour'", Termination.UNKNOWN_ARGUMENT),
}


@pytest.mark.parametrize(("faulty", "told", "end"), POLICY.values(), ids=POLICY)
def test_a_fault_is_told_and_a_model_that_listens_loses_nothing(
    evaluate: Evaluate, faulty: Faulty, told: str, end: Termination
) -> None:
    def script(request: dict[str, Any]) -> Reply:
        return says("It is on the chart.") if told in last_of(request) else faulty(request)

    result, record, server = evaluate(script)
    assert [turn.termination for turn in record.turns] == [Termination.ANSWERED] * 4
    assert [turn.answer for turn in record.turns] == ["It is on the chart."] * 4
    assert len(server.requests) == 8
    assert all(isinstance(turn.outcome, Scored) for turn in result.turns)


@pytest.mark.parametrize(("faulty", "told", "end"), POLICY.values(), ids=POLICY)
def test_a_fault_that_is_repeated_ends_the_turn_as_the_models_own(
    evaluate: Evaluate, faulty: Faulty, told: str, end: Termination
) -> None:
    result, record, server = evaluate(faulty)
    assert [turn.termination for turn in record.turns] == [end] * 4
    assert [turn.answer for turn in record.turns] == [""] * 4
    assert len(server.requests) == 8
    assert [turn.outcome.score for turn in result.turns if isinstance(turn.outcome, Scored)] == [0.0] * 4
    assert not any(call.ran for turn in record.turns for call in turn.steps[-1].calls)
    assert all(m["content"] for m in server.requests[-1]["messages"] if m["role"] in {"user", "tool"})


def test_a_model_that_looks_for_the_right_name_may_go_on(evaluate: Evaluate) -> None:
    names = ["Chart_open", "Chart_read", "Chart_show"]

    def script(request: dict[str, Any]) -> Reply:
        tried = sum(message["role"] == "tool" for message in turn_of(request))
        return calls(names[tried], "{}") if tried < len(names) else says("I give up.")

    _, record, _ = evaluate(script)
    assert [turn.termination for turn in record.turns] == [Termination.ANSWERED] * 4


def test_one_good_call_among_bad_ones_is_no_fault(evaluate: Evaluate) -> None:
    def script(request: dict[str, Any]) -> Reply:
        if len(turn_of(request)) >= 6:
            return says("Done.")
        good = tool_call("Patient_read", json.dumps({"subject_id": subject_of(request)}), "good")
        return asks([tool_call("Chart_burn", "{}", "bad"), good])

    _, record, _ = evaluate(script)
    assert [turn.termination for turn in record.turns] == [Termination.ANSWERED] * 4
    assert [call.ok for call in record.turns[0].steps[0].calls] == [False, True]


def test_parallel_and_duplicate_calls_are_each_run_and_each_answered(evaluate: Evaluate) -> None:
    def script(request: dict[str, Any]) -> Reply:
        if turn_of(request):
            return says("Done.")
        read = json.dumps({"subject_id": subject_of(request)})
        return asks([tool_call("Patient_read", read, "same"), tool_call("Patient_read", read, "same")])

    _, record, server = evaluate(script)
    assert [call.ok for call in record.turns[0].steps[0].calls] == [True, True]
    results = [m["tool_call_id"] for m in turn_of(server.requests[1]) if m["role"] == "tool"]
    assert len(results) == len(set(results)) == 2


@pytest.mark.parametrize(
    "text",
    [
        "I used Observation_search to find the potassium: 4.1 mmol/L.",
        'The order reads {"name": "Patient_read"} in the log.',
        '{"potassium": 4.1}',
        "Hold (do not give) the spironolactone.",
        "[4.1, 4.3]",
        "[]",
    ],
)
def test_an_answer_that_only_resembles_a_call_is_an_answer(text: str) -> None:
    assert fault_of(AIMessage(text)) is None


def test_truncation_is_seen_before_all_else() -> None:
    reply = AIMessage("Half an ans", response_metadata={"finish_reason": "length"})
    assert fault_of(reply) is ReplyFault.TRUNCATED
