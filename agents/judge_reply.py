"""What a judge's reply comes to: an opinion whose quotation holds, or what is wrong with it."""

import json
import re
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage
from pydantic import ValidationError

from agents.gateway import NO_TOOLS, WireTools
from agents.wire import without_thought
from state.base import Record
from state.models import ServedModel, StructuredOutput
from state.outcome import JudgeFault, Verdict
from tools.grading import void_quote

NAME = "Verdict"
SCHEMA = {
    "title": NAME,
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "quote": {"type": "string"},
        "verdict": {"type": "string", "enum": [verdict.value for verdict in Verdict]},
        "says_otherwise": {"type": "boolean"},
    },
    "required": ["reason", "quote", "verdict", "says_otherwise"],
    "additionalProperties": False,
}
_FENCED = re.compile(r"^```[a-z]*\n(.*)\n```$", re.DOTALL)
AS_FUNCTION = WireTools.of_schemas(
    [{"type": "function", "function": {"name": NAME, "description": "Report.", "parameters": SCHEMA}}]
)


class Opinion(Record):
    """A reply in the schema."""

    reason: str
    quote: str
    verdict: Verdict
    says_otherwise: bool


@dataclass(frozen=True)
class Unusable:
    """A reply that gives no verdict, and why."""

    fault: JudgeFault
    why: str


def structured(served: ServedModel) -> tuple[ServedModel, WireTools]:
    """Give the model as it is asked for a verdict, in the way its provider makes it answer in a schema."""
    extra: dict[str, Any] = {}
    match served.structured_output:
        case StructuredOutput.FUNCTION_CALLING:
            return served, AS_FUNCTION
        case StructuredOutput.JSON_SCHEMA:
            schema = {"name": NAME, "schema": SCHEMA, "strict": True}
            extra = {"response_format": {"type": "json_schema", "json_schema": schema}}
        case StructuredOutput.JSON_MODE:
            extra = {"response_format": {"type": "json_object"}}
    return served.model_copy(update={"parameters": {**served.parameters, **extra}}), NO_TOOLS


def read_opinion(reply: AIMessage, quotable: str, question: str) -> Opinion | Unusable:
    """Read a reply; ``quotable`` is the text its quotation must come from."""
    if reply.response_metadata.get("finish_reason") == "length":
        return Unusable(JudgeFault.TRUNCATED, "it was cut off because it was too long")
    given = written(reply)
    if not given:
        return Unusable(JudgeFault.EMPTY, "it was empty")
    try:
        opinion = Opinion.model_validate_json(given, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return Unusable(JudgeFault.MALFORMED, f"it is not the JSON object asked for: {where} {first['msg']}")
    return _checked(opinion, quotable, question)


def written(reply: AIMessage) -> str:
    """Give the JSON a reply should be, whether it came as a call of the function or as text."""
    for call in reply.tool_calls:
        return json.dumps(call["args"], ensure_ascii=False)
    for broken in reply.invalid_tool_calls:
        return broken["args"] or ""
    text = without_thought(reply.text)
    fenced = _FENCED.match(text)
    return fenced.group(1).strip() if fenced else text


def _checked(opinion: Opinion, quotable: str, question: str) -> Opinion | Unusable:
    if opinion.says_otherwise and opinion.verdict is not Verdict.NOT_MET:
        return Unusable(JudgeFault.MALFORMED, 'says_otherwise is true and the verdict is not "not_met"')
    needs = opinion.verdict is Verdict.MET or opinion.says_otherwise
    if not opinion.quote.strip():
        return Unusable(JudgeFault.VOID_QUOTE, "there is no quotation to show it") if needs else opinion
    void = void_quote(opinion.quote, quotable, question)
    return opinion if void is None else Unusable(JudgeFault.VOID_QUOTE, void)
