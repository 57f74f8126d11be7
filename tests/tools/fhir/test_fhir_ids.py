"""Every resource is found again by its id, every reference leads to one, and every search is sorted as asked."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.fhir.listing import matches
from tools.fhir.toolset import TOOLS, Toolset
from tools.vocabulary import Vocabulary

FILTERS = {
    "Observation.search": {"category": ("laboratory", "vital-signs", "microbiology")},
    "MedicationRequest.search": {"status": ("active", "completed", "stopped", "cancelled")},
    "DiagnosticReport.search": {"report_type": ("radiology", "microbiology")},
    "DocumentReference.search": {"type_code": ("discharge-summary", "radiology")},
    "CarePlan.search": {"category": ("discharge-planning", "followup", "treatment")},
}
"""Filters whose values are all there are."""
SEARCHES = sorted(name for name in TOOLS if name.endswith(".search"))
TIMES = ("effectiveDateTime", "recordedDate", "created", "performedDateTime", "date")


@pytest.fixture(scope="module")
def tools(noted_demo: Path, vocabulary: Vocabulary) -> Iterator[Toolset]:
    """Give the tools of a patient with several admissions, in the middle of a late one."""
    with Warehouse.open(noted_demo) as warehouse:
        (subject_id, begun, ended), *_ = (
            warehouse.cursor()
            .execute(
                "SELECT subject_id, max(admittime), max(dischtime) FROM hosp.admissions a "
                "WHERE EXISTS (FROM ed.vitalsign v WHERE v.subject_id = a.subject_id) "
                "AND EXISTS (FROM hosp.emar e WHERE e.subject_id = a.subject_id) "
                "AND EXISTS (FROM icu.procedureevents e WHERE e.subject_id = a.subject_id) "
                "AND (SELECT count(*) FROM hosp.labevents l WHERE l.subject_id = a.subject_id) < 800 "
                "GROUP BY subject_id HAVING count(*) > 2 ORDER BY count(*), subject_id"
            )
            .fetchall()
        )
        moment: datetime = begun + (ended - begun) * 0.8
        yield Toolset(Chart(warehouse, subject_id, moment), vocabulary)


def pages(tools: Toolset, name: str, **arguments: object) -> Iterator[dict[str, Any]]:
    """Yield the resources of every page, going on as the links say."""
    asked: dict[str, Any] = {"subject_id": tools.chart.subject_id, "_count": 100, **arguments}
    seen, more = 0, True
    while more:
        result = tools.call(name, asked)
        assert result.ok, result.text
        found = matches(result.resource)
        yield from found
        seen += len(found)
        links = {link["relation"]: link["url"] for link in result.resource["link"]}
        more = "next" in links
        if more:
            query = parse_qs(urlsplit(links["next"]).query)
            asked |= {key: int(query[key][0]) for key in ("_count", "page")}
    assert seen == result.resource["total"]


def references(element: object) -> Iterator[str]:
    """Yield every reference inside a resource."""
    if isinstance(element, dict):
        if isinstance(element.get("reference"), str):
            yield element["reference"]
        for child in element.values():
            yield from references(child)
    elif isinstance(element, list):
        for child in element:
            yield from references(child)


def found(tools: Toolset, ref: str) -> bool:
    kind = ref.partition("/")[0]
    if kind == "Patient":
        return tools.call("Patient.read", {"subject_id": int(ref.partition("/")[2])}).refs == (ref,)
    result = tools.call(f"{kind}.search", {"subject_id": tools.chart.subject_id, "_id": ref})
    return result.ok and result.refs[0] == ref


@pytest.mark.parametrize("name", SEARCHES)
def test_every_reference_leads_to_a_resource(tools: Toolset, name: str) -> None:
    named = {ref for resource in pages(tools, name) for ref in references(resource)}
    assert f"Patient/{tools.chart.subject_id}" in named
    assert [ref for ref in sorted(named) if not found(tools, ref)] == []


def test_references_of_many_patients_lead_to_what_a_search_shows(
    noted_demo: Path, vocabulary: Vocabulary
) -> None:
    with Warehouse.open(noted_demo) as warehouse:
        admissions = (
            warehouse.cursor()
            .execute("SELECT subject_id, admittime, dischtime FROM hosp.admissions ORDER BY hadm_id")
            .fetchall()
        )
        for subject_id, begun, ended in admissions[::40]:
            tools = Toolset(Chart(warehouse, subject_id, begun + (ended - begun) / 2), vocabulary)
            shown, named = {f"Patient/{subject_id}"}, set()
            for resource in (resource for name in SEARCHES for resource in pages(tools, name)):
                shown.add(f"{resource['resourceType']}/{resource['id']}")
                named |= set(references(resource))
            assert named - shown == set()


@pytest.mark.parametrize("name", SEARCHES)
def test_every_resource_is_found_by_its_id(tools: Toolset, name: str) -> None:
    refs = [f"{r['resourceType']}/{r['id']}" for r in pages(tools, name)]
    assert len(refs) == len(set(refs)) > 0
    for ref in refs[:: max(1, len(refs) // 25)]:
        assert found(tools, ref)
        asked = {"subject_id": tools.chart.subject_id, "_id": ref.partition("/")[2]}
        assert tools.call(name, asked).refs[0] == ref
    for wrong in ("Device/1", "1", "icd-", "*", "' OR 1=1 --", f"Nope/{refs[0].partition('/')[2]}"):
        refused = tools.call(name, {"subject_id": tools.chart.subject_id, "_id": wrong})
        assert refused.resource["issue"][0]["code"] == "not-found"


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_is_sorted_both_ways(tools: Toolset, name: str) -> None:
    newest = [moment(resource) for resource in pages(tools, name)]
    oldest = [moment(resource) for resource in pages(tools, name, _sort="date")]
    assert newest == sorted(newest, reverse=True)
    assert oldest == sorted(oldest)
    assert sorted(newest) == oldest
    assert len(set(newest)) > 1


@pytest.mark.parametrize("name", FILTERS)
def test_the_values_of_a_filter_divide_everything(tools: Toolset, name: str) -> None:
    everything = [resource["id"] for resource in pages(tools, name)]
    for argument, values in FILTERS[name].items():
        parts = [[resource["id"] for resource in pages(tools, name, **{argument: v})] for v in values]
        assert sorted(id_ for part in parts for id_ in part) == sorted(everything)
        assert sum(bool(part) for part in parts) > 1


@pytest.mark.parametrize("name", SEARCHES)
def test_a_day_divides_everything_and_an_admission_takes_a_part(tools: Toolset, name: str) -> None:
    everything = {resource["id"] for resource in pages(tools, name)}
    admissions = sorted(tools.chart.rows("hosp.admissions"), key=lambda row: str(row["admittime"]))
    begun = admissions[-1]["admittime"]
    assert isinstance(begun, datetime)
    earlier = {r["id"] for r in pages(tools, name, date_to=f"{begun - timedelta(days=1):%Y-%m-%d}")}
    later = {r["id"] for r in pages(tools, name, date_from=f"{begun:%Y-%m-%d}")}
    assert earlier | later == everything
    assert earlier & later == set()
    for row in admissions:
        assert {r["id"] for r in pages(tools, name, hadm_id=row["hadm_id"])} <= everything


def test_another_process_gives_the_same_ids_and_words(tools: Toolset) -> None:
    chart, asked = tools.chart, {"subject_id": tools.chart.subject_id, "_count": 60}
    command = [sys.executable, "-m", "tools.ehr", "call", str(chart.warehouse.path), "Patient.everything"]
    command += [json.dumps(asked), "--as-of", f"{chart.as_of:%Y-%m-%dT%H:%M:%S}"]
    for seed in ("1", "2"):
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        assert done.stdout.rstrip("\n") == tools.call("Patient.everything", asked).text


def moment(resource: dict[str, Any]) -> str:
    """Give the time a resource is sorted by."""
    if resource["resourceType"] == "MedicationRequest":
        bounds = resource["dosageInstruction"][0]["timing"]["repeat"]["boundsPeriod"]
        start = str(bounds.get("start") or resource["note"][0]["text"].removeprefix("was to start "))
        return start.replace(" ", "T")[:16]
    if resource["resourceType"] == "DocumentReference":
        return str(resource["context"]["period"]["start"])
    period = resource.get("period", resource.get("performedPeriod", {}))
    return str(period.get("start") or next(resource[name] for name in TIMES if name in resource))
