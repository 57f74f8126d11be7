"""Holding a run from the command line: its progress, its limits, what it cost, and how it is gone on with."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from agents.gateway import Gateway
from agents.purse import Purse
from graphs.estimate import estimate
from graphs.run_folder import RunFolder
from graphs.run_sessions import run_sessions
from graphs.run_workers import RunPlan, run_in_workers
from graphs.spending import against_estimate, price_note, spending_table
from graphs.ward import Ward
from state.bill import Bill
from state.journal import Place

ESTIMATE, BILL = "estimate.json", "bill.json"


@dataclass(frozen=True)
class RunClose:
    """How a run came to its end: why it stopped before, and what there is to say of its cost."""

    stopped: str | None
    notes: tuple[str, ...]


def say_estimate(console: Console, ward: Ward) -> None:
    """Print what a run would take, without a call."""
    if ward.examinee is None:
        console.print(f"{ward.settings.model} is a program of the product: no model is called", markup=False)
        return
    expected = estimate(ward, ward.examinee)
    console.print(spending_table(expected, f"{len(ward.planned)} sessions, expected"))
    console.print(
        "expected: the gold path, without reasoning; a model that looks around takes more", markup=False
    )
    console.print(price_note(ward.examinee.price), markup=False, soft_wrap=True)


def hold(console: Console, ward: Ward, folder: RunFolder, plan: RunPlan) -> RunClose:
    """Run the sessions of a folder as planned; Ctrl-C says how to go on."""
    expected = _expected(ward, folder)

    def missed(place: Place, changed: str) -> None:
        console.print(
            f"paid again: {place.session_id} turn {place.turn} call {place.step}, changed: {changed}",
            markup=False,
        )

    try:
        with _progress(console) as progress:
            task = progress.add_task("sessions", total=len(ward.planned) * ward.settings.epochs)
            run = _run_here if plan.workers == 1 else run_in_workers
            stopped = run(ward, folder, plan, lambda: progress.advance(task), missed)
    except KeyboardInterrupt:
        typer.echo(f"go on with {resume_line(folder)}", err=True)
        raise
    if ward.examinee is None or expected is None:
        return RunClose(stopped, ())
    purse = Purse(plan.limits, time.monotonic)
    for entry in folder.journal().entries():
        purse.count(entry)
    bill = purse.bill()
    folder.write_record(BILL, bill)
    return RunClose(stopped, (against_estimate(bill, expected), price_note(ward.examinee.price)))


def _run_here(
    ward: Ward,
    folder: RunFolder,
    plan: RunPlan,
    on_done: Callable[[], None],
    on_miss: Callable[[Place, str], None],
) -> str | None:
    """Run the sessions in this process."""
    other = None if plan.replies_from is None else RunFolder(plan.replies_from)
    gateway = Gateway(
        folder.journal([other] if other is not None else ()),
        Purse(plan.limits, time.monotonic),
        key_of=ward.key,
        on_miss=on_miss if plan.why_miss else None,
    )
    return asyncio.run(run_sessions(ward, folder, plan.concurrency, on_done, gateway))


def resume_line(folder: RunFolder) -> str:
    """Give the command that goes on with a run."""
    return f"python -m graphs.evaluate --resume {folder.path}"


def _expected(ward: Ward, folder: RunFolder) -> Bill | None:
    """Work out what the run will take before its first call; a resumed run keeps what was worked out then."""
    if ward.examinee is None:
        return None
    expected = folder.read_record(ESTIMATE, Bill)
    if expected is None:
        expected = estimate(ward, ward.examinee)
        folder.write_record(ESTIMATE, expected)
    return expected


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    )
