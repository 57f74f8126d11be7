"""FHIR resources as the text a model reads: one renderer for every result."""

from collections.abc import Callable
from datetime import datetime

from tools.fhir.dates import shown
from tools.fhir.elements import Resource
from tools.fhir.listing import Page, matches
from tools.fhir.render_documents import DOCUMENT_LINES
from tools.fhir.render_parts import (
    components_text,
    concept_text,
    dosage_text,
    local,
    notes,
    period_text,
    quantity_text,
    range_text,
    ref_text,
    value_text,
)

SEPARATOR = " | "
CHARTED = "note: event: "


def render(resource: Resource, as_of: datetime, page: Page | None = None) -> str:
    """Write a resource, searchset or OperationOutcome as text; ``page`` describes a searchset's page."""
    match resource["resourceType"]:
        case "Bundle":
            return _bundle(resource, as_of, page)
        case "OperationOutcome":
            return "\n".join(_issue(issue) for issue in resource["issue"])
        case _:
            return line(resource, as_of)


def line(resource: Resource, as_of: datetime) -> str:
    """Write one resource on one line: its reference first, then what it says."""
    kind = resource["resourceType"]
    parts = LINES[kind](resource, as_of)
    return SEPARATOR.join([f"{kind}/{resource['id']}", *(part for part in parts if part)])


def _bundle(bundle: Resource, as_of: datetime, page: Page | None) -> str:
    found = matches(bundle)
    outcomes = [e["resource"] for e in bundle.get("entry", []) if e["search"]["mode"] == "outcome"]
    lines = [_header(page, as_of)] if page is not None else []
    lines += [_issue(issue) for outcome in outcomes for issue in outcome["issue"]]
    return "\n".join(lines + [f"- {line(resource, as_of)}" for resource in found])


def _header(page: Page, as_of: datetime) -> str:
    if page.total == 0:
        return f"No {page.what} known at {shown(as_of)} (total 0)."
    head = (
        f"{page.total} known at {shown(as_of)}: {page.what}, {page.order}; showing {page.first}-{page.last}"
    )
    if page.of == 1:
        return f"{head}."
    more = (
        f"; for more, call again with page={page.number + 1}"
        if page.number < page.of
        else "; this is the last page"
    )
    return f"{head}, page {page.number} of {page.of}{more}."


def _issue(issue: Resource) -> str:
    return f"{issue['severity'].capitalize()} ({issue['code']}): {issue['details']['text']}"


def _patient(patient: Resource, as_of: datetime) -> list[str]:
    race = next((e["extension"][0]["valueString"] for e in patient.get("extension", [])), "")
    language = next((concept_text(c["language"]) for c in patient.get("communication", [])), "")
    died = patient.get("deceasedDateTime")
    return [
        str(patient["gender"]),
        f"born {patient['birthDate']}, {as_of.year - int(patient['birthDate'][:4])} years at {as_of:%Y-%m-%d}",
        f"DECEASED {local(died)}" if died else "",
        f"race: {race}" if race else "",
        f"marital status: {concept_text(patient['maritalStatus'])}" if "maritalStatus" in patient else "",
        f"language: {language}" if language else "",
    ]


def _encounter(encounter: Resource, as_of: datetime) -> list[str]:  # noqa: ARG001 - all lines are called alike
    stay = encounter.get("hospitalization", {})
    locations = "; ".join(
        f"{place['location']['display']} {period_text(place['period'])}"
        for place in encounter.get("location", [])
    )
    return [
        period_text(encounter["period"]),
        encounter["status"],
        encounter["class"]["display"],
        ", ".join(concept_text(kind) for kind in encounter.get("type", [])),
        f"from: {concept_text(stay['admitSource'])}" if "admitSource" in stay else "",
        f"discharged to: {concept_text(stay['dischargeDisposition'])}"
        if "dischargeDisposition" in stay
        else "",
        f"locations: {locations}" if locations else "",
        f"part of {encounter['partOf']['reference']}" if "partOf" in encounter else "",
    ]


