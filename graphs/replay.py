"""Replay a finished session without a call: ``python -m graphs.replay RUN SESSION``; ``--turn N`` forks it, live."""

import asyncio
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from langgraph.checkpoint.memory import InMemorySaver
from rich.console import Console

from agents.gateway import Gateway, JournalMiss
from agents.models import priced
from agents.purse import Purse, RunLimits, RunStopped
from configs.settings import Settings, set_tracing
from graphs.evaluate import make_manifest, open_data, unchanged
from graphs.run_folder import RunFolder, read_manifest
from graphs.run_sessions import read_end, session_config
from graphs.session import build_session_graph
from graphs.spending import dollars
from graphs.ward import Ward
from state.base import Cohort, InputError
from state.bill import Tally
from state.manifest import Fork, RunManifest, RunSettings
from state.outcome import SessionResult
from state.session import Session
from state.trajectory import SessionRecord, TurnRecord
from tools.cli import CommandLine, aside, exits_on_bad_input
from tools.counted import counted

DIFFERS = 1
"""Exit code of a replay that did not give what was recorded."""
STOOD_ON = ("benchmark", "warehouse", "gate", "vocabulary", "patient_words", "tools", "labels")
"""What the turns before a fork were given to."""
NAMED = 3
"""Sessions named to who asks for one that is not there."""
Told = tuple[SessionResult, SessionRecord]


async def walk(
    ward: Ward, gateway: Gateway, session: Session, before: tuple[TurnRecord, ...] = (), epoch: int = 0
) -> Told:
    """Run a session from the turn after ``before``, without a run folder."""
    config = session_config(session, epoch)
    async with gateway:
        graph = build_session_graph(ward, gateway).compile(checkpointer=InMemorySaver(), name="session")
        start = {
            "session_id": session.session_id,
            "epoch": epoch,
            "records": [record.model_dump(mode="json") for record in before],
            "results": [],
        }
        await graph.aupdate_state(config, start, as_node="open_chart")
        return read_end(session, await graph.ainvoke(None, config), epoch)


def difference(recorded: Told, told: Told) -> str | None:
    """Name the first thing in which a replay differs from what was recorded; None when nothing does."""
    for was, now in zip(recorded[1].turns, told[1].turns, strict=False):
        for name in TurnRecord.model_fields:
            if getattr(was, name) != getattr(now, name):
                return f"turn {was.index}: {name}"
    if len(recorded[1].turns) != len(told[1].turns):
        return f"{counted(len(recorded[1].turns), 'turn')} recorded, {len(told[1].turns)} replayed"
    return None if recorded[0] == told[0] else "the outcome"


def replayed(ward: Ward, folder: RunFolder, session: Session, epoch: int = 0) -> Told:
    """Walk a session again from its run's journal; a call the journal does not hold is an InputError."""
    try:
        return asyncio.run(walk(ward, Gateway(folder.journal(), replay_only=True), session, epoch=epoch))
    except JournalMiss as miss:
        raise InputError(f"{miss}; only what was journalled can be replayed") from miss


def forked(
    ward: Ward, fork: RunFolder, session: Session, before: tuple[TurnRecord, ...], limits: RunLimits
) -> tuple[Told, Tally]:
    """Run a session live from the turn after ``before``, and keep it in a folder of its own."""
    purse = Purse(limits, time.monotonic)
    gateway = Gateway(fork.journal(), purse, key_of=ward.key, on_silence=aside)
    try:
        told = asyncio.run(walk(ward, gateway, session, before))
    except RunStopped as stopped:
        raise InputError(f"the fork stopped: {stopped}; fork again once that is mended") from stopped
    fork.append(*told)
    return told, purse.bill().total


app = CommandLine()


