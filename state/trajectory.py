"""What an examinee did. Tool payloads are not kept: the chart gives them again from the recorded calls."""

from enum import StrEnum

from pydantic import Field, JsonValue

from state.base import Record, ResourceRef, SessionId
from state.patient import Saying


class Termination(StrEnum):
    """Why a turn of the examinee ended."""

    ANSWERED = "answered"
    EMPTY_REPLY = "empty_reply"
    UNREADABLE_REPLY = "unreadable_reply"
    STEP_LIMIT = "step_limit"
    TIME_LIMIT = "time_limit"
    MODEL_ERROR = "model_error"


class CallRecord(Record):
    """A tool call as the model sent it (wire name), and which resources its result showed.

    ``ran`` is False for a call cut off by the step limit. ``said`` is what the patient answered; it is kept, unlike
    other payloads, because a model that speaks for the patient may not say it twice the same way.
    """

    call_id: str
    name: str
    arguments: dict[str, JsonValue]
    ran: bool
    ok: bool
    refs: tuple[ResourceRef, ...] = ()
    error: str | None = None
    said: Saying | None = None


class WriteRecord(Record):
    """A create that was tried. ``arguments`` are as sent; ``ref`` is set only when it was accepted."""

    tool: str
    arguments: dict[str, JsonValue]
    accepted: bool
    ref: ResourceRef | None = None
    error: str | None = None


class Usage(Record):
    """Tokens of model calls, as the provider counted them."""

    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
        )


class ReplyFault(StrEnum):
    """Why a reply of the model was of no use; it is told, and asked once more."""

    EMPTY = "empty"
    UNREADABLE = "unreadable"


class Step(Record):
    """One reply of the model and the tool calls it asked for."""

    content: str
    fault: ReplyFault | None = None
    calls: tuple[CallRecord, ...] = ()
    usage: Usage = Usage()


class TurnRecord(Record):
    """One turn: the question put, the steps taken, the answer, the writes tried."""

    index: int = Field(ge=0)
    question: str
    steps: tuple[Step, ...]
    answer: str
    termination: Termination
    writes: tuple[WriteRecord, ...] = ()
    error: str | None = None
    seconds: float = Field(ge=0)


class SessionRecord(Record):
    """All turns of one session, in order."""

    session_id: SessionId
    turns: tuple[TurnRecord, ...]
