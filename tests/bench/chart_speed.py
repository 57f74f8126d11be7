"""The sections of ``bench_chart.py`` on the demo: ingest, opening, tool calls."""

import statistics

from chart_bench import Bench, against
from chart_calls import (
    ANALYTE,
    CALLS,
    LAB,
    OPENED,
    ORDERS,
    Spread,
    Times,
    collect,
    last_discharges,
    read_dictionaries,
    time_first_call,
    time_later_calls,
    time_opening,
)

from tools.ehr.ingest import ingest
from tools.ehr.warehouse import Warehouse


def measure_ingest(bench: Bench) -> None:
    """Ingest the demo and split it with pandas, in turns."""
    from pandas_reference import split_by_subject

    file, ours, theirs = bench.scratch / "timed.duckdb", [], []
    for turn in range(bench.repeats):
        ingest_ms, tables = bench.timed(lambda: ingest(bench.demo, file, overwrite=True))
        loaded, out = [table.name for table in tables if table.loaded], bench.scratch / f"split-{turn}"
        split_ms, split = bench.timed(lambda: split_by_subject(bench.demo, out, loaded))  # noqa: B023
        ours.append(ingest_ms / 1000)
        theirs.append(split_ms / 1000)
    rows = sum(table.rows for table in tables)
    here, there = statistics.median(ours), statistics.median(theirs)
    bench.show(
        f"Ingest: {len(loaded)} tables of the demo, {rows:,} rows here and {split:,} there",
        ("", "seconds", "rows/s", "ratio", "target"),
        [
            (
                "ingest: typed, sorted, counted twice, digested",
                f"{here:.2f}",
                f"{rows / here:,.0f}",
                f"{there / here:.1f}x",
                against(there / here, ">=", 10, "x"),
            ),
            ("pandas: a csv.gz a patient and table", f"{there:.2f}", f"{split / there:,.0f}", "1x", ""),
        ],
    )


def measure_opening(bench: Bench) -> None:
    """Open charts step by step, and call each tool first on a fresh one."""
    opening: Times = {}
    first: Times = {label: [] for label in CALLS}
    with Warehouse.open(bench.warehouse) as warehouse:
        dictionaries = read_dictionaries(warehouse)
        moments = last_discharges(warehouse)
        for moment in moments:
            given = (bench.timed, warehouse, bench.vocabulary, moment)
            collect(opening, [time_opening(*given, dictionaries) for _ in range(bench.repeats)])
            for label, call in CALLS.items():
                first[label].append([time_first_call(*given, call)])
    spreads = {label: Spread.over(times) for label, times in opening.items()}
    bench.show(
        f"Opening a chart of the demo, {len(moments)} patients: ms, median / p95",
        ("", "here", "target, median"),
        [
            (label, str(spread), against(spread.median, "<", 15, " ms") if label == OPENED else "")
            for label, spread in spreads.items()
        ],
    )
    bench.show(
        "First call of a tool on a fresh chart, its tables and dictionaries read: ms, median / p95",
        ("", "here"),
        [(label, str(Spread.over(times))) for label, times in first.items()],
    )


def measure_tools(bench: Bench) -> None:
    """Call tools on open charts, beside pandas reads of the same patients."""
    from pandas_reference import PandasReads, split_by_subject

    out = bench.scratch / "read-per-call"
    split_by_subject(bench.demo, out, ["hosp.labevents", "hosp.prescriptions"])
    reads, itemids = PandasReads(out, bench.demo), bench.vocabulary.analyte(ANALYTE).itemids
    here: Times = {}
    labs: list[list[float]] = []
    orders: list[list[float]] = []
    found = [0, 0]
    with Warehouse.open(bench.warehouse) as warehouse:
        moments = last_discharges(warehouse)
        for moment in moments:
            times, total = time_later_calls(bench.timed, warehouse, bench.vocabulary, moment)
            for label, of_patient in times.items():
                here.setdefault(label, []).append(of_patient)
            who = (moment.subject_id, moment.as_of)
            of_labs = [bench.timed(lambda: reads.labs(*who, itemids)) for _ in range(bench.repeats)]  # noqa: B023
            of_orders = [bench.timed(lambda: reads.orders(*who)) for _ in range(bench.repeats)]  # noqa: B023
            labs.append([ms for ms, _ in of_labs])
            orders.append([ms for ms, _ in of_orders])
            found = [found[0] + total, found[1] + of_labs[0][1][0]]
    there = {label: labs if call is LAB else orders for label, call in CALLS.items() if call in (LAB, ORDERS)}
    rows = [
        _beside(label, Spread.over(times), Spread.over(there[label]) if label in there else None)
        for label, times in here.items()
    ]
    rows.append(_beside("all of them", Spread.over(times for of in here.values() for times in of), None))
    bench.show(
        f"A tool call on an open chart of {len(moments)}, rendering included: ms, median / p95 "
        f"({ANALYTE}: {found[0]:,} results here, {found[1]:,} there)",
        ("", "here", "pandas, a read a call", "ratio", "median", "p95"),
        rows,
    )


def _beside(label: str, here: Spread, there: Spread | None) -> tuple[str, ...]:
    return (
        label,
        str(here),
        str(there) if there else "",
        f"{there.median / here.median:.0f}x" if there else "",
        against(here.median, "<", 1, ""),
        against(here.p95, "<", 5, ""),
    )
