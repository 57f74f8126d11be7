"""Holding a run from the command line: its progress, its limits, what it cost, and how it is gone on with."""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from agents.gateway import Gateway
from agents.purse import Purse
from graphs.estimate import estimate
from graphs.regrade import regrade
from graphs.run_folder import RunFolder, resume_line
from graphs.run_sessions import run_sessions
from graphs.run_workers import RunPlan, run_in_workers
from graphs.spending import against_estimate, billed, price_note, spending_table
from graphs.ward import Ward
from state.bill import Bill
from state.journal import Place
from tools.cli import aside
from tools.counted import counted

ESTIMATE, BILL = "estimate.json", "bill.json"


@dataclass(frozen=True)
class RunClose:
    """How a run came to its end: why it stopped before, and what there is to say of its cost."""

    stopped: str | None
    notes: tuple[str, ...]


def say_estimate(console: Console, ward: Ward) -> None:
    """Print what a run would take, without a call."""
    if not ward.served:
        console.print(f"{ward.settings.model} is a program of the product: no model is called", markup=False)
        return
    console.print(spending_table(estimate(ward), f"{counted(len(ward.planned), 'session')}, expected"))
    if ward.examinee is not None:
        console.print(
            "expected: the gold path, without reasoning; a model that looks around takes more", markup=False
        )
    if ward.patient is not None:
        console.print(
            "patient: the questions gold asks, each understood at once; words that the guard refuses are a call more",
            markup=False,
        )
    if ward.panel.seats:
        console.print(
            "judges: the cross-checks only; each item that code leaves undecided is a call of each judge more",
            markup=False,
        )
    for line in _prices(ward):
        console.print(line, markup=False, soft_wrap=True)


def hold(
    console: Console, ward: Ward, folder: RunFolder, plan: RunPlan, source: RunFolder | None = None
) -> RunClose:
    """Run the sessions of a folder as planned, or judge those of ``source``; Ctrl-C says how to go on."""
    expected = None if source is not None else _expected(ward, folder)

    def missed(place: Place, changed: str) -> None:
        console.print(
            f"paid again: {place.session_id} turn {place.turn} call {place.step}, changed: {changed}",
            markup=False,
        )

    try:
        with _progress(console) as progress:
            task = progress.add_task("sessions", total=len(ward.planned) * ward.settings.epochs)
            advance = partial(progress.advance, task)
            if plan.workers == 1 or source is not None:
                stopped = _run_here(ward, folder, plan, advance, missed, source)
            else:
                stopped = run_in_workers(ward, folder, plan, advance, missed, aside)
    except KeyboardInterrupt:
        typer.echo(f"go on with {resume_line(folder)}", err=True)
        raise
    if not ward.served:
        return RunClose(stopped, ())
    purse = Purse(plan.limits, time.monotonic)
    for entry in folder.journal().entries():
        purse.count(entry)
    bill = purse.bill()
    folder.write_record(BILL, bill)
    cost = billed(bill) if expected is None else against_estimate(bill, expected)
    return RunClose(stopped, (cost, *_prices(ward)))


def _prices(ward: Ward) -> Iterator[str]:
    """Say what each model's cost rests on; by its name where there are several."""
    for served in ward.served:
        yield (
            f"{served.name}: {price_note(served.price)}" if len(ward.served) > 1 else price_note(served.price)
        )


def _run_here(
    ward: Ward,
    folder: RunFolder,
    plan: RunPlan,
    on_done: Callable[[], None],
    on_miss: Callable[[Place, str], None],
    source: RunFolder | None,
) -> str | None:
    """Run the sessions in this process, or judge those of ``source``."""
    other = None if plan.replies_from is None else RunFolder(plan.replies_from)
    gateway = Gateway(
        folder.journal([other] if other is not None else ()),
        Purse(plan.limits, time.monotonic),
        key_of=ward.key,
        on_miss=on_miss if plan.why_miss else None,
        on_silence=aside,
    )
    running = (
        run_sessions(ward, folder, plan.concurrency, on_done, gateway)
        if source is None
        else regrade(ward, source, folder, plan.concurrency, on_done, gateway)
    )
    return asyncio.run(running)


def _expected(ward: Ward, folder: RunFolder) -> Bill | None:
    """Work out what the run will take before its first call; a resumed run keeps what was worked out then."""
    if not ward.served:
        return None
    expected = folder.read_record(ESTIMATE, Bill)
    if expected is None:
        expected = estimate(ward)
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
