"""Trials of an endpoint: a dozen small calls that show what it can do."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from agents.conversation import step_of
from agents.gateway import Call, CallFailed, Gateway, WireTools
from agents.patience import Patience
from agents.purse import RunStopped
from agents.structured import written
from agents.wire import EXTRA
from state.base import SessionId
from state.journal import FailureKind, Place, Role
from state.models import ServedModel, StructuredOutput

READ: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "Observation_read",
        "description": "Read one laboratory result.",
        "parameters": {
            "type": "object",
            "properties": {"code": {"type": "string", "description": "Name of the test"}},
            "required": ["code"],
        },
    },
}
VERDICTS = ["met", "not_met"]
VERDICT_SCHEMA = {
    "title": "Verdict",
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": VERDICTS}},
    "required": ["verdict"],
    "additionalProperties": False,
}
VERDICT: dict[str, Any] = {"type": "function", "function": {"name": "Verdict", "parameters": VERDICT_SCHEMA}}
ASKS_TOOL = "What is the patient's latest potassium? Use the tool, then answer."
ASKS_JSON = 'Is 4.1 above 4.0? Answer with a JSON object only: {"verdict": "met"} for yes, "not_met" for no.'
SHOWN = 60
"""How many letters of a reply are shown."""
NONE, READING = WireTools([], "none", 0.0), WireTools([READ], "read", 100.0)
ANSWER, TOOLS = "key and answer", "tool calls"
RESULT, STRUCTURED = "answer from a result", "structured output"


class Use(StrEnum):
    """What an endpoint is to serve as; what goes for a judge goes for a checker."""

    DOCTOR = "doctor"
    JUDGE = "judge"


NEEDS: dict[Use, dict[str, str]] = {
    Use.DOCTOR: {
        TOOLS: "it did not call the tool it was given as it was told",
        RESULT: "it did not answer from a tool's result",
    },
    Use.JUDGE: {STRUCTURED: "in no way did a verdict come in its schema"},
}
"""What has to work, and how it is said that it does not."""


@dataclass
class Findings:
    """What was tried, in words, and what of it belongs into an entry; ``replied``: anything was answered at all."""

    rows: list[tuple[str, bool, str]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    replied: bool = False

    def note(self, what: str, works: bool, said: str) -> bool:
        """Note one trial."""
        self.rows.append((what, works, said))
        return works

    def worked(self, what: str) -> bool:
        """Tell whether something worked, in any of its ways."""
        return any(works for tried, works, _ in self.rows if tried.split(",")[0] == what)

    def lacks(self, use: Use) -> str | None:
        """Say the first thing that does not work and would have to; None where the endpoint serves."""
        return next((said for what, said in NEEDS[use].items() if not self.worked(what)), None)


@dataclass
class Trial:
    """Asks one model, each time at another place."""

    gateway: Gateway
    served: ServedModel
    asked: int = 0

    async def ask(self, messages: list[AnyMessage], tools: WireTools = NONE, **extra: Any) -> AIMessage:
        """Ask, with more fields in the request's body."""
        self.asked += 1
        served = self.served.model_copy(
            update={
                "parameters": {**self.served.parameters, **extra},
                "name": f"{self.served.name}#{self.asked}",
            }
        )
        place = Place(role=Role.DOCTOR, session_id=SessionId("check"), turn=0, step=self.asked)
        return await self.gateway.ask(Call(served, place, messages, tools))


async def key_and_answer(trial: Trial, found: Findings) -> bool:
    """Ask anything at all."""
    try:
        reply = await trial.ask([HumanMessage("Answer with the word: ready")])
    except (CallFailed, RunStopped) as failed:
        return found.note(ANSWER, False, str(failed))
    found.replied = True
    usage = step_of(reply, ()).usage
    counted = f"{usage.input_tokens} tokens read, {usage.output_tokens} written"
    found.note("usage", usage.output_tokens > 0, counted)
    return found.note(ANSWER, bool(reply.text.strip()), repr(reply.text.strip()[:SHOWN]))


async def tool_calls(trial: Trial, found: Findings) -> bool:
    """Have a tool called and its result used; then return reasoning where it came."""
    messages: list[AnyMessage] = [HumanMessage(ASKS_TOOL)]
    try:
        reply = await trial.ask(messages, READING)
    except CallFailed as failed:
        return found.note(TOOLS, False, str(failed))
    found.note(TOOLS, *_called(reply, READ))
    fields = sorted(reply.additional_kwargs.get(EXTRA, {}).get("reasoning", {}))
    found.note("reasoning", True, f"in {', '.join(fields)}" if fields else "none shown")
    if not reply.tool_calls:
        return False
    results = [ToolMessage("Potassium 4.1 mmol/L", tool_call_id=c["id"] or "") for c in reply.tool_calls]
    try:
        answer = await trial.ask([*messages, reply, *results], READING)
    except CallFailed as failed:
        return found.note(RESULT, False, str(failed))
    return found.note(RESULT, "4.1" in answer.text, repr(answer.text.strip()[:SHOWN]))


