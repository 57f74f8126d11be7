"""The doctor under test: a model that calls tools until it answers, within limits."""

import asyncio
import operator
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from langchain_core.messages import AIMessage, AnyMessage, InvalidToolCall, ToolCall, ToolMessage
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command
from typing_extensions import TypedDict

from agents.conversation import calls_of, usage_of
from agents.gateway import CallFailed
from agents.reply_faults import ENDS, NUDGES, fault_of, nudge, repeats
from state.journal import FailureKind
from state.manifest import TurnLimits
from state.patient import Saying
from state.trajectory import Termination
from tools.fhir.toolset import Toolset
from tools.interview.interview import Utterance

Ask = Callable[[list[AnyMessage], int, float], Awaitable[AIMessage]]
"""Asks the model: the messages, how many replies the turn has had, the seconds it has left."""
Speak = Callable[[Utterance], Awaitable[Saying]]
"""Says what the patient has to say, in words of its own."""
FAILED = {
    FailureKind.TIME_LIMIT: Termination.TIME_LIMIT,
    FailureKind.CONTEXT_OVERFLOW: Termination.CONTEXT_OVERFLOW,
}
"""Ends of a call that are the model's own; every other is its provider's failure."""


@dataclass(frozen=True)
class DoctorContext:
    """What one turn works with; rebuilt for each turn, never checkpointed.

    ``speak`` is None where the patient speaks by the templates of the toolset.
    """

    ask: Ask
    toolset: Toolset
    limits: TurnLimits
    speak: Speak | None = None


class DoctorState(TypedDict, total=False):
    """What the model is sent, every reply it gave this turn, and how the turn ended."""

    messages: Annotated[list[AnyMessage], operator.add]
    replies: Annotated[list[AIMessage], operator.add]
    results: Annotated[list[ToolMessage], operator.add]
    termination: Termination
    error: str


def limit_reached(replies: list[AIMessage], limits: TurnLimits) -> Termination | None:
    """Name the limit that forbids one more call in this turn."""
    if seconds_of(replies) >= limits.seconds:
        return Termination.TIME_LIMIT
    if limits.tokens is not None and sum(usage_of(reply).total_tokens for reply in replies) >= limits.tokens:
        return Termination.TOKEN_LIMIT
    if limits.usd is not None and sum(r.response_metadata.get("usd") or 0.0 for r in replies) >= limits.usd:
        return Termination.COST_LIMIT
    return None


def seconds_of(replies: list[AIMessage]) -> float:
    """Add up what the model took for its replies."""
    took: list[float] = [reply.response_metadata.get("seconds", 0.0) for reply in replies]
    return sum(took)


async def call_model(
    state: DoctorState, runtime: Runtime[DoctorContext]
) -> Command[Literal["tools", "model", "__end__"]]:
    """Ask the model for its next message, and send it where it leads."""
    context, earlier = runtime.context, state.get("replies", [])
    if (reached := limit_reached(earlier, context.limits)) is not None:
        return Command(goto="__end__", update={"termination": reached})
    seconds_left = context.limits.seconds - seconds_of(earlier)
    try:
        reply = await context.ask(state["messages"], len(earlier), seconds_left)
    except CallFailed as failed:
        end = FAILED.get(failed.failure.kind, Termination.MODEL_ERROR)
        return Command(goto="__end__", update={"termination": end, "error": str(failed)})
    if (fault := fault_of(reply)) is not None:
        if repeats(earlier[-1] if earlier else None, reply):
            return Command(goto="__end__", update={"replies": [reply], "termination": ENDS[fault]})
        if fault in NUDGES:
            told = nudge(fault, context.toolset.language)
            return Command(goto="model", update={"messages": [told], "replies": [reply]})
    if not asks(reply):
        return Command(goto="__end__", update={"replies": [reply], "termination": Termination.ANSWERED})
    if sum(map(asks, earlier)) >= context.limits.steps:
        return Command(goto="__end__", update={"replies": [reply], "termination": Termination.STEP_LIMIT})
    return Command(goto="tools", update={"messages": [reply], "replies": [reply]})


def asks(reply: AIMessage) -> bool:
    """Tell whether a reply asks for tools."""
    return bool(reply.tool_calls or reply.invalid_tool_calls)


def _run(toolset: Toolset, call: ToolCall | InvalidToolCall, said: Saying | None = None) -> ToolMessage:
    """Run one call; ``said`` is what the patient has answered to it already."""
    name, call_id = call["name"] or "", call["id"] or ""
    tool = next((tool for tool in toolset.as_langchain() if tool.name == name), None)
    if tool is not None and said is None and isinstance(call["args"], dict):
        message: ToolMessage = tool.invoke({**call, "type": "tool_call"})
        return message
    result = toolset.call(name, call["args"], said)
    return ToolMessage(result.text, tool_call_id=call_id, name=name, artifact=result)


def _run_all(toolset: Toolset, reply: AIMessage) -> list[ToolMessage]:
    """Run the calls of one reply one after the other, in the order given: writes must not race."""
    return [_run(toolset, call) for call in calls_of(reply)]


async def _run_with(speak: Speak, toolset: Toolset, reply: AIMessage) -> list[ToolMessage]:
    """Run them likewise, with somebody else speaking for the patient."""
    messages = []
    for call in calls_of(reply):
        utterance = await asyncio.to_thread(toolset.utterance, call["name"] or "", call["args"])
        said = None if utterance is None else await speak(utterance)
        messages.append(await asyncio.to_thread(_run, toolset, call, said))
    return messages


async def run_tools(state: DoctorState, runtime: Runtime[DoctorContext]) -> DoctorState:
    """Run the tool calls of the last reply against the record, off the event loop."""
    context, reply = runtime.context, state["replies"][-1]
    if context.speak is None:
        messages = await asyncio.to_thread(_run_all, context.toolset, reply)
    else:
        messages = await _run_with(context.speak, context.toolset, reply)
    return {"messages": list(messages), "results": messages}


def build_doctor_graph() -> CompiledStateGraph[DoctorState, DoctorContext, DoctorState, DoctorState]:
    """Build model <-> tools. Its steps are not checkpointed: the turn is, as a record."""
    return (
        StateGraph(DoctorState, context_schema=DoctorContext)
        .add_node("model", call_model)
        .add_node("tools", run_tools)
        .add_edge(START, "model")
        .add_edge("tools", "model")
        .compile(checkpointer=False, name="doctor")
    )
