"""A model behind an OpenAI-compatible endpoint: langchain-openai, with every byte of the reply read here."""

from collections.abc import AsyncIterator
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import Field, SecretStr

from agents.endpoint import Endpoint
from agents.wire import BadBody, give_back, message_of, read_reply
from state.models import ServedModel


class LiveModel(ChatOpenAI):
    """Ask one served model. Retries and limits are the gateway's; a response that is no reply raises BadBody."""

    served: ServedModel
    endpoint: Endpoint = Field(exclude=True)

    @classmethod
    def of(cls, served: ServedModel, endpoint: Endpoint) -> "LiveModel":
        """Make the model of ``served`` at its endpoint, whose session is closed by whoever opened it."""
        return cls(
            served=served,
            endpoint=endpoint,
            model=served.model,
            base_url=served.base_url,
            api_key=SecretStr(endpoint.api_key or "none"),
            max_retries=0,
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
        asked = {**payload, **self.served.parameters}
        body = await (self._streamed(asked) if self.served.stream else self.endpoint.whole(asked))
        reply = read_reply(body, self.served.reasoning_fields)
        return ChatResult(generations=[ChatGeneration(message=message_of(reply))])

    async def _streamed(self, body: dict[str, Any]) -> dict[str, Any]:
        events = self.endpoint.events({**body, "stream": True, "stream_options": {"include_usage": True}})
        try:
            return await collect(events, self.served.reasoning_fields)
        except (AttributeError, TypeError, KeyError) as error:
            raise BadBody(f"a stream of something else than a chat completion: {error}") from error


async def collect(events: AsyncIterator[Any], reasoning_fields: tuple[str, ...]) -> dict[str, Any]:
    """Put a stream together into the completion it stands for; one that ends without a reason was cut: BadBody."""
    message: dict[str, Any] = {"content": ""}
    calls: dict[int, dict[str, Any]] = {}
    whole: dict[str, Any] = {}
    finish: str | None = None
    async for chunk in events:
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
