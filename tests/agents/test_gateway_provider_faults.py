"""What a provider does wrong, one fault at a time: retried where that helps, named where it does not."""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from bad_openai import Reply, Server, cuts, drips, fails, hangs, raw, resets, says, serve, streams
from langchain_core.messages import AIMessage, HumanMessage

from agents.gateway import CallFailed, Gateway
from agents.patience import Patience
from state.journal import FailureKind

Ask = Callable[..., tuple[AIMessage, Server]]


@pytest.fixture
def ask(gateway: Any, served: Any, call: Any) -> Ask:
    """Ask one question of a server whose replies are given in order, the last one for ever."""

    def ask_server(
        *replies: Reply, patience: Patience | None = None, **facts: Any
    ) -> tuple[AIMessage, Server]:
        left = list(replies)

        def script(_: dict[str, Any]) -> Reply:
            return left.pop(0) if len(left) > 1 else left[0]

        async def run(url: str) -> AIMessage:
            more = {} if patience is None else {"patience": patience}
            async with gateway(**more) as calls:
                asking: Gateway = calls
                return await asking.ask(call(served(url, **facts), [HumanMessage("How is the potassium?")]))

        with serve(script) as server:
            return asyncio.run(run(server.url)), server

    return ask_server


RECOVERABLE = {
    "429": fails(429),
    "429 with Retry-After": fails(429, {"Retry-After": "3"}),
    "408": fails(408),
    "409": fails(409),
    "500": fails(500),
    "502": fails(502),
    "503": fails(503),
    "529": fails(529),
    "reset": resets(says("lost")),
    "reset before a byte": resets(says("lost"), after=0),
    "cut body": cuts(says("lost")),
    "invalid JSON": raw(b'{"choices": ['),
    "not JSON": raw(b"<html>Bad Gateway</html>", "text/html"),
    "not UTF-8": raw(b'{"choices": [{"message": {"content": "\xff\xfe"}, "finish_reason": "stop"}]}'),
    "wrong schema": raw(b'{"result": "fine"}'),
    "null choices": raw(b'{"choices": null}'),
    "no choices": raw(b'{"choices": []}'),
    "null message": raw(b'{"choices": [{"message": null}]}'),
    "an array": raw(b"[1, 2]"),
    "an error for a reply": raw(b'{"error": {"message": "upstream"}}'),
    "nothing": raw(b""),
}


@pytest.mark.parametrize("fault", RECOVERABLE.values(), ids=RECOVERABLE)
def test_a_passing_fault_is_waited_out(ask: Ask, waits: list[float], fault: Reply) -> None:
    message, server = ask(fault, says("4.1"))
    assert message.text == "4.1"
    assert len(server.requests) == 2
    assert any(wait >= 0.5 for wait in waits)


def test_a_fault_that_stays_is_the_providers(ask: Ask, waits: list[float]) -> None:
    patience = Patience(tries=3)
    with pytest.raises(CallFailed, match=r"server_error: HTTP 500: scripted 500 \(tried 3 times\)"):
        ask(fails(500), patience=patience)
    assert len(waits) == 2
    assert 0.5 <= waits[0] <= 1.0 <= waits[1] <= 2.0


def test_retry_after_is_honoured_in_seconds_and_as_a_date(ask: Ask, waits: list[float]) -> None:
    ask(fails(429, {"Retry-After": "7"}), says("x"))
    assert 7 <= max(waits) <= 7.7
    waits.clear()
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    ask(fails(503, {"Retry-After": later}), says("x"))
    assert 25 <= max(waits) <= 33
    waits.clear()
    ask(fails(429, {"retry-after-ms": "1500"}), says("x"))
    assert 1.5 <= max(waits) <= 1.65


def test_a_wait_that_one_call_is_asked_for_is_kept_by_all(gateway: Any, served: Any, call: Any) -> None:
    replies = [fails(429, {"Retry-After": "40"}), says("a"), says("b")]
    now, asleep = [0.0], []

    async def run(url: str) -> None:
        one, both, over = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def sleep(seconds: float) -> None:
            asleep.append(seconds)
            (one if len(asleep) == 1 else both).set()
            await over.wait()

        async with gateway(sleep=sleep, clock=lambda: now[0]) as calls:
            first = asyncio.create_task(calls.ask(call(served(url), [HumanMessage("?")])))
            await one.wait()
            second = asyncio.create_task(calls.ask(call(served(url), [HumanMessage("?")], step=1)))
            await both.wait()
            assert len(server.requests) == 1
            now[0] = 50.0
            over.set()
            await asyncio.gather(first, second)

    with serve(lambda _: replies.pop(0)) as server:
        asyncio.run(run(server.url))
    assert len(server.requests) == 3
    assert len(asleep) == 2
    assert min(asleep) >= 40


def test_a_wait_of_hours_is_given_up(ask: Ask, waits: list[float]) -> None:
    with pytest.raises(CallFailed, match="rate_limit"):
        ask(fails(429, {"Retry-After": "7200"}))
    assert waits == []


