"""What GatePolicy.PHYSASSISTBENCH shows beyond strict: the differences that ``ungated`` lists, and no others."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from state.base import GatePolicy
from tools.ehr.chart import Chart
from tools.ehr.gates import GATES
from tools.ehr.warehouse import Warehouse
from tools.fhir.toolset import ToolResult, Toolset
from tools.vocabulary import Vocabulary

OBSERVED = {
    "hosp.labevents": "charttime",
    "hosp.microbiologyevents": "coalesce(charttime, chartdate)",
    "ed.vitalsign": "charttime",
}


@pytest.fixture(scope="module")
def warehouse(noted_demo: Path) -> Iterator[Warehouse]:
    with Warehouse.open(noted_demo) as opened:
        yield opened


@pytest.fixture(scope="module")
def stay(warehouse: Warehouse) -> tuple[int, int, datetime]:
    """Give a patient who dies in a later admission, at a moment when a culture and a blood result are awaited."""
    query = """SELECT a.subject_id, a.hadm_id, l.charttime
        FROM hosp.admissions a JOIN hosp.admissions later ON later.subject_id = a.subject_id
        JOIN hosp.labevents l ON l.hadm_id = a.hadm_id AND l.storetime > l.charttime
        JOIN hosp.microbiologyevents m ON m.subject_id = a.subject_id
            AND m.charttime < l.charttime AND m.storetime > l.charttime
        WHERE later.deathtime IS NOT NULL AND a.dischtime < later.admittime
            AND l.charttime BETWEEN a.admittime + INTERVAL 1 DAY AND a.dischtime - INTERVAL 1 DAY
        ORDER BY a.hadm_id, l.labevent_id"""
    found: tuple[int, int, datetime] = warehouse.cursor().execute(query).fetchall()[0]
    return found


def charts(warehouse: Warehouse, stay: tuple[int, int, datetime]) -> tuple[Chart, Chart]:
    subject_id, hadm_id, moment = stay
    return (
        Chart(warehouse, subject_id, moment, hadm_id),
        Chart(warehouse, subject_id, moment, hadm_id, GatePolicy.PHYSASSISTBENCH),
    )


@pytest.fixture(scope="module")
def both(warehouse: Warehouse, stay: tuple[int, int, datetime]) -> tuple[Toolset, Toolset]:
    vocabulary = Vocabulary.load()
    strict, published = charts(warehouse, stay)
    return Toolset(strict, vocabulary), Toolset(published, vocabulary)


def call(tools: Toolset, name: str, **arguments: object) -> ToolResult:
    result = tools.call(name, {"subject_id": tools.chart.subject_id, **arguments})
    assert result.ok, result.text
    return result


def total(tools: Toolset, name: str, **arguments: object) -> int:
    found: int = call(tools, name, **arguments).resource["total"]
    return found


def test_strict_is_the_default(warehouse: Warehouse, stay: tuple[int, int, datetime]) -> None:
    assert Chart(warehouse, stay[0], stay[2]).policy is GatePolicy.STRICT


def test_every_row_is_read_whole_and_strict_shows_a_part_of_it(
    warehouse: Warehouse, stay: tuple[int, int, datetime]
) -> None:
    strict, published = charts(warehouse, stay)
    for table in GATES:
        query = f"SELECT count(*) FROM {table} WHERE subject_id = {stay[0]}"
        (stored,) = warehouse.cursor().execute(query).fetchall()[0]
        rows = {row["row_id"]: row for row in published.rows(table)}
        assert len(rows) == stored
        known = {row["row_id"] for row in strict.rows(table)}
        assert known <= rows.keys()
        hidden = [row for row_id, row in rows.items() if row_id not in known]
        assert all(row["known_at"] > stay[2] for row in hidden)


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("Encounter.search", "hosp.admissions"),
        ("DocumentReference.search", "note.discharge"),
        ("DocumentReference.search", "note.radiology"),
    ],
)
def test_other_tables_are_not_gated_at_all(
    warehouse: Warehouse, both: tuple[Toolset, Toolset], name: str, table: str
) -> None:
    strict, published = both
    query = f"SELECT count(*) FROM {table} WHERE subject_id = {strict.chart.subject_id}"
    (stored,) = warehouse.cursor().execute(query).fetchall()[0]
    kinds = {"note.discharge": "discharge-summary", "note.radiology": "radiology"}
    narrowed = {"type_code": kinds[table]} if table in kinds else {}
    if table == "hosp.admissions":
        shown = len([r for r in call(published, name, _count=100).refs if "hosp-" in r])
    else:
        shown = total(published, name, **narrowed)
    assert shown == stored
    assert total(strict, name, **narrowed) < total(published, name, **narrowed)


def test_what_the_current_admission_ends_with_is_readable(both: tuple[Toolset, Toolset]) -> None:
    strict, published = both
    of_stay = {"hadm_id": strict.chart.hadm_id}
    for name in ("Condition.search", "DocumentReference.search", "CarePlan.search"):
        assert total(published, name, **of_stay) > total(strict, name, **of_stay)
    assert "deceasedDateTime" not in call(strict, "Patient.read").resource
    assert "deceasedDateTime" in call(published, "Patient.read").resource
    (still, *_), (over, *_) = (call(t, "Encounter.search", **of_stay).resource["entry"] for t in both)
    assert "dischargeDisposition" not in str(still)
    assert "dischargeDisposition" in str(over)
    assert total(strict, "MedicationRequest.search", status="active") > 0
    assert "end not reached" not in call(published, "MedicationRequest.search", _count=100).text


@pytest.mark.parametrize("category", ["laboratory", "microbiology"])
def test_observations_are_gated_by_their_charted_time_alone(
    warehouse: Warehouse, both: tuple[Toolset, Toolset], category: str
) -> None:
    strict, published = both
    table = {"laboratory": "hosp.labevents", "microbiology": "hosp.microbiologyevents"}[category]
    unit = {"laboratory": "labevent_id"}.get(
        category, "(micro_specimen_id, test_itemid, org_itemid, isolate_num)"
    )
    query = f"""SELECT count(DISTINCT {unit}) FILTER (WHERE {OBSERVED[table]} <= $t), count(DISTINCT {unit})
        FROM {table} WHERE subject_id = $s"""
    bound = {"s": strict.chart.subject_id, "t": strict.chart.as_of}
    ((drawn, stored),) = warehouse.cursor().execute(query, bound).fetchall()
    assert total(published, "Observation.search", category=category) == drawn
    assert total(strict, "Observation.search", category=category) < drawn
    lifted = total(published, "Observation.search", category=category, date_to="2999-12-31")
    assert lifted == stored > drawn
    asked = {"category": category, "date_to": "2999-12-31"}
    assert total(strict, "Observation.search", **asked) == total(
        strict, "Observation.search", category=category
    )


def test_when_all_is_past_the_policies_agree(warehouse: Warehouse, stay: tuple[int, int, datetime]) -> None:
    vocabulary = Vocabulary.load()
    after = stay[2] + timedelta(days=365 * 20)
    strict, published = (Toolset(Chart(warehouse, stay[0], after, None, p), vocabulary) for p in GatePolicy)
    for page in (1, 2):
        asked = {"_count": 100, "page": page}
        assert call(strict, "Patient.everything", **asked) == call(published, "Patient.everything", **asked)
