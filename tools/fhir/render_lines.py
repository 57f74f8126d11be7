"""The line of each resource type that the record's tables give: its parts in order, empty ones to be left out."""

from collections.abc import Callable
from datetime import datetime

from tools.fhir.elements import Resource
from tools.fhir.labels import Labels
from tools.fhir.render_parts import (
    components_text,
    concept_text,
    dosage_text,
    flags_text,
    local,
    notes,
    period_text,
    quantity_text,
    range_text,
    ref_text,
    value_text,
)

Write = Callable[[Resource, Labels, datetime], list[str]]


def _patient(patient: Resource, labels: Labels, as_of: datetime) -> list[str]:
    say = labels.say
    race = next((e["extension"][0]["valueString"] for e in patient.get("extension", [])), "")
    language = next((concept_text(c["language"]) for c in patient.get("communication", [])), "")
    born, died = patient.get("birthDate"), patient.get("deceasedDateTime")
    age = as_of.year - int(born) if born else 0
    married = patient.get("maritalStatus")
    return [
        labels.word(patient["gender"]),
        say("born", year=born, age=age, today=f"{as_of:%Y-%m-%d}") if born else "",
        say("died", when=local(died)) if died else "",
        say("race", race=race) if race else "",
        say("marital_status", status=concept_text(married)) if married else "",
        say("language", language=language) if language else "",
    ]


def _encounter(encounter: Resource, labels: Labels, as_of: datetime) -> list[str]:  # noqa: ARG001 - all are called alike
    say, stay = labels.say, encounter.get("hospitalization", {})
    places = "; ".join(
        f"{place['location']['display']} {period_text(labels, place['period'])}"
        for place in encounter.get("location", [])
    )
    source, disposition = stay.get("admitSource"), stay.get("dischargeDisposition")
    return [
        period_text(labels, encounter["period"]),
        labels.word(encounter["status"]),
        labels.word(encounter["class"]["display"]),
        ", ".join(labels.word(concept_text(kind)) for kind in encounter.get("type", [])),
        say("from_place", place=concept_text(source)) if source else "",
        say("discharged_to", place=concept_text(disposition)) if disposition else "",
        say("locations", places=places) if places else "",
        say("part_of", reference=ref_text(encounter["partOf"])) if "partOf" in encounter else "",
    ]


def _condition(condition: Resource, labels: Labels, as_of: datetime) -> list[str]:  # noqa: ARG001
    codes = ", ".join(
        f"{'ICD-10-CM' if coding['system'].endswith('icd-10-cm') else 'ICD-9-CM'} {coding['code']}"
        for coding in condition["code"].get("coding", [])
    )
    status = condition.get("clinicalStatus")
    return [
        f"{concept_text(condition['code'])} ({codes})",
        labels.say("clinical_status", status=labels.word(concept_text(status).lower()))
        if status
        else labels.say("clinical_status_not_recorded"),
        labels.say("recorded", when=local(condition["recordedDate"])),
        *notes(labels, condition),
        ref_text(condition.get("encounter")),
    ]


def _observation(observation: Resource, labels: Labels, as_of: datetime) -> list[str]:  # noqa: ARG001
    specimen = observation.get("specimen", {}).get("display")
    name = labels.word(concept_text(observation["code"]))
    value = value_text(labels, observation)
    ranges = (range_text(limits) for limits in observation.get("referenceRange", []))
    return [
        local(observation["effectiveDateTime"]),
        f"{name} ({specimen}): {value}".rstrip(": ") if specimen else f"{name}: {value}".rstrip(": "),
        flags_text(labels, observation),
        components_text(labels, observation),
        "; ".join(labels.say("reference", range=limits) for limits in ranges),
        labels.word(observation["status"]),
        labels.say("reported", when=local(observation["issued"])) if "issued" in observation else "",
        *notes(labels, observation),
        ref_text(observation.get("encounter")),
    ]


def _medication_request(request: Resource, labels: Labels, as_of: datetime) -> list[str]:  # noqa: ARG001
    reasons = "; ".join(concept_text(reason) for reason in request.get("reasonCode", []))
    status = labels.word(request["status"])
    if "statusReason" in request:
        status = f"{status} ({concept_text(request['statusReason'])})"
    reported = request.get("reportedBoolean", False)
    return [
        labels.word(concept_text(request["medicationCodeableConcept"])),
        *(labels.word(concept_text(category)) for category in request.get("category", [])),
        *(dosage_text(labels, dosage) for dosage in request.get("dosageInstruction", [])),
        *([] if reported else [status]),
        labels.say("recorded" if reported else "ordered", when=local(request["authoredOn"])),
        labels.say("for_reason", reason=reasons) if reasons else "",
        *notes(labels, request),
        ref_text(request.get("encounter")),
    ]


def _medication_administration(given: Resource, labels: Labels, as_of: datetime) -> list[str]:  # noqa: ARG001
    say, dosage = labels.say, given.get("dosage", {})
    said = [concept_text(reason) for reason in given.get("statusReason", [])]
    remarks = [" ".join(note["text"].split()) for note in given.get("note", [])]
    charted = say("event", event="")
    said += [remark.removeprefix(charted) for remark in remarks if remark.startswith(charted)]
    return [
        local(given["effectiveDateTime"]),
        labels.word(concept_text(given["medicationCodeableConcept"])),
        f"{labels.word(given['status'])} ({'; '.join(said)})",
        say("dose", dose=quantity_text(dosage["dose"])) if "dose" in dosage else "",
        say("rate", rate=quantity_text(dosage["rateQuantity"])) if "rateQuantity" in dosage else "",
        say("route", route=concept_text(dosage["route"])) if "route" in dosage else "",
        *(say("note", text=remark) for remark in remarks if not remark.startswith(charted)),
        say("order", reference=ref_text(given["request"])) if "request" in given else "",
        ref_text(given.get("context")),
    ]


def _flag(flag: Resource, labels: Labels, as_of: datetime) -> list[str]:  # noqa: ARG001
    return [
        ", ".join(labels.word(concept_text(category)) for category in flag["category"]),
        labels.word(flag["status"]),
        ", ".join(coding["display"] for coding in flag["code"]["coding"]),
        concept_text(flag["code"]),
        labels.say("since", when=local(flag["period"]["start"])),
    ]


def _questionnaire_response(response: Resource, labels: Labels, as_of: datetime) -> list[str]:  # noqa: ARG001
    (item,) = response["item"]
    return [item["text"], labels.say("patient_says", text=item["answer"][0]["valueString"])]


LINES: dict[str, Write] = {
    "Patient": _patient,
    "Encounter": _encounter,
    "Condition": _condition,
    "Observation": _observation,
    "MedicationRequest": _medication_request,
    "MedicationAdministration": _medication_administration,
    "Flag": _flag,
    "QuestionnaireResponse": _questionnaire_response,
}
"""How to write each of these resource types."""
