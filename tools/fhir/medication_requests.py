"""MedicationRequest from orders, from what this session ordered, and from the home medication list."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from typing import Any

from tools.fhir.arguments import Sort
from tools.fhir.context import Context, Row
from tools.fhir.dates import day_or_moment, shown
from tools.fhir.drugs import drug_filter
from tools.fhir.elements import Resource, compact, concept, date_time, number, quantity, text_of
from tools.fhir.home_list import TABLES as HOME_TABLES
from tools.fhir.home_list import drug_of, home_list, home_medication, resource_id_of
from tools.fhir.listing import Listing, incomplete
from tools.fhir.orders import Order, Orders
from tools.fhir.outcome import IssueType, Refused, not_loaded
from tools.fhir.search_arguments import MedicationRequestSearch, OrderStatus
from tools.fhir.systems import FORMULARY_DRUG, NDC


@dataclass(frozen=True)
class Hit:
    """One order found: from the record, or written in this session."""

    moment: datetime
    status: str
    drugs: tuple[str, ...]
    hadm_id: int | None
    resource_id: str
    build: Callable[[], Resource]


class MedicationRequests:
    """Medication orders of one chart as FHIR."""

    def __init__(self, context: Context, orders: Orders) -> None:
        self._context = context
        self.orders = orders

    @property
    def newest_first(self) -> list[Hit]:
        """Give every order begun by as_of with what this session changed, its own orders first."""
        overlay = self._context.chart.overlay
        written = [self._of_session(resource) for resource in overlay.created("MedicationRequest")]
        if not self._context.chart.loaded("hosp.prescriptions") and not written:
            raise not_loaded("hosp.prescriptions")
        changed = overlay.changed("MedicationRequest")
        return [*reversed(written), *(_as_changed(hit, changed) for hit in self._of_record)]

    def search(self, asked: MedicationRequestSearch) -> Listing[Hit]:
        """Find orders begun by as_of, this session's own among them; or the entries of the home list."""
        context = self._context
        context.check_admission(asked.hadm_id)
        hits = self._of_home(asked) if asked.of_home else self.newest_first
        if asked.medication is not None:
            same = drug_filter(context, asked.medication, {drug for hit in hits for drug in hit.drugs})
            hits = [hit for hit in hits if any(same(drug) for drug in hit.drugs)]
        if asked.status is not None:
            hits = [hit for hit in hits if hit.status == asked.status]
        if asked.narrows:
            covers, within = asked.covers, context.within
            hits = [
                hit for hit in hits if covers(hit.moment) and within(asked.hadm_id, hit.hadm_id, hit.moment)
            ]
        newest_first = asked.sort is Sort.NEWEST_FIRST
        if not newest_first:
            hits.reverse()
        phrase = ("home_" if asked.of_home else "status_" if asked.status else "") + (
            "orders_of" if asked.medication else "orders"
        )
        tables = HOME_TABLES if asked.of_home else ("hosp.prescriptions", "hosp.pharmacy")
        status = context.labels.word(asked.status) if asked.status else ""
        return Listing(
            what=context.say(phrase, status=status, drug=asked.medication),
            order=context.say(f"{asked.sort.age}_by_{'charted' if asked.of_home else 'start'}"),
            hits=hits,
            identify=lambda hit: hit.resource_id,
            build=lambda hit: hit.build(),
            notices=incomplete(context.labels, context.missing(tables)),
        )

    def _of_home(self, asked: MedicationRequestSearch) -> list[Hit]:
        if asked.status is not None:
            raise Refused(
                IssueType.VALUE,
                "the home list has no status on record: search category=community without status",
            )
        context = self._context
        return [
            Hit(
                row["charttime"],
                "unknown",
                (drug_of(row),),
                context.ed_stays[row["stay_id"]]["hadm_id"],
                resource_id_of(row),
                partial(home_medication, context, row),
            )
            for row in home_list(context)
        ]

    @cached_property
    def _of_record(self) -> list[Hit]:
        build = partial(medication_request, self._context)
        return [
            Hit(
                order.start,
                order.status,
                order.drugs,
                order.row["hadm_id"],
                order.resource_id,
                partial(build, order),
            )
            for order in self.orders.newest_first
        ]

    def _of_session(self, resource: Resource) -> Hit:
        moment, _ = day_or_moment(resource["authoredOn"])
        drug: str = resource["medicationCodeableConcept"]["text"]
        return Hit(
            moment, resource["status"], (drug,), self._context.chart.hadm_id, resource["id"], lambda: resource
        )


