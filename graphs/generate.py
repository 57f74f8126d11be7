"""Generate sessions: ``python -m graphs.generate``. Finds rule matches and proves a session from each."""

import operator
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from typing_extensions import TypedDict

from agents.arcs import SESSIONS_A_SCENARIO
from agents.checks.reader import RULES
from agents.prompts import prompts_fingerprint
from agents.purse import RunLimits
from configs.settings import set_tracing
from graphs.benchmark import make_folder, refuse_overwrite, write_benchmark, write_lines, write_record
from graphs.coverage import coverage_table, scan_table, unmatchable
from graphs.generation_calls import (
    CallPlan,
    GenerationCalls,
    GenerationStopped,
    interruptible,
    plan_calls,
)
from graphs.generation_journal import GenerationJournal
from graphs.generation_report import report, report_table, shortfall_lines, wording_lines
from graphs.slot import Json, build_slot_graph
from graphs.slot_workers import SlotWorkers
from graphs.spending import billed, price_note, spending_table
from graphs.verify import verify
from graphs.workshop import TEMPLATES, Workshop
from state.base import GatePolicy, InputError
from state.generation import Attempt, GenerationCommand, Tried
from state.manifest import BenchmarkManifest
from state.models import ModelChoice
from state.session import Scenario
from state.wordings import Voice
from tools.cli import CommandLine, exits_on_bad_input
from tools.clinical.rules import knowledge_fingerprint
from tools.counted import counted
from tools.ehr.warehouse import Warehouse
from tools.wording import wording_fingerprint

LOG = "generation.jsonl"
REPORT = "generation_report.json"
SUPERSTEPS_A_CANDIDATE = 3
SUPERSTEPS_OF_A_SLOT = 64
"""The stages of a candidate, some again for each rewording: the graph of a slot runs under the same limit."""
STOPPED = 3
"""Exit code where a model can be asked no more, or a limit is reached."""
LARGE_SET = 24
"""Sessions from which on it pays to start processes."""


class GenerateState(TypedDict, total=False):
    """How many sessions are wanted, and how each candidate tried for a slot ended (Attempt dumps)."""

    wanted: int
    attempts: Annotated[list[Json], operator.add]


class GenerateNodes:
    """The nodes of the generate graph, on one workshop."""

    def __init__(self, workshop: Workshop) -> None:
        self.workshop = workshop

    def scan(self, state: GenerateState) -> GenerateState:
        """Match all rules over the whole warehouse."""
        return {"wanted": min(state["wanted"], len(self.workshop.slots))}

    def deal(self, state: GenerateState) -> Command[Any]:
        """Deal each slot that is not filled a candidate, until all are or none is left to try."""
        attempts = state.get("attempts", [])
        filled = [(a["slot"], a["candidate"]) for a in attempts if a["accepted"]]
        failed = [(a["slot"], a["candidate"]) for a in attempts if not a["accepted"]]
        dealt = self.workshop.casting(state["wanted"]).deal(filled, failed)
        if not dealt:
            return Command(goto=END)
        return Command(goto=[Send("slot", {"slot": slot, "candidate": match}) for slot, match in dealt])


def build_generate_graph(workshop: Workshop) -> StateGraph[GenerateState, None, GenerateState, GenerateState]:
    """Build the graph that fills a set; the caller compiles it."""
    nodes = GenerateNodes(workshop)
    return (
        StateGraph(GenerateState)
        .add_node("scan", nodes.scan)
        .add_node("deal", nodes.deal, destinations=("slot", END))
        .add_node("slot", build_slot_graph(workshop).compile(name="slot"))
        .add_edge(START, "scan")
        .add_edge("scan", "deal")
        .add_edge("slot", "deal")
    )


