"""Evaluate a doctor: ``python -m graphs.evaluate``. Runs sessions, keeps a run folder, prints the closing table."""

import re
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from agents.doctors import is_offline
from agents.models import priced
from agents.patient import TEMPLATES
from agents.prompts import prompts_fingerprint
from agents.purse import RunLimits
from configs.settings import Settings, set_tracing
from graphs.benchmark import Benchmark, read_benchmark
from graphs.close_run import close_run
from graphs.embedded import demo_benchmark, synthetic_warehouse
from graphs.hold_run import hold, say_estimate
from graphs.regrade import judged_by, regraded
from graphs.run_end import STOPPED, RunEnd
from graphs.run_folder import RunFolder, read_manifest, resume_line
from graphs.run_workers import RunPlan
from graphs.spending import causes
from graphs.ward import Roles, Ward
from state.base import GatePolicy, InputError, Language
from state.manifest import RunManifest, RunSettings
from tools.cli import CommandLine, exits_on_bad_input
from tools.ehr.warehouse import Warehouse
from tools.fhir.labels import labels_fingerprint
from tools.grading import GRADING_VERSION
from tools.grading.phrases import grading_fingerprint
from tools.interview.words import words_fingerprint
from tools.report import closing_table, judging_table
from tools.vocabulary import Vocabulary

UNSEALED = (
    "note: this set was made by a version that kept no digests of its files, so nobody can tell whether one was "
    "altered: prove it with python -m graphs.generate verify, or generate it again"
)
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
        gate=settings.gate,
        planned=len(ward.planned),
        benchmark=ward.benchmark.fingerprint,
        warehouse=ward.warehouse.fingerprint,
        prompts=prompts_fingerprint("doctor"),
        judge_prompts=prompts_fingerprint("judge") if ward.panel.seats else "",
        judge_parameters={seat.served.name: seat.served.parameters for seat in ward.panel.seats},
        patient_prompts="" if ward.patient is None else prompts_fingerprint("patient"),
        patient_parameters={} if ward.patient is None else ward.patient.parameters,
        vocabulary=ward.vocabulary.fingerprint,
        parameters={} if ward.examinee is None else ward.examinee.parameters,
        tools=ward.wire_tools.digest,
        patient_words=words_fingerprint(),
        labels=labels_fingerprint(),
        grading_words=grading_fingerprint(),
        grading_version=GRADING_VERSION,
        versions={name: version(name) for name in VERSIONED},
    )


def _run_id(started: datetime, settings: RunSettings) -> str:
    """Name a run by the millisecond it started, model and language; a model's name is not trusted as a path."""
    model = re.sub(r"[^A-Za-z0-9.]+", "-", settings.model).strip("-.")
    return f"{started:%Y%m%dT%H%M%S}{started.microsecond // 1000:03}-{model}-{settings.language}"


def unchanged(earlier: RunManifest, now: RunManifest) -> RunManifest:
    """Return the earlier manifest if nothing that matters to the figures has changed since; else say what has."""
    if earlier.fork is not None:
        raise InputError(
            f"{earlier.run_id} is a fork of one session: fork {earlier.fork.run_id} again instead"
        )
    same = {"run_id": earlier.run_id, "started": earlier.started, "versions": earlier.versions}
    was, is_now = earlier.model_dump(mode="json"), now.model_copy(update=same).model_dump(mode="json")
    changed = [
        f"{name} changed ({_short(was[name])} was, {_short(is_now[name])} is)"
        for name in was
        if was[name] != is_now[name]
    ]
    if changed:
        raise InputError(f"this run cannot be gone on with: {'; '.join(changed)}; start a new run")
    return earlier


def _short(value: object) -> str:
    """Write a value of a manifest; a fingerprint by its beginning."""
    text = str(value)
    return text[:8] if re.fullmatch(r"[0-9a-f]{16,}", text) else text


