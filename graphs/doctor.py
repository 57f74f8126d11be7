"""The doctor under test: a model that calls tools until it answers, within limits."""

import asyncio
import operator
from dataclasses import dataclass
from typing import Annotated, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command
from pydantic import ValidationError
from typing_extensions import TypedDict

from agents.conversation import fault_of, nudge, unreadable
from state.trajectory import ReplyFault, Termination
from tools.fhir.toolset import Toolset

ENDED_BY = {ReplyFault.EMPTY: Termination.EMPTY_REPLY, ReplyFault.UNREADABLE: Termination.UNREADABLE_REPLY}


@dataclass(frozen=True)
class DoctorContext:
    """What one turn works with; rebuilt for each turn, never checkpointed. ``deadline`` is in loop time."""

    model: BaseChatModel
    toolset: Toolset
    tool_steps: int
    deadline: float


class DoctorState(TypedDict, total=False):
    """What the model is sent, every reply it gave this turn, and how the turn ended."""

    messages: Annotated[list[AnyMessage], add_messages]
    replies: Annotated[list[AIMessage], operator.add]
    results: Annotated[list[ToolMessage], operator.add]
    termination: Termination
    error: str


async def call_model(
    state: DoctorState, runtime: Runtime[DoctorContext]
) -> Command[Literal["tools", "model", "__end__"]]:
    """Ask the model for its next message, and send it where it leads."""
    context = runtime.context
    try:
        async with asyncio.timeout_at(context.deadline):
            reply = await context.model.bind_tools(context.toolset.as_langchain()).ainvoke(state["messages"])
    except TimeoutError:
        return Command(goto="__end__", update={"termination": Termination.TIME_LIMIT})
    except ValidationError:
        # langchain-openai makes no message of tool arguments that are JSON but no object: the model's fault, not the
        # provider's.
        reply = unreadable()
    except Exception as failure:  # noqa: BLE001 - whatever a provider raises is the provider's failure, kept as such
        error = f"{type(failure).__name__}: {failure}"
        return Command(goto="__end__", update={"termination": Termination.MODEL_ERROR, "error": error})
    earlier = state.get("replies", [])
    if (fault := fault_of(reply)) is not None:
        if earlier and fault_of(earlier[-1]) is not None:
            return Command(goto="__end__", update={"replies": [reply], "termination": ENDED_BY[fault]})
        return Command(goto="model", update={"messages": [nudge(fault)], "replies": [reply]})
    if not (reply.tool_calls or reply.invalid_tool_calls):
        return Command(goto="__end__", update={"replies": [reply], "termination": Termination.ANSWERED})
    if sum(bool(r.tool_calls or r.invalid_tool_calls) for r in earlier) >= context.tool_steps:
        return Command(goto="__end__", update={"replies": [reply], "termination": Termination.STEP_LIMIT})
    return Command(goto="tools", update={"messages": [reply], "replies": [reply]})


def _execute(toolset: Toolset, reply: AIMessage) -> list[ToolMessage]:
    """Run the calls of one reply one after the other, in the order given: writes must not race."""
    tools = {tool.name: tool for tool in toolset.as_langchain()}
    messages = []
    for call in reply.tool_calls:
        if call["name"] in tools:
            messages.append(tools[call["name"]].invoke({**call, "type": "tool_call"}))
        else:
            result = toolset.call(call["name"], call["args"])
            messages.append(
                ToolMessage(result.text, tool_call_id=call["id"] or "", name=call["name"], artifact=result)
            )
    for broken in reply.invalid_tool_calls:
        result = toolset.call(broken["name"] or "", broken["args"])
        messages.append(
            ToolMessage(result.text, tool_call_id=broken["id"] or "", name=broken["name"], artifact=result)
        )
    return messages


async def run_tools(state: DoctorState, runtime: Runtime[DoctorContext]) -> DoctorState:
    """Run the tool calls of the last reply against the record, off the event loop."""
    messages = await asyncio.to_thread(_execute, runtime.context.toolset, state["replies"][-1])
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
