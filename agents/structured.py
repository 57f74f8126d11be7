"""Replies in a schema, in the way each provider makes its models keep to one."""

import json
import re
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage
from pydantic import ValidationError

from agents.gateway import NO_TOOLS, WireTools
from agents.wire import without_thought
from state.models import ServedModel, StructuredOutput

_FENCED = re.compile(r"^```[a-z]*\n(.*)\n```$", re.DOTALL)


@dataclass(frozen=True)
class Form:
    """What a reply has to look like: a name, and the JSON schema of one object."""

    name: str
    schema: dict[str, Any]

    def asked_of(self, served: ServedModel) -> tuple[ServedModel, WireTools]:
        """Give the model as it is asked to fill the form in, in the way its provider makes it keep to a schema."""
        extra: dict[str, Any] = {}
        match served.structured_output:
            case StructuredOutput.FUNCTION_CALLING:
                function = {"name": self.name, "description": "Report.", "parameters": self.schema}
                return served, WireTools.of_schemas([{"type": "function", "function": function}])
            case StructuredOutput.JSON_SCHEMA:
                schema = {"name": self.name, "schema": self.schema, "strict": True}
                extra = {"response_format": {"type": "json_schema", "json_schema": schema}}
            case StructuredOutput.JSON_MODE:
                extra = {"response_format": {"type": "json_object"}}
        return served.model_copy(update={"parameters": {**served.parameters, **extra}}), NO_TOOLS


def written(reply: AIMessage) -> str:
    """Give the JSON a reply should be, whether it came as a call of the function or as text."""
    for call in reply.tool_calls:
        return json.dumps(call["args"], ensure_ascii=False)
    for broken in reply.invalid_tool_calls:
        return broken["args"] or ""
    text = without_thought(reply.text)
    fenced = _FENCED.match(text)
    return fenced.group(1).strip() if fenced else text


def first_fault(error: ValidationError) -> str:
    """Say what of a reply does not fit its schema."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"it is not the JSON object asked for: {where} {first['msg']}"
