"""Documents, reports, plans, allergies, procedures and requests as the text a model reads."""

from collections.abc import Callable
from datetime import datetime

from tools.fhir.elements import Resource
from tools.fhir.excerpts import attached_text
from tools.fhir.render_parts import concept_text, local, notes, period_text, ref_text

BEGIN, END = "<<<", ">>>"


def quoted(title: str, text: str | None) -> str:
    """Set a text of several lines apart, as it is; without one, give its title alone."""
    return title if text is None else f"{title}:\n{BEGIN}\n{text.strip()}\n{END}"


def _attached(attached: Resource) -> str:
    return quoted(attached["title"], attached_text(attached))


def _concepts(concepts: list[Resource]) -> str:
    return ", ".join(concept_text(concept) for concept in concepts)


def _document(document: Resource, as_of: datetime) -> list[str]:  # noqa: ARG001 - all lines are called alike
    context = document["context"]
    return [
        local(context["period"]["start"]),
        concept_text(document["type"]),
        document.get("description", ""),
        document["docStatus"],
        f"stored {local(document['date'])}",
        *(f"adds to {ref_text(other['target'])}" for other in document.get("relatesTo", [])),
        *(ref_text(encounter) for encounter in context.get("encounter", [])),
        *(_attached(content["attachment"]) for content in document["content"]),
    ]


def _report(report: Resource, as_of: datetime) -> list[str]:  # noqa: ARG001
    conclusion = report.get("conclusion")
    results = "\n".join(
        f"  - {ref_text(result)} | {result['display']}" for result in report.get("result", [])
    )
    status = report["status"]
    return [
        local(report["effectiveDateTime"]),
        _concepts(report["category"]),
        concept_text(report["code"]),
        "whether more results are to come is not recorded" if status == "unknown" else status,
        f"reported {local(report['issued'])}" if "issued" in report else "",
        ref_text(report.get("encounter")),
        *(_attached(form) for form in report.get("presentedForm", [])),
        quoted("Impression, whole", conclusion) if conclusion else "",
        f"results:\n{results}" if results else "",
    ]


def _care_plan(plan: Resource, as_of: datetime) -> list[str]:  # noqa: ARG001
    return [
        f"of {local(plan['created'])}",
        _concepts(plan["category"]),
        "whether still followed is not recorded",
        *(f"from {ref_text(source)}" for source in plan["supportingInfo"]),
        ref_text(plan.get("encounter")),
        *notes(plan),
        quoted(plan["title"], plan["description"]),
    ]


def _allergy(allergy: Resource, as_of: datetime) -> list[str]:  # noqa: ARG001
    return [
        concept_text(allergy["code"]),
        concept_text(allergy["clinicalStatus"]).lower(),
        concept_text(allergy["verificationStatus"]).lower(),
        f"recorded {local(allergy['recordedDate'])}",
        *notes(allergy),
        ref_text(allergy.get("encounter")),
    ]


def _procedure(procedure: Resource, as_of: datetime) -> list[str]:  # noqa: ARG001
    codes = ", ".join(
        f"{'ICD-10-PCS' if 'cms.gov' in coding['system'] else 'ICD-9-CM'} {coding['code']}"
        for coding in procedure["code"].get("coding", [])
        if "mimic" not in coding["system"]
    )
    performed = procedure.get("performedPeriod")
    return [
        period_text(performed) if performed else local(procedure["performedDateTime"]),
        f"{concept_text(procedure['code'])} ({codes})" if codes else concept_text(procedure["code"]),
        concept_text(procedure["category"]) if "category" in procedure else "",
        *(f"site: {concept_text(site)}" for site in procedure.get("bodySite", [])),
        procedure["status"],
        *notes(procedure),
        ref_text(procedure.get("encounter")),
    ]


def _service_request(request: Resource, as_of: datetime) -> list[str]:  # noqa: ARG001
    return [
        concept_text(request["code"]),
        _concepts(request["category"]),
        request["priority"],
        request["status"],
        f"for {local(request['occurrenceDateTime'])}" if "occurrenceDateTime" in request else "",
        f"ordered {local(request['authoredOn'])}",
        *notes(request),
        ref_text(request.get("encounter")),
    ]


DOCUMENT_LINES: dict[str, Callable[[Resource, datetime], list[str]]] = {
    "DocumentReference": _document,
    "DiagnosticReport": _report,
    "CarePlan": _care_plan,
    "AllergyIntolerance": _allergy,
    "Procedure": _procedure,
    "ServiceRequest": _service_request,
}
"""How to write each of these resource types."""
