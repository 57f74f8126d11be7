"""Replies that are of no use: what is wrong with one, what the model is told, and how a turn ends that repeats it."""

import json
import re

from langchain_core.messages import AIMessage, HumanMessage

from agents.prompts import prompt
from state.base import Language
from state.trajectory import ReplyFault, Termination
from tools.fhir.toolset import TOOLS, dotted_name

NUDGES = frozenset({ReplyFault.EMPTY, ReplyFault.TRUNCATED, ReplyFault.CALL_AS_TEXT})
"""Replies that nothing could be done with, in whose place something is said. Faulty calls are told by their results."""
ENDS = {
    ReplyFault.EMPTY: Termination.EMPTY_REPLY,
    ReplyFault.TRUNCATED: Termination.TRUNCATED_REPLY,
    ReplyFault.CALL_AS_TEXT: Termination.CALL_AS_TEXT,
    ReplyFault.MALFORMED_ARGUMENTS: Termination.MALFORMED_ARGUMENTS,
    ReplyFault.UNKNOWN_TOOL: Termination.UNKNOWN_TOOL,
    ReplyFault.UNKNOWN_ARGUMENT: Termination.UNKNOWN_ARGUMENT,
}
MARKS = re.compile(r"<\|?tool_call|\[TOOL_CALLS\]|<function[=_ ]|<｜tool▁call", re.IGNORECASE)
"""How the chat templates of Hermes and Qwen, Mistral, Llama and DeepSeek open a tool call."""
FENCE = re.compile(r"^```[a-z]*\n(.*)\n```$", re.DOTALL)
WRITTEN_CALL = re.compile(r"^([A-Za-z_.]+)\s*\(.*\)$", re.DOTALL)


def nudge(fault: ReplyFault, language: Language) -> HumanMessage:
    """Ask once more after a reply of no use; marked so that it is not taken for a question."""
    return HumanMessage(
        prompt("doctor", "nudge", language, fault=fault.value), response_metadata={"wardround": "nudge"}
    )


def fault_of(reply: AIMessage) -> ReplyFault | None:
    """Tell what is wrong with a reply; None when there is an answer or at least one call that can be run."""
    if reply.response_metadata.get("finish_reason") == "length":
        return ReplyFault.TRUNCATED
    if not (reply.tool_calls or reply.invalid_tool_calls):
        text = reply.text.strip()
        return ReplyFault.EMPTY if not text else ReplyFault.CALL_AS_TEXT if _is_call(text) else None
    faults = [_call_fault(call["name"], call["args"]) for call in reply.tool_calls]
    faults += [ReplyFault.MALFORMED_ARGUMENTS for _ in reply.invalid_tool_calls]
    return None if None in faults else faults[0]


def repeats(earlier: AIMessage | None, reply: AIMessage) -> bool:
    """Tell whether a faulty reply does again what the one before it was told of.

    Any two replies in a row that nothing could be done with count as a repetition; calls only when the same names
    are wrong again: a model that looks for the right name is still working.
    """
    now, before = fault_of(reply), fault_of(earlier) if earlier is not None else None
    if now is None or before is None:
        return False
    if now in NUDGES:
        return before in NUDGES
    return now is before and (now is ReplyFault.MALFORMED_ARGUMENTS or bool(_wrong(reply) & _wrong(earlier)))


def _call_fault(name: str, arguments: dict[str, object]) -> ReplyFault | None:
    known = dotted_name(name)
    if known is None:
        return ReplyFault.UNKNOWN_TOOL
    return ReplyFault.UNKNOWN_ARGUMENT if set(arguments) - set(TOOLS[known].allowed) else None


def _wrong(reply: AIMessage | None) -> set[tuple[str, str]]:
    """Name what is unknown in a reply's calls: tools by themselves, arguments with their tool."""
    wrong: set[tuple[str, str]] = set()
    for call in reply.tool_calls if reply is not None else ():
        known = dotted_name(call["name"])
        if known is None:
            wrong.add((call["name"], ""))
        else:
            wrong |= {(known, name) for name in set(call["args"]) - set(TOOLS[known].allowed)}
    return wrong


def _is_call(text: str) -> bool:
    """Tell whether a whole text is a tool call in some notation, rather than prose that names a tool."""
    if MARKS.search(text):
        return True
    fenced = FENCE.match(text)
    body = fenced.group(1).strip() if fenced else text
    if written := WRITTEN_CALL.match(body):
        return dotted_name(written.group(1)) is not None
    try:
        value = json.loads(body)
    except json.JSONDecodeError:
        return False
    calls = value if isinstance(value, list) else [value]
    return bool(calls) and all(isinstance(call, dict) and _names_tool(call) for call in calls)


def _names_tool(call: dict[str, object]) -> bool:
    inner = call.get("function")
    name = inner.get("name") if isinstance(inner, dict) else call.get("name", inner)
    return isinstance(name, str) and dotted_name(name) is not None
