"""Between the wire of an OpenAI-compatible service and LangChain's messages, so that nothing is lost either way."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, InvalidToolCall, ToolCall
from pydantic import JsonValue, ValidationError

from state.journal import Reply, ReplyCall
from state.trajectory import Usage

REPLY = "wardround_reply"
"""Key of ``response_metadata`` under which a message carries the reply it was made from."""
EXTRA = "wardround_extra"
"""Key of ``additional_kwargs`` for what its provider wants back: reasoning fields, and extras by call id."""
_THOUGHT = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
CALL_FIELDS = frozenset({"id", "type", "index", "function"})


class BadBody(Exception):
    """A response of a service that is no chat completion."""


class HttpError(Exception):
    """A response whose status says that there is no reply. ``said`` is its error as JSON, or its text."""

    def __init__(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        """Keep what the service sent."""
        text = content.decode("utf-8", "replace")
        super().__init__(f"HTTP {status}: {text}")
        self.status, self.headers, self.said = status, headers, _error_of(text)


def _error_of(text: str) -> JsonValue:
    try:
        body: JsonValue = json.loads(text)
    except json.JSONDecodeError:
        return text
    return body.get("error") or body if isinstance(body, dict) else body


def read_reply(body: object, reasoning_fields: Sequence[str]) -> Reply:
    """Read a chat completion; BadBody where it is none."""
    try:
        choice = body["choices"][0]  # type: ignore[index]
        message = choice["message"]
        content = message.get("content") or ""
        return Reply(
            reply_id=str(body.get("id") or ""),  # type: ignore[attr-defined]
            content=content if isinstance(content, str) else _text_of(content),
            calls=tuple(_call(call) for call in message.get("tool_calls") or ()),
            reasoning={name: message[name] for name in reasoning_fields if message.get(name)},
            finish_reason=str(choice.get("finish_reason") or ""),
            usage=read_usage(body.get("usage") or {}),  # type: ignore[attr-defined]
        )
    except (KeyError, IndexError, TypeError, AttributeError, ValidationError) as error:
        raise BadBody(f"no chat completion: {str(body)[:200]}") from error


def _text_of(blocks: Sequence[Mapping[str, Any]]) -> str:
    return "".join(str(block["text"]) for block in blocks if block.get("type") == "text")


def _call(call: Mapping[str, Any]) -> ReplyCall:
    function = call["function"]
    arguments = function.get("arguments") or ""
    return ReplyCall(
        call_id=str(call.get("id") or ""),
        name=str(function.get("name") or ""),
        arguments=arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False),
        extra={name: value for name, value in call.items() if name not in CALL_FIELDS},
    )


def read_usage(usage: Mapping[str, Any]) -> Usage:
    """Read the tokens a service counted; what it does not say is 0."""
    read, written = usage.get("prompt_tokens_details") or {}, usage.get("completion_tokens_details") or {}
    cached = read.get("cached_tokens") or usage.get("prompt_cache_hit_tokens") or 0
    return Usage(
        input_tokens=usage.get("prompt_tokens") or 0,
        output_tokens=usage.get("completion_tokens") or 0,
        cached_input_tokens=min(cached, usage.get("prompt_tokens") or 0),
        reasoning_tokens=written.get("reasoning_tokens") or 0,
    )


def message_of(reply: Reply) -> AIMessage:
    """Make the message of a reply; a call whose arguments are no JSON object becomes an invalid one, raw."""
    calls: list[ToolCall] = []
    invalid: list[InvalidToolCall] = []
    extras: dict[str, JsonValue] = {}
    for call, call_id in zip(reply.calls, _ids(reply), strict=True):
        if call.extra:
            extras[call_id] = call.extra
        try:
            arguments = json.loads(call.arguments or "{}")
        except json.JSONDecodeError:
            arguments = None
        if isinstance(arguments, dict) and call.name:
            calls.append(ToolCall(name=call.name, args=arguments, id=call_id))
        else:
            invalid.append(
                InvalidToolCall(
                    type="invalid_tool_call", name=call.name, args=call.arguments, id=call_id, error=None
                )
            )
    usage = reply.usage
    return AIMessage(
        content=reply.content,
        tool_calls=calls,
        invalid_tool_calls=invalid,
        additional_kwargs=back(reply.reasoning, extras),
        response_metadata={"finish_reason": reply.finish_reason, REPLY: reply},
        usage_metadata={
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "total_tokens": usage.total_tokens,
            "input_token_details": {"cache_read": usage.cached_input_tokens},
            "output_token_details": {"reasoning": usage.reasoning_tokens},
        },
    )


def _ids(reply: Reply) -> list[str]:
    """Give every call an id of its own: some services send none, or the same twice."""
    ids: list[str] = []
    for place, call in enumerate(reply.calls):
        ids.append(
            call.call_id if call.call_id and call.call_id not in ids else f"call-{place}-{call.call_id}"
        )
    return ids


def back(reasoning: Mapping[str, JsonValue], extras: Mapping[str, JsonValue]) -> dict[str, Any]:
    """Give the ``additional_kwargs`` that hold what a provider wants back; empty when there is nothing."""
    return {EXTRA: {"reasoning": dict(reasoning), "calls": dict(extras)}} if reasoning or extras else {}


def give_back(message: AIMessage, body: dict[str, Any]) -> None:
    """Put into the request's form of a message what its provider wants back."""
    kept = message.additional_kwargs.get(EXTRA)
    if kept is None:
        return
    body |= kept["reasoning"]
    for call in body.get("tool_calls", ()):
        call |= kept["calls"].get(call["id"], {})


def without_thought(text: str) -> str:
    """Leave out the thinking that some servers write before the reply."""
    return _THOUGHT.sub("", text).strip()
