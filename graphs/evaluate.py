"""Evaluate a doctor: ``python -m graphs.evaluate``. Runs sessions, keeps a run folder, prints the closing table."""

import asyncio
import re
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
from graphs.embedded import demo_benchmark, synthetic_warehouse
from graphs.run_folder import RunFolder, read_manifest
from graphs.run_sessions import run_sessions
from graphs.ward import Ward
from state.base import GatePolicy, InputError, Language
from state.manifest import RunManifest, RunSettings
from tools.cli import exits_on_bad_input
from tools.ehr.warehouse import Warehouse
from tools.grading import GRADING_VERSION
from tools.interview.words import words_fingerprint
from tools.report import closing_table

VERSIONED = ("wardround", "langgraph", "langchain-core", "langchain-openai", "duckdb", "pydantic")


def open_data(settings: RunSettings, cache: Path) -> tuple[Warehouse, Benchmark]:
    """Open a warehouse and the sessions made from it; with neither given, the embedded ones."""
    if (settings.ehr is None) != (settings.sessions is None):
        raise InputError(
            "--ehr and --sessions go together: sessions are only good for the warehouse they came from"
        )
    if settings.ehr is None or settings.sessions is None:
        benchmark = demo_benchmark()
        return synthetic_warehouse(cache, benchmark.manifest.warehouse), benchmark
    return Warehouse.open(Path(settings.ehr)), read_benchmark(Path(settings.sessions))


def make_manifest(ward: Ward) -> RunManifest:
    """Write down what this run measures, with what."""
    started, settings = datetime.now(UTC), ward.settings
    return RunManifest(
        run_id=_run_id(started, settings),
        started=started,
        settings=settings,
        offline=is_offline(settings.model),
        cohort=ward.warehouse.cohort,
        gate=GatePolicy.STRICT,
        planned=len(ward.planned),
        benchmark=ward.benchmark.fingerprint,
        warehouse=ward.warehouse.fingerprint,
        prompts=prompts_fingerprint(),
        vocabulary=ward.vocabulary.fingerprint,
        patient_words=words_fingerprint(),
        grading_version=GRADING_VERSION,
        versions={name: version(name) for name in VERSIONED},
    )


def _run_id(started: datetime, settings: RunSettings) -> str:
    """Name a run by the millisecond it started, model and language; a model's name is not trusted as a path."""
    model = re.sub(r"[^A-Za-z0-9.]+", "-", settings.model).strip("-.")
    return f"{started:%Y%m%dT%H%M%S}{started.microsecond // 1000:03}-{model}-{settings.language}"


def unchanged(earlier: RunManifest, now: RunManifest) -> RunManifest:
    """Return the earlier manifest if nothing that matters to the figures has changed since."""
    same = {"run_id": earlier.run_id, "started": earlier.started, "versions": earlier.versions}
    was, is_now = earlier.model_dump(), now.model_copy(update=same).model_dump()
    if changed := [name for name in was if was[name] != is_now[name]]:
        raise InputError(
            f"this run cannot be resumed: {', '.join(changed)} changed since it began; start a new run"
        )
    return earlier


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    ehr: Annotated[
        Path | None, typer.Option(help="Warehouse; default: the embedded synthetic cohort.")
    ] = None,
    sessions: Annotated[Path | None, typer.Option(help="Directory of python -m graphs.generate.")] = None,
    model: Annotated[str, typer.Option(help="The doctor under test, provider/name.")] = "offline/baseline",
    base_url: Annotated[str | None, typer.Option(help="Endpoint of an openai-compatible/NAME model.")] = None,
    key_variable: Annotated[str, typer.Option(help="Variable that holds its key.")] = "WARDROUND_API_KEY",
    judge: Annotated[str, typer.Option(help="The judge, provider/name.")] = "offline/rules",
    language: Annotated[Language, typer.Option(help="Language of the session.")] = Language.EN,
    explicit: Annotated[bool, typer.Option(help="Ask every question in full: the ablation.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N sessions.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Sessions at a time.")] = 8,
    output: Annotated[Path, typer.Option(help="Where run folders go.")] = Path("runs"),
    resume: Annotated[Path | None, typer.Option(help="Run folder to finish, with its own settings.")] = None,
    include_phi: Annotated[bool, typer.Option(help="Put text of real records into the report.")] = False,
    trace: Annotated[bool, typer.Option(help="Trace to LangSmith, inputs and outputs hidden.")] = False,
) -> None:
    """Put sessions to a doctor, turn by turn, and score them."""
    console = Console()
    with exits_on_bad_input():
        environment = Settings.read()
        if trace and environment.langsmith_key is None:
            raise InputError("--trace needs LANGSMITH_API_KEY in the environment or .env")
        set_tracing(on=trace)
        asked = RunSettings(
            model=model,
            base_url=base_url,
            key_variable=key_variable,
            judge=judge,
            language=language,
            explicit=explicit,
            ehr=None if ehr is None else str(ehr.resolve()),
            sessions=None if sessions is None else str(sessions.resolve()),
            limit=limit,
        )
        earlier = None if resume is None else read_manifest(resume)
        if earlier is not None and asked != RunSettings() and asked != earlier.settings:
            raise InputError("--resume goes on with the run's own settings: leave the other options out")
        settings = asked if earlier is None else earlier.settings
        warehouse, benchmark = open_data(settings, environment.cache_dir)
        with warehouse:
            ward = Ward.open(warehouse, benchmark, settings, environment.api_key(settings.key_variable))
            now = make_manifest(ward)
            manifest = now if earlier is None else unchanged(earlier, now)
            folder = RunFolder.create(output, manifest) if resume is None else RunFolder(resume)
            with _progress(console) as progress:
                task = progress.add_task("sessions", total=len(ward.planned))
                asyncio.run(run_sessions(ward, folder, concurrency, on_done=lambda: progress.advance(task)))
            metrics = close_run(ward, folder, manifest, include_phi=include_phi)
    console.print(closing_table(metrics, manifest))
    console.print(f"report: {folder.report}", markup=False)


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    )


if __name__ == "__main__":
    app()
