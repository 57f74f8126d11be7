"""Measure ingest: ``python tests/bench/bench_ingest.py ROOT [--copies N] [--patients N]``.

``--copies`` repeats the rows of hosp/labevents to see a large file; ``--patients`` writes a synthetic cohort with a
directory a patient, to see many small files. The floor is what zcat and wc take.
"""

import argparse
import csv
import gzip
import io
import resource
import subprocess
import tempfile
from collections.abc import Collection
from pathlib import Path
from time import perf_counter

from tools.ehr.audit import audit
from tools.ehr.ingest import Watcher, ingest
from tools.ehr.layout import find_sources
from tools.ehr.source import CsvFile, Source, decompressed
from tools.ehr.synth import synthesise
from tools.ehr.tables import TABLES
from tools.ehr.warehouse import Warehouse

MEGABYTE = 1e6
FILES_A_FLOOR = 5000


class Phases(Watcher):
    """Adds up the seconds spent in DuckDB."""

    def __init__(self) -> None:
        self.load_seconds = 0.0

    def loaded(self, source: Source, rows: int, seconds: float) -> None:
        self.load_seconds += seconds


def floor_seconds(files: list[CsvFile]) -> float:
    """Time one reader for all files, started again only where a command line would be too long."""
    begun = perf_counter()
    for reader, suffix in (("zcat", ".gz"), ("cat", ".csv")):
        paths = [str(file.path) for file in files if file.file_name.endswith(suffix)]
        for start in range(0, len(paths), FILES_A_FLOOR):
            command = ["sh", "-c", f'{reader} "$@" | wc -l', "sh", *paths[start : start + FILES_A_FLOOR]]
            subprocess.run(command, check=True, capture_output=True)
    return perf_counter() - begun


def measure(root: Path, out: Path, subjects: Collection[int] | None = None) -> None:
    begun = perf_counter()
    sources = find_sources([root], subjects).tables
    found = perf_counter() - begun
    files = [file for source in sources for file in source.files]
    floor = floor_seconds(files)
    begun = perf_counter()
    rows = sum(audit(source, lambda _: None).rows for source in sources)
    check = perf_counter() - begun
    size = sum(len(chunk) for file in files for chunk in decompressed(file.path)) / MEGABYTE
    phases = Phases()
    begun = perf_counter()
    ingest(root, out, subjects=subjects, watcher=phases)
    whole = perf_counter() - begun
    begun = perf_counter()
    with Warehouse.open(out) as warehouse:
        opened = perf_counter() - begun
        kept = sum(table.rows for table in warehouse.tables())
    assert subjects or rows == kept
    chosen = f", {kept:,} kept of {len(subjects)} patients" if subjects else ""
    print(f"{root}: {len(files):,} files, {rows:,} rows{chosen}, {size:.0f} MB of CSV")
    print(f"  floor, zcat | wc      {floor:7.2f} s  {size / floor:6.0f} MB/s")
    print(f"  find, read headers    {found:7.2f} s  {len(files) / found:6,.0f} files/s")
    print(
        f"  count and digest      {check:7.2f} s  {size / check:6.0f} MB/s (in ingest it runs beside loading)"
    )
    print(f"  load in DuckDB        {phases.load_seconds:7.2f} s  {size / phases.load_seconds:6.0f} MB/s")
    print(
        f"  ingest in all         {whole:7.2f} s  {size / whole:6.0f} MB/s  {rows / whole:,.0f} rows/s  "
        f"{len(files) / whole:,.0f} files/s"
    )
    print(f"  warehouse {out.stat().st_size / MEGABYTE:.1f} MB, opened in {opened * 1000:.0f} ms")
    print(
        f"  peak memory so far {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f} MB", flush=True
    )


def enlarged(root: Path, into: Path, copies: int) -> Path:
    (into / "hosp").mkdir(parents=True)
    for name in ("patients", "admissions"):
        (into / "hosp" / f"{name}.csv.gz").write_bytes((root / "hosp" / f"{name}.csv.gz").read_bytes())
    header, _, rows = gzip.decompress((root / "hosp" / "labevents.csv.gz").read_bytes()).partition(b"\n")
    with gzip.open(into / "hosp" / "labevents.csv.gz", "wb", compresslevel=1) as file:
        file.write(header + b"\n")
        for _ in range(copies):
            file.write(rows)
    return into


def split(warehouse: Path, into: Path) -> Path:
    """Write a directory a patient, as PhysAssistBench reads them."""
    with Warehouse.open(warehouse) as opened:
        for table in (table for table in TABLES.values() if table.of_subjects):
            rows = opened.cursor().execute(f"SELECT * FROM {table.name} ORDER BY subject_id").fetchall()
            by_subject: dict[int, list[tuple[object, ...]]] = {}
            place = list(table.columns).index("subject_id")
            for row in rows:
                by_subject.setdefault(row[place], []).append(row)
            for subject_id, of_one in by_subject.items():
                text = io.StringIO()
                csv.writer(text, lineterminator="\n").writerows([table.columns, *of_one])
                path = into / str(subject_id) / f"{table.name.replace('.', '_')}.csv.csv.gz"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(gzip.compress(text.getvalue().encode(), 6))
    return into


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("--copies", type=int, default=0)
    parser.add_argument("--patients", type=int, default=0)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        measure(chosen.root, scratch / "demo.duckdb")
        if chosen.copies:
            large = enlarged(chosen.root, scratch / "large", chosen.copies)
            measure(large, scratch / "large.duckdb")
            measure(large, scratch / "some.duckdb", subjects=[10000032, 10001217])
        if chosen.patients:
            synthesise(scratch / "synthetic.duckdb", patients=chosen.patients, seed=7)
            measure(split(scratch / "synthetic.duckdb", scratch / "split"), scratch / "split.duckdb")


if __name__ == "__main__":
    main()
