"""What a failed call means: whether it is worth asking again, and whose limit it ran into."""

import email.utils
import os
from collections.abc import Mapping
from datetime import UTC, datetime

from agents.wire import BadBody, HttpError
from state.journal import FailureKind

RETRIED = frozenset(
    {
        FailureKind.RATE_LIMIT,
        FailureKind.SERVER,
        FailureKind.CONNECTION,
        FailureKind.HUNG,
        FailureKind.BAD_BODY,
    }
)
OF_THE_EXAMINEE = frozenset({FailureKind.CONTEXT_OVERFLOW, FailureKind.TIME_LIMIT})
"""Ends of a call that say something of the model, not of its provider."""

OVERFLOWS = (
    "context_length_exceeded",
    "maximum context length",
    "context window",
    "exceed_context_size",
    "available context size",
    "prompt is too long",
    "range of input length",
    "too many tokens",
)
"""Words of OpenAI, DeepSeek, vLLM, llama.cpp, DashScope and MiniMax for a prompt that is too long."""
FILTERS = (
    "content_filter",
    "content_policy",
    "content management policy",
    "data_inspection_failed",
    "content exists risk",
    "'code': '1301'",
)
"""Words of OpenAI, Azure, DashScope, DeepSeek and GLM (code 1301) for a prompt or reply their filter stopped."""
BY_STATUS = {
    401: FailureKind.AUTHENTICATION,
    402: FailureKind.QUOTA,
    403: FailureKind.AUTHENTICATION,
    404: FailureKind.NOT_FOUND,
    408: FailureKind.SERVER,
    409: FailureKind.SERVER,
    413: FailureKind.CONTEXT_OVERFLOW,
    429: FailureKind.RATE_LIMIT,
}


def classify(error: BaseException) -> FailureKind | None:
    """Name what went wrong; None for an error that no service raised."""
    import aiohttp

    match error:
        case BadBody():
            return FailureKind.BAD_BODY
        case HttpError():
            return _by_status(error)
        case TimeoutError():
            return FailureKind.HUNG
        case aiohttp.ClientError() | ConnectionError():
            return FailureKind.CONNECTION
    return None


def _by_status(error: HttpError) -> FailureKind:
    said = str(error.said).lower()
    if error.status == 429 and "insufficient_quota" in said:
        return FailureKind.QUOTA
    if error.status in BY_STATUS:
        return BY_STATUS[error.status]
    if error.status >= 500:
        return FailureKind.SERVER
    if any(words in said for words in OVERFLOWS):
        return FailureKind.CONTEXT_OVERFLOW
    if any(words in said for words in FILTERS):
        return FailureKind.CONTENT_FILTER
    return FailureKind.BAD_REQUEST


def describe(error: Exception) -> str:
    """Put an error into one line; a service's own message where it sent one."""
    if isinstance(error, HttpError):
        said = error.said.get("message") if isinstance(error.said, dict) else None
        text = f"HTTP {error.status}: {said or error.said}"
    elif never_reached(error):
        text = f"cannot connect: {_reason(error)}"
    else:
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return " ".join(text.split())[:500]


def never_reached(error: BaseException) -> bool:
    """Tell whether there was nobody to send a request to: refused, unknown, unreachable or silent as it was called."""
    import aiohttp

    return isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError)


def _reason(error: Exception) -> str:
    """Say in the system's words why no connection came about; aiohttp's own name its classes and addresses."""
    cause = getattr(error, "os_error", None)
    if cause is None:
        return "no answer from that address" if isinstance(error, TimeoutError) else str(error)
    return os.strerror(cause.errno) if (cause.errno or 0) > 0 else str(cause.strerror or cause)


def retry_after(error: BaseException | None, now: datetime) -> float | None:
    """Read how many seconds a service asks to be left alone; None where it does not say."""
    return seconds_of(error.headers, now) if isinstance(error, HttpError) else None


def seconds_of(headers: Mapping[str, str], now: datetime) -> float | None:
    """Read ``retry-after-ms`` or ``retry-after``, in seconds or as an HTTP date (RFC 9110, section 10.2.3)."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        return max(0.0, float(headers["retry-after"]))
    except KeyError:
        return None
    except ValueError:
        try:
            when = email.utils.parsedate_to_datetime(headers["retry-after"])
        except (KeyError, ValueError):
            return None
        return max(0.0, (when.replace(tzinfo=when.tzinfo or UTC) - now).total_seconds())