def generate(
    workshop: Workshop,
    wanted: int,
    out: Path,
    *,
    overwrite: bool = False,
    workers: int = 1,
    concurrency: int = 8,
    told: Callable[[Tried], None] = lambda _: None,
) -> list[Attempt]:
    """Fill ``out`` with up to ``wanted`` sessions, gold, plans, a manifest, the generation log and its report.

    Returns every attempt, by slot in the order tried. The same warehouse, rules and seed give the same bytes, also
    where an earlier run of the same command was killed: what it finished is taken from its journal. Templates word in
    ``workers`` processes; a model is asked for ``concurrency`` sessions at a time, in this one. ``told`` hears of each
    candidate that ends. InputError when no session at all could be made; the log is written even then.
    GenerationStopped when a model can be asked no more.
    """
    refuse_overwrite(out, overwrite=overwrite)
    graph = build_generate_graph(workshop).compile(name="generate")
    limit = SUPERSTEPS_OF_A_SLOT + SUPERSTEPS_A_CANDIDATE * len(workshop.candidates)
    make_folder(out)
    journal = GenerationJournal(out, _command(workshop, wanted))
    journal.open(workshop, overwrite=overwrite)
    for tried in workshop.tried.values():
        told(tried)
    workshop.keep = _both(journal.keep, told)
    at_a_time = concurrency if workshop.calls is not None else 2 * workers
    with _staffed(workshop, workers):
        end = graph.invoke({"wanted": wanted}, {"recursion_limit": limit, "max_concurrency": at_a_time})
    attempts = sorted((Attempt.model_validate(a) for a in end.get("attempts", [])), key=lambda a: a.slot)
    proven = [workshop.finished[attempt.slot] for attempt in attempts if attempt.accepted]
    write_lines(out / LOG, attempts)
    worded = [note for one in proven for note in one.worded]
    write_record(out / REPORT, report(attempts, wanted, worded))
    if not proven:
        raise InputError(
            f"no session could be made under the gate {workshop.gate.value}: {len(workshop.candidates)} rule matches "
            f"in {workshop.warehouse.path}, all rejected; the reasons are in {out / LOG}"
        )
    if worded and all(note.voice is Voice.TEMPLATE for note in worded):
        raise InputError(
            f"no wording of {workshop.model} passed the checkers, so this would be a set of templates under its name: "
            f"nothing is written; the reasons are in {out / REPORT}; name another --model and pass --overwrite"
        )
    manifest = BenchmarkManifest(
        cohort=workshop.warehouse.cohort,
        warehouse=workshop.warehouse.fingerprint,
        knowledge=knowledge_fingerprint(),
        vocabulary=workshop.vocabulary.fingerprint,
        wording=wording_fingerprint(workshop.languages),
        scenarios=tuple(scenario.value for scenario in workshop.scenarios),
        sessions=len(proven),
        seed=workshop.seed,
        model=workshop.model,
        gate=workshop.gate,
        **_asked_with(workshop),
    )
    write_benchmark(
        out,
        [p.session for p in proven],
        [p.gold for p in proven],
        [p.plan for p in proven],
        manifest,
        [p.patient for p in proven if p.patient is not None],
        worded,
    )
    journal.close()
    return attempts


@contextmanager
def _staffed(workshop: Workshop, workers: int) -> Iterator[None]:
    """Have candidates tried in processes of their own, or here, with the models at hand that are asked."""
    if workshop.calls is not None:
        with GenerationCalls(workshop.calls) as calls, interruptible(calls.stop):
            workshop.ask = calls.ask
            yield
    elif workers > 1:
        with SlotWorkers(workshop, workers) as others, interruptible(others.kill):
            workshop.elsewhere = others.attempt
            yield
    else:
        yield


def _both(keep: Callable[[Tried], None], told: Callable[[Tried], None]) -> Callable[[Tried], None]:
    def kept(tried: Tried) -> None:
        keep(tried)
        told(tried)

    return kept


def _command(workshop: Workshop, wanted: int) -> GenerationCommand:
    return GenerationCommand(
        warehouse=workshop.warehouse.fingerprint,
        knowledge=knowledge_fingerprint(),
        vocabulary=workshop.vocabulary.fingerprint,
        wording=wording_fingerprint(workshop.languages),
        scenarios=workshop.scenarios,
        sessions=wanted,
        seed=workshop.seed,
        gate=workshop.gate,
        model=workshop.model,
        **_asked_with(workshop),
    )


