"""``python -m tools.ehr``: make a warehouse of records, look into one, call a tool on one."""

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer
from rich.console import Console
from rich.filesize import decimal

from tools.cli import CommandLine, exits_on_bad_input
from tools.counted import counted
from tools.ehr.call import call_command
from tools.ehr.demo import BASE_URL, fetch_demo
from tools.ehr.display import FetchDisplay, IngestDisplay, contents_table, named_subjects, size_on_disk
from tools.ehr.ingest import MEMORY_LIMIT, ingest
from tools.ehr.subjects import parse_subjects, read_subjects
from tools.ehr.synth import synthesise
from tools.ehr.warehouse import Warehouse

app = CommandLine(help="Make and read warehouses of MIMIC-IV records.", no_args_is_help=True)

Out = Annotated[Path, typer.Option(help="The DuckDB file to write.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")]


@app.command("ingest")
@exits_on_bad_input()
def ingest_command(
    root: Annotated[
        list[Path],
        typer.Option(
            help="A directory with hosp/, icu/, ed/ or note/ as on PhysioNet, or with a directory a patient. "
            "Give it again for each further download."
        ),
    ],
    out: Out,
    subjects: Annotated[str | None, typer.Option(help="Only these patients: 10000032,10000980.")] = None,
    subjects_file: Annotated[
        Path | None, typer.Option(help="Only these patients: one subject_id a line, or a CSV column of them.")
    ] = None,
    overwrite: Overwrite = False,
    memory: Annotated[str, typer.Option(help="The most memory DuckDB may use.")] = MEMORY_LIMIT,
) -> None:
    """Read MIMIC-IV tables (.csv or .csv.gz, any subset) into a warehouse.

    Interrupted, it goes on from the tables already whole when the same command is run again.
    """
    chosen = frozenset[int]()
    if subjects is not None:
        chosen |= parse_subjects(subjects)
    if subjects_file is not None:
        chosen |= read_subjects(subjects_file)
    with IngestDisplay(Console(stderr=True)) as display:
        if subjects is not None and subjects_file is not None:
            display.notice(
                f"--subjects and --subjects-file are taken together: {counted(len(chosen), 'patient')}"
            )
        try:
            ingest(
                root, out, subjects=chosen or None, overwrite=overwrite, memory_limit=memory, watcher=display
            )
        except KeyboardInterrupt:
            display.notice(f"{out} is not written; the same command goes on from the tables already whole")
            raise
    Console().print(display.closing_table())
    typer.echo(f"{out}: {size_on_disk(out)}")


@app.command("fetch-demo")
@exits_on_bad_input()
def fetch_demo_command(
    out: Annotated[Path, typer.Option(help="The directory to keep the files in.")],
    base_url: Annotated[str, typer.Option(help="Where to fetch from, if not from PhysioNet.")] = BASE_URL,
) -> None:
    """Fetch the open MIMIC-IV and MIMIC-IV-ED demos (100 patients) from PhysioNet.

    Every file is checked against PhysioNet's sha256; those already there and right are not fetched again.
    """
    with FetchDisplay(Console(stderr=True)) as display:
        there = fetch_demo(out, base_url, display)
    typer.echo(
        f"{out}: {counted(there.fetched, 'file')} fetched, {there.kept} were there, {decimal(there.size_bytes)} in all"
    )
    target = out / "mimic-iv-demo.duckdb"
    typer.echo(f"next: python -m tools.ehr ingest --root {quote(str(out))} --out {quote(str(target))}")


@app.command("synth")
@exits_on_bad_input()
def synth_command(
    out: Out,
    patients: Annotated[int, typer.Option(min=1, help="How many patients.")] = 220,
    seed: Annotated[int, typer.Option(help="The same seed gives the same cohort.")] = 7,
    overwrite: Overwrite = False,
) -> None:
    """Write a synthetic cohort in the MIMIC-IV schema."""
    synthesise(out, patients=patients, seed=seed, overwrite=overwrite)
    with Warehouse.open(out) as warehouse:
        rows = sum(table.rows for table in warehouse.tables())
        typer.echo(f"{out}: {counted(patients, 'synthetic patient')}, {rows:,} rows, {size_on_disk(out)}")


@app.command("info")
@exits_on_bad_input()
def info_command(
    file: Annotated[Path, typer.Argument(help="A warehouse.")],
    checksums: Annotated[
        bool, typer.Option("--checksums", help="Print whole checksums, as sha256sum does, and nothing else.")
    ] = False,
) -> None:
    """Show what a warehouse holds: rows and checksum of every table."""
    with Warehouse.open(file) as warehouse:
        if checksums:
            for table in warehouse.tables():
                if table.sha256 is not None:
                    typer.echo(f"{table.sha256}  {table.name}")
            return
        Console().print(contents_table(warehouse))
        if warehouse.subjects is not None:
            typer.echo(f"only these of the source's patients: {named_subjects(warehouse.subjects)}")
        typer.echo(f"cohort {warehouse.cohort}, fingerprint {warehouse.fingerprint}")


app.command("call")(call_command)


if __name__ == "__main__":
    app(prog_name="python -m tools.ehr")