def _called(reply: AIMessage, tool: dict[str, Any]) -> tuple[bool, str]:
    """Tell whether a reply calls the only tool it was given, with the arguments that has, and say what it did."""
    name, schema = tool["function"]["name"], tool["function"]["parameters"]
    for broken in reply.invalid_tool_calls:
        return False, f"{broken['name']} with arguments that are no JSON object: {broken['args']!r:.{SHOWN}}"
    if not reply.tool_calls:
        return False, f"no call; it said {reply.text.strip()[:SHOWN]!r}"
    for call in reply.tool_calls:
        if call["name"] != name:
            return False, f"it called {call['name']}, not {name}, the only tool it was given"
        if missing := [one for one in schema["required"] if one not in call["args"]]:
            return False, f"it called {name} without its argument {missing[0]}"
        if more := [one for one in call["args"] if one not in schema["properties"]]:
            return False, f"it called {name} with arguments it does not have: {', '.join(more)}"
    return True, "; ".join(
        f"{call['name']} {json.dumps(call['args'], ensure_ascii=False)[:SHOWN]}" for call in reply.tool_calls
    )


async def structured_output(trial: Trial, found: Findings) -> bool:
    """Find the first way in which a verdict comes in its schema."""
    schema = {"name": "Verdict", "schema": VERDICT_SCHEMA, "strict": True}
    ways: dict[StructuredOutput, tuple[WireTools, dict[str, Any]]] = {
        StructuredOutput.JSON_SCHEMA: (
            NONE,
            {"response_format": {"type": "json_schema", "json_schema": schema}},
        ),
        StructuredOutput.FUNCTION_CALLING: (WireTools([VERDICT], "verdict", 50.0), {}),
        StructuredOutput.JSON_MODE: (NONE, {"response_format": {"type": "json_object"}}),
    }
    works = []
    for way, (tools, extra) in ways.items():
        what = f"{STRUCTURED}, {way.value}"
        try:
            reply = await trial.ask([HumanMessage(ASKS_JSON)], tools, **extra)
        except CallFailed as failed:
            found.note(what, False, str(failed))
            continue
        works += [way.value] if found.note(what, *_verdict(reply, called=bool(tools.schemas))) else []
    if works:
        found.facts["structured_output"] = works[0]
    return bool(works)


async def seed_and_temperature(trial: Trial, found: Findings) -> bool:
    """See whether the parameters are taken; that they do anything is not said."""
    for name, fact, value in (("temperature", "accepts_temperature", 0.2), ("seed", "accepts_seed", 7)):
        try:
            more: dict[str, Any] = {name: value}
            await trial.ask([HumanMessage("Answer with the word: ready")], **more)
        except CallFailed as failed:
            if failed.failure.kind is FailureKind.BAD_REQUEST:
                found.facts[fact] = False
            found.note(name, False, str(failed))
        else:
            found.facts[fact] = True
            found.note(name, True, "taken")
    return True


def _verdict(reply: AIMessage, *, called: bool) -> tuple[bool, str]:
    """Tell whether a verdict came in its schema, by a call where one was to be made, and say what came."""
    if called and {call["name"] for call in reply.tool_calls} != {VERDICT["function"]["name"]}:
        return _called(reply, VERDICT)
    text = written(reply)
    try:
        given = json.loads(text)
    except json.JSONDecodeError:
        return False, f"no JSON: {text.strip()[:SHOWN]!r}"
    fits = isinstance(given, dict) and given.keys() == {"verdict"} and given["verdict"] in VERDICTS
    return fits, text.strip()[:SHOWN] if fits else f"not in the schema: {text.strip()[:SHOWN]}"


TRIALS: tuple[Callable[[Trial, Findings], Awaitable[bool]], ...] = (
    key_and_answer,
    tool_calls,
    structured_output,
    seed_and_temperature,
)


async def try_all(
    served: ServedModel, key: str | None, on_silence: Callable[[str], None] | None = None
) -> Findings:
    """Try everything; stop where nothing at all is answered. ``on_silence`` hears of that while it lasts."""
    found = Findings(facts={"base_url": served.base_url})
    if served.key_variable is not None:
        found.facts["key_variable"] = served.key_variable
    async with Gateway(key_of=lambda _: key, patience=Patience(tries=2), on_silence=on_silence) as gateway:
        trial = Trial(gateway, served)
        for attempt in TRIALS:
            if not await attempt(trial, found) and attempt is key_and_answer:
                break
    return found
