"""Resources hold against two independent references: HL7's JSON schema of R4, and the R4B models of fhir.resources."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from fhir.resources.R4B import get_fhir_model_class
from hospital import Hospital, at

from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.fhir.toolset import Toolset
from tools.vocabulary import Vocabulary

SEARCHES = ("Encounter", "Condition", "MedicationRequest", "MedicationAdministration")
CATEGORIES = ("laboratory", "vital-signs", "microbiology")
ORDER = {
    "medication": "furosemide",
    "dose": "40 mg",
    "route": "IV",
    "frequency": "Q12H PRN",
    "duration_days": 2,
}
Validate = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def by_schema(mimic_demo: Path) -> Validate:
    file = mimic_demo.parent / "fhir-r4" / "fhir.schema.json"
    if not file.is_file():
        pytest.skip(f"HL7's schema is not here: put fhir.schema.json of R4 at {file}")
    definitions = json.loads(file.read_text())["definitions"]
    validators: dict[str, Any] = {}

    def validate(resource: dict[str, Any]) -> None:
        kind = resource["resourceType"]
        if kind not in validators:
            schema = {"$ref": f"#/definitions/{kind}", "definitions": definitions}
            validators[kind] = jsonschema_rs.validator_for(schema)
        validators[kind].validate(resource)

    return validate


def by_models(resource: dict[str, Any]) -> None:
    """Validate by fhir.resources; R4B is R4 but for types that are not used here."""
    get_fhir_model_class(resource["resourceType"]).model_validate(resource)


def everything(tools: Toolset, count: int) -> Iterator[dict[str, Any]]:
    """Yield the first page of every search, with its bundle, and one of every write and refusal."""
    subject = {"subject_id": tools.chart.subject_id}
    calls = [(f"{kind}.search", {"_count": count}) for kind in SEARCHES]
    calls += [("Observation.search", {"category": category, "_count": count}) for category in CATEGORIES]
    calls += [
        ("Patient.read", {}),
        ("MedicationRequest.create", ORDER | {"indication": "edema"}),
        ("Nope", {}),
    ]
    calls += [
        ("Flag.create", {"category": category, "code": "Watch", "detail": "Watch it"})
        for category in ("safety", "allergy", "administrative", "clinical")
    ]
    for name, arguments in calls:
        resource = tools.call(name, subject | arguments).resource
        yield resource
        yield from (entry["resource"] for entry in resource.get("entry", []))


def test_real_records_validate(demo_warehouse: Path, vocabulary: Vocabulary, by_schema: Validate) -> None:
    kinds: Counter[str] = Counter()
    with Warehouse.open(demo_warehouse) as warehouse:
        admissions = (
            warehouse.cursor()
            .execute("SELECT subject_id, admittime, dischtime FROM hosp.admissions ORDER BY hadm_id")
            .fetchall()
        )
        for number, (subject_id, admitted, discharged) in enumerate(admissions[::18]):
            moment: datetime = (
                admitted + (discharged - admitted) * 0.7 if number % 2 else discharged + timedelta(days=3)
            )
            tools = Toolset(Chart(warehouse, subject_id, moment), vocabulary)
            for resource in everything(tools, count=100):
                by_schema(resource)
                kinds[resource["resourceType"]] += 1
                if kinds[resource["resourceType"]] % 8 == 1:
                    by_models(resource)
    assert kinds["Observation"] > 1500
    assert kinds["Patient"] == kinds["Flag"] / 4 == len(admissions[::18])
    for kind in ("Condition", "Encounter", "MedicationRequest", "MedicationAdministration"):
        assert kinds[kind] > 50


def test_the_rarer_shapes_validate(hospital: Hospital, by_schema: Validate) -> None:
    hospital.lab(50971, at(2, 6), ">300", valueuom="mg/dL", flag="delta")
    hospital.lab(50971, at(2, 7), "___", comments=None)
    hospital.order(1, "Warfarin", at(4), at(2))
    hospital.order(2, "Heparin", at(2), dose_val_rx="0.5-1", ndc="00000123456", formulary_drug_cd="HEP5")
    for itemid, value in ((220045, 80.0), (220179, 120.0), (220180, 70.0), (223762, 36.8), (223791, 4.0)):
        row = {
            "stay_id": 30,
            "charttime": at(3, 6),
            "storetime": at(3, 7),
            "itemid": itemid,
            "valuenum": value,
        }
        hospital.add("icu.chartevents", row)
    hospital.add(
        "hosp.omr",
        {"chartdate": at(2).date(), "seq_num": 1, "result_name": "BMI (kg/m2)", "result_value": "30"},
    )
    hospital.add("hosp.emar", {"emar_id": "1-1", "emar_seq": 1, "charttime": at(3), "event_txt": "Started"})
    hospital.add(
        "hosp.emar_detail", {"emar_id": "1-1", "infusion_rate": "900", "infusion_rate_unit": "units/hr"}
    )
    resources = list(everything(hospital.toolset(at(5)), count=100))
    assert len(resources) > 25
    for resource in resources:
        by_schema(resource)
        by_models(resource)


def test_references_lead_to_what_another_tool_shows(demo_warehouse: Path, vocabulary: Vocabulary) -> None:
    with Warehouse.open(demo_warehouse) as warehouse:
        (subject_id, moment) = (
            warehouse.cursor()
            .execute("SELECT subject_id, dischtime FROM hosp.admissions ORDER BY subject_id LIMIT 1")
            .fetchall()[0]
        )
        tools = Toolset(Chart(warehouse, subject_id, moment), vocabulary)
        shown = {f"Patient/{subject_id}"}
        named: set[str] = set()
        for kind in (
            "Encounter",
            "MedicationRequest",
            "MedicationAdministration",
            "Observation",
            "Condition",
        ):
            page, pages = 1, 1
            while page <= pages:
                asked = {"subject_id": subject_id, "_count": 100, "page": page}
                result = tools.call(f"{kind}.search", asked)
                shown |= set(result.refs)
                named |= set(references(result.resource))
                pages = -(-result.resource["total"] // 100)
                page += 1
    assert len(named) > 5
    assert named <= shown


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