def _judged_again(judge_only: Path | None, earlier: RunManifest | None) -> RunFolder | None:
    """Find the run whose answers are judged again, where that is what is asked for or gone on with."""
    if judge_only is not None and earlier is not None:
        raise InputError("--judge-only begins a new run: go on with it by --resume alone")
    if earlier is not None and earlier.regrade is not None:
        return RunFolder(Path(earlier.regrade.path))
    return None if judge_only is None else RunFolder(judge_only)


app = CommandLine()
MOST = 1e9
"""Of seconds and dollars: JSON, which keeps them, knows no infinity; leave the option out for no limit."""


@app.command()
def main(
    ehr: Annotated[
        Path | None, typer.Option(help="Warehouse; default: the embedded synthetic cohort.")
    ] = None,
    sessions: Annotated[Path | None, typer.Option(help="Directory of python -m graphs.generate.")] = None,
    model: Annotated[str, typer.Option(help="The doctor under test, provider/name.")] = "offline/baseline",
    base_url: Annotated[
        str | None, typer.Option(help="Where it is served, if not where its provider is.")
    ] = None,
    key_variable: Annotated[
        str | None, typer.Option(help="Variable of its key, if not its provider's.")
    ] = None,
    models: Annotated[Path | None, typer.Option(help="A file in place of configs/models.yaml.")] = None,
    temperature: Annotated[float, typer.Option(min=0, max=2, help="Where the model takes one.")] = 0.2,
    model_seed: Annotated[int | None, typer.Option(help="Seed of the model, where it takes one.")] = None,
    thinking: Annotated[bool | None, typer.Option("--thinking/--no-thinking", help="Switch it.")] = None,
    output_tokens: Annotated[int | None, typer.Option(min=1, help="Longest reply.")] = None,
    judge: Annotated[
        str, typer.Option(help="Code alone, or provider/name for what code cannot decide; a panel by commas.")
    ] = "offline/rules",
    own_judge: Annotated[bool, typer.Option(help="Allow a judge of the doctor's own family.")] = False,
    judge_base_url: Annotated[
        str | None, typer.Option(help="Where an openai-compatible judge is served.")
    ] = None,
    judge_key_variable: Annotated[str | None, typer.Option(help="Variable of its key.")] = None,
    cross_check: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the items code decides that judges see too.")
    ] = 0.1,
    judge_only: Annotated[
        Path | None, typer.Option(help="Run folder whose answers are judged again, without the doctor.")
    ] = None,
    patient_model: Annotated[
        str, typer.Option(help="Who speaks for the patient: templates, or provider/name under a guard.")
    ] = TEMPLATES,
    patient_base_url: Annotated[
        str | None, typer.Option(help="Where it is served, if not where its provider is.")
    ] = None,
    patient_key_variable: Annotated[
        str | None, typer.Option(help="Variable of its key, if not its provider's.")
    ] = None,
    language: Annotated[Language, typer.Option(help="Language of the session.")] = Language.EN,
    explicit: Annotated[bool, typer.Option(help="Ask every question in full: the ablation.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N sessions.")] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Times each session is run, for pass@k and pass^k.")] = 1,
    gate: Annotated[
        GatePolicy, typer.Option(help="What counts as known; physassistbench shows the future too.")
    ] = GatePolicy.STRICT,
    turn_steps: Annotated[int, typer.Option(min=1, help="Replies with tool calls in a turn.")] = 16,
    turn_seconds: Annotated[
        float, typer.Option(min=0.001, max=MOST, help="The model's own time in a turn.")
    ] = 600.0,
    turn_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens of a turn.")] = None,
    turn_usd: Annotated[float | None, typer.Option(min=1e-9, max=MOST, help="Cost of a turn.")] = None,
    budget: Annotated[
        float | None, typer.Option(min=0, max=MOST, help="Dollars of the run; it stops before.")
    ] = None,
    run_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens of the run.")] = None,
    run_calls: Annotated[int | None, typer.Option(min=1, help="Model calls of the run.")] = None,
    run_seconds: Annotated[
        float | None, typer.Option(min=0.001, max=MOST, help="Wall time of this command.")
    ] = None,
    dry_run: Annotated[bool, typer.Option(help="Only say what the run would take.")] = False,
    concurrency: Annotated[int, typer.Option(min=1, help="Sessions at a time.")] = 8,
    workers: Annotated[int, typer.Option(min=1, help="Processes that share the sessions.")] = 1,
    output: Annotated[Path, typer.Option(help="Where run folders go.")] = Path("runs"),
    resume: Annotated[Path | None, typer.Option(help="Run folder to finish, with its own settings.")] = None,
    replies_from: Annotated[Path | None, typer.Option(help="Another run whose replies may be used.")] = None,
    why_miss: Annotated[bool, typer.Option(help="Say what changed in calls that are paid again.")] = False,
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
            models=None if models is None else str(models.resolve()),
            temperature=temperature,
            model_seed=model_seed,
            thinking=thinking,
            output_tokens=output_tokens,
            judge=judge,
            own_judge=own_judge,
            judge_base_url=judge_base_url,
            judge_key_variable=judge_key_variable,
            cross_check=cross_check,
            patient_model=patient_model,
            patient_base_url=patient_base_url,
            patient_key_variable=patient_key_variable,
            language=language,
            explicit=explicit,
            ehr=None if ehr is None else str(ehr.resolve()),
            sessions=None if sessions is None else str(sessions.resolve()),
            limit=limit,
            epochs=epochs,
            gate=gate,
            tool_steps=turn_steps,
            turn_seconds=turn_seconds,
            turn_tokens=turn_tokens,
            turn_usd=turn_usd,
        )
        limits = RunLimits(usd=budget, tokens=run_tokens, calls=run_calls, seconds=run_seconds)
        earlier = None if resume is None else read_manifest(resume)
        if earlier is not None and asked != RunSettings() and asked != earlier.settings:
            raise InputError("--resume goes on with the run's own settings: leave the other options out")
        source = _judged_again(judge_only, earlier)
        if source is not None and workers > 1:
            raise InputError("judging again waits for judges, not for the processor: leave --workers out")
        of = None if source is None else read_manifest(source.path)
        settings = (
            earlier.settings
            if earlier is not None
            else asked
            if of is None
            else judged_by(of.settings, asked)
        )
        Roles.of(settings, Vocabulary.load())  # what is misspelt is refused before a cohort is made for it
        warehouse, benchmark = open_data(settings, environment.cache_dir)
        if not benchmark.sealed:
            typer.echo(UNSEALED, err=True)
        with warehouse:
            ward = Ward.open(warehouse, benchmark, settings, environment.api_key, judging_only=of is not None)
            for served in ward.served if budget is not None else ():
                priced(served, "--budget")
            now = make_manifest(ward)
            if of is not None and source is not None:
                now = regraded(of, source.path, now)
            manifest = now if earlier is None else unchanged(earlier, now)
            if dry_run:
                say_estimate(console, ward)
                return
            if replies_from is not None:
                read_manifest(replies_from)
            folder = RunFolder.create(output, manifest) if resume is None else RunFolder(resume)
            plan = RunPlan(workers, concurrency, limits, replies_from, why_miss=why_miss, trace=trace)
            with folder.locked():
                close = hold(console, ward, folder, plan, source)
                metrics = close_run(ward, folder, manifest, include_phi=include_phi)
    results = folder.results()
    if results or close.stopped is None:
        console.print(closing_table(metrics, manifest))
    if metrics.judging is not None:
        console.print(judging_table(metrics.judging))
    for cause in causes(results):
        console.print(f"failed: {cause}", markup=False, highlight=False)
    for line in close.notes:
        console.print(line, markup=False, highlight=False)
    console.print(f"report: {folder.report}", markup=False)
    if close.stopped is not None:
        console.print(
            f"stopped: {close.stopped}; go on with {resume_line(folder)}\n"
            "limits are not kept: give --budget, --run-calls, --run-tokens or --run-seconds again to have one",
            markup=False,
            soft_wrap=True,
        )
        raise typer.Exit(STOPPED)
    end = RunEnd.of(folder, results, metrics, judged_again=manifest.regrade is not None)
    for line in end.lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    if end.code:
        raise typer.Exit(end.code)


if __name__ == "__main__":
    app()