def _as_changed(hit: Hit, changed: Mapping[str, Resource]) -> Hit:
    resource = changed.get(hit.resource_id)
    return hit if resource is None else replace(hit, status=resource["status"], build=lambda: resource)


def medication_request(context: Context, order: Order) -> Resource:
    """Build the MedicationRequest of one order; base and additives are told in its note."""
    row = order.row
    reason = order.end_reason
    if reason is None and order.stop is None and order.discharged is not None:
        reason = context.say("ended_with_admission", when=shown(order.discharged))
    codings: list[tuple[str, str, str | None]] = []
    if (ndc := text_of(row["ndc"])) and ndc != "0":
        codings.append((NDC, ndc, None))
    if formulary := text_of(row["formulary_drug_cd"]):
        codings.append((FORMULARY_DRUG, formulary, None))
    entered = order.pharmacy.get("entertime") or order.start
    notes = []
    if order.status is OrderStatus.CANCELLED:
        notes.append(context.say("was_to_start", when=shown(order.start)))
    if strength := text_of(row["prod_strength"]):
        notes.append(context.say("product", strength=strength))
    if order.parts:
        notes.append(context.say("prepared_with", parts="; ".join(_part(part) for part in order.parts)))
    return compact(
        {
            "resourceType": "MedicationRequest",
            "id": order.resource_id,
            "status": order.status.value,
            "statusReason": concept(reason) if reason else None,
            "intent": "order",
            "medicationCodeableConcept": concept(order.drug, *codings),
            "subject": context.subject,
            "encounter": context.encounter(row["hadm_id"]),
            "authoredOn": date_time(entered),
            "note": [{"text": note} for note in notes],
            "dosageInstruction": [_dosage(order)],
        }
    )


def _part(part: Row) -> str:
    words = (part["drug"], part["dose_val_rx"], part["dose_unit_rx"], f"({str(part['drug_type']).lower()})")
    return " ".join(text for word in words if (text := text_of(word)))


def _dosage(order: Order) -> Resource:
    row = order.row
    amount, unit, route = text_of(row["dose_val_rx"]), text_of(row["dose_unit_rx"]), text_of(row["route"])
    frequency = order.frequency
    bounds = compact({"start": date_time(order.start), "end": date_time(order.stop) if order.stop else None})
    if order.status is OrderStatus.CANCELLED:
        bounds = {"end": bounds["end"]}
    return compact(
        {
            "text": " ".join(word for word in (amount, unit, route, frequency) if word) or None,
            "timing": compact(
                {"repeat": {"boundsPeriod": bounds}, "code": concept(frequency) if frequency else None}
            ),
            "asNeededBoolean": True if frequency is not None and "PRN" in frequency.upper() else None,
            "route": concept(route) if route else None,
            "doseAndRate": _dose(amount, unit),
        }
    )


def _dose(amount: str | None, unit: str | None) -> list[Resource]:
    """Give a dose of one number, or of a range such as ``5-10``; other texts stay in the dosage's text."""
    if amount is None:
        return []
    if (single := number(amount)) is not None:
        return [{"doseQuantity": quantity(single, unit)}]
    low, dash, high = amount.partition("-")
    limits: list[Any] = [number(low), number(high)]
    if not dash or None in limits:
        return []
    return [{"doseRange": {"low": quantity(limits[0], unit), "high": quantity(limits[1], unit)}}]
