"""The facts gold answers are worded from, and each fact made wrong on purpose to try the rubric."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from state.gold import Decision
from state.knowledge import OrderAction
from tools.gold.source import GoldSource

OPPOSITE: dict[Decision, Decision] = {
    Decision.HOLD: Decision.CONTINUE,
    Decision.REDUCE: Decision.CONTINUE,
    Decision.REPLACE: Decision.CONTINUE,
    Decision.CONTINUE: Decision.HOLD,
}
STRANGER = "acetylcysteine"
"""A drug no rule is about; it stands in for the right one where an answer is corrupted."""


class Corruption(StrEnum):
    """Which fact of an answer is made wrong; the drug with its dose, and the other drugs held with it."""

    VALUE = "value"
    TIME = "time"
    DRUG = "drug"
    DECISION = "decision"
    OTHERS = "others"


@dataclass(frozen=True)
class Order:
    """An order as an answer mentions it."""

    drug: str
    dose: str
    route: str


@dataclass(frozen=True)
class Facts:
    """What a gold answer states. Values are in ``unit``; times are local to the record."""

    analyte: str
    value: float
    unit: str
    time: datetime
    first_value: float
    first_time: datetime
    baseline: float | None
    baseline_time: datetime | None
    egfr: float | None
    egfr_unit: str | None
    orders: tuple[Order, ...]
    decision: Decision
    replacement: str | None
    others: tuple[str, ...]
    held_too: tuple[str, ...] = ()

    @classmethod
    def of(cls, source: GoldSource) -> "Facts":
        """Collect the facts a match binds; the first value is the oldest of the trend window."""
        lab, rule = source.match.lab, source.rule
        first_value, first_time = lab.value, lab.charttime
        if source.trend:
            oldest = source.trend[0]
            first_value = oldest["valueQuantity"]["value"]
            first_time = datetime.fromisoformat(oldest["effectiveDateTime"]).replace(tzinfo=None)
        orders = dict.fromkeys(
            Order(
                drug=source.display(order.ingredient),
                dose=f"{order.dose_value:g} {order.dose_unit}" if order.dose_value is not None else "",
                route=order.route or "",
            )
            for order in source.match.orders
        )
        return cls(
            analyte=lab.label,
            value=lab.value,
            unit=lab.unit,
            time=lab.charttime,
            first_value=float(first_value),
            first_time=first_time,
            baseline=lab.baseline_value,
            baseline_time=lab.baseline_time,
            egfr=lab.derived_value,
            egfr_unit=lab.derived_unit,
            orders=tuple(orders),
            decision=source.decision,
            replacement=(
                source.display(rule.action.medication)
                if isinstance(rule.action, OrderAction) and rule.action.medication
                else None
            ),
            others=tuple(names[0] for names in source.other_active_drugs),
        )

    def corrupted(self, corruption: Corruption) -> "Facts":
        """Return the same facts with one of them wrong."""
        match corruption:
            case Corruption.VALUE:
                return replace(
                    self,
                    value=round(self.value * 1.3 + 1, 2),
                    first_value=round(self.first_value * 1.3 + 2, 2),
                    baseline=None if self.baseline is None else round(self.baseline * 1.3 + 2, 2),
                    egfr=None if self.egfr is None else self.egfr + 15,
                )
            case Corruption.TIME:
                return replace(self, time=self.time + timedelta(days=1, minutes=7))
            case Corruption.DRUG:
                return replace(self, orders=(Order(drug=STRANGER, dose="7777 mg", route="IM"),))
            case Corruption.DECISION:
                return replace(self, decision=OPPOSITE[self.decision])
            case Corruption.OTHERS:
                return replace(self, held_too=self.others)

    def context(self) -> dict[str, Any]:
        """Give the names that answer templates use."""
        return {
            "analyte": self.analyte,
            "value": f"{self.value:g}",
            "unit_after": f" {self.unit}" if self.unit else "",
            "time": f"{self.time:%Y-%m-%d %H:%M}",
            "first_value": f"{self.first_value:g}",
            "first_time": f"{self.first_time:%Y-%m-%d %H:%M}",
            "baseline": None if self.baseline is None else f"{self.baseline:g}",
            "baseline_time": None if self.baseline_time is None else f"{self.baseline_time:%Y-%m-%d %H:%M}",
            "egfr": None if self.egfr is None else f"{self.egfr:.0f}",
            "egfr_unit": self.egfr_unit,
            "orders": self.orders,
            "drug": self.orders[0].drug,
            "drugs": " and ".join(dict.fromkeys(order.drug for order in self.orders)),
            "decision": self.decision.value,
            "replacement": self.replacement,
            "held_too": self.held_too,
        }
