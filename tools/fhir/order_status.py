"""MedicationRequest as a session ends it: one standing order stopped or put on hold."""

from collections.abc import Callable, Sequence
from typing import Any

from tools.fhir.context import Context
from tools.fhir.dates import shown
from tools.fhir.drugs import drug_filter
from tools.fhir.elements import Resource, concept, date_time
from tools.fhir.medication_requests import Hit, MedicationRequests
from tools.fhir.outcome import IssueType, Refused
from tools.fhir.search_arguments import OrderStatus
from tools.fhir.write_arguments import EndStatus, MedicationRequestPatch

STANDING = (OrderStatus.ACTIVE, OrderStatus.ON_HOLD)
CHOICES = 8
"""Orders named in a refusal; the rest are counted."""


def patch_medication_request(
    context: Context, requests: MedicationRequests, asked: MedicationRequestPatch
) -> Resource:
    """Stop an order now, or hold it. The version with the new status takes its place in later reads."""
    orders = requests.newest_first
    if asked.resource_id is None:
        hit = _of_drug(context, orders, asked.medication or "")
    else:
        hit = _of_id(orders, asked.resource_id)
        if asked.medication and not _same(context, orders, asked.medication)(hit.drugs[0]):
            raise Refused(
                IssueType.BUSINESS_RULE,
                f"{_named(hit)} is not of {asked.medication}: name the order by its _id alone, or another one",
            )
    if hit.status not in STANDING:
        raise Refused(
            IssueType.BUSINESS_RULE, f"{_named(hit)} does not stand any more: it is {hit.status} already"
        )
    if hit.status == asked.status.value:
        raise Refused(IssueType.BUSINESS_RULE, f"{_named(hit)} is on hold already")
    return context.chart.overlay.change(_ended(context, hit.build(), asked))


def _ended(context: Context, order: Resource, asked: MedicationRequestPatch) -> Resource:
    built: Resource = {}
    for element, value in order.items():
        if element != "statusReason":
            built[element] = value
        if element == "status":
            built |= {"status": asked.status.value, "statusReason": concept(asked.reason)}
    if asked.status is EndStatus.STOPPED:
        for dosage in built["dosageInstruction"]:
            period: dict[str, Any] = dosage.get("timing", {}).get("repeat", {}).get("boundsPeriod", {})
            if period:
                period["end"] = date_time(context.chart.as_of)
    return built


def _of_id(orders: Sequence[Hit], asked: str) -> Hit:
    wanted = asked.removeprefix("MedicationRequest/")
    for hit in orders:
        if hit.resource_id == wanted:
            return hit
    raise Refused(
        IssueType.NOT_FOUND,
        f"no order {asked!r} of this patient is known: give the _id as MedicationRequest_search shows it",
    )


def _of_drug(context: Context, orders: Sequence[Hit], drug: str) -> Hit:
    """Find the one standing order of a drug; a bag it is only an additive of must be named itself."""
    same = _same(context, orders, drug)
    standing = [hit for hit in orders if hit.status in STANDING]
    found = [hit for hit in standing if same(hit.drugs[0])]
    if len(found) == 1:
        return found[0]
    if found:
        raise Refused(
            IssueType.MULTIPLE_MATCHES,
            f"{len(found)} orders of {drug} stand, give one by its _id: {_list(found)}",
        )
    if mixed := [hit for hit in standing if any(map(same, hit.drugs))]:
        raise Refused(
            IssueType.MULTIPLE_MATCHES,
            f"{drug} is only an additive of other orders, give one by its _id to end all of it: {_list(mixed)}",
        )
    raise Refused(
        IssueType.NOT_FOUND,
        f"no order of {drug} stands at {shown(context.chart.as_of)}; standing orders: {_list(standing) or 'none'}",
    )


def _same(context: Context, orders: Sequence[Hit], drug: str) -> Callable[[str], bool]:
    return drug_filter(context, drug, {name for hit in orders for name in hit.drugs})


def _named(hit: Hit) -> str:
    return f"MedicationRequest/{hit.resource_id} {hit.drugs[0]}"


def _list(hits: Sequence[Hit]) -> str:
    told = "; ".join(
        f"{_named(hit)} {hit.build()['dosageInstruction'][0].get('text', '')}".strip()
        for hit in hits[:CHOICES]
    )
    return f"{told}; and {len(hits) - CHOICES} more" if len(hits) > CHOICES else told
