"""A chart opens for a patient at a moment, reads each table once, and keeps a session's writes."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from state.base import Cohort, InputError
from tools.ehr.chart import Chart
from tools.ehr.overlay import Overlay
from tools.ehr.warehouse import Warehouse
from tools.ehr.writer import WarehouseWriter

NOW = datetime(2150, 1, 5, 12)
ADMISSIONS = (
    (1, 20, datetime(2150, 1, 1), datetime(2150, 1, 9)),
    (1, 21, datetime(2150, 2, 1), datetime(2150, 2, 9)),
    (2, 22, datetime(2150, 1, 1), datetime(2150, 1, 9)),
)


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    out = tmp_path_factory.mktemp("chart") / "w.duckdb"
    columns = ("subject_id", "hadm_id", "admittime", "dischtime")
    with WarehouseWriter(out, Cohort.SYNTHETIC) as writer:
        writer.insert("hosp.patients", [{"subject_id": n, "gender": "F", "anchor_age": 50} for n in (1, 2)])
        writer.insert("hosp.admissions", [dict(zip(columns, row, strict=True)) for row in ADMISSIONS])
        chart = {
            "subject_id": 1,
            "hadm_id": 20,
            "stay_id": 3,
            "charttime": datetime(2150, 1, 2),
            "valuenum": 1.0,
        }
        writer.insert("icu.chartevents", [chart | {"itemid": itemid} for itemid in (220045, 220210, 999)])
        later = {"subject_id": 1, "hadm_id": 21, "transfer_id": 5, "intime": datetime(2150, 1, 4)}
        writer.insert("hosp.transfers", [later])
        writer.commit()
    with Warehouse.open(out) as opened:
        yield opened


def test_a_chart_shows_what_has_begun_and_hides_how_it_ends(warehouse: Warehouse) -> None:
    (row,) = Chart(warehouse, 1, NOW, 20).rows("hosp.admissions")
    assert (row["hadm_id"], row["row_id"], row["known_at"]) == (20, "20", datetime(2150, 1, 1))
    assert row["dischtime"] is None


def test_a_later_admission_does_not_show_through_an_earlier_row(warehouse: Warehouse) -> None:
    (row,) = Chart(warehouse, 1, NOW).rows("hosp.transfers")
    assert row["hadm_id"] is None
    (row,) = Chart(warehouse, 1, datetime(2150, 2, 1)).rows("hosp.transfers")
    assert row["hadm_id"] == 21


@pytest.mark.parametrize(
    ("subject_id", "hadm_id", "said"),
    [
        (3, None, "no patient 3"),
        (1, 21, "patient 1 has no admission 21 that had begun by 2150-01-05 12:00"),
        (1, 22, "patient 1 has no admission 22 that had begun by 2150-01-05 12:00"),
        (1, 99, "patient 1 has no admission 99 that had begun by 2150-01-05 12:00"),
    ],
)
def test_a_chart_that_cannot_be_opened_says_why(
    warehouse: Warehouse, subject_id: int, hadm_id: int | None, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        Chart(warehouse, subject_id, NOW, hadm_id)


def test_a_time_with_a_zone_is_refused(warehouse: Warehouse) -> None:
    with pytest.raises(InputError, match="carries a time zone"):
        Chart(warehouse, 1, NOW.replace(tzinfo=UTC))


def test_items_narrow_a_table_and_every_table_is_read_once(warehouse: Warehouse) -> None:
    chart = Chart(warehouse, 1, NOW)
    rates = chart.rows("icu.chartevents", frozenset({220045, 220210}))
    assert {row["itemid"] for row in rates} == {220045, 220210}
    assert len(chart.rows("icu.chartevents")) == 3
    assert chart.rows("icu.chartevents", frozenset({220210, 220045})) is rates


def test_charts_are_read_from_many_threads(warehouse: Warehouse) -> None:
    chart = Chart(warehouse, 1, NOW)
    tables = ["hosp.transfers", "hosp.labevents", "icu.chartevents", "hosp.emar"] * 8
    with ThreadPoolExecutor(8) as pool:
        assert [len(rows) for rows in pool.map(chart.rows, tables)] == [1, 0, 3, 0] * 8


def test_an_overlay_numbers_resources_over_all_types_and_comes_back_whole() -> None:
    overlay = Overlay()
    for kind in ("Flag", "MedicationRequest", "Flag"):
        overlay.create({"resourceType": kind, "status": "active"})
    assert overlay.refs == ("Flag/new-1", "MedicationRequest/new-2", "Flag/new-3")
    assert [flag["id"] for flag in overlay.created("Flag")] == ["new-1", "new-3"]
    again = Overlay(overlay.snapshot())
    assert again.snapshot() == overlay.snapshot()
    assert again.create({"resourceType": "Flag"})["id"] == "new-4"


def test_an_overlay_numbers_once_under_concurrency() -> None:
    overlay = Overlay()
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: overlay.create({"resourceType": "Flag"})["id"], range(200)))
    assert len(set(made)) == 200
