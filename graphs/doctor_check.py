"""Try an endpoint: ``python -m graphs.doctor_check --model PROVIDER/NAME``. Says what works and prints an entry."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agents.endpoint_trials import ANSWER, Use, try_all
from agents.models import entry_text, read_catalogue, serve
from configs.settings import Settings, set_tracing
from state.base import InputError
from state.models import ModelChoice
from tools.cli import CommandLine, aside, exits_on_bad_input

FAILED, NO_REPLY = 1, 3
"""Exit codes of an endpoint that replies and cannot serve as what it is to be, and of one that gives no reply."""
app = CommandLine()


@app.command()
def main(
    model: Annotated[str, typer.Option(help="provider/name, or openai-compatible/NAME.")],
    base_url: Annotated[str | None, typer.Option(help="Where it is served.")] = None,
    key_variable: Annotated[str | None, typer.Option(help="Variable of its key.")] = None,
    models: Annotated[Path | None, typer.Option(help="A file in place of configs/models.yaml.")] = None,
    thinking: Annotated[bool | None, typer.Option("--thinking/--no-thinking", help="Switch it.")] = None,
    use: Annotated[
        Use | None, typer.Option("--as", help="What it is to serve as; both where it is not said.")
    ] = None,
) -> None:
    """Try an endpoint with a dozen small calls: key, tool calls, structured output, parameters.

    Exit codes: 0 it can serve, 1 it replies and cannot, 3 it gives no reply.
    """
    console = Console()
    with exits_on_bad_input():
        set_tracing(on=False)
        choice = ModelChoice(name=model, base_url=base_url, key_variable=key_variable, thinking=thinking)
        served = serve(choice, read_catalogue(models))
        key = None if served.key_variable is None else Settings.read().api_key(served.key_variable)
        if key is None and served.key_required:
            raise InputError(f"model {model!r} wants a key: set {served.key_variable} or put it into .env")
        found = asyncio.run(try_all(served, key, aside))
    table = Table(title=Text(f"{model} at {served.base_url}"))
    for column in ("tried", "works", "seen"):
        table.add_column(column)
    for what, works, said in found.rows:
        table.add_row(what, "yes" if works else "no", Text(said))
    console.print(table)
    if not found.replied:
        console.print("it gave no reply: nothing else was tried", markup=False)
        raise typer.Exit(NO_REPLY)
    if not found.worked(ANSWER):
        console.print("it answered nothing: nothing else was tried", markup=False)
        raise typer.Exit(FAILED)
    console.print(
        "what was seen, as an entry of configs/models.yaml; add price, rates and where you read them:"
    )
    console.print(entry_text(served.provider, {**found.facts, "models": {served.model: {}}}), markup=False)
    lacks = {wanted: found.lacks(wanted) for wanted in ((use,) if use is not None else Use)}
    for wanted, lack in lacks.items():
        says = f"it can be a {wanted}" if lack is None else f"it can be no {wanted}: {lack}"
        console.print(says, markup=False, soft_wrap=True)
    if any(lacks.values()):
        raise typer.Exit(FAILED)


if __name__ == "__main__":
    app()
