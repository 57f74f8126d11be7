"""The base of doctors that need no key: chat models whose reply is a function of the messages."""

import asyncio
import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolCall
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool

from agents.failures import classify, describe
from agents.gateway import CallFailed
from state.journal import Failure, FailureKind


class OfflineDoctor(BaseChatModel):
    """Answer by a program. Subclasses give ``reply``; nothing leaves the process."""

    name: str

    @property
    def _llm_type(self) -> str:
        return self.name

    @abstractmethod
    def reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """Give the next message of the doctor."""

    def bind_tools(
        self, tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool], **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Take any tools: an offline doctor knows the tool list it was written for."""
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self.reply(messages))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._generate(messages)


def _is_question(message: BaseMessage) -> bool:
    return isinstance(message, HumanMessage) and "wardround" not in message.response_metadata


def since_question(messages: Sequence[BaseMessage]) -> Sequence[BaseMessage]:
    """Return the messages after the physician's last question."""
    last = max(i for i, message in enumerate(messages) if _is_question(message))
    return messages[last + 1 :]


def questions(messages: Sequence[BaseMessage]) -> list[str]:
    """Return what the physician has asked so far, oldest first."""
    return [message.text for message in messages if _is_question(message)]


def subject_id(messages: Sequence[BaseMessage]) -> int:
    """Read from the introduction which patient the session is about."""
    system = next(message for message in messages if isinstance(message, SystemMessage))
    found = re.search(r"subject_id (\d+)", system.text)
    if found is None:
        raise ValueError("the system prompt names no subject_id")
    return int(found.group(1))


def tool_call(name: str, arguments: dict[str, Any], position: int) -> ToolCall:
    """Make a tool call with an id that is the same in every run."""
    return ToolCall(
        name=name, args=arguments, id=f"call-{uuid5(NAMESPACE_OID, f'{position}:{name}').hex[:12]}"
    )


async def ask_program(
    model: BaseChatModel, messages: Sequence[BaseMessage], tools: Sequence[BaseTool], seconds_left: float
) -> AIMessage:
    """Ask a program of the product; CallFailed when it raises what a provider would.

    It costs nothing and is kept in no journal: asked again, it answers the same.
    """
    try:
        async with asyncio.timeout(seconds_left):
            return await model.bind_tools(list(tools)).ainvoke(list(messages))
    except TimeoutError as error:
        raise CallFailed(Failure(kind=FailureKind.TIME_LIMIT, text="no reply in time")) from error
    except Exception as error:
        if (kind := classify(error)) is None:
            raise
        raise CallFailed(Failure(kind=kind, text=describe(error))) from error
