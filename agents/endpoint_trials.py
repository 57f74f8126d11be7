"""Trials of an endpoint: a dozen small calls that show what it can do."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from agents.conversation import step_of
from agents.gateway import Call, CallFailed, Gateway, WireTools
from agents.patience import Patience
from agents.purse import RunStopped
from agents.wire import EXTRA
from state.base import SessionId
from state.journal import FailureKind, Place, Role
from state.models import ServedModel, StructuredOutput

READ = {
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
VERDICT_SCHEMA = {
    "title": "Verdict",
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["met", "not_met"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}
ASKS_TOOL = "What is the patient's latest potassium? Use the tool, then answer."
ASKS_JSON = 'Is 4.1 above 4.0? Answer with a JSON object only: {"verdict": "met"} for yes, "not_met" for no.'
NONE, READING = WireTools([], "none", 0.0), WireTools([READ], "read", 100.0)


@dataclass
class Findings:
    """What was tried, in words, and what of it belongs into an entry."""

    rows: list[tuple[str, bool, str]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    def note(self, what: str, works: bool, said: str) -> bool:
        """Note one trial."""
        self.rows.append((what, works, said))
        return works


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
        return found.note("key and answer", False, str(failed))
    usage = step_of(reply, ()).usage
    counted = f"{usage.input_tokens} tokens read, {usage.output_tokens} written"
    found.note("usage", usage.output_tokens > 0, counted)
    return found.note("key and answer", bool(reply.text.strip()), repr(reply.text.strip()[:60]))


async def tool_calls(trial: Trial, found: Findings) -> bool:
    """Have a tool called and its result used; then return reasoning where it came."""
    messages: list[AnyMessage] = [HumanMessage(ASKS_TOOL)]
    try:
        reply = await trial.ask(messages, READING)
        if not reply.tool_calls:
            return found.note("tool calls", False, f"none; it said {reply.text.strip()[:60]!r}")
        call = reply.tool_calls[0]
        found.note("tool calls", True, f"{call['name']} {json.dumps(call['args'], ensure_ascii=False)[:60]}")
        results = [ToolMessage("Potassium 4.1 mmol/L", tool_call_id=c["id"] or "") for c in reply.tool_calls]
        answer = await trial.ask([*messages, reply, *results], READING)
    except CallFailed as failed:
        return found.note("tool calls", False, str(failed))
    fields = sorted(reply.additional_kwargs.get(EXTRA, {}).get("reasoning", {}))
    found.note("reasoning", True, f"in {', '.join(fields)}" if fields else "none shown")
    return found.note("answer from a result", "4.1" in answer.text, repr(answer.text.strip()[:60]))


async def structured_output(trial: Trial, found: Findings) -> bool:
    """Find the first way in which a verdict comes in its schema."""
    schema = {"name": "Verdict", "schema": VERDICT_SCHEMA, "strict": True}
    verdict = {"type": "function", "function": {"name": "Verdict", "parameters": VERDICT_SCHEMA}}
    ways: dict[StructuredOutput, tuple[WireTools, dict[str, Any]]] = {
        StructuredOutput.JSON_SCHEMA: (
            NONE,
            {"response_format": {"type": "json_schema", "json_schema": schema}},
        ),
        StructuredOutput.FUNCTION_CALLING: (WireTools([verdict], "verdict", 50.0), {}),
        StructuredOutput.JSON_MODE: (NONE, {"response_format": {"type": "json_object"}}),
    }
    works = []
    for way, (tools, extra) in ways.items():
        try:
            reply = await trial.ask([HumanMessage(ASKS_JSON)], tools, **extra)
        except CallFailed as failed:
            found.note(f"structured output, {way.value}", False, str(failed))
            continue
        given = reply.tool_calls[0]["args"] if reply.tool_calls else _json(reply.text)
        fits = isinstance(given, dict) and given.get("verdict") in {"met", "not_met"}
        found.note(
            f"structured output, {way.value}", fits, str(given if given is not None else reply.text)[:60]
        )
        works += [way.value] if fits else []
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


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return None


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
