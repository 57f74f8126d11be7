"""MedicationAdministration from hosp.emar and hosp.emar_detail."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from tools.fhir.arguments import Sort
from tools.fhir.context import Context, Row
from tools.fhir.drugs import drug_filter
from tools.fhir.elements import Resource, compact, concept, date_time, number, quantity, reference, text_of
from tools.fhir.emar_events import AdministrationStatus, status_of
from tools.fhir.labels import Labels
from tools.fhir.listing import Listing, incomplete
from tools.fhir.orders import Order, Orders
from tools.fhir.outcome import not_loaded
from tools.fhir.search_arguments import MedicationAdministrationSearch

NOT_RECORDED = "medication not recorded"


@dataclass(frozen=True)
class Event:
    """One charted event with its details and the order it belongs to, where known."""

    row: Row
    details: tuple[Row, ...]
    order: Order | None

    @property
    def moment(self) -> datetime:
        """Give the time charted for the event."""
        charted: datetime = self.row["charttime"]
        return charted

    @cached_property
    def drug(self) -> str:
        """Name the drug as charted, else as scanned, else as ordered."""
        scanned = (text_of(detail["product_description"]) for detail in self.details)
        names = (text_of(self.row["medication"]), *scanned, self.order.drug if self.order else None)
        return next((name for name in names if name), NOT_RECORDED)


class MedicationAdministrations:
    """Charted administrations of one chart as FHIR."""

    def __init__(self, context: Context, orders: Orders) -> None:
        self._context = context
        self._orders = orders

    @cached_property
    def newest_first(self) -> list[Event]:
        """Sort every known event by its charted time."""
        details: dict[str, list[Row]] = defaultdict(list)
        for detail in self._context.rows("hosp.emar_detail"):
            details[detail["emar_id"]].append(detail)
        orders = self._orders.by_pharmacy_id
        events = [
            Event(
                row,
                tuple(sorted(details.get(row["emar_id"], ()), key=lambda d: d["row_id"])),
                orders.get(row["pharmacy_id"]),
            )
            for row in self._context.rows("hosp.emar")
        ]
        return sorted(events, key=lambda event: (event.moment, event.row["emar_seq"]), reverse=True)

    def search(self, asked: MedicationAdministrationSearch) -> Listing[Event]:
        """Find charted events, given or not."""
        context = self._context
        context.check_admission(asked.hadm_id)
        if not context.chart.loaded("hosp.emar"):
            raise not_loaded("hosp.emar")
        hits = self.newest_first
        if asked.medication is not None:
            same = drug_filter(context, asked.medication, {event.drug for event in hits})
            hits = [event for event in hits if same(event.drug)]
        if asked.narrows:
            covers, within = asked.covers, context.within
            hits = [
                event
                for event in hits
                if covers(event.moment) and within(asked.hadm_id, event.row["hadm_id"], event.moment)
            ]
        if asked.sort is Sort.OLDEST_FIRST:
            hits = hits[::-1]
        return Listing(
            what=context.say("events_of", drug=asked.medication)
            if asked.medication
            else context.say("events"),
            order=context.say(f"{asked.sort.age}_by_charted"),
            hits=hits,
            identify=lambda event: f"emar-{event.row['row_id']}",
            build=self._build,
            notices=incomplete(context.labels, context.missing(["hosp.emar_detail"])),
        )

    def _build(self, event: Event) -> Resource:
        row = event.row
        said = text_of(row["event_txt"])
        status = status_of(said)
        done = status in (AdministrationStatus.COMPLETED, AdministrationStatus.IN_PROGRESS)
        say = self._context.say
        words = said or say("no_event")
        dosage, remarks = _dosage(self._context.labels, event, status)
        return compact(
            {
                "resourceType": "MedicationAdministration",
                "id": f"emar-{row['row_id']}",
                "status": status.value,
                "statusReason": None if done else [concept(words)],
                "medicationCodeableConcept": concept(event.drug),
                "subject": self._context.subject,
                "context": self._context.encounter(row["hadm_id"]),
                "effectiveDateTime": date_time(row["charttime"]),
                "request": (reference("MedicationRequest", event.order.resource_id) if event.order else None),
                "note": [
                    {"text": note} for note in (say("event", event=words) if done else None, *remarks) if note
                ],
                "dosage": dosage,
            }
        )


def _dosage(labels: Labels, event: Event, status: AdministrationStatus) -> tuple[Resource | None, list[str]]:
    """Give the dosage, and in words what no dosage may hold: FHIR allows none without a dose or a rate (mad-1).

    Products scanned for one event add up. Only a dose that was given is a quantity.
    """
    due = next(
        (_amount(d["dose_due"], d["dose_due_unit"]) for d in event.details if text_of(d["dose_due"])), None
    )
    total, unit = _sum_given(event.details)
    rate, rate_unit = _rate(event.details)
    route = next((r for d in event.details if (r := text_of(d["route"]))), None)
    if route is None and event.order is not None:
        route = text_of(event.order.row["route"])
    given = status is AdministrationStatus.COMPLETED and total is not None
    remarks = [labels.say("due", dose=due)] if due else []
    if total is not None and not given:
        remarks.append(labels.say("scanned", dose=f"{total:g} {unit}".strip()))
    if not given and rate is None:
        return None, [*remarks, *([labels.say("route", route=route)] if route else [])]
    return compact(
        {
            "route": concept(route) if route else None,
            "dose": quantity(total, unit or None) if given and total is not None else None,
            "rateQuantity": quantity(rate, rate_unit) if rate is not None else None,
        }
    ), remarks


def _rate(details: tuple[Row, ...]) -> tuple[float | None, str | None]:
    for detail in details:
        written = text_of(detail["infusion_rate"])
        if written is not None and (rate := number(written)) is not None:
            return rate, text_of(detail["infusion_rate_unit"])
    return None, None


def _amount(value: object, unit: object) -> str:
    return " ".join(text for part in (value, unit) if (text := text_of(part)))


def _sum_given(details: tuple[Row, ...]) -> tuple[float | None, str]:
    """Add the doses given; None where a dose is no number or units differ."""
    given = [(text_of(d["dose_given"]), text_of(d["dose_given_unit"]) or "") for d in details]
    stated = [(number(value), unit) for value, unit in given if value is not None]
    if not stated or len({unit for _, unit in stated}) > 1 or any(value is None for value, _ in stated):
        return None, ""
    total = sum(value for value, _ in stated if value is not None)
    return round(total, 6), stated[0][1]
