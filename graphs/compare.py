"""Compare two runs session by session: ``python -m graphs.compare RUN RUN``."""

from pathlib import Path
from typing import Annotated

import typer

from graphs.read_run import differing, read_run
from graphs.write_tables import Format, put
from state.base import InputError
from tools.cli import CommandLine, exits_on_bad_input
from tools.counted import counted
from tools.metrics import compare
from tools.report.comparison_table import comparison_table, explained
from tools.report.run_report import RunReport, Scoring

FINGERPRINT_SHOWN = 8


def refuse_unlike(first: RunReport, second: RunReport, across: list[str]) -> None:
    """Raise InputError where two runs differ in more than they are told to, or share no session."""
    known = first.manifest.measured
    if unknown := sorted(set(across) - known.keys()):
        raise InputError(f"--across {unknown[0]}: runs can differ in {', '.join(known)}")
    sessions = [{result.session_id for result in run.results} for run in (first, second)]
    if not sessions[0] & sessions[1]:
        one, other = _ground(first), _ground(second)
        raise InputError(
            f"these runs hold no session in common: {first.manifest.run_id} ran on {one}, {second.manifest.run_id} on "
            f"{other}; run both on one set"
        )
    if differ := [name for name in differing(first, second) if name not in across]:
        meant = " ".join(f"--across {name}" for name in [*across, *differ])
        raise InputError(
            f"these runs do not compare: they differ in {', '.join(differ)}; say {meant} if that is meant"
        )


def _ground(run: RunReport) -> str:
    """Say what a run ran on."""
    manifest, ran = run.manifest, {result.session_id for result in run.results}
    return (
        f"{counted(len(ran), 'session')} of {manifest.settings.sessions or 'the demo'} "
        f"(set {manifest.benchmark[:FINGERPRINT_SHOWN]}, {manifest.cohort} records)"
    )


app = CommandLine()


@app.command()
def main(
    first: Annotated[Path, typer.Argument(help="Run folder.")],
    second: Annotated[Path, typer.Argument(help="Run folder to subtract.")],
    across: Annotated[
        list[str] | None, typer.Option(help="What they are meant to differ in; once for each.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="How it is written.")] = Format.TABLE,
    scoring: Annotated[
        Scoring, typer.Option(help="physassistbench: the published unweighted formula.")
    ] = Scoring.WARDROUND,
    explain: Annotated[bool, typer.Option("--explain", help="Add what each figure is.")] = False,
    out: Annotated[Path | None, typer.Option(help="File to write.")] = None,
) -> None:
    """Subtract the figures of the second run from those of the first, over the sessions they share."""
    with exits_on_bad_input():
        if form in (Format.HTML, Format.SVG):
            raise InputError("a comparison has no page and no plot: choose table, md, latex, xlsx or json")
        runs = (read_run(first, scoring), read_run(second, scoring))
        refuse_unlike(*runs, across or [])
        comparison = compare(runs[0].results, runs[1].results)
        tables = [comparison_table(comparison, *runs), *([explained()] if explain else [])]
        put(
            form,
            tables,
            runs,
            lambda: {
                "first": runs[0].manifest.model_dump(mode="json"),
                "second": runs[1].manifest.model_dump(mode="json"),
                "comparison": comparison.model_dump(mode="json"),
            },
            out,
        )


if __name__ == "__main__":
    app()