@app.command()
def main(
    run: Annotated[Path, typer.Argument(help="Run folder.")],
    session: Annotated[str, typer.Argument(help="Session id.")],
    epoch: Annotated[int, typer.Option(min=0, help="Which of the times it was run.")] = 0,
    turn: Annotated[int | None, typer.Option(min=0, help="Fork before this turn: live from there.")] = None,
    model: Annotated[str | None, typer.Option(help="Model of the fork; default: the run's own.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Where that model is served.")] = None,
    key_variable: Annotated[str | None, typer.Option(help="Variable of its key.")] = None,
    models: Annotated[Path | None, typer.Option(help="A file in place of configs/models.yaml.")] = None,
    budget: Annotated[float | None, typer.Option(min=0, max=1e9, help="Dollars of the fork.")] = None,
    output: Annotated[Path, typer.Option(help="Where the folder of a fork goes.")] = Path("runs"),
    include_phi: Annotated[bool, typer.Option(help="Print text of real records.")] = False,
) -> None:
    """Walk a session again from its journal, or fork it before a turn."""
    console = Console()
    with exits_on_bad_input():
        set_tracing(on=False)
        environment = Settings.read()
        folder, manifest = RunFolder(run), read_manifest(run)
        if manifest.regrade is not None:
            raise InputError(
                f"{run} only judges again what {manifest.regrade.run_id} did: replay {manifest.regrade.path} instead"
            )
        recorded = _recorded(folder, session, epoch)
        if turn is None and (model or base_url or models or budget is not None):
            raise InputError("--model and its kin go with --turn: a replay calls no model")
        settings = manifest.settings if turn is None else _forked(manifest.settings, model, base_url)
        if models is not None:
            settings = settings.model_copy(update={"models": str(models.resolve())})
        if key_variable is not None:
            settings = settings.model_copy(update={"key_variable": key_variable})
        warehouse, benchmark = open_data(settings, environment.cache_dir)
        with warehouse:
            one = benchmark.session(session)
            if turn is None:
                ward = Ward.open(warehouse, benchmark, settings, lambda _: "a replay calls nobody")
                unchanged(manifest, make_manifest(ward))
                told = replayed(ward, folder, one, epoch)
            else:
                ward = Ward.open(warehouse, benchmark, settings, environment.api_key)
                for served in ward.served if budget is not None else ():
                    priced(served, "--budget")
                before = _before(recorded[1], turn, one)
                fork = RunFolder.create(output, _fork_manifest(ward, manifest, session, turn))
                told, spent = forked(ward, fork, one, before, RunLimits(usd=budget))
    _print(console, told, show_text=include_phi or manifest.cohort is Cohort.SYNTHETIC)
    if turn is not None:
        console.print(f"forked before turn {turn} into {fork.path}", markup=False, soft_wrap=True)
        console.print(
            f"{counted(spent.calls, 'call')}, {spent.tokens:,} tokens, {dollars(spent.usd)}", markup=False
        )
    elif (differs := difference(recorded, told)) is not None:
        console.print(f"differs from the record: {differs}", markup=False)
        raise typer.Exit(DIFFERS)
    else:
        console.print("the same as recorded; no model was called", markup=False)


def _recorded(folder: RunFolder, session: str, epoch: int) -> Told:
    results = {(result.session_id, result.epoch): result for result in folder.results()}
    records = {(record.session_id, record.epoch): record for record in folder.records()}
    for place, result in results.items():
        if place == (session, epoch):
            return result, records[place]
    which = f" in epoch {epoch}" if epoch else ""
    there = list(dict.fromkeys(name for name, _ in results))
    more = f" and {len(there) - NAMED} more" if len(there) > NAMED else ""
    held = f", but {', '.join(there[:NAMED])}{more}" if there else ": finish it with --resume first"
    raise InputError(f"{folder.path} holds no finished session {session!r}{which}{held}")


def _forked(settings: RunSettings, model: str | None, base_url: str | None) -> RunSettings:
    """Give the settings of a fork: another model brings its own address and key, the same keeps them."""
    settings = settings.model_copy(update={"epochs": 1})
    if model is None and base_url is None:
        return settings
    if model is None or model == settings.model:
        return settings.model_copy(update={"base_url": base_url or settings.base_url})
    fresh = {"model": model, "base_url": base_url, "key_variable": None, "thinking": None, "model_seed": None}
    return settings.model_copy(update=fresh)


def _before(record: SessionRecord, turn: int, session: Session) -> tuple[TurnRecord, ...]:
    if turn >= len(session.turns):
        raise InputError(f"--turn {turn}: the session has turns 0 to {len(session.turns) - 1}")
    if turn > len(record.turns):
        raise InputError(f"--turn {turn}: the recorded session broke off after turn {len(record.turns) - 1}")
    return record.turns[:turn]


def _fork_manifest(ward: Ward, of: RunManifest, session: str, turn: int) -> RunManifest:
    """Give the manifest of a fork; the turns before it must stand on the same records, sessions and tools."""
    now = make_manifest(ward)
    if changed := [name for name in STOOD_ON if getattr(of, name) != getattr(now, name)]:
        raise InputError(
            f"{of.run_id} cannot be forked: {', '.join(changed)} changed since; fork it on what it was run on, "
            "or run it anew"
        )
    fork = Fork(run_id=of.run_id, session_id=session, turn=turn)
    name = f"{now.run_id}-fork-{turn}-{datetime.now(UTC):%f}"
    return now.model_copy(update={"run_id": name, "planned": 1, "fork": fork})


def _print(console: Console, told: Told, *, show_text: bool) -> None:
    result, record = told
    for turn, outcome in zip(record.turns, result.turns, strict=False):
        end = outcome.outcome
        score = f"{end.score:.2f}" if end.kind == "scored" else end.kind
        console.print(
            f"turn {turn.index} · {outcome.task_type} · {turn.termination} · {score}",
            style="bold",
            markup=False,
        )
        if show_text:
            console.print(f"  physician: {turn.question}", markup=False, highlight=False)
        for step in turn.steps:
            if step.fault is not None:
                console.print(f"  fault: {step.fault}", markup=False)
            for call in step.calls:
                arguments = f" {call.arguments}" if show_text else ""
                console.print(f"  {call.name}{arguments}{'' if call.ok else ' (refused)'}", markup=False)
        if show_text:
            console.print(f"  doctor: {turn.answer}", markup=False, highlight=False)


if __name__ == "__main__":
    app()