def _asked_with(workshop: Workshop) -> dict[str, Any]:
    """Give what models were asked with; nothing where none was."""
    plan, asked = workshop.calls or CallPlan(Path()), dict[str, Any]()
    if plan.physician is not None:
        asked |= {"prompts": prompts_fingerprint("physician"), "parameters": plan.physician.parameters}
    if plan.checker is not None:
        asked |= {
            "checker": plan.checker.name,
            "checker_prompts": prompts_fingerprint("reader"),
            "checker_parameters": plan.checker.parameters,
        }
    return asked


def _planned(
    out: Path, physician: ModelChoice, checker: ModelChoice, models: Path | None, limits: RunLimits
) -> CallPlan | None:
    """Plan the calls of models; None where none is called, and an option of one is then an InputError."""
    if physician.name == TEMPLATES and physician != ModelChoice(name=TEMPLATES):
        raise InputError(f"{TEMPLATES} call no model: options of a model go with --model provider/name")
    if checker.name == RULES and checker != ModelChoice(name=RULES):
        raise InputError(f"{RULES} call no model: options of a checker go with --checker-model provider/name")
    if physician.name == TEMPLATES and checker.name == RULES:
        if limits != RunLimits():
            raise InputError(
                f"{TEMPLATES} and {RULES} call no model: limits go with --model or --checker-model provider/name"
            )
        return None
    return plan_calls(
        out,
        None if physician.name == TEMPLATES else physician,
        None if checker.name == RULES else checker,
        models,
        limits,
    )


