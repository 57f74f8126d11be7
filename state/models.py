"""What is known of the services that run models: configs/models.yaml, and one model as it will be called."""

from datetime import date
from enum import StrEnum
from typing import Literal

from pydantic import Field, JsonValue

from state.base import Record


class StructuredOutput(StrEnum):
    """How a service is made to answer in a schema; the names are those of ``with_structured_output``."""

    JSON_SCHEMA = "json_schema"
    FUNCTION_CALLING = "function_calling"
    JSON_MODE = "json_mode"


class Source(Record):
    """Where a fact was read, and when."""

    url: str = Field(pattern=r"^https?://")
    read: date
    says: str = Field(min_length=1)


class Price(Record):
    """US dollars a million tokens. Without ``cached_input_usd`` cached input costs as much as any other."""

    input_usd: float = Field(ge=0)
    output_usd: float = Field(ge=0)
    cached_input_usd: float | None = Field(default=None, ge=0)
    source: Source


class ThinkingSwitch(Record):
    """What a request body must hold to switch thinking; None where the switch has no such position."""

    on: dict[str, JsonValue] | None = None
    off: dict[str, JsonValue] | None = None


class ModelFacts(Record):
    """What is known of one model beyond its provider; None where the provider's fact holds or nothing is known."""

    context_tokens: int | None = Field(default=None, ge=1)
    output_tokens: int | None = Field(default=None, ge=1)
    price: Price | None = None
    thinking: ThinkingSwitch | None = None
    accepts_temperature: bool | None = None
    sources: tuple[Source, ...] = ()


class ProviderFacts(Record):
    """What is known of one service.

    ``key_variable`` is None where no key is asked for. ``family`` names the maker's models where the service runs one
    maker's. ``output_parameter`` is the request field that limits a reply. ``returns_reasoning``: the fields a reply's
    reasoning comes in must be sent back with it. ``stream``: replies come as server-sent events. ``call_seconds`` is
    how long one call may take before it is taken for a hung one.
    """

    base_url: str
    key_variable: str | None = None
    family: str | None = None
    structured_output: StructuredOutput = StructuredOutput.FUNCTION_CALLING
    output_parameter: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    accepts_temperature: bool = True
    accepts_seed: bool = False
    thinking: ThinkingSwitch = ThinkingSwitch()
    reasoning_fields: tuple[str, ...] = ("reasoning_content",)
    returns_reasoning: bool = False
    stream: bool = False
    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    call_seconds: float = Field(default=300.0, gt=0)
    sources: tuple[Source, ...] = ()
    models: dict[str, ModelFacts] = Field(default_factory=dict)


class Catalogue(Record):
    """configs/models.yaml."""

    providers: dict[str, ProviderFacts]


class ModelChoice(Record):
    """What the user asked of a model: its name, where it is, and how it is to be run; None leaves it to the service."""

    name: str
    base_url: str | None = None
    key_variable: str | None = None
    temperature: float | None = Field(default=None, ge=0, le=2)
    seed: int | None = None
    thinking: bool | None = None
    output_tokens: int | None = Field(default=None, ge=1)


class ServedModel(Record):
    """One model as it will be called. ``parameters`` is all a request holds beside model, messages and tools."""

    name: str
    provider: str
    model: str
    families: frozenset[str]
    base_url: str
    key_variable: str | None
    key_required: bool
    parameters: dict[str, JsonValue]
    structured_output: StructuredOutput
    reasoning_fields: tuple[str, ...]
    returns_reasoning: bool
    stream: bool
    requests_per_minute: int | None
    tokens_per_minute: int | None
    call_seconds: float
    context_tokens: int | None
    output_tokens: int | None
    price: Price | None
