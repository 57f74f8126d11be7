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
from tools.fhir.context import Context
from tools.fhir.dictionaries import Dictionaries
from tools.fhir.handlers import searches
from tools.fhir.medication_requests import MedicationRequests
from tools.fhir.orders import Orders
from tools.fhir.search_arguments import PatientEverything
from tools.fhir.toolset import TOOLS, Toolset
from tools.vocabulary import Vocabulary

SEARCHES = tuple(name for name in TOOLS if name.endswith(".search") and name != "Observation.search")
CATEGORIES = ("laboratory", "vital-signs", "microbiology")
DOCUMENT = "DocumentReference.search"
CROWDED = ("Condition", "Encounter", "MedicationRequest", "MedicationAdministration", "Procedure")
OF_NOTES = ("DocumentReference", "DiagnosticReport", "CarePlan")
INTERVIEW = {
    "patient.get_symptom_history": {"query": "fever"},
    "patient.get_medication_adherence": {"drug": "aspirin"},
    "patient.get_social_history": {},
    "patient.get_functional_status": {},
    "patient.get_pain_assessment": {"query": "knee"},
    "patient.get_chief_complaint": {},
}
KINDS = {name.partition(".")[0] for name in TOOLS if name not in INTERVIEW} | {"QuestionnaireResponse"}
ORDER = {
    "medication": "furosemide",
    "dose": "40 mg",
    "route": "IV",
    "frequency": "Q12H PRN",
    "duration_days": 2,
}
LATER = {"target_date": "2999-01-01", "note": "fell"}
Validate = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def by_schema(beside_the_demo: Path) -> Validate:
    file = beside_the_demo / "fhir-r4" / "fhir.schema.json"
    if not file.is_file():
        pytest.skip(f"HL7's schema is not here: put fhir.schema.json of R4 at {file}")
    definitions = json.loads(file.read_text())["definitions"]
    # Resources inside a Bundle are validated one by one; without this every validator would hold all of FHIR.
    definitions["ResourceList"] = {"type": "object"}
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
    calls: list[tuple[str, dict[str, Any]]] = [(name, {"_count": count}) for name in SEARCHES]
    calls += [("Observation.search", {"category": category, "_count": count}) for category in CATEGORIES]
    calls += [
        ("Patient.read", {}),
        ("MedicationRequest.search", {"category": "community", "_count": count}),
        (DOCUMENT, {"keyword": "heart", "section": "Brief Hospital Course"}),
        (DOCUMENT, {"_count": 1}),
        ("DiagnosticReport.search", {"_count": 1, "report_type": "radiology"}),
        ("MedicationRequest.create", ORDER | {"indication": "edema"}),
        (
            "MedicationRequest.create",
            ORDER | {"dose": "1-2 tablets", "frequency": "Q6H PRN", "duration_days": 5},
        ),
        ("MedicationRequest.patch", {"_id": "new-1", "status": "on-hold", "reason": "potassium 2.8"}),
        ("MedicationRequest.patch", {"_id": "new-2", "status": "stopped", "reason": "potassium 2.8"}),
        ("ServiceRequest.create", {"service_type": "CT head", "priority": "asap"} | LATER),
        ("ServiceRequest.create", {"service_type": "social work", "priority": "routine"}),
        ("Nope", {}),
    ]
    calls += [
        ("Flag.create", {"category": category, "code": "Watch", "detail": "Watch it"})
        for category in ("safety", "allergy", "administrative", "clinical")
    ]
    calls.append(("Patient.everything", {"_count": 5}))
    calls += INTERVIEW.items()
    for name, arguments in calls:
        resource = tools.call(name, subject | arguments).resource
        yield resource
        yield from (entry["resource"] for entry in resource.get("entry", []))


def test_real_records_validate(noted_demo: Path, vocabulary: Vocabulary, by_schema: Validate) -> None:
    kinds: Counter[str] = Counter()
    with Warehouse.open(noted_demo) as warehouse:
        admissions = (
            warehouse.cursor()
            .execute("SELECT subject_id, admittime, dischtime FROM hosp.admissions ORDER BY hadm_id")
            .fetchall()
        )
        for number, (subject_id, admitted, discharged) in enumerate(admissions[::25]):
            moment: datetime = (
                admitted + (discharged - admitted) * 0.7 if number % 2 else discharged + timedelta(days=3)
            )
            tools = Toolset(Chart(warehouse, subject_id, moment), vocabulary)
            for resource in everything(tools, count=40):
                by_schema(resource)
                kinds[resource["resourceType"]] += 1
                if kinds[resource["resourceType"]] % 8 == 1:
                    by_models(resource)
    assert kinds["Observation"] > 600
    assert kinds["Flag"] == 4 * len(admissions[::25])
    assert kinds.keys() == KINDS | {"Bundle", "OperationOutcome"}
    for kind in (*CROWDED, *OF_NOTES):
        assert kinds[kind] > 50


@pytest.mark.parametrize(
    ("records", "every", "at_least"), [("noted_demo", 1, 170_000), ("noted_synthetic", 3, 14_000)]
)
def test_every_resource_of_every_such_patient_validates(
    request: pytest.FixtureRequest,
    vocabulary: Vocabulary,
    by_schema: Validate,
    records: str,
    every: int,
    at_least: int,
) -> None:
    kinds: Counter[str] = Counter()
    with Warehouse.open(request.getfixturevalue(records)) as warehouse:
        dictionaries = Dictionaries(warehouse)
        query = (
            "SELECT subject_id, max(dischtime) FROM hosp.admissions GROUP BY subject_id ORDER BY subject_id"
        )
        for subject_id, ended in warehouse.cursor().execute(query).fetchall()[::every]:
            context = Context(Chart(warehouse, subject_id, ended), vocabulary, dictionaries)
            found = searches(context, MedicationRequests(context, Orders(context)))["Patient.everything"](
                PatientEverything(subject_id=subject_id)
            )
            for resource in map(found.build, found.hits):
                by_schema(resource)
                kind = resource["resourceType"]
                kinds[kind] += 1
                if kinds[kind] % 500 == 1:
                    by_models(resource)
    assert kinds.total() > at_least
    assert kinds.keys() == KINDS - {"Flag", "ServiceRequest", "QuestionnaireResponse"}


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
    row = {"orderid": 1, "itemid": 5, "starttime": at(2), "endtime": at(3), "statusdescription": "Odd"}
    hospital.add("icu.procedureevents", row)
    hospital.film(at(2), at(3), "")
    hospital.film(at(2, 1), at(3), "IMPRESSION:\n" + "word " * 9_000, note_type="AR")
    resources = list(everything(hospital.toolset(at(5)), count=100))
    assert len(resources) > 30
    for resource in resources:
        by_schema(resource)
        by_models(resource)