@contextmanager
def _progress(console: Console, wanted: int) -> Iterator[Callable[[Tried], None]]:
    """Show how many sessions stand; what it gives is to hear of each candidate that ends."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task("scanning the warehouse", total=wanted)
        yield lambda tried: bars.update(task, description="sessions", advance=int(tried.attempt.accepted))


@contextmanager
def _stops(console: Console, out: Path | None) -> Iterator[None]:
    """End the command where a model can be asked no more; say what the set in ``out`` took, and how it goes on."""
    try:
        yield
    except GenerationStopped as stopped:
        console.print(
            f"stopped: {stopped}; nothing that was answered is lost: the same command goes on",
            markup=False,
            soft_wrap=True,
        )
        if out is not None:
            console.print(billed(CallPlan(out).bill()), markup=False)
        raise typer.Exit(STOPPED) from stopped


app = CommandLine()
Ehr = Annotated[Path, typer.Option(help="Warehouse made by python -m tools.ehr.")]
Scenarios = Annotated[list[Scenario], typer.Option(help="Scenarios; all where none is named.")]


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    ehr: Annotated[Path | None, typer.Option(help="Warehouse made by python -m tools.ehr.")] = None,
    out: Annotated[Path | None, typer.Option(help="Directory for the set and its log.")] = None,
    scenarios: Scenarios = list(Scenario),  # noqa: B006
    n: Annotated[int, typer.Option(min=1, help="Sessions wanted.")] = 8,
    all_: Annotated[bool, typer.Option("--all", help="The full set: 81 sessions a scenario.")] = False,
    overwrite: Annotated[bool, typer.Option(help="Replace the sessions in --out.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of every choice.")] = 7,
    gate: Annotated[
        GatePolicy, typer.Option(help="What counts as known; physassistbench shows the future too.")
    ] = GatePolicy.STRICT,
    model: Annotated[str, typer.Option(help="Who words the questions; provider/name.")] = TEMPLATES,
    base_url: Annotated[
        str | None, typer.Option(help="Where it is served, if not where its provider is.")
    ] = None,
    key_variable: Annotated[
        str | None, typer.Option(help="Variable of its key, if not its provider's.")
    ] = None,
    models: Annotated[Path | None, typer.Option(help="A file in place of configs/models.yaml.")] = None,
    thinking: Annotated[bool | None, typer.Option("--thinking/--no-thinking", help="Switch it.")] = None,
    budget: Annotated[
        float | None, typer.Option(min=0, max=1e9, help="Dollars of the set; it stops before.")
    ] = None,
    run_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens of the set.")] = None,
    run_calls: Annotated[int | None, typer.Option(min=1, help="Model calls of the set.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Sessions a model words or reads at a time.")] = 8,
    checker_model: Annotated[
        str, typer.Option(help="Code alone checks, or provider/name reads what code has accepted.")
    ] = RULES,
    checker_base_url: Annotated[
        str | None, typer.Option(help="Where it is served, if not where its provider is.")
    ] = None,
    checker_key_variable: Annotated[
        str | None, typer.Option(help="Variable of its key, if not its provider's.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, help="Processes to work in, without a model; by default one a core for a large set."
        ),
    ] = None,
) -> None:
    """Generate sessions with executable gold from rule matches in a warehouse."""
    if context.invoked_subcommand is not None:
        return
    set_tracing(on=False)
    console = Console()
    with exits_on_bad_input(), _stops(console, out):
        if ehr is None or out is None:
            raise InputError("say what to generate from and where to: --ehr FILE --out DIR")
        refuse_overwrite(out, overwrite=overwrite)
        choice = ModelChoice(name=model, base_url=base_url, key_variable=key_variable, thinking=thinking)
        limits = RunLimits(usd=budget, tokens=run_tokens, calls=run_calls)
        checker = ModelChoice(
            name=checker_model, base_url=checker_base_url, key_variable=checker_key_variable
        )
        calls = _planned(out, choice, checker, models, limits)
        if calls is not None and workers is not None:
            raise InputError(
                "--workers is for sets that no model words or reads; with a model give --concurrency"
            )
        chosen = tuple(dict.fromkeys(scenarios))
        wanted = SESSIONS_A_SCENARIO * len(chosen) if all_ else n
        large = wanted >= LARGE_SET and calls is None
        crew = workers or (os.cpu_count() or 1 if large else 1)
        with Warehouse.open(ehr) as warehouse, _progress(Console(stderr=True), wanted) as told:
            workshop = Workshop(warehouse, chosen, seed, gate, calls=calls)
            attempts = generate(
                workshop, wanted, out, overwrite=overwrite, workers=crew, concurrency=concurrency, told=told
            )
            proven = [workshop.finished[slot] for slot in sorted(workshop.finished)]
            unmatched = unmatchable(warehouse, workshop.rules.values())
    console.print(coverage_table(proven, attempts, wanted, len(workshop.candidates)))
    worded = [note for one in proven for note in one.worded]
    counted = report(attempts, wanted, worded)
    console.print(report_table(counted))
    for line in wording_lines(counted.wording, model) if counted.wording is not None else ():
        console.print(line, markup=False)
    if calls is not None:
        console.print(spending_table(calls.bill(), "calls"))
        for served in calls.models:
            console.print(f"{served.name}: {price_note(served.price)}", markup=False)
    for line in (*unmatched, *shortfall_lines(workshop.layout, workshop.slots, attempts, wanted)):
        console.print(line, markup=False, soft_wrap=True)
    console.print(f"written to {out}; all reasons in {out / LOG}", markup=False)


@app.command("scan")
def scan_command(ehr: Ehr, scenarios: Scenarios = list(Scenario)) -> None:  # noqa: B006
    """Count the matches of every rule over a whole warehouse."""
    console = Console()
    with exits_on_bad_input(), Warehouse.open(ehr) as warehouse:
        workshop = Workshop(warehouse, tuple(dict.fromkeys(scenarios)), seed=0)
        started = perf_counter()
        matches = workshop.matches
        seconds = perf_counter() - started
        console.print(scan_table(tuple(workshop.rules.values()), matches, seconds))
        for line in unmatchable(warehouse, workshop.rules.values()):
            console.print(line, markup=False)


@app.command("verify")
def verify_command(
    folder: Annotated[Path, typer.Argument(help="Directory of a set.")],
    ehr: Ehr,
) -> None:
    """Prove every session of a set again, from its plan and the warehouse it was made from."""
    console = Console()
    with exits_on_bad_input(), Warehouse.open(ehr) as warehouse:
        faults = verify(folder, warehouse)
    for fault in faults:
        console.print(fault, markup=False)
    console.print(counted(len(faults), "fault") if faults else "every session holds", markup=False)
    raise typer.Exit(1 if faults else 0)


if __name__ == "__main__":
    app()
