"""What a judge is worth: ``python -m graphs.judge_audit RUN... --export FILE`` for people, ``--labels FILE`` back."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from graphs.audited import audit_items
from graphs.run_folder import read_manifest
from graphs.write_tables import writable
from state.audit import AuditItem
from state.base import Cohort, InputError
from state.outcome import Verdict
from tools.cli import CommandLine, exits_on_bad_input, refuse_other_suffix
from tools.metrics.judge_worth import audit
from tools.metrics.strata import draw
from tools.report.as_text import as_rich
from tools.report.audit_table import audit_tables
from tools.report.label_sheet import read_labels, write_sheet

REPORT = "judge_audit.json"
app = CommandLine()


@app.command()
def main(
    runs: Annotated[list[Path], typer.Argument(help="Run folders.")],
    export: Annotated[Path | None, typer.Option(help="Write a blind sheet of items to label here.")] = None,
    items: Annotated[int, typer.Option(min=1, help="How many items it holds.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 7,
    labels: Annotated[list[Path] | None, typer.Option(help="A labelled sheet; once for each person.")] = None,
    output: Annotated[Path | None, typer.Option(help="Where the figures go; default: the first run.")] = None,
    include_phi: Annotated[bool, typer.Option(help="Export text of real records.")] = False,
) -> None:
    """Export verdicts of runs for people to label blind, or compare their labels with the judges."""
    console = Console()
    with exits_on_bad_input():
        if export is not None:
            refuse_other_suffix(export, "--export")
        if (export is None) == (not labels):
            raise InputError("give --export FILE to get a sheet to label, or --labels FILE for labelled ones")
        population = _population(runs)
        if export is not None:
            _refuse_phi(runs, include_phi=include_phi)
            drawn = draw(population, items, seed)
            write_sheet(export, drawn)
            strata = len({item.stratum for item in drawn})
            console.print(
                f"{export}: {len(drawn)} of {len(population)} verdicts, from {strata} strata of task type, language, "
                "verdict and who gave it; a copy for each person",
                markup=False,
                highlight=False,
                soft_wrap=True,
            )
            return
        people = _people(labels or [], population)
        report = audit(population, people)
        path = writable(output or runs[0] / REPORT, "--output")
        path.write_text(json.dumps(report.model_dump(mode="json"), indent=2, sort_keys=True) + "\n", "utf-8")
    console.print(as_rich(audit_tables(report)))
    console.print(f"figures: {path}", markup=False, soft_wrap=True)


def _population(runs: list[Path]) -> list[AuditItem]:
    found = [item for run in runs for item in audit_items(run)]
    if len({item.key for item in found}) < len(found):
        raise InputError("a run is named twice: name each run once")
    if not found:
        raise InputError(f"{', '.join(map(str, runs))}: no verdict to label: finish a run first")
    return found


def _refuse_phi(runs: list[Path], *, include_phi: bool) -> None:
    for run in runs:
        if read_manifest(run).cohort is not Cohort.SYNTHETIC and not include_phi:
            raise InputError(
                f"{run} is on real records, and a sheet holds their text: pass --include-phi where the data-use "
                "agreement allows those who label to read it"
            )


def _people(labels: list[Path], population: list[AuditItem]) -> dict[str, dict[str, Verdict]]:
    """Read each person's labels, named by the file; labels of other runs are an InputError."""
    known = {item.key for item in population}
    people: dict[str, dict[str, Verdict]] = {}
    for path in labels:
        given = read_labels(path)
        if strangers := given.keys() - known:
            raise InputError(
                f"{path}: id {min(strangers)} is no verdict of these runs: name the runs it was exported from"
            )
        if path.stem in people:
            raise InputError(f"--labels: two files are called {path.stem}: name each after its person")
        people[path.stem] = given
    return people


if __name__ == "__main__":
    app()
