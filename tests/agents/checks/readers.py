"""Readers on loopback that say what the test wants, and sessions cut down to what they read."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bad_openai import Reply, Script, Server, says, serve
from langchain_core.messages import AIMessage

from agents.checks.case import Case
from agents.checks.reader import Reader
from agents.gateway import Call, Gateway
from agents.models import read_catalogue
from agents.models import serve as served_by
from state.models import ModelChoice


@contextmanager
def reading(script: Script) -> Iterator[tuple[Reader, Server]]:
    """Give a reader that a script answers."""

    def ask(call: Call) -> AIMessage:
        async def once() -> AIMessage:
            async with Gateway() as gateway:
                return await gateway.ask(call)

        return asyncio.run(once())

    with serve(script) as server:
        choice = ModelChoice(name="openai-compatible/reader", base_url=server.url, temperature=0.0)
        yield Reader(served_by(choice, read_catalogue()), ask), server


def fills_in(**fields: Any) -> Reply:
    """Fill the form in."""
    return says(json.dumps(fields, ensure_ascii=False))


def material(request: dict[str, Any]) -> dict[str, str]:
    """Return what a reader was shown, by name."""
    shown = str(request["messages"][1]["content"])
    mark = shown[1:17]
    parts = [part.split("]\n", 1) for part in shown.split(f"[{mark} ")[1:-1]]
    return {name: text.rstrip("\n") for name, text in parts}


def only_turn(case: Case, index: int) -> Case:
    """Keep the turns up to one."""
    return case.having(
        session=case.words.model_copy(update={"turns": case.words.turns[: index + 1]}),
        gold=case.answers.model_copy(update={"turns": case.answers.turns[: index + 1]}),
    )
