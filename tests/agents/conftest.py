"""Gateways that call loopback servers and do not wait."""

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from agents.gateway import Call, Gateway, WireTools
from agents.models import read_catalogue, serve
from state.journal import Place, Role
from state.models import ModelChoice, ServedModel

NO_TOOLS = WireTools([], "none", 0.0)


@pytest.fixture
def served() -> Callable[..., ServedModel]:
    """Give a function that makes the served model of a loopback address; keywords replace its facts."""

    def make(url: str, **facts: Any) -> ServedModel:
        choice = ModelChoice(name="openai-compatible/scripted", base_url=url, temperature=0.2)
        return serve(choice, read_catalogue()).model_copy(update=facts)

    return make


@pytest.fixture
def waits() -> list[float]:
    """Collect what a gateway would have slept."""
    return []


@pytest.fixture
def gateway(waits: list[float]) -> Callable[..., Gateway]:
    """Give a function that makes a gateway whose sleeps are noted down, and over at once by its clock."""

    async def note(seconds: float) -> None:
        waits.append(seconds)
        await asyncio.sleep(0)

    def clock() -> float:
        return time.monotonic() + sum(waits)

    fixed = {"rng": random.Random(7), "sleep": note, "clock": clock}  # noqa: S311 - jitter
    return lambda **fields: Gateway(**{**fixed, **fields})


@pytest.fixture
def call() -> Callable[..., Call]:
    """Give a function that makes a call of the doctor's first step."""

    def make(served: ServedModel, messages: list[Any], step: int = 0, **fields: Any) -> Call:
        place = Place(role=Role.DOCTOR, session_id="s", turn=0, step=step)
        return Call(served, place, messages, **{"tools": NO_TOOLS, **fields})

    return make
