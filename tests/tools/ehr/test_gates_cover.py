"""Every table of a patient has a gate, and its SQL runs on the types that ingest gives."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from state.base import Cohort
from tools.ehr.gates import GATES, HADM_OF_OTHER_TABLES, gated, timed
from tools.ehr.tables import TABLES
from tools.ehr.warehouse import Warehouse
from tools.ehr.writer import WarehouseWriter

FHIR_ID = re.compile(r"[A-Za-z0-9.-]{1,58}")
"""FHIR R4 ids have at most 64 of these; a prefix such as ``emar-`` takes some."""


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    out = tmp_path_factory.mktemp("empty") / "e.duckdb"
    with WarehouseWriter(out, Cohort.SYNTHETIC) as writer:
        writer.commit()
    with Warehouse.open(out) as warehouse:
        yield warehouse


@pytest.fixture(scope="module")
def demo(demo_warehouse: Path) -> Iterator[Warehouse]:
    with Warehouse.open(demo_warehouse) as warehouse:
        yield warehouse


def test_the_gates_are_those_of_the_subject_tables() -> None:
    assert GATES.keys() == {table.name for table in TABLES.values() if table.of_subjects}


def test_a_hadm_id_is_hidden_wherever_there_is_one() -> None:
    own = {"hosp.patients", "hosp.admissions"}
    without = {name for name in GATES if "hadm_id" not in TABLES[name].columns}
    assert without | own == HADM_OF_OTHER_TABLES


@pytest.mark.parametrize("table", sorted(GATES))
def test_gates_keep_columns_and_types(empty: Warehouse, table: str) -> None:
    moment = {"subject_id": 1, "as_of": datetime(2150, 1, 1)}
    for query, bound in ((timed(table), {}), (gated(table), moment)):
        cursor = empty.cursor().execute(query, bound)
        types = {column[0]: str(column[1]) for column in cursor.description}
        assert types == dict(TABLES[table].columns) | {"row_id": "VARCHAR", "known_at": "TIMESTAMP"}


@pytest.mark.parametrize("table", sorted(GATES))
def test_on_real_rows_ids_are_unique_and_legal_and_every_row_has_its_time(
    demo: Warehouse, table: str
) -> None:
    rows = demo.cursor().execute(f"SELECT row_id, known_at FROM ({timed(table)})").fetchall()
    (stored,) = demo.cursor().execute(f"SELECT count(*) FROM {table}").fetchall()[0]
    assert len(rows) == stored
    assert len({row_id for row_id, _ in rows}) == stored
    assert all(FHIR_ID.fullmatch(row_id) for row_id, _ in rows)
    assert all(known_at is not None for _, known_at in rows)


def test_a_culture_without_a_storage_time_is_not_known_at_its_draw(demo: Warehouse) -> None:
    rows = (
        demo.cursor()
        .execute(
            f"SELECT coalesce(charttime, chartdate) AS drawn, known_at "
            f"FROM ({timed('hosp.microbiologyevents')}) WHERE storetime IS NULL"
        )
        .fetchall()
    )
    assert len(rows) == 16
    assert all((known_at - drawn).days >= 1 for drawn, known_at in rows)
