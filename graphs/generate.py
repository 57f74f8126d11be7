"""Generate sessions: ``python -m graphs.generate``. Finds rule matches and proves a session from each."""

import operator
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send
from rich.console import Console
from rich.table import Table
from typing_extensions import TypedDict

from configs.settings import set_tracing
from graphs.benchmark import make_folder, refuse_overwrite, write_benchmark, write_lines
from graphs.slot import Json, build_slot_graph
from graphs.workshop import Workshop
from state.base import GatePolicy, InputError, Language
from state.generation import Attempt
from state.manifest import BenchmarkManifest
from state.session import Scenario
from tools.cli import exits_on_bad_input
from tools.clinical.rules import knowledge_fingerprint
from tools.ehr.warehouse import Warehouse
from tools.wording import load_wordings

TEMPLATES = "offline/templates"
LOG = "generation.jsonl"
SUPERSTEPS_A_CANDIDATE = 3


class GenerateState(TypedDict, total=False):
    """How many sessions are wanted and found, how many candidates were dealt, and how each ended (Attempt dumps)."""

    wanted: int
    dealt: int
    attempts: Annotated[list[Json], operator.add]


class GenerateNodes:
    """The nodes of the generate graph, on one workshop."""

    def __init__(self, workshop: Workshop) -> None:
        self.workshop = workshop

    def scan(self, state: GenerateState) -> GenerateState:
        """Match all rules over the whole warehouse."""
        return {"wanted": min(state["wanted"], len(self.workshop.candidates)), "dealt": 0}

    def deal(self, state: GenerateState) -> Command[Any]:
        """Deal as many candidates as sessions are still missing, each to a slot of its own."""
        accepted = sum(attempt["accepted"] for attempt in state.get("attempts", []))
        first, missing = state["dealt"], state["wanted"] - accepted
        batch = range(first, min(first + missing, len(self.workshop.candidates)))
        if not batch:
            return Command(goto=END)
        return Command(goto=[Send("slot", {"candidate": c}) for c in batch], update={"dealt": batch.stop})


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


def generate(workshop: Workshop, wanted: int, out: Path, *, overwrite: bool = False) -> list[Attempt]:
    """Fill ``out`` with up to ``wanted`` sessions, their gold, a manifest and the generation log.

    Returns every attempt in the order tried. The same warehouse, rules and seed give the same bytes. InputError when
    no session at all could be made; the log is written even then.
    """
    refuse_overwrite(out, overwrite=overwrite)
    graph = build_generate_graph(workshop).compile(name="generate")
    limit = SUPERSTEPS_A_CANDIDATE * (len(workshop.candidates) + 1)
    end = graph.invoke({"wanted": wanted}, {"recursion_limit": limit})
    attempts = sorted((Attempt.model_validate(a) for a in end.get("attempts", [])), key=lambda a: a.candidate)
    finished = [workshop.finished[attempt.candidate] for attempt in attempts if attempt.accepted]
    make_folder(out)
    write_lines(out / LOG, attempts)
    if not finished:
        raise InputError(
            f"no session could be made under the gate {workshop.gate.value}: {len(workshop.candidates)} rule matches "
            f"in {workshop.warehouse.path}, all rejected; the reasons are in {out / LOG}"
        )
    manifest = BenchmarkManifest(
        cohort=workshop.warehouse.cohort,
        warehouse=workshop.warehouse.fingerprint,
        knowledge=knowledge_fingerprint(),
        vocabulary=workshop.vocabulary.fingerprint,
        wording=load_wordings(Scenario.MED_SAFETY, Language.EN).fingerprint,
        scenarios=tuple(scenario.value for scenario in workshop.scenarios),
        sessions=len(finished),
        seed=workshop.seed,
        model=TEMPLATES,
        gate=workshop.gate,
    )
    write_benchmark(out, [session for session, _ in finished], [gold for _, gold in finished], manifest)
    return attempts


def _report(attempts: Sequence[Attempt], wanted: int, candidates: int) -> Table:
    table = Table(
        title=f"{sum(a.accepted for a in attempts)} of {wanted} sessions, {candidates} rule matches"
    )
    for column in ("rule", "accepted", "rejected"):
        table.add_column(column, justify="left" if column == "rule" else "right")
    counts = Counter((attempt.rule_id, attempt.accepted) for attempt in attempts)
    for rule_id in sorted({attempt.rule_id for attempt in attempts}):
        table.add_row(rule_id, str(counts[rule_id, True]), str(counts[rule_id, False]))
    return table


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    ehr: Annotated[Path, typer.Option(help="Warehouse made by python -m tools.ehr.")],
    out: Annotated[Path, typer.Option(help="Directory for sessions.jsonl, gold.jsonl and the log.")],
    scenarios: Annotated[list[Scenario], typer.Option(help="Scenarios; only med_safety is built so far.")] = [  # noqa: B006
        Scenario.MED_SAFETY
    ],
    n: Annotated[int, typer.Option(min=1, help="Sessions wanted.")] = 8,
    overwrite: Annotated[bool, typer.Option(help="Replace the sessions in --out.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of every choice.")] = 7,
    gate: Annotated[
        GatePolicy, typer.Option(help="What counts as known; physassistbench shows the future too.")
    ] = GatePolicy.STRICT,
) -> None:
    """Generate sessions with executable gold from rule matches in a warehouse."""
    set_tracing(on=False)
    console = Console()
    with exits_on_bad_input():
        if unbuilt := [s.value for s in scenarios if s is not Scenario.MED_SAFETY]:
            raise InputError(f"scenario {unbuilt[0]!r} is not built yet: use med_safety")
        with Warehouse.open(ehr) as warehouse, console.status("scanning the warehouse"):
            workshop = Workshop(warehouse, tuple(dict.fromkeys(scenarios)), seed, gate)
            attempts = generate(workshop, n, out, overwrite=overwrite)
    console.print(_report(attempts, n, len(workshop.candidates)))
    rejected = Counter(f"{a.stage}: {a.reasons[0]}" for a in attempts if not a.accepted)
    for reason, count in rejected.most_common(5):
        console.print(f"rejected {count}: {reason}", markup=False)
    console.print(f"written to {out}; all reasons in {out / LOG}", markup=False)


if __name__ == "__main__":
    app()
