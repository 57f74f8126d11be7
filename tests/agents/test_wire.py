"""Replies survive the way in and the way out."""

import asyncio
import json
from typing import Any

import pytest
from bad_openai import asks, says, serve, tool_call
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from agents.wire import BadBody, message_of, read_reply


def body(reply: Any) -> dict[str, Any]:
    return dict(json.loads(reply.body))


def test_arguments_that_are_no_object_are_kept_as_they_came() -> None:
    texts = ['["a"]', "7", '{"cut": ', "null", '{"whole": 1}', ""]
    calls = [tool_call("Patient_read", text, f"c{i}") for i, text in enumerate(texts)]
    message = message_of(read_reply(body(asks(calls)), ()))
    assert [call["args"] for call in message.tool_calls] == [{"whole": 1}, {}]
    assert [call["args"] for call in message.invalid_tool_calls] == texts[:4]


def test_calls_without_an_id_or_with_the_same_get_one_of_their_own() -> None:
    calls = [tool_call("Patient_read", "{}", "same"), tool_call("Patient_read", "{}", "same")]
    calls.append({"function": {"name": "Patient_read", "arguments": "{}"}})
    ids = [call["id"] for call in message_of(read_reply(body(asks(calls)), ())).tool_calls]
    assert len(set(ids)) == 3
    assert ids[0] == "same"


def test_arguments_sent_as_an_object_are_read() -> None:
    call = {"id": "1", "function": {"name": "Patient_read", "arguments": {"subject_id": 1}}}
    assert message_of(read_reply(body(asks([call])), ())).tool_calls[0]["args"] == {"subject_id": 1}


def test_a_huge_reply_is_kept_whole() -> None:
    text = "x" * 3_000_000
    assert len(message_of(read_reply(body(says(text)), ())).text) == len(text)


@pytest.mark.parametrize("usage", [{}, {"prompt_tokens": None}, None])
def test_usage_that_is_not_said_is_zero(usage: Any) -> None:
    reply = read_reply({**body(says("x")), "usage": usage}, ())
    assert reply.usage.total_tokens == 0


def test_usage_that_is_nonsense_is_no_reply() -> None:
    with pytest.raises(BadBody):
        read_reply({**body(says("x")), "usage": {"prompt_tokens": -5}}, ())


@pytest.mark.parametrize("returns", [True, False])
def test_reasoning_and_signatures_go_back_where_the_provider_wants_them(
    gateway: Any, served: Any, call: Any, returns: bool
) -> None:
    signed = {**tool_call("Patient_read", "{}"), "extra_content": {"google": {"thought_signature": "abc"}}}
    first = asks([signed], reasoning_content="I should read the chart.")

    async def run(url: str) -> None:
        model = served(url, returns_reasoning=returns)
        async with gateway() as calls:
            messages: list[Any] = [HumanMessage("?")]
            reply: AIMessage = await calls.ask(call(model, messages))
            messages += [reply, ToolMessage("read", tool_call_id="call_1")]
            await calls.ask(call(model, messages, step=1))

    left = [first, says("done")]
    with serve(lambda _: left.pop(0)) as server:
        asyncio.run(run(server.url))
    _, sent, _ = server.requests[1]["messages"]
    assert ("reasoning_content" in sent) is returns
    assert ("extra_content" in sent["tool_calls"][0]) is returns
    assert sent["tool_calls"][0]["function"]["name"] == "Patient_read"
