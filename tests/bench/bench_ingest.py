"""Measure ingest: ``python tests/bench/bench_ingest.py ROOT [COPIES]``.

``COPIES`` repeats the rows of hosp/labevents to see a large file. The floor is what zcat and wc take.
"""

import gzip
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from tools.ehr.ingest import Watcher, ingest
from tools.ehr.source import CsvFile, audit, decompressed, find_sources
from tools.ehr.warehouse import Warehouse

MEGABYTE = 1e6


class Phases(Watcher):
    """Adds up the seconds spent in DuckDB."""

    def __init__(self) -> None:
        self.load_seconds = 0.0

    def loaded(self, file: CsvFile, rows: int, seconds: float) -> None:
        self.load_seconds += seconds


def floor_seconds(files: tuple[CsvFile, ...]) -> float:
    begun = perf_counter()
    for file in files:
        reader = "zcat" if file.path.suffix == ".gz" else "cat"
        subprocess.run(
            ["sh", "-c", f'{reader} "$1" | wc -l', "sh", str(file.path)], check=True, capture_output=True
        )
    return perf_counter() - begun


def measure(root: Path, out: Path) -> None:
    files = find_sources(root).files
    floor = floor_seconds(files)
    begun = perf_counter()
    rows = sum(audit(file.path, lambda _: None).rows for file in files)
    check = perf_counter() - begun
    size = sum(len(chunk) for file in files for chunk in decompressed(file.path)) / MEGABYTE
    phases = Phases()
    begun = perf_counter()
    ingest(root, out, watcher=phases)
    whole = perf_counter() - begun
    begun = perf_counter()
    with Warehouse.open(out) as warehouse:
        opened = perf_counter() - begun
        assert rows == sum(table.rows for table in warehouse.tables())
    print(f"{root}: {len(files)} files, {rows:,} rows, {size:.0f} MB of CSV")
    print(f"  floor, zcat | wc      {floor:7.2f} s  {size / floor:6.0f} MB/s")
    print(
        f"  count and digest      {check:7.2f} s  {size / check:6.0f} MB/s (alone; in ingest it runs beside loading)"
    )
    print(f"  load in DuckDB        {phases.load_seconds:7.2f} s  {size / phases.load_seconds:6.0f} MB/s")
    print(f"  ingest in all         {whole:7.2f} s  {size / whole:6.0f} MB/s  {rows / whole:,.0f} rows/s")
    print(f"  warehouse {out.stat().st_size / MEGABYTE:.1f} MB, opened in {opened * 1000:.0f} ms")


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


def main() -> None:
    root, *copies = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        measure(Path(root), scratch / "demo.duckdb")
        if copies:
            measure(enlarged(Path(root), scratch / "large", int(copies[0])), scratch / "large.duckdb")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f} MB")


if __name__ == "__main__":
    main()
