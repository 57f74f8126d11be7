"""What an examinee did. Tool payloads are not kept: the chart gives them again from the recorded calls."""

from enum import StrEnum

from pydantic import Field, JsonValue

from state.base import Record, ResourceRef, SessionId
from state.patient import Saying


class Termination(StrEnum):
    """Why a turn of the examinee ended."""

    ANSWERED = "answered"
    EMPTY_REPLY = "empty_reply"
    TRUNCATED_REPLY = "truncated_reply"
    CALL_AS_TEXT = "call_as_text"
    MALFORMED_ARGUMENTS = "malformed_arguments"
    UNKNOWN_TOOL = "unknown_tool"
    UNKNOWN_ARGUMENT = "unknown_argument"
    STEP_LIMIT = "step_limit"
    TIME_LIMIT = "time_limit"
    TOKEN_LIMIT = "token_limit"  # noqa: S105 - tokens of text
    COST_LIMIT = "cost_limit"
    CONTEXT_OVERFLOW = "context_overflow"
    MODEL_ERROR = "model_error"


class CallRecord(Record):
    """A tool call as the model sent it (wire name), and which resources its result showed.

    ``ran`` is False for a call that a limit or a repeated fault cut off. ``extra`` holds fields of the call that its
    provider wants back. ``said`` is what the patient answered; it is kept, unlike other payloads, because a model that
    speaks for the patient may not say it twice the same way.
    """

    call_id: str
    name: str
    arguments: dict[str, JsonValue]
    ran: bool
    ok: bool
    refs: tuple[ResourceRef, ...] = ()
    error: str | None = None
    extra: dict[str, JsonValue] = Field(default_factory=dict)
    said: Saying | None = None


class WriteRecord(Record):
    """A write that was tried. ``arguments`` are as sent; ``ref`` is set only when it was accepted."""

    tool: str
    arguments: dict[str, JsonValue]
    accepted: bool
    ref: ResourceRef | None = None
    error: str | None = None


class Usage(Record):
    """Tokens of model calls, as the provider counted them.

    Cached input is part of the input, reasoning part of the output.
    """

    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cached_input_tokens: int = Field(default=0, ge=0)
    reasoning_tokens: int = Field(default=0, ge=0)

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_input_tokens=self.cached_input_tokens + other.cached_input_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
        )

    @property
    def total_tokens(self) -> int:
        """Count all that was read and written."""
        return self.input_tokens + self.output_tokens


class ReplyFault(StrEnum):
    """Why a reply of the model was of no use; it is told, and asked once more."""

    EMPTY = "empty"
    TRUNCATED = "truncated"
    CALL_AS_TEXT = "call_as_text"
    MALFORMED_ARGUMENTS = "malformed_arguments"
    UNKNOWN_TOOL = "unknown_tool"
    UNKNOWN_ARGUMENT = "unknown_argument"


class Step(Record):
    """One reply of the model and the tool calls it asked for.

    ``reasoning`` holds the fields its thinking came in. ``seconds`` is what the reply took, without waits and retries;
    ``usd`` is None where the price is not known.
    """

    content: str
    fault: ReplyFault | None = None
    calls: tuple[CallRecord, ...] = ()
    usage: Usage = Usage()
    reasoning: dict[str, JsonValue] = Field(default_factory=dict)
    seconds: float = Field(default=0.0, ge=0)
    usd: float | None = None


class TurnRecord(Record):
    """One turn: the question put, the steps taken, the answer, the writes tried.

    ``overlay`` is the snapshot of everything the session had written when the turn ended.
    ``seconds`` is the time the model took, the sum over its steps; a program of the product counts as none.
    """

    index: int = Field(ge=0)
    question: str
    steps: tuple[Step, ...]
    answer: str
    termination: Termination
    writes: tuple[WriteRecord, ...] = ()
    overlay: tuple[dict[str, JsonValue], ...] = ()
    error: str | None = None
    seconds: float = Field(ge=0)


class SessionRecord(Record):
    """All turns of one session, in order, in one of the epochs it is run."""

    session_id: SessionId
    epoch: int = Field(default=0, ge=0)
    turns: tuple[TurnRecord, ...]
