"""A result keeps within its budget of tokens: it is divided into pages, and nothing of it is cut."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hospital import Hospital, at

from state.base import Language
from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.fhir.dictionaries import Dictionaries
from tools.fhir.labels import Labels
from tools.fhir.listing import matches
from tools.fhir.render_parts import local, quantity_text
from tools.fhir.tokens import RESULT_TOKENS, estimate_tokens
from tools.fhir.toolset import TOOLS, ToolResult, Toolset
from tools.vocabulary import Vocabulary

SEARCHES = sorted(name for name in TOOLS if name.endswith((".search", ".everything")))
NOTE = "Result called to the ward and read back by the nurse in charge, who repeats it. " * 16
WITH_STATUS = frozenset(
    {
        "Encounter",
        "Observation",
        "MedicationRequest",
        "MedicationAdministration",
        "DiagnosticReport",
        "Procedure",
    }
)
"""Types with a status of their own; an unknown one is told in words."""
TIMES = ("effectiveDateTime", "issued", "recordedDate", "authoredOn", "performedDateTime", "date", "created")


def test_an_estimate_grows_with_what_is_written() -> None:
    assert estimate_tokens("") == estimate_tokens("  \t ") == 0
    assert estimate_tokens("potassium") == 3
    assert estimate_tokens("5.1\n") == 4
    assert estimate_tokens("血钾偏高") == 4
    assert estimate_tokens("血钾 potassium 5.1") == estimate_tokens("血钾") + estimate_tokens("potassium5.1")


@pytest.fixture
def crowded(hospital: Hospital) -> Hospital:
    for minute in range(60):
        hospital.lab(50971, at(2, 6, minute), "4.1", comments=NOTE)
        hospital.lab(50971, at(2, 7, minute), "4.2", comments=NOTE)
    return hospital


def go_on(tools: Toolset, name: str, asked: dict[str, Any]) -> Iterator[ToolResult]:
    """Yield page after page as the links say."""
    while True:
        result = tools.call(name, asked)
        assert result.ok, result.text
        yield result
        links = {link["relation"]: link["url"] for link in result.resource["link"]}
        if "next" not in links:
            return
        query = parse_qs(urlsplit(links["next"]).query)
        asked = asked | {key: int(query[key][0]) for key in ("_count", "page")}


@pytest.mark.parametrize("count", [100, 97, 60, 20])
def test_a_page_too_long_is_a_page_of_a_smaller_count(crowded: Hospital, count: int) -> None:
    tools = crowded.toolset(at(5, 12))
    pages = list(go_on(tools, "Observation.search", {"subject_id": 1, "_count": count}))
    refs = [ref for page in pages for ref in page.refs]
    assert refs == [
        f"Observation/lab-{number}" for number in sorted(range(1, 121), key=order_of, reverse=True)
    ]
    assert all(estimate_tokens(page.text) <= RESULT_TOKENS for page in pages)
    assert all(page.text.count(NOTE.strip()) == len(page.refs) for page in pages)
    first = pages[0]
    smaller = len(first.refs)
    assert smaller in (20, 10)
    head = first.text.splitlines()[0]
    assert f"with _count={smaller} ({count} would be too long)" in head
    assert head.endswith(f"call again with _count={smaller}, page=2.")
    same = tools.call("Observation.search", {"subject_id": 1, "_count": smaller})
    assert same.refs == first.refs
    assert same.resource["link"] == first.resource["link"]


def order_of(number: int) -> tuple[int, int]:
    """Order ids by their time: odd ones are of 6 o'clock, even ones of 7."""
    return (1 - number % 2, number)


def test_one_result_too_long_by_itself_is_shown_whole(hospital: Hospital) -> None:
    hospital.lab(50971, at(2, 6), "4.1", comments="word " * 20_000 + "end")
    hospital.lab(50971, at(2, 7), "4.2")
    pages = list(go_on(hospital.toolset(at(5, 12)), "Observation.search", {"subject_id": 1}))
    assert [page.refs for page in pages] == [("Observation/lab-2",), ("Observation/lab-1",)]
    assert pages[1].text.rstrip().endswith("end | Encounter/hosp-20")


@pytest.fixture(scope="module")
def warehouse(noted_demo: Path) -> Iterator[Warehouse]:
    with Warehouse.open(noted_demo) as opened:
        yield opened


@pytest.mark.parametrize("language", Language)
def test_results_of_real_records_keep_the_budget_and_lose_nothing(
    warehouse: Warehouse, vocabulary: Vocabulary, language: Language
) -> None:
    query = "SELECT subject_id, max(dischtime) FROM hosp.admissions GROUP BY subject_id ORDER BY subject_id"
    dictionaries, labels = Dictionaries(warehouse), Labels.load(language)
    for subject_id, ended in warehouse.cursor().execute(query).fetchall()[::9]:
        tools = Toolset(Chart(warehouse, subject_id, ended), vocabulary, dictionaries, language)
        for name in SEARCHES:
            result = tools.call(name, {"subject_id": subject_id, "_count": 100})
            assert estimate_tokens(result.text) <= RESULT_TOKENS
            lines = result.text.split("\n- ")[1:]
            for line, resource in zip(lines, matches(result.resource), strict=True):
                assert [said for said in told(labels, resource) if said not in line] == []


def told(labels: Labels, resource: dict[str, Any]) -> Iterator[str]:
    """Yield what a line must never lack: status, flags, ranges, values with units, and times."""
    yield f"{resource['resourceType']}/{resource['id']}"
    if resource["resourceType"] in WITH_STATUS and resource["status"] != "unknown":
        yield labels.word(resource["status"])
    for observed in (resource, *resource.get("component", [])):
        yield from (labels.word(flag["text"].upper()) for flag in observed.get("interpretation", []))
        if "valueQuantity" in observed:
            yield quantity_text(observed["valueQuantity"])
    for limits in resource.get("referenceRange", []):
        yield from (
            quantity_text({"value": limits[side]["value"]}) for side in ("low", "high") if side in limits
        )
    dosage = resource.get("dosage", {})
    yield from (quantity_text(dosage[part]) for part in ("dose", "rateQuantity") if part in dosage)
    yield from (text["text"] for text in resource.get("dosageInstruction", []) if "text" in text)
    yield from (local(resource[element]) for element in TIMES if element in resource)
    yield from (local(moment) for moment in resource.get("period", {}).values())


def test_the_budget_does_not_depend_on_the_order_of_pages(crowded: Hospital) -> None:
    tools = crowded.toolset(at(5, 12))
    asked = {"subject_id": 1, "_count": 60, "page": 2}
    again = [json.dumps(tools.call("Observation.search", asked).resource) for _ in range(2)]
    assert again[0] == again[1]
    assert tools.call("Observation.search", asked).refs[0] == "Observation/lab-119"
