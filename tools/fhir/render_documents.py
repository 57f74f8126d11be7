"""Documents, reports, plans, allergies, procedures and requests as the text a model reads."""

from datetime import datetime

from tools.fhir.elements import Resource
from tools.fhir.excerpts import attached_text
from tools.fhir.labels import Labels
from tools.fhir.render_lines import Write
from tools.fhir.render_parts import concept_text, local, notes, period_text, ref_text

BEGIN, END = "<<<", ">>>"


def quoted(title: str, text: str | None) -> str:
    """Set a text of several lines apart, as it is; without one, give its title alone."""
    return title if text is None else f"{title}:\n{BEGIN}\n{text.strip()}\n{END}"


def _attached(attached: Resource) -> str:
    return quoted(attached["title"], attached_text(attached))


def _concepts(labels: Labels, concepts: list[Resource]) -> str:
    return ", ".join(labels.word(concept_text(concept)) for concept in concepts)


def _document(document: Resource, labels: Labels, as_of: datetime) -> list[str]:  # noqa: ARG001 - all are called alike
    context = document["context"]
    return [
        local(context["period"]["start"]),
        labels.word(concept_text(document["type"])),
        document.get("description", ""),
        labels.word(document["docStatus"]),
        labels.say("stored", when=local(document["date"])),
        *(labels.say("adds_to", reference=ref_text(o["target"])) for o in document.get("relatesTo", [])),
        *(ref_text(encounter) for encounter in context.get("encounter", [])),
        *(_attached(content["attachment"]) for content in document["content"]),
    ]


def _report(report: Resource, labels: Labels, as_of: datetime) -> list[str]:  # noqa: ARG001
    conclusion, status = report.get("conclusion"), report["status"]
    results = "\n".join(f"  - {ref_text(one)} | {one['display']}" for one in report.get("result", []))
    return [
        local(report["effectiveDateTime"]),
        _concepts(labels, report["category"]),
        labels.word(concept_text(report["code"])),
        labels.say("more_results_not_told") if status == "unknown" else labels.word(status),
        labels.say("reported", when=local(report["issued"])) if "issued" in report else "",
        ref_text(report.get("encounter")),
        *(_attached(form) for form in report.get("presentedForm", [])),
        quoted(labels.say("impression"), conclusion) if conclusion else "",
        f"{labels.say('results')}\n{results}" if results else "",
    ]


def _care_plan(plan: Resource, labels: Labels, as_of: datetime) -> list[str]:  # noqa: ARG001
    return [
        labels.say("of_time", when=local(plan["created"])),
        _concepts(labels, plan["category"]),
        labels.say("still_followed_not_told"),
        *(labels.say("from_source", reference=ref_text(source)) for source in plan["supportingInfo"]),
        ref_text(plan.get("encounter")),
        *notes(labels, plan),
        quoted(plan["title"], plan["description"]),
    ]


def _allergy(allergy: Resource, labels: Labels, as_of: datetime) -> list[str]:  # noqa: ARG001
    return [
        concept_text(allergy["code"]),
        labels.word(concept_text(allergy["clinicalStatus"]).lower()),
        labels.word(concept_text(allergy["verificationStatus"]).lower()),
        labels.say("recorded", when=local(allergy["recordedDate"])),
        *notes(labels, allergy),
        ref_text(allergy.get("encounter")),
    ]


def _procedure(procedure: Resource, labels: Labels, as_of: datetime) -> list[str]:  # noqa: ARG001
    codes = ", ".join(
        f"{'ICD-10-PCS' if 'cms.gov' in coding['system'] else 'ICD-9-CM'} {coding['code']}"
        for coding in procedure["code"].get("coding", [])
        if "mimic" not in coding["system"]
    )
    performed = procedure.get("performedPeriod")
    return [
        period_text(labels, performed) if performed else local(procedure["performedDateTime"]),
        f"{concept_text(procedure['code'])} ({codes})" if codes else concept_text(procedure["code"]),
        concept_text(procedure["category"]) if "category" in procedure else "",
        *(labels.say("site", site=concept_text(site)) for site in procedure.get("bodySite", [])),
        labels.word(procedure["status"]),
        *notes(labels, procedure),
        ref_text(procedure.get("encounter")),
    ]


def _service_request(request: Resource, labels: Labels, as_of: datetime) -> list[str]:  # noqa: ARG001
    wanted = request.get("occurrenceDateTime")
    return [
        concept_text(request["code"]),
        _concepts(labels, request["category"]),
        labels.word(request["priority"]),
        labels.word(request["status"]),
        labels.say("for_time", when=local(wanted)) if wanted else "",
        labels.say("ordered", when=local(request["authoredOn"])),
        *notes(labels, request),
        ref_text(request.get("encounter")),
    ]


DOCUMENT_LINES: dict[str, Write] = {
    "DocumentReference": _document,
    "DiagnosticReport": _report,
    "CarePlan": _care_plan,
    "AllergyIntolerance": _allergy,
    "Procedure": _procedure,
    "ServiceRequest": _service_request,
}
"""How to write each of these resource types."""
