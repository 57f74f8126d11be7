"""The conversation a doctor is sent, built from records so that it is the same live, resumed and replayed."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

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
from agents.reply_faults import NUDGES, fault_of, nudge
from agents.wire import EXTRA, back
from state.base import Language
from state.trajectory import CallRecord, Step, Termination, TurnRecord, Usage
from tools.ehr.chart import Chart
from tools.ehr.overlay import Resource
from tools.fhir.toolset import ToolResult, Toolset

UNREADABLE = "unreadable arguments"
"""Holds, in a record, the text a model sent where an object of arguments was due."""


def system_message(chart: Chart, hadm_id: int, language: Language) -> SystemMessage:
    """Introduce the patient from the record: number, sex and age at as_of."""
    patient = chart.rows("hosp.patients")[0]
    age = int(str(patient["anchor_age"])) + chart.as_of.year - int(str(patient["anchor_year"]))
    text = prompt(
        "doctor",
        "system",
        language,
        subject_id=chart.subject_id,
        sex=patient["gender"],
        age=age,
        hadm_id=hadm_id,
        as_of=chart.as_of.strftime("%Y-%m-%d %H:%M"),
    )
    return SystemMessage(text)


def _call_record(
    call: ToolCall | InvalidToolCall, result: ToolResult | None, extras: dict[str, Any]
) -> CallRecord:
    """Record a call. What a write shows is its own doing, and no evidence that anything was looked up."""
    reads = result is not None and result.write is None
    arguments = call["args"] if isinstance(call["args"], dict) else {UNREADABLE: call["args"]}
    return CallRecord(
        call_id=call["id"] or "",
        name=call["name"] or "",
        arguments=arguments,
        ran=result is not None,
        ok=result is not None and result.ok,
        refs=result.refs if result is not None and reads else (),
        error=None if result is None or result.ok else result.text,
        extra=extras.get(call["id"] or "", {}),
        said=None if result is None else result.said,
    )


def usage_of(reply: AIMessage) -> Usage:
    """Read the tokens of a reply."""
    counted = reply.usage_metadata
    if counted is None:
        return Usage()
    return Usage(
        input_tokens=counted["input_tokens"],
        output_tokens=counted["output_tokens"],
        cached_input_tokens=counted.get("input_token_details", {}).get("cache_read", 0),
        reasoning_tokens=counted.get("output_token_details", {}).get("reasoning", 0),
    )


def step_of(reply: AIMessage, shown: Sequence[ToolResult]) -> Step:
    """Record one reply with the results its calls were given."""
    kept = reply.additional_kwargs.get(EXTRA, {"reasoning": {}, "calls": {}})
    return Step(
        content=reply.text,
        fault=fault_of(reply),
        calls=tuple(
            _call_record(call, result, kept["calls"]) for call, result in zip_longest(calls_of(reply), shown)
        ),
        usage=usage_of(reply),
        reasoning=kept["reasoning"],
        seconds=reply.response_metadata.get("seconds", 0.0),
        usd=reply.response_metadata.get("usd"),
    )


def calls_of(reply: AIMessage) -> list[ToolCall | InvalidToolCall]:
    """List a reply's calls in the order they are run: those that could not be read come last."""
    return [*reply.tool_calls, *reply.invalid_tool_calls]


def results_by_step(replies: Sequence[AIMessage], results: Sequence[ToolMessage]) -> list[list[ToolResult]]:
    """Sort tool results under the replies that asked for them; a reply that was not run has none."""
    remaining = [message.artifact for message in results]
    by_step: list[list[ToolResult]] = []
    for reply in replies:
        asked = 0 if fault_of(reply) in NUDGES else len(calls_of(reply))
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
    overlay: Sequence[Resource],
) -> TurnRecord:
    """Condense one turn of the doctor graph; ``results`` are those of ``results_by_step``, ``overlay`` its snapshot."""
    steps = tuple(step_of(reply, shown) for reply, shown in zip(replies, results, strict=True))
    return TurnRecord(
        index=index,
        question=question,
        steps=steps,
        answer=replies[-1].text if termination is Termination.ANSWERED else "",
        termination=termination,
        writes=tuple(result.write for shown in results for result in shown if result.write is not None),
        overlay=tuple(overlay),
        error=error,
        seconds=round(sum(step.seconds for step in steps), 3),
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


def turn_messages(
    record: TurnRecord, results: Sequence[Sequence[ToolResult]], language: Language
) -> list[AnyMessage]:
    """Give a finished turn as the doctor will see it in its history.

    Words stand there for a turn that ended without an answer, since providers refuse an empty message.
    """
    messages: list[AnyMessage] = [HumanMessage(record.question)]
    for step, shown in zip(record.steps, results, strict=True):
        if step.calls and shown:
            calls = [ToolCall(name=c.name, args=c.arguments, id=c.call_id) for c in step.calls]
            messages.append(AIMessage(content=step.content, tool_calls=calls, additional_kwargs=_back(step)))
            messages += [
                ToolMessage(result.text, tool_call_id=call.call_id, name=call.name, artifact=result)
                for call, result in zip(step.calls, shown, strict=True)
            ]
        elif step.fault in NUDGES:
            messages.append(nudge(step.fault, language))
    ending = _back(record.steps[-1]) if record.answer and record.steps else {}
    answer = record.answer or prompt("doctor", "no_answer", language)
    messages.append(AIMessage(answer, additional_kwargs=ending))
    return messages


def _back(step: Step) -> dict[str, Any]:
    return back(step.reasoning, {call.call_id: call.extra for call in step.calls if call.extra})
