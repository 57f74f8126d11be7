"""The sections of ``bench_chart.py`` on size and limits: a large warehouse, many charts, the floor."""

import multiprocessing
import statistics
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from chart_bench import Bench, against
from chart_calls import (
    EMAR,
    LAB,
    OPENED,
    ORDERS,
    Call,
    Moment,
    Spread,
    Stopwatch,
    Times,
    collect,
    last_discharges,
    read_dictionaries,
    time_first_call,
    time_opening,
)
from grown_cohort import large_cohort

from tools.ehr.warehouse import Warehouse
from tools.fhir.toolset import Toolset
from tools.vocabulary import Vocabulary

SMALL_COHORT = 100
CHARTS_AT_ONCE = 64
MEBIBYTE_IN_KILOBYTES = 1024
READ_BY: dict[str, tuple[Call, tuple[str, ...]]] = {
    "labs": (LAB, ("hosp.labevents",)),
    "orders": (ORDERS, ("hosp.prescriptions", "hosp.pharmacy")),
    "eMAR": (EMAR, ("hosp.emar", "hosp.emar_detail")),
}
"""A call and the long tables it reads; eMAR reads the orders too."""
Fetched = tuple[list[str], list[tuple[Any, ...]]]


def measure_patients(bench: Bench) -> None:
    """Open charts in a warehouse of 100 patients and in a large one, in turns."""
    small, large = bench.scratch / "small.duckdb", bench.large or bench.scratch / "large.duckdb"
    large_cohort(small, patients=SMALL_COHORT, distinct=SMALL_COHORT)
    made = large.name
    if bench.large is None:
        made_ms, _ = bench.timed(
            lambda: large_cohort(large, patients=bench.patients, distinct=bench.distinct)
        )
        made = (
            f"{min(bench.distinct, bench.patients):,} drawn, the rest copies, made in {made_ms / 1000:.0f} s"
        )
    sides: tuple[Times, Times, Times] = ({}, {}, {})
    with Warehouse.open(small) as few, Warehouse.open(large) as many:
        of_few, of_many = last_discharges(few), last_discharges(many)
        spread_out = of_many[:: max(1, len(of_many) // SMALL_COHORT)]
        dictionaries = {few: read_dictionaries(few), many: read_dictionaries(many)}
        for same, other in zip(of_few, spread_out, strict=False):
            for times, warehouse, moment in zip(sides, (few, many, many), (same, same, other), strict=True):
                given = (bench.timed, warehouse, bench.vocabulary, moment, dictionaries[warehouse])
                collect(times, [time_opening(*given) for _ in range(bench.repeats)])
    rows = []
    for label in sides[0]:
        here, same, other = (Spread.over(times[label]) for times in sides)
        ratios = (same.median / here.median, other.median / here.median)
        target = against(max(ratios), "<=", 1.5, "x") if label == OPENED else ""
        rows.append(
            (label, str(here), str(same), f"{ratios[0]:.2f}x", str(other), f"{ratios[1]:.2f}x", target)
        )
    bench.show(
        f"{len(of_few)} charts in warehouses of {len(of_few)} and {len(of_many):,} patients ({made}): ms, median / p95",
        ("", f"of {len(of_few)}", "same in large", "ratio", "spread over large", "ratio", "target"),
        rows,
    )


def measure_memory(bench: Bench) -> None:
    """Hold charts open at once, in a process of their own."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        before, after, peak = pool.submit(hold_charts, bench.warehouse, CHARTS_AT_ONCE).result()
    bench.show(
        f"{CHARTS_AT_ONCE} charts open at once, those with most labs; a lab, an order and an eMAR search each",
        ("", "MiB resident", "target"),
        [
            ("warehouse and vocabulary open, no chart", f"{before:.0f}", ""),
            ("all charts open and answered", f"{after:.0f}", against(after, "<", 1024, " MiB")),
            ("a chart", f"{(after - before) / CHARTS_AT_ONCE:.1f}", ""),
            ("highest so far", f"{peak:.0f}", ""),
        ],
    )


def hold_charts(path: Path, number: int) -> tuple[float, float, float]:
    """Open ``number`` charts and keep them; give MiB resident before, after, and at the highest."""
    vocabulary = Vocabulary.load()
    with Warehouse.open(path) as warehouse:
        labs = dict(fetch(warehouse, "SELECT subject_id, count(*) FROM hosp.labevents GROUP BY 1")[1])
        moments = sorted(last_discharges(warehouse), key=lambda moment: -labs.get(moment.subject_id, 0))
        before, held = resident("VmRSS"), []
        for moment in moments[:number]:
            tools = Toolset(moment.chart(warehouse), vocabulary)
            held.append((tools, [moment.ask(tools, call) for call in (LAB, ORDERS, EMAR)]))
        return before, resident("VmRSS"), resident("VmHWM")


def resident(line: str) -> float:
    """Read one line of /proc/self/status in MiB."""
    status = Path("/proc/self/status").read_text()
    kilobytes = next(words.split()[1] for words in status.splitlines() if words.startswith(line))
    return int(kilobytes) / MEBIBYTE_IN_KILOBYTES


def measure_floor(bench: Bench) -> None:
    """Read the same rows with bare DuckDB, make dicts of them, and see what gate, tool and renderer add."""
    sides: dict[str, Times] = {label: {} for label in READ_BY}
    counts: dict[str, list[int]] = {label: [] for label in READ_BY}
    nothing = []
    with Warehouse.open(bench.warehouse) as warehouse:
        dictionaries = read_dictionaries(warehouse)
        for moment in last_discharges(warehouse):
            nothing.append(
                [bench.timed(lambda: fetch(warehouse, "SELECT 1"))[0] for _ in range(bench.repeats)]
            )
            for label, (call, tables) in READ_BY.items():
                read, count = time_reading(bench.timed, warehouse, moment, tables)
                read["first call"] = time_first_call(
                    bench.timed, warehouse, bench.vocabulary, moment, call, dictionaries
                )
                collect(sides[label], [read])
                counts[label].append(count)
    rows: list[tuple[str, ...]] = [("SELECT 1 on a new cursor", "1", str(Spread.over(nothing)))]
    for label, of_label in sides.items():
        count = f"{statistics.median(counts[label]):,.0f}"
        rows.append((label, count, *(str(Spread.over(times)) for times in of_label.values())))
    bench.show(
        "The floor: the same patients' rows, ms, median / p95",
        ("", "rows", "bare DuckDB", "dicts of its rows", "Chart.rows", "first call"),
        rows,
    )


def time_reading(
    timed: Stopwatch, warehouse: Warehouse, moment: Moment, tables: tuple[str, ...]
) -> tuple[dict[str, float], int]:
    """Read tables of one patient bare and through the gate; give milliseconds and the bare rows' number."""
    whole = "SELECT * FROM {} WHERE subject_id = $subject_id"
    chart = moment.chart(warehouse)
    read_ms, fetched = timed(
        lambda: [fetch(warehouse, whole.format(table), subject_id=moment.subject_id) for table in tables]
    )
    build_ms, built = timed(
        lambda: [dict(zip(names, row, strict=True)) for names, rows in fetched for row in rows]
    )
    gated_ms, _ = timed(lambda: [chart.rows(table) for table in tables])
    return {"bare": read_ms, "dicts": build_ms, "gated": gated_ms}, len(built)


def fetch(warehouse: Warehouse, statement: str, **bound: object) -> Fetched:
    """Run a statement on a new cursor; give names of columns and rows."""
    with warehouse.cursor() as cursor:
        result = cursor.execute(statement, bound)
        return [column[0] for column in result.description], result.fetchall()
