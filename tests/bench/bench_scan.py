"""Seconds and rows of the rule scan, rule by rule.

    python tests/bench/bench_scan.py WAREHOUSE [--copies N]

``--copies`` scans a warehouse that holds the patients N times over, each copy as patients of its own.
"""

import argparse
import multiprocessing
import resource
import tempfile
import time
from pathlib import Path

from state.base import Cohort
from tools.clinical import scan as scanning
from tools.clinical.rules import load_rules
from tools.ehr.warehouse import Warehouse
from tools.ehr.writer import WarehouseWriter
from tools.vocabulary import Vocabulary

COPIED = {
    "hosp.patients": ("subject_id",),
    "hosp.admissions": ("subject_id", "hadm_id"),
    "hosp.labevents": ("subject_id", "hadm_id", "labevent_id"),
    "hosp.prescriptions": ("subject_id", "hadm_id", "pharmacy_id"),
    "hosp.pharmacy": ("subject_id", "hadm_id", "pharmacy_id"),
}
APART = 100_000_000
"""Distance between the ids of copies; above every id of MIMIC-IV, and 20 copies stay within INTEGER."""


def multiply(source: Path, out: Path, copies: int) -> None:
    """Write the tables the scan reads ``copies`` times over."""
    with WarehouseWriter(out, Cohort.SYNTHETIC) as writer:
        writer.connection.execute(f"ATTACH '{source}' AS source (READ_ONLY)")
        for table, ids in COPIED.items():
            for copy in range(copies):
                moved = ", ".join(f"{name} + {copy * APART} AS {name}" for name in ids)
                writer.connection.execute(
                    f"INSERT INTO {table} SELECT * REPLACE ({moved}) FROM source.{table}"
                )
        writer.connection.execute("INSERT INTO hosp.d_labitems SELECT * FROM source.hosp.d_labitems")
        writer.connection.execute("DETACH source")
        writer.commit()


def measure(path: Path) -> None:
    """Print one line for the preparation and one for each rule."""
    vocabulary, rules = Vocabulary.load(), load_rules()
    with Warehouse.open(path) as warehouse, warehouse.cursor() as cursor:
        started = time.perf_counter()
        scanning.prepare(cursor, rules, vocabulary)
        prepared = time.perf_counter() - started
        labs = dict(cursor.execute("SELECT analyte, count(*) FROM labs GROUP BY 1").fetchall())
        ((orders,),) = cursor.execute("SELECT count(*) FROM drug_orders").fetchall()
        read = sum(table.rows for table in warehouse.tables() if table.name in COPIED)
        print(
            f"{'prepare':40} {prepared:8.3f} s  {read:10} rows read, {sum(labs.values())} results, {orders} orders"
        )
        labels = scanning.labels_of_items(cursor, vocabulary)
        total = prepared
        for rule in rules:
            started = time.perf_counter()
            matches = scanning.find(cursor, rule, rules, vocabulary, labels)
            seconds = time.perf_counter() - started
            total += seconds
            rows = labs.get(rule.trigger.lab.analyte, 0)
            print(f"{rule.id:40} {seconds:8.3f} s  {rows:10} results, {len(matches)} matches")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{'all':40} {total:8.3f} s  peak {peak:.0f} MiB")


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("warehouse", type=Path)
    parser.add_argument("--copies", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.copies == 1:
        measure(arguments.warehouse)
        return
    with tempfile.TemporaryDirectory() as folder:
        many = Path(folder) / "many.duckdb"
        # In a process of its own, so that the peak printed is the scan's.
        writer = multiprocessing.get_context("spawn").Process(
            target=multiply, args=(arguments.warehouse, many, arguments.copies)
        )
        writer.start()
        writer.join()
        measure(many)


if __name__ == "__main__":
    main()
