"""Runs against a scripted endpoint."""

from collections.abc import Callable
from typing import Any

from bad_openai import Reply, Server

from state.outcome import SessionResult
from state.trajectory import SessionRecord

Evaluate = Callable[..., tuple[SessionResult, SessionRecord, Server]]
Script = Callable[[dict[str, Any]], Reply]


def turn_of(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the messages since the physician's last question."""
    messages = request["messages"]
    last = max(i for i, message in enumerate(messages) if message["role"] == "user")
    return list(messages[last + 1 :])


def last_of(request: dict[str, Any]) -> str:
    """Return the text of the last message."""
    return str(request["messages"][-1]["content"])


def subject_of(request: dict[str, Any]) -> int:
    """Return the patient the system prompt names."""
    system = request["messages"][0]["content"]
    return int(system.split("subject_id ")[1].split(",")[0])
