"""Human review: ``python -m graphs.review export`` writes a set as a workbook, ``import`` takes it back."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from configs.settings import Settings, set_tracing
from graphs.benchmark import read_benchmark
from graphs.embedded import synthetic_warehouse
from graphs.review_import import import_review
from graphs.review_rows import row_of
from graphs.review_workbook import write_workbook
from state.base import Cohort, InputError
from tools.cli import CommandLine, exits_on_bad_input, refuse_other_suffix
from tools.counted import counted
from tools.ehr.warehouse import Warehouse

app = CommandLine(help="Review a set in a workbook.")
Folder = Annotated[Path, typer.Argument(help="Directory of a set.")]
Xlsx = Annotated[Path, typer.Option(help="The workbook.")]


@app.command("export")
def export_command(
    folder: Folder,
    xlsx: Xlsx,
    include_phi: Annotated[
        bool, typer.Option("--include-phi", help="Write texts about real patients into the workbook.")
    ] = False,
) -> None:
    """Write a row a turn: texts, calls, facts and rubric in both languages, and columns for the reviewer."""
    set_tracing(on=False)
    with exits_on_bad_input():
        benchmark = read_benchmark(folder)
        if benchmark.manifest.cohort is not Cohort.SYNTHETIC and not include_phi:
            raise InputError(
                f"{folder} is about real patients: pass --include-phi to write their texts into {xlsx}, and keep the "
                "workbook like the record itself"
            )
        refuse_other_suffix(xlsx, "--xlsx")
        if xlsx.exists():
            raise InputError(f"{xlsx} exists already: a review could be lost, name another --xlsx")
        rows = [
            row_of(session, turn, gold)
            for session in benchmark.sessions
            for turn, gold in zip(session.turns, benchmark.gold[session.session_id].turns, strict=True)
        ]
        write_workbook(xlsx, rows, benchmark.fingerprint)
    Console().print(
        f"{counted(len(rows), 'turn')} of {counted(len(benchmark.sessions), 'session')} written to {xlsx}",
        markup=False,
    )


@app.command("import")
def import_command(
    folder: Folder,
    xlsx: Xlsx,
    out: Annotated[Path, typer.Option(help="New directory for the reviewed set.")],
    ehr: Annotated[
        Path | None, typer.Option(help="Warehouse the set was made from; the embedded one if not given.")
    ] = None,
) -> None:
    """Take a reviewed workbook back: what was corrected is proved again, and who corrected it is written down."""
    set_tracing(on=False)
    with exits_on_bad_input():
        warehouse = _warehouse(folder, ehr)
        with warehouse:
            reviewed = import_review(folder, xlsx, out, warehouse)
    changed = sum(len(review.changes) for review in reviewed.reviews)
    signed = sum(review.signed_off for review in reviewed.reviews)
    Console().print(
        f"{counted(changed, 'cell')} of {counted(len(reviewed.sessions), 'session')} corrected, "
        f"{counted(signed, 'turn')} signed off; written to {out}",
        markup=False,
    )


def _warehouse(folder: Path, ehr: Path | None) -> Warehouse:
    if ehr is not None:
        return Warehouse.open(ehr)
    manifest = read_benchmark(folder).manifest
    if manifest.cohort is not Cohort.SYNTHETIC:
        raise InputError(f"{folder} is about real patients: name the warehouse it was made from with --ehr")
    return synthetic_warehouse(Settings.read().cache_dir, manifest.warehouse)


if __name__ == "__main__":
    app()
