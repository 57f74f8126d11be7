"""Evaluate a doctor: ``python -m graphs.evaluate``. Runs sessions, keeps a run folder, prints the closing table."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from agents.doctors import is_offline
from agents.prompts import prompts_fingerprint
from configs.settings import Settings, set_tracing
from graphs.benchmark import Benchmark, read_benchmark
from graphs.close_run import close_run
from graphs.doctor import Limits
from graphs.embedded import demo_benchmark, synthetic_warehouse
from graphs.run_folder import RunFolder
from graphs.run_sessions import run_sessions
from graphs.ward import Ward
from state.base import GatePolicy, InputError, Language
from state.manifest import RunManifest
from tools.cli import exits_on_bad_input
from tools.ehr.warehouse import Warehouse
from tools.grading import GRADING_VERSION

VERSIONED = ("wardround", "langgraph", "langchain-core", "langchain-openai", "duckdb", "pydantic")


def open_data(ehr: Path | None, sessions: Path | None, settings: Settings) -> tuple[Warehouse, Benchmark]:
    """Open a warehouse and the sessions made from it; with neither given, the embedded ones."""
    if (ehr is None) != (sessions is None):
        raise InputError("--ehr and --sessions go together: sessions are only good for the warehouse they came from")
    if ehr is None or sessions is None:
        benchmark = demo_benchmark()
        return synthetic_warehouse(settings.cache_dir, benchmark.manifest.warehouse), benchmark
    return Warehouse.open(ehr), read_benchmark(sessions)


def make_manifest(ward: Ward, model: str, judge: str, planned: int, sessions: Path | None) -> RunManifest:
    """Write down what this run measures, with what."""
    started = datetime.now(UTC)
    return RunManifest(
        run_id=f"{started:%Y%m%dT%H%M%S}-{model.replace('/', '-')}-{ward.language}",
        started=started,
        model=model,
        judge=judge,
        language=ward.language,
        explicit=ward.explicit,
        offline=is_offline(model),
        cohort=ward.warehouse.cohort,
        gate=GatePolicy.STRICT,
        planned=planned,
        benchmark=ward.benchmark.fingerprint,
        warehouse=ward.warehouse.fingerprint,
        prompts=prompts_fingerprint(),
        vocabulary=ward.vocabulary.fingerprint,
        grading_version=GRADING_VERSION,
        tool_steps=ward.limits.tool_steps,
        turn_seconds=ward.limits.seconds,
        ehr=str(ward.warehouse.path.resolve()),
        sessions="embedded" if sessions is None else str(sessions.resolve()),
        versions={name: version(name) for name in VERSIONED},
    )


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    ehr: Annotated[Path | None, typer.Option(help="Warehouse; default: the embedded synthetic cohort.")] = None,
    sessions: Annotated[Path | None, typer.Option(help="Directory of python -m graphs.generate.")] = None,
    model: Annotated[str, typer.Option(help="The doctor under test, provider/name.")] = "offline/baseline",
    judge: Annotated[str, typer.Option(help="The judge, provider/name.")] = "offline/rules",
    language: Annotated[Language, typer.Option(help="Language of the session.")] = Language.EN,
    explicit: Annotated[bool, typer.Option(help="Ask every question in full: the ablation.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N sessions.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Sessions at a time.")] = 8,
    output: Annotated[Path, typer.Option(help="Where run folders go.")] = Path("runs"),
    resume: Annotated[Path | None, typer.Option(help="Run folder to finish; its own settings are used.")] = None,
    include_phi: Annotated[bool, typer.Option(help="Put patient text of real records into the report.")] = False,
    trace: Annotated[bool, typer.Option(help="Trace to LangSmith, inputs and outputs hidden.")] = False,
) -> None:
    """Put sessions to a doctor, turn by turn, and score them."""
    console = Console()
    with exits_on_bad_input():
        settings = Settings.read()
        if trace and settings.langsmith_key is None:
            raise InputError("--trace needs LANGSMITH_API_KEY in the environment or .env")
        set_tracing(on=trace)
        earlier = None
        if resume is not None:
            folder, earlier = RunFolder.reopen(resume)
            embedded = earlier.sessions == "embedded"
            ehr, sessions = (None, None) if embedded else (Path(earlier.ehr), Path(earlier.sessions))
            model, judge, language, explicit = earlier.model, earlier.judge, earlier.language, earlier.explicit
            limit = earlier.planned
        warehouse, benchmark = open_data(ehr, sessions, settings)
        with warehouse:
            ward = Ward.open(
                warehouse, benchmark, model=model, judge=judge, language=language, explicit=explicit, limits=Limits()
            )
            planned = benchmark.sessions[:limit]
            manifest = make_manifest(ward, model, judge, len(planned), sessions)
            if earlier is None:
                folder = RunFolder.create(output, manifest)
            else:
                manifest = _unchanged(earlier, manifest)
            with _progress(console) as progress:
                task = progress.add_task("sessions", total=len(planned))
                asyncio.run(
                    run_sessions(ward, planned, folder, concurrency, on_done=lambda: progress.advance(task))
                )
            console.print(close_run(ward, planned, folder, manifest, include_phi=include_phi))
    console.print(f"report: {folder.report}", markup=False)


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=console
    )


def _unchanged(earlier: RunManifest, now: RunManifest) -> RunManifest:
    """Return the earlier manifest if nothing that matters to the figures has changed since."""
    same = {"run_id": earlier.run_id, "started": earlier.started, "versions": earlier.versions}
    was, is_now = earlier.model_dump(), now.model_copy(update=same).model_dump()
    if changed := [name for name in was if was[name] != is_now[name]]:
        raise InputError(f"this run cannot be resumed: {', '.join(changed)} changed since it began; start a new run")
    return earlier


if __name__ == "__main__":
    app()
