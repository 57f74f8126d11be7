"""The conversation a doctor is sent, built from records so that it is the same live, resumed and replayed."""

from collections.abc import Sequence
from itertools import zip_longest

from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    InvalidToolCall,
    SystemMessage,
    ToolCall,
    ToolMessage,
)

from agents.prompts import prompt
from state.base import Language
from state.trajectory import CallRecord, ReplyFault, Step, Termination, TurnRecord, Usage
from tools.ehr.chart import Chart
from tools.fhir.toolset import ToolResult, Toolset

NUDGES = {
    ReplyFault.EMPTY: "Your reply was empty. Answer the question, or call a tool.",
    ReplyFault.UNREADABLE: "Your tool call could not be read: its arguments must be one JSON object. Nothing was run.",
}
UNREADABLE = "unreadable arguments"
"""Holds, in a record, the text a model sent where an object of arguments was due."""
NO_ANSWER = "(no answer given)"
"""Stands in the history for a turn that ended without one; providers refuse an empty message."""


def nudge(fault: ReplyFault) -> HumanMessage:
    """Ask once more after a reply of no use; marked so that it is not taken for a question."""
    return HumanMessage(NUDGES[fault], response_metadata={"wardround": "nudge"})


def fault_of(reply: AIMessage) -> ReplyFault | None:
    """Tell whether a reply is of no use, and why; ``unreadable`` makes the one that says so."""
    if "wardround" in reply.response_metadata:
        return ReplyFault(reply.response_metadata["wardround"])
    return None if reply.text.strip() or _asked(reply) else ReplyFault.EMPTY


def unreadable() -> AIMessage:
    """Stand in for a reply that LangChain could not make a message of."""
    return AIMessage(content="", response_metadata={"wardround": ReplyFault.UNREADABLE.value})


def system_message(chart: Chart, hadm_id: int, language: Language) -> SystemMessage:
    """Introduce the patient from the record: number, sex and age at as_of."""
    patient = chart.rows("hosp.patients")[0]
    age = int(str(patient["anchor_age"])) + chart.as_of.year - int(str(patient["anchor_year"]))
    text = prompt(
        "doctor",
        "system",
        language,
        subject_id=chart.subject_id,
        sex={"F": "female", "M": "male"}.get(str(patient["gender"]), "sex unknown"),
        age=age,
        hadm_id=hadm_id,
        as_of=chart.as_of.strftime("%Y-%m-%d %H:%M"),
    )
    return SystemMessage(text)


def _call_record(call: ToolCall | InvalidToolCall, result: ToolResult | None) -> CallRecord:
    arguments = call["args"] if isinstance(call["args"], dict) else {UNREADABLE: call["args"]}
    return CallRecord(
        call_id=call["id"] or "",
        name=call["name"] or "",
        arguments=arguments,
        ran=result is not None,
        ok=result is not None and result.ok,
        refs=result.refs if result is not None else (),
        error=None if result is None or result.ok else result.text,
        said=None if result is None else result.said,
    )


def _usage(reply: AIMessage) -> Usage:
    counted = reply.usage_metadata
    if counted is None:
        return Usage()
    return Usage(input_tokens=counted["input_tokens"], output_tokens=counted["output_tokens"])


def _asked(reply: AIMessage) -> list[ToolCall | InvalidToolCall]:
    """List a reply's calls in the order they are run: those that could not be read come last."""
    return [*reply.tool_calls, *reply.invalid_tool_calls]


def results_by_step(replies: Sequence[AIMessage], results: Sequence[ToolMessage]) -> list[list[ToolResult]]:
    """Sort tool results under the replies that asked for them; a reply cut off by the step limit has none."""
    remaining = [message.artifact for message in results]
    by_step: list[list[ToolResult]] = []
    for reply in replies:
        asked = len(_asked(reply))
        by_step.append(remaining[:asked])
        remaining = remaining[asked:]
    return by_step


def record_turn(
    index: int,
    question: str,
    replies: Sequence[AIMessage],
    results: Sequence[Sequence[ToolResult]],
    termination: Termination,
    error: str | None,
    seconds: float,
) -> TurnRecord:
    """Condense one turn of the doctor graph; ``results`` are those of ``results_by_step``."""
    steps = tuple(
        Step(
            content=reply.text,
            fault=fault_of(reply),
            calls=tuple(_call_record(call, result) for call, result in zip_longest(_asked(reply), shown)),
            usage=_usage(reply),
        )
        for reply, shown in zip(replies, results, strict=True)
    )
    return TurnRecord(
        index=index,
        question=question,
        steps=steps,
        answer=replies[-1].text if termination is Termination.ANSWERED else "",
        termination=termination,
        writes=tuple(result.write for shown in results for result in shown if result.write is not None),
        error=error,
        seconds=seconds,
    )


def run_calls(record: TurnRecord, toolset: Toolset) -> list[list[ToolResult]]:
    """Run a recorded turn's calls again, step by step: reads show the same, writes are made again, the patient is not
    asked again.
    """
    return [
        [
            toolset.call(call.name, call.arguments.get(UNREADABLE, call.arguments), call.said)
            for call in step.calls
            if call.ran
        ]
        for step in record.steps
    ]


def turn_messages(record: TurnRecord, results: Sequence[Sequence[ToolResult]]) -> list[AnyMessage]:
    """Give a finished turn as the doctor will see it in its history."""
    messages: list[AnyMessage] = [HumanMessage(record.question)]
    for step, shown in zip(record.steps, results, strict=True):
        if step.calls and shown:
            calls = [ToolCall(name=c.name, args=c.arguments, id=c.call_id) for c in step.calls]
            messages.append(AIMessage(content=step.content, tool_calls=calls))
            messages += [
                ToolMessage(result.text, tool_call_id=call.call_id, name=call.name, artifact=result)
                for call, result in zip(step.calls, shown, strict=True)
            ]
        elif step.fault is not None:
            messages.append(nudge(step.fault))
    messages.append(AIMessage(record.answer or NO_ANSWER))
    return messages