NOT_RETRIED = {
    "key": (fails(401), FailureKind.AUTHENTICATION),
    "permission": (fails(403), FailureKind.AUTHENTICATION),
    "balance": (fails(402), FailureKind.QUOTA),
    "quota": (fails(429, code="insufficient_quota"), FailureKind.QUOTA),
    "no such model": (fails(404), FailureKind.NOT_FOUND),
    "bad request": (fails(400), FailureKind.BAD_REQUEST),
    "unprocessable": (fails(422), FailureKind.BAD_REQUEST),
    "overflow, OpenAI": (fails(400, code="context_length_exceeded"), FailureKind.CONTEXT_OVERFLOW),
    "overflow, vLLM": (
        fails(400, message="This model's maximum context length is 4096 tokens."),
        FailureKind.CONTEXT_OVERFLOW,
    ),
    "overflow, llama.cpp": (
        fails(
            400, message="the request exceeds the available context size", type="exceed_context_size_error"
        ),
        FailureKind.CONTEXT_OVERFLOW,
    ),
    "filter, Azure": (fails(400, code="content_filter"), FailureKind.CONTENT_FILTER),
    "filter, DeepSeek": (fails(400, message="Content Exists Risk"), FailureKind.CONTENT_FILTER),
    "filter, in a reply": (says("", finish_reason="content_filter"), FailureKind.CONTENT_FILTER),
}


@pytest.mark.parametrize(("reply", "kind"), NOT_RETRIED.values(), ids=NOT_RETRIED)
def test_a_fault_that_would_only_repeat_is_named_and_not_retried(
    ask: Ask, waits: list[float], reply: Reply, kind: FailureKind
) -> None:
    with pytest.raises(CallFailed) as failed:
        ask(reply)
    assert failed.value.failure.kind is kind
    assert waits == []


def test_a_hung_call_is_asked_again(ask: Ask) -> None:
    message, server = ask(hangs(), says("4.1"), call_seconds=2.0)
    assert message.text == "4.1"
    assert len(server.requests) == 2


def test_a_call_that_hangs_again_and_again_is_given_up_sooner_than_one_that_fails(ask: Ask) -> None:
    """Each such try waits its whole time, and may be paid for."""
    asked = [hangs(), hangs(), fails(500), hangs(), says("too late")]
    with pytest.raises(
        CallFailed, match=r"hung: .*no whole reply within call_seconds, 0\.3 s \(tried 4 times\)"
    ):
        ask(*asked, call_seconds=0.3)
    message, server = ask(hangs(), hangs(), *[fails(500)] * 5, says("4.1"), call_seconds=0.3)
    assert message.text == "4.1"
    assert len(server.requests) == 8


def test_a_dripping_reply_is_a_hung_one(ask: Ask) -> None:
    """Each byte arrives in time, the whole does not: only a limit on the call sees it."""
    message, server = ask(drips(says("too slow"), 0.05), says("4.1"), call_seconds=2.0)
    assert message.text == "4.1"
    assert len(server.requests) == 2


def test_a_streamed_reply_is_put_together(ask: Ask) -> None:
    part = {
        "index": 0,
        "id": "c1",
        "type": "function",
        "function": {"name": "Patient_read", "arguments": '{"sub'},
    }
    rest = {"index": 0, "function": {"arguments": 'ject_id": 7}'}}
    other = {
        "index": 1,
        "id": "c2",
        "type": "function",
        "function": {"name": "Patient_read", "arguments": "{}"},
    }
    reply = streams(
        [
            {"role": "assistant", "reasoning_content": "Let me "},
            {"reasoning_content": "see."},
            {"content": "I "},
            {"content": "look."},
            {"tool_calls": [part]},
            {"tool_calls": [rest, other]},
        ],
        "tool_calls",
    )
    message, server = ask(reply, stream=True)
    assert server.requests[0]["stream"] is True
    assert message.text == "I look."
    assert [(c["id"], c["args"]) for c in message.tool_calls] == [("c1", {"subject_id": 7}), ("c2", {})]
    assert message.usage_metadata is not None
    assert message.usage_metadata["input_tokens"] == 100
    assert "Let me see." in json.dumps(message.additional_kwargs)


def test_a_stream_that_breaks_off_is_no_reply(ask: Ask) -> None:
    """Its tool call would parse, and be wrong: it must be asked for again."""
    cut = {"index": 0, "id": "c1", "function": {"name": "Patient_read", "arguments": "{}"}}
    message, server = ask(streams([{"tool_calls": [cut]}], None), streams([{"content": "4.1"}]), stream=True)
    assert message.text == "4.1"
    assert len(server.requests) == 2


def test_a_stream_cut_in_the_middle_of_a_line_is_asked_for_again(ask: Ask) -> None:
    whole = streams([{"content": "4.1 mmol/L"}])
    message, server = ask(cuts(whole, after=60), whole, stream=True)
    assert message.text == "4.1 mmol/L"
    assert len(server.requests) == 2
