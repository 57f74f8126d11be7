"""ServiceRequest as a session writes it: understood and dated before it is kept."""

from tools.fhir.context import Context
from tools.fhir.dates import day_or_moment, shown
from tools.fhir.elements import Resource, compact, concept, date_time
from tools.fhir.outcome import IssueType, Refused
from tools.fhir.systems import SNOMED_CT
from tools.fhir.write_arguments import ServiceRequestCreate

CATEGORY = {
    "laboratory": ("108252007", "Laboratory procedure"),
    "imaging": ("363679005", "Imaging"),
    "education": ("409073007", "Education"),
}
"""The kinds of service that FHIR R4's servicerequest-category has a code for; the others are text."""


def create_service_request(context: Context, asked: ServiceRequestCreate) -> Resource:
    """Request a service. The resource keeps the caller's words; ``category`` is what they were understood as."""
    kinds = _kinds(context, asked.service_type)
    return context.chart.overlay.create(
        compact(
            {
                "resourceType": "ServiceRequest",
                "status": "active",
                "intent": "order",
                "category": [_category(kind) for kind in kinds],
                "priority": asked.priority.value,
                "code": concept(asked.service_type),
                "subject": context.subject,
                "encounter": context.encounter(context.chart.hadm_id),
                "occurrenceDateTime": _target(context, asked.target_date),
                "authoredOn": date_time(context.chart.as_of),
                "note": [{"text": asked.note}] if asked.note else None,
            }
        )
    )


def _kinds(context: Context, service: str) -> tuple[str, ...]:
    """Understand a service by the vocabulary; a drug by itself is no service."""
    vocabulary = context.vocabulary
    understood = vocabulary.service(service)
    if understood is not None:
        return understood.kinds
    if vocabulary.ingredient(service) is not None:
        raise Refused(
            IssueType.CODE_INVALID,
            f"service_type {service!r} is a drug: order it with MedicationRequest_create, or ask for its level",
        )
    raise Refused(
        IssueType.CODE_INVALID,
        f"service_type {service!r} names no known service: write what is to be done, such as CT abdomen, "
        f"blood culture, repeat potassium, cardiology consult; kinds known: {', '.join(vocabulary.kinds_of_service)}",
    )


def _category(kind: str) -> Resource:
    if kind in CATEGORY:
        return concept(CATEGORY[kind][1], (SNOMED_CT, *CATEGORY[kind]))
    return concept(kind.capitalize())


def _target(context: Context, target: str | None) -> str | None:
    if target is None:
        return None
    start, length = day_or_moment(target)
    if start + length <= context.chart.as_of:
        raise Refused(
            IssueType.VALUE,
            f"target_date {target} is past: it is {shown(context.chart.as_of)} in this record",
        )
    return date_time(start if len(target) > len("YYYY-MM-DD") else start.date())
