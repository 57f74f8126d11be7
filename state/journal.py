"""One line of the journal: a call of a model, and what became of it."""

from enum import StrEnum

from pydantic import Field, JsonValue

from state.base import Record, SessionId
from state.trajectory import Usage


class Role(StrEnum):
    """Who asks a model."""

    DOCTOR = "doctor"
    JUDGE = "judge"
    PHYSICIAN = "physician"
    PATIENT = "patient"
    CHECKER = "checker"


class Place(Record):
    """Where in a run a call stands. ``step`` counts the calls of a turn; ``attempt`` those that ask the same again.

    ``about`` tells calls of one step apart. Patients say the same to the same question, whenever it is put: turn and
    step of their calls are 0, and ``about`` is a digest of question and facts.
    """

    role: Role
    session_id: SessionId
    turn: int = Field(ge=0)
    epoch: int = Field(default=0, ge=0)
    step: int = Field(ge=0)
    attempt: int = Field(default=0, ge=0)
    about: str = ""


class Parts(Record):
    """What a call is made of: the model's name and digests of all that is sent."""

    model: str
    parameters: str
    tools: str
    prompt: str
    question: str
    messages: str


class ReplyCall(Record):
    """A tool call as the model wrote it; ``arguments`` is its raw text. ``extra`` holds fields to be sent back."""

    call_id: str
    name: str
    arguments: str
    extra: dict[str, JsonValue] = Field(default_factory=dict)


class Reply(Record):
    """What a model answered. ``reasoning`` holds the fields its thinking came in, as they came."""

    reply_id: str
    content: str
    calls: tuple[ReplyCall, ...] = ()
    reasoning: dict[str, JsonValue] = Field(default_factory=dict)
    finish_reason: str
    usage: Usage


class FailureKind(StrEnum):
    """Why a call gave no reply."""

    RATE_LIMIT = "rate_limit"
    SERVER = "server_error"
    CONNECTION = "connection"
    HUNG = "hung"
    BAD_BODY = "unreadable_response"
    AUTHENTICATION = "authentication"
    QUOTA = "quota"
    NOT_FOUND = "model_not_found"
    BAD_REQUEST = "bad_request"
    CONTENT_FILTER = "content_filter"
    CONTEXT_OVERFLOW = "context_overflow"
    TIME_LIMIT = "time_limit"


class Failure(Record):
    """A call that gave no reply."""

    kind: FailureKind
    text: str


class Entry(Record):
    """A finished call: exactly one of ``reply`` and ``failure`` is set.

    ``seconds`` is what the answered attempt took, without waits and retries; ``tries`` counts the attempts.
    ``usd`` is None when the price is not known.
    """

    place: Place
    parts: Parts
    reply: Reply | None = None
    failure: Failure | None = None
    seconds: float = Field(ge=0)
    tries: int = Field(ge=1)
    usd: float | None = Field(default=None, ge=0)
