"""A doctor behind an OpenAI-compatible endpoint: what it is sent, and what each of its failings becomes."""

import json
from typing import Any

import pytest
from bad_openai import Reply, calls, fails, hangs, says
from endpoints import Evaluate, subject_of, turn_of

from state.outcome import Errored, Party, Scored
from state.trajectory import Termination


def test_tool_calls_are_run_and_their_results_sent_back(evaluate: Evaluate) -> None:
    def script(request: dict[str, Any]) -> Reply:
        if turn_of(request):
            return says("It is on the chart.")
        return calls("Patient_read", json.dumps({"subject_id": subject_of(request)}))

    result, record, server = evaluate(script)
    assert [turn.termination for turn in record.turns] == [Termination.ANSWERED] * 4
    assert len(server.requests) == 8
    names = [tool["function"]["name"] for tool in server.requests[0]["tools"]]
    assert "Observation_search" in names
    assert all(request["tools"] == server.requests[0]["tools"] for request in server.requests)
    (shown,) = [m for m in turn_of(server.requests[1]) if m["role"] == "tool"]
    assert str(subject_of(server.requests[0])) in shown["content"]
    assert record.turns[0].steps[0].calls[0].ok
    assert record.turns[0].steps[0].usage.input_tokens == 100
    assert all(isinstance(turn.outcome, Scored) for turn in result.turns)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Observation_search", '{"subject_id": 1, "code": '),
        ("Observation_search", '{"subject_id": "someone"}'),
        ("Observation_search", '{"subject_id": 1, "flavour": "x"}'),
        ("Chart_burn", '{"subject_id": 1}'),
    ],
)
def test_a_bad_call_is_told_to_the_model_and_never_run(evaluate: Evaluate, name: str, arguments: str) -> None:
    result, record, server = evaluate(lambda r: says("I cannot.") if turn_of(r) else calls(name, arguments))
    (call,) = record.turns[0].steps[0].calls
    assert not call.ok
    assert call.refs == ()
    (told,) = [m["content"] for m in turn_of(server.requests[1]) if m["role"] == "tool"]
    assert told == call.error
    assert told.startswith("Error (")
    assert all(isinstance(turn.outcome, Scored) for turn in result.turns)


def test_arguments_that_are_no_object_are_the_models_own_fault(evaluate: Evaluate) -> None:
    def script(request: dict[str, Any]) -> Reply:
        last = request["messages"][-1]["content"]
        return (
            says("Sorry.")
            if "must be one JSON object" in last
            else calls("Patient_read", '["not", "an", "object"]')
        )

    result, record, _ = evaluate(script)
    assert [turn.answer for turn in record.turns] == ["Sorry."] * 4
    assert all(isinstance(turn.outcome, Scored) for turn in result.turns)
    _, record, _ = evaluate(lambda _: calls("Patient_read", '["not", "an", "object"]'))
    assert [turn.termination for turn in record.turns] == [Termination.MALFORMED_ARGUMENTS] * 4


def test_an_empty_reply_is_asked_for_once_more(evaluate: Evaluate) -> None:
    def script(request: dict[str, Any]) -> Reply:
        last = request["messages"][-1]["content"]
        return says("Now I speak.") if "Your reply was empty" in last else says("")

    _, record, _ = evaluate(script)
    assert [turn.answer for turn in record.turns] == ["Now I speak."] * 4


def test_two_empty_replies_are_the_models_own_zero(evaluate: Evaluate) -> None:
    result, record, server = evaluate(lambda _: says(""))
    assert [turn.termination for turn in record.turns] == [Termination.EMPTY_REPLY] * 4
    assert [turn.outcome.score for turn in result.turns if isinstance(turn.outcome, Scored)] == [0.0] * 4
    assert len(server.requests) == 8
    assert all(m["content"] for m in server.requests[-1]["messages"] if m["role"] == "assistant")


def test_a_model_that_only_calls_tools_meets_the_step_limit(evaluate: Evaluate) -> None:
    def script(request: dict[str, Any]) -> Reply:
        return calls("Patient_read", json.dumps({"subject_id": subject_of(request)}))

    _, record, server = evaluate(script, tool_steps=3)
    assert [turn.termination for turn in record.turns] == [Termination.STEP_LIMIT] * 4
    assert [call.ran for step in record.turns[0].steps for call in step.calls] == [True, True, True, False]
    assert len(server.requests) == 16


@pytest.mark.parametrize("status", [400, 401])
def test_an_error_of_the_provider_is_no_zero(evaluate: Evaluate, status: int) -> None:
    result, _, _ = evaluate(lambda _: fails(status))
    for turn in result.turns:
        assert isinstance(turn.outcome, Errored)
        assert turn.outcome.who is Party.PROVIDER


def test_a_rate_limit_is_waited_out(evaluate: Evaluate) -> None:
    seen: list[int] = []

    def script(_: dict[str, Any]) -> Reply:
        seen.append(1)
        return fails(429, {"Retry-After": "0"}) if len(seen) == 1 else says("Here.")

    result, record, _ = evaluate(script)
    assert [turn.answer for turn in record.turns] == ["Here."] * 4
    assert all(isinstance(turn.outcome, Scored) for turn in result.turns)


def test_an_endpoint_that_only_hangs_is_no_zero_of_the_model(evaluate: Evaluate) -> None:
    """The limit of the turn is shorter than what a call is waited for: nobody knows whether the model is slow."""
    result, record, _ = evaluate(lambda _: hangs(), turn_seconds=0.3)
    assert record.turns[0].termination is Termination.MODEL_ERROR
    for turn in result.turns:
        assert isinstance(turn.outcome, Errored)
        assert turn.outcome.who is Party.PROVIDER
