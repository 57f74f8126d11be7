"""Time the chart beside what else could be done: ingest, opening, tool calls, a large warehouse, memory, the floor.

    uv run --with pandas python tests/bench/bench_chart.py DEMO [SECTION ...]

Sections: ingest, open, tools, patients, memory, floor; all of them when none is named. Figures stand beside their
targets and nothing is asserted. Charts are opened at every patient's last discharge, when they are longest. A time is
the median of one patient's repeats; median and 95th percentile are over patients. Made-up notes stand in for
MIMIC-IV-Note, which the demo lacks, in all sections but ingest.
"""

import argparse
import importlib.util
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
from chart_bench import Bench
from chart_calls import Clock, Stopwatch
from chart_size import measure_floor, measure_memory, measure_patients
from chart_speed import measure_ingest, measure_opening, measure_tools

SECTIONS: dict[str, Callable[[Bench], None]] = {
    "ingest": measure_ingest,
    "open": measure_opening,
    "tools": measure_tools,
    "patients": measure_patients,
    "memory": measure_memory,
    "floor": measure_floor,
}
NEED_PANDAS = frozenset({"ingest", "tools"})
PANDAS_IS_MISSING = (
    "the other side of this bench is pandas, which the project does not need: "
    "uv run --with pandas python tests/bench/bench_chart.py DEMO"
)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("demo", type=Path, help="directory of the MIMIC-IV demo")
    add("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; default all")
    add("--repeats", type=int, default=3, help="of most measurements (3)")
    add("--patients", type=int, default=10_000, help="of the large warehouse (10,000)")
    add(
        "--distinct",
        type=int,
        default=1_000,
        help="how many of those are drawn; drawing one takes 35 ms and more, so the rest are copies (1,000)",
    )
    add("--large", type=Path, help="a warehouse to take as the large one instead of making it")
    add(
        "--clock",
        type=Clock,
        choices=list(Clock),
        default=Clock.WALL,
        help="cpu where other jobs disturb the wall's; it adds up threads (wall)",
    )
    given = parser.parse_args()
    if unknown := [section for section in given.sections if section not in SECTIONS]:
        parser.error(f"no section {unknown[0]}: they are {', '.join(SECTIONS)}")
    if not (given.demo / "hosp" / "patients.csv.gz").is_file():
        parser.error(f"{given.demo} has no hosp/patients.csv.gz: give the directory of the MIMIC-IV demo")
    if min(given.repeats, given.patients, given.distinct) < 1:
        parser.error("--repeats, --patients and --distinct are at least 1")
    return given


def main() -> None:
    """Measure the sections asked for."""
    given = arguments()
    sections = given.sections or list(SECTIONS)
    if not NEED_PANDAS.isdisjoint(sections) and importlib.util.find_spec("pandas") is None:
        sys.exit(PANDAS_IS_MISSING)
    with tempfile.TemporaryDirectory() as directory:
        bench = Bench(
            demo=given.demo,
            scratch=Path(directory),
            timed=Stopwatch(given.clock),
            repeats=given.repeats,
            patients=given.patients,
            distinct=given.distinct,
            large=given.large,
        )
        bench.console.print(
            f"Python {platform.python_version()}, DuckDB {duckdb.__version__}, {os.cpu_count()} cores, "
            f"load {os.getloadavg()[0]:.1f}, {given.clock} time, repeats {given.repeats}\n"
        )
        for section in sections:
            begun = time.perf_counter()
            SECTIONS[section](bench)
            bench.console.print(f"{section}: {time.perf_counter() - begun:.0f} s\n", style="dim")


if __name__ == "__main__":
    main()
