"""Medication orders of one chart: hosp.prescriptions, with what hosp.pharmacy knows of the same order."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from tools.fhir.context import Context, Row
from tools.fhir.elements import text_of
from tools.fhir.search_arguments import OrderStatus

ENDED_EARLY = ("discontinued", "inactive")
"""How hosp.pharmacy.status begins where an order was ended before it ran out: discontinued, discontinued via patient
discharge, inactive due to a change order. The others seen are Expired and H."""


@dataclass(frozen=True)
class Order:
    """An order: its row, the base and additive rows it is prepared with, and its pharmacy row, where there are any.

    ``discharged`` is when its admission ended, once that is past: no order of an admission outlasts it.
    """

    row: Row
    parts: tuple[Row, ...]
    pharmacy: Row
    discharged: datetime | None

    @property
    def drug(self) -> str:
        """Name the drug as the record has it."""
        return text_of(self.row["drug"]) or "drug not recorded"

    @property
    def resource_id(self) -> str:
        """Name the order by its row."""
        return f"rx-{self.row['row_id']}"

    @property
    def drugs(self) -> tuple[str, ...]:
        """Name the drug and its additives: potassium in a dextrose bag is found too."""
        additives = (text_of(p["drug"]) for p in self.parts if p["drug_type"] == "ADDITIVE")
        return (self.drug, *(drug for drug in additives if drug))

    @property
    def start(self) -> datetime:
        """Give the time the order was to begin."""
        moment: datetime = self.row["starttime"]
        return moment

    @property
    def stop(self) -> datetime | None:
        """Give the time it ended, once that is past."""
        moment: datetime | None = self.row["stoptime"]
        return moment

    @cached_property
    def status(self) -> OrderStatus:
        """Tell the order's state at as_of."""
        if self.stop is None:
            return OrderStatus.ACTIVE if self.discharged is None else OrderStatus.COMPLETED
        if self.stop < self.start:
            return OrderStatus.CANCELLED
        reason = self.end_reason
        if reason is not None and reason.lower().startswith(ENDED_EARLY):
            return OrderStatus.STOPPED
        return OrderStatus.COMPLETED

    @cached_property
    def end_reason(self) -> str | None:
        """Give the pharmacy's last word on the order, once it has ended."""
        return text_of(self.pharmacy.get("status")) if self.stop is not None else None

    @property
    def frequency(self) -> str | None:
        """Give the schedule, else the number of doses a day."""
        schedule = text_of(self.pharmacy.get("frequency"))
        if schedule is not None:
            return schedule
        doses = self.row["doses_per_24_hrs"]
        return f"{doses:g} doses per 24 hours" if doses is not None else None


class Orders:
    """The orders known at as_of."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @cached_property
    def newest_first(self) -> list[Order]:
        """Sort orders by start. Rows of one pharmacy_id are one order: its MAIN row, or its base where none is."""
        groups: dict[object, list[Row]] = defaultdict(list)
        for row in self._context.rows("hosp.prescriptions"):
            groups[row["pharmacy_id"] or row["row_id"]].append(row)
        pharmacy = {row["pharmacy_id"]: row for row in self._context.rows("hosp.pharmacy")}
        ended = {hadm_id: row["dischtime"] for hadm_id, row in self._context.admissions.items()}
        orders = [
            Order(main, parts, pharmacy.get(main["pharmacy_id"], {}), ended.get(main["hadm_id"]))
            for rows in groups.values()
            for main, parts in _split(rows)
        ]
        return sorted(orders, key=lambda order: (order.start, order.row["row_id"]), reverse=True)

    @cached_property
    def by_pharmacy_id(self) -> dict[int, Order]:
        """Map pharmacy_id to the order an administration belongs to."""
        return {order.row["pharmacy_id"]: order for order in reversed(self.newest_first)}


def _split(rows: list[Row]) -> list[tuple[Row, tuple[Row, ...]]]:
    ordered = sorted(rows, key=lambda row: row["row_id"])
    main = [row for row in ordered if row["drug_type"] == "MAIN"]
    parts = tuple(row for row in ordered if row["drug_type"] != "MAIN")
    if not main:
        return [(parts[0], parts[1:])]
    return [(row, parts) for row in main]
