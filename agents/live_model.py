"""A model behind an OpenAI-compatible endpoint: langchain-openai, with every byte of the reply read here."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_openai import ChatOpenAI
from openai import AsyncStream
from openai.types.chat import ChatCompletionChunk
from pydantic import SecretStr

from agents.wire import BadBody, give_back, message_of, read_reply
from state.models import ServedModel

MANY = httpx.Limits(max_connections=None, max_keepalive_connections=256)
"""How many calls run at a time is for the run to say, not for the connection pool."""


class LiveModel(ChatOpenAI):
    """Ask one served model. Retries and limits are the gateway's; a response that is no reply raises BadBody."""

    served: ServedModel

    @classmethod
    def of(cls, served: ServedModel, api_key: str | None, client: httpx.AsyncClient) -> "LiveModel":
        """Make the client of ``served``; ``client`` is closed by whoever made it."""
        return cls(
            served=served,
            model=served.model,
            base_url=served.base_url,
            api_key=SecretStr(api_key or "none"),
            extra_body=served.parameters or None,
            max_retries=0,
            timeout=served.call_seconds,
            http_async_client=client,
            use_responses_api=False,
        )

    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        messages = self._convert_input(input_).to_messages()
        payload: dict[str, Any] = super()._get_request_payload(messages, stop=stop, **kwargs)
        if self.served.returns_reasoning:
            for message, body in zip(messages, payload["messages"], strict=True):
                if isinstance(message, AIMessage):
                    give_back(message, body)
        return payload

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        payload = self._get_request_payload(messages, stop=stop, **kwargs)
        body = await (self._streamed(payload) if self.served.stream else self._whole(payload))
        reply = read_reply(body, self.served.reasoning_fields)
        return ChatResult(generations=[ChatGeneration(message=message_of(reply))])

    async def _whole(self, payload: dict[str, Any]) -> Any:
        return parsed((await self._post(payload, cast_to=httpx.Response)).content)

    async def _streamed(self, payload: dict[str, Any]) -> dict[str, Any]:
        asked = {**payload, "stream": True, "stream_options": {"include_usage": True}}
        stream = AsyncStream[ChatCompletionChunk]
        async with await self._post(
            asked, cast_to=ChatCompletionChunk, stream=True, stream_cls=stream
        ) as events:
            return await collect(events, self.served.reasoning_fields)

    async def _post(self, payload: dict[str, Any], **more: Any) -> Any:
        """Send a request as it stands: ``completions.create`` takes longer over its types than all else together."""
        body = {name: value for name, value in payload.items() if name != "extra_body"}
        return await self.root_async_client.post(
            "/chat/completions", body={**body, **self.served.parameters}, **more
        )


def parsed(content: bytes) -> Any:
    """Read a response's JSON strictly; BadBody where it is none or not UTF-8, or says it is an error."""
    try:
        body = json.loads(content.decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadBody(f"not JSON in UTF-8: {content[:200]!r}") from error
    if isinstance(body, dict) and body.get("error") and not body.get("choices"):
        raise BadBody(f"an error in place of a reply: {str(body['error'])[:200]}")
    return body


async def collect(events: AsyncIterator[Any], reasoning_fields: tuple[str, ...]) -> dict[str, Any]:
    """Put a stream together into the completion it stands for; one that ends without a reason was cut: BadBody."""
    message: dict[str, Any] = {"content": ""}
    calls: dict[int, dict[str, Any]] = {}
    whole: dict[str, Any] = {}
    finish: str | None = None
    async for event in events:
        chunk = event.model_dump(warnings=False)
        whole = {"id": chunk.get("id") or whole.get("id"), "usage": chunk.get("usage") or whole.get("usage")}
        for choice in chunk.get("choices") or ():
            finish = choice.get("finish_reason") or finish
            delta = choice.get("delta") or {}
            for name in ("content", *reasoning_fields):
                if delta.get(name):
                    message[name] = message[name] + delta[name] if message.get(name) else delta[name]
            for part in delta.get("tool_calls") or ():
                _extend(
                    calls.setdefault(part.get("index") or 0, {"function": {"name": "", "arguments": ""}}),
                    part,
                )
    if finish is None:
        raise BadBody("the stream was cut: it ended without a finish_reason")
    message["tool_calls"] = [calls[index] for index in sorted(calls)]
    return {**whole, "choices": [{"message": message, "finish_reason": finish}]}


def _extend(call: dict[str, Any], part: dict[str, Any]) -> None:
    function = part.get("function") or {}
    call["function"]["name"] += function.get("name") or ""
    call["function"]["arguments"] += function.get("arguments") or ""
    call |= {
        name: value for name, value in part.items() if name not in {"function", "index"} and value is not None
    }
