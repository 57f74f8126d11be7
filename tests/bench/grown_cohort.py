"""A large synthetic warehouse for ``bench_chart.py``: drawn patients, then copies of them under ids of their own."""

from pathlib import Path

import duckdb

from tools.ehr.synth import synthesise
from tools.ehr.synth.ids import BLOCKS
from tools.ehr.tables import TABLES

SEED = 7


def large_cohort(out: Path, *, patients: int, distinct: int) -> None:
    """Write a warehouse of ``patients``: ``distinct`` of them drawn, the rest copies.

    A copy has the ids the patient in its place would have had, so tables stay sorted by patient. Row counts and
    checksums in the file are those of the drawn patients.
    """
    drawn = min(distinct, patients)
    synthesise(out, patients=drawn, seed=SEED)
    if drawn == patients:
        return
    with duckdb.connect(str(out)) as connection:
        connection.execute("SET enable_progress_bar = false")
        ((first,), (last,)) = connection.execute(
            "SELECT min(subject_id) FROM hosp.patients UNION ALL SELECT max(subject_id) FROM hosp.patients"
        ).fetchall()
        for copied in range(drawn, patients, drawn):
            left = min(drawn, patients - copied)
            upto = last if left == drawn else first + left * BLOCKS["subject"][1] - 1
            for table in TABLES.values():
                if table.of_subjects:
                    connection.execute(_copy(table.name, set(table.columns), copied), [upto])
        connection.execute("CHECKPOINT")


def _copy(table: str, columns: set[str], places: int) -> str:
    """Build the INSERT of drawn patients' rows, their ids moved by ``places`` patients."""
    sizes = {f"{kind}_id": size for kind, (_, size) in BLOCKS.items()}
    moved = ", ".join(f"{name} + {places * sizes[name]} AS {name}" for name in sizes if name in columns)
    return f"INSERT INTO {table} SELECT * REPLACE ({moved}) FROM {table} WHERE subject_id <= ?"
