"""Report on finished runs: ``python -m graphs.report RUN...``. Tables for screen, paper and workbook; or the page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Annotated, Any

import typer

from configs.settings import Settings, set_tracing
from graphs.close_run import write_report
from graphs.evaluate import open_data
from graphs.read_run import differing, read_run
from graphs.run_folder import RunFolder
from graphs.ward import Ward
from graphs.write_tables import Format, put, writable
from state.base import InputError, Language
from state.metrics import Comparison
from tools.cli import CommandLine, exits_on_bad_input
from tools.metrics import compare
from tools.metrics.formulas import FORMULAS
from tools.report.cells import ReportTable
from tools.report.comparison_table import comparison_table, explained
from tools.report.efficiency import efficiency_table
from tools.report.main_table import main_table
from tools.report.run_report import RunReport, Scoring
from tools.report.run_tables import run_tables
from tools.report.runs_page import write_figures, write_runs_page


@dataclass(frozen=True)
class Gap:
    """What it costs a doctor to be asked implicitly, or in Chinese: the same sessions run both ways."""

    name: str
    first: RunReport
    second: RunReport
    comparison: Comparison

    def table(self) -> ReportTable:
        """Lay the gap out."""
        return comparison_table(self.comparison, self.first, self.second, self.name)


def gaps(runs: Sequence[RunReport]) -> Iterator[Gap]:
    """Find runs of one doctor that differ in the way of asking, or in the language, and in nothing else."""
    for first, second in permutations(runs, 2):
        one, other = first.manifest.settings, second.manifest.settings
        if one.model != other.model or first.manifest.parameters != second.manifest.parameters:
            continue
        differ = differing(first, second)
        if differ == ["explicit"] and not one.explicit:
            yield Gap("Implicit against explicit", first, second, compare(first.results, second.results))
        if differ == ["language"] and one.language is Language.EN:
            yield Gap("English against Chinese", first, second, compare(first.results, second.results))


def tables_of(runs: Sequence[RunReport], found: Sequence[Gap], *, stacked: bool) -> list[ReportTable]:
    """Lay out the main table, the gaps and all that is known of each run."""
    return [
        main_table(runs, stacked=stacked),
        *([efficiency_table(runs)] if len(runs) > 1 else []),
        *(gap.table() for gap in found),
        *(table for run in runs for table in run_tables(run)),
    ]


def data_of(runs: Sequence[RunReport], found: Sequence[Gap]) -> dict[str, Any]:
    """Give everything as JSON."""
    return {
        "runs": [
            {
                "run_id": run.manifest.run_id,
                "label": run.label,
                "notes": run.notes(marked=True),
                "scoring": run.scoring,
                "comparison_key": run.manifest.comparison_key,
                "grading_version": run.manifest.grading_version,
                "offline": run.manifest.offline,
                "manifest": run.manifest.model_dump(mode="json"),
                "metrics": run.metrics.model_dump(mode="json"),
                "effort": run.effort.model_dump(mode="json"),
            }
            for run in runs
        ],
        "gaps": [
            {
                "name": gap.name,
                "first": gap.first.manifest.run_id,
                "second": gap.second.manifest.run_id,
                "comparison": gap.comparison.model_dump(mode="json"),
            }
            for gap in found
        ],
        "formulas": {name: vars(formula) for name, formula in FORMULAS.items()},
    }


def rewrite_page(path: Path, run: RunReport, out: Path | None, *, include_phi: bool) -> Path:
    """Write the page of a run anew, from the data it was run on."""
    settings = run.manifest.settings
    environment = Settings.read()
    warehouse, benchmark = open_data(settings, environment.cache_dir)
    with warehouse:
        ward = Ward.open(warehouse, benchmark, settings, lambda _: "a report calls nobody")
        now = {
            "benchmark": benchmark.fingerprint,
            "warehouse": warehouse.fingerprint,
            "vocabulary": ward.vocabulary.fingerprint,
            "tools": ward.wire_tools.digest,
        }
        changed = [name for name, value in now.items() if value != getattr(run.manifest, name)]
        if changed:
            raise InputError(
                f"{path} cannot be shown as the doctor saw it: {', '.join(changed)} changed since; "
                f"{path / 'report.html'} is the page of its day"
            )
        target = RunFolder(path).report if out is None else writable(out)
        write_report(ward, RunFolder(path), run.manifest, run.metrics, include_phi=include_phi, path=target)
    return target


def write_drawn(
    form: Format,
    paths: Sequence[Path],
    runs: Sequence[RunReport],
    found: Sequence[Gap],
    out: Path | None,
    *,
    include_phi: bool,
) -> list[Path]:
    """Write what has plots: the page of one run, the page of several, or each plot as a file for a paper."""
    if form is Format.HTML and len(runs) == 1:
        return [rewrite_page(paths[0], runs[0], out, include_phi=include_phi)]
    if out is None:
        what = "a directory for its files" if form is Format.SVG else "the file of the page of several runs"
        raise InputError(f"--format {form} needs a place: name {what} with --out")
    if form is Format.HTML:
        write_runs_page(writable(out), runs, [gap.table() for gap in found])
        return [out]
    if not out.is_dir():
        raise InputError(
            f"{out} is no directory: name one that exists with --out, for the files of --format svg"
        )
    if not (written := write_figures(out, runs)):
        raise InputError(
            "there is nothing to draw: no run has a known cost or time beside its score, several epochs, or a judge "
            "that is a model"
        )
    return written


app = CommandLine()


@app.command()
def main(
    runs: Annotated[list[Path], typer.Argument(help="Run folders.")],
    form: Annotated[Format, typer.Option("--format", help="How it is written.")] = Format.TABLE,
    scoring: Annotated[
        Scoring, typer.Option(help="physassistbench: the published unweighted formula.")
    ] = Scoring.WARDROUND,
    explain: Annotated[bool, typer.Option("--explain", help="Add what each figure is.")] = False,
    out: Annotated[Path | None, typer.Option(help="File to write.")] = None,
    include_phi: Annotated[bool, typer.Option(help="html: show text of real records.")] = False,
) -> None:
    """Report on finished runs."""
    with exits_on_bad_input():
        set_tracing(on=False)
        if len({path.resolve() for path in runs}) != len(runs):
            raise InputError("the same run is given twice: name each run once")
        if form is Format.HTML and len(runs) == 1 and (scoring is not Scoring.WARDROUND or explain):
            raise InputError(
                "--format html of one run is its page under its own scoring, formulas in it: leave --scoring and "
                "--explain out"
            )
        read = [read_run(path, scoring) for path in runs]
        found = list(gaps(read))
        if form in (Format.HTML, Format.SVG):
            for target in write_drawn(form, runs, read, found, out, include_phi=include_phi):
                typer.echo(f"written: {target}")
            return
        tables = tables_of(read, found, stacked=form is Format.TABLE) + ([explained()] if explain else [])
        put(form, tables, read, lambda: data_of(read, found), out)


if __name__ == "__main__":
    app()