def _condition(condition: Resource, as_of: datetime) -> list[str]:  # noqa: ARG001
    codes = ", ".join(
        f"{'ICD-10-CM' if coding['system'].endswith('icd-10-cm') else 'ICD-9-CM'} {coding['code']}"
        for coding in condition["code"].get("coding", [])
    )
    status = condition.get("clinicalStatus")
    return [
        f"{concept_text(condition['code'])} ({codes})",
        f"clinical status {concept_text(status).lower()}" if status else "clinical status not recorded",
        f"recorded {local(condition['recordedDate'])}",
        *notes(condition),
        ref_text(condition.get("encounter")),
    ]


def _observation(observation: Resource, as_of: datetime) -> list[str]:  # noqa: ARG001
    specimen = observation.get("specimen", {}).get("display")
    name = concept_text(observation["code"])
    flags = ", ".join(concept_text(flag).upper() for flag in observation.get("interpretation", []))
    value = value_text(observation)
    return [
        local(observation["effectiveDateTime"]),
        f"{name} ({specimen}): {value}".rstrip(": ") if specimen else f"{name}: {value}".rstrip(": "),
        flags,
        components_text(observation),
        "; ".join(f"reference {range_text(limits)}" for limits in observation.get("referenceRange", [])),
        observation["status"],
        f"reported {local(observation['issued'])}" if "issued" in observation else "",
        *notes(observation),
        ref_text(observation.get("encounter")),
    ]


def _medication_request(request: Resource, as_of: datetime) -> list[str]:  # noqa: ARG001
    reasons = "; ".join(concept_text(reason) for reason in request.get("reasonCode", []))
    status = request["status"]
    if "statusReason" in request:
        status = f"{status} ({concept_text(request['statusReason'])})"
    return [
        concept_text(request["medicationCodeableConcept"]),
        *(dosage_text(dosage) for dosage in request["dosageInstruction"]),
        status,
        f"ordered {local(request['authoredOn'])}",
        f"for {reasons}" if reasons else "",
        *notes(request),
        ref_text(request.get("encounter")),
    ]


def _medication_administration(given: Resource, as_of: datetime) -> list[str]:  # noqa: ARG001
    said = [concept_text(reason) for reason in given.get("statusReason", [])]
    remarks = notes(given)
    said += [remark.removeprefix(CHARTED) for remark in remarks if remark.startswith(CHARTED)]
    dosage = given.get("dosage", {})
    return [
        local(given["effectiveDateTime"]),
        concept_text(given["medicationCodeableConcept"]),
        f"{given['status']} ({'; '.join(said)})",
        f"dose {quantity_text(dosage['dose'])}" if "dose" in dosage else "",
        f"rate {quantity_text(dosage['rateQuantity'])}" if "rateQuantity" in dosage else "",
        f"route {concept_text(dosage['route'])}" if "route" in dosage else "",
        *(remark for remark in remarks if not remark.startswith(CHARTED)),
        f"order {given['request']['reference']}" if "request" in given else "",
        ref_text(given.get("context")),
    ]


def _flag(flag: Resource, as_of: datetime) -> list[str]:  # noqa: ARG001
    return [
        ", ".join(concept_text(category) for category in flag["category"]),
        flag["status"],
        ", ".join(coding["display"] for coding in flag["code"]["coding"]),
        concept_text(flag["code"]),
        f"since {local(flag['period']['start'])}",
    ]


def _questionnaire_response(response: Resource, as_of: datetime) -> list[str]:  # noqa: ARG001
    (item,) = response["item"]
    return [item["text"], f'patient: "{item["answer"][0]["valueString"]}"']


LINES: dict[str, Callable[[Resource, datetime], list[str]]] = {
    "Patient": _patient,
    "Encounter": _encounter,
    "Condition": _condition,
    "Observation": _observation,
    "MedicationRequest": _medication_request,
    "MedicationAdministration": _medication_administration,
    "Flag": _flag,
    "QuestionnaireResponse": _questionnaire_response,
    **DOCUMENT_LINES,
}
"""How to write each resource type. A new type needs its line here."""
