"""The record as gold sees it: one rule match, and the tool results an examinee could have got."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from pydantic import JsonValue

from state.base import Language, ResourceRef
from state.gold import Decision, ToolCall
from state.knowledge import BoundOrder, Rule, RuleMatch
from tools.fhir.listing import matches
from tools.fhir.toolset import Toolset
from tools.vocabulary import Vocabulary

TREND_WINDOW = timedelta(hours=72)
ALL_ON_ONE_PAGE = 100


class NoGold(Exception):
    """The record does not carry this question; the reason goes into the generation log."""


@dataclass(frozen=True)
class GoldSource:
    """A match with its rule, and the same tools an examinee has."""

    rule: Rule
    match: RuleMatch
    toolset: Toolset
    vocabulary: Vocabulary

    @property
    def analyte_names(self) -> tuple[str, ...]:
        """Give every accepted word for the analyte."""
        analyte = next(a for a in self.vocabulary.analytes if a.id == self.match.lab.analyte)
        return tuple(dict.fromkeys((*analyte.names.values(), *analyte.synonyms)))

    @property
    def orders_by_ingredient(self) -> dict[str, list[BoundOrder]]:
        """Group the orders that satisfy the rule."""
        groups: dict[str, list[BoundOrder]] = {}
        for order in self.match.orders:
            groups.setdefault(order.ingredient, []).append(order)
        return groups

    @property
    def bound_names(self) -> tuple[str, ...]:
        """Give every accepted word for any drug whose order satisfies the rule."""
        return tuple(dict.fromkeys(name for order in self.match.orders for name in self.drug_names(order)))

    def drug_names(self, order: BoundOrder) -> tuple[str, ...]:
        """Give every accepted word for an order's drug, the record's own string among them."""
        return tuple(dict.fromkeys((order.drug.strip(), *self.ingredient_names(order.ingredient))))

    def ingredient_names(self, ingredient_id: str) -> tuple[str, ...]:
        """Give every accepted word for an ingredient."""
        ingredient = next(i for i in self.vocabulary.ingredients if i.id == ingredient_id)
        return tuple(dict.fromkeys((*ingredient.names.values(), *ingredient.synonyms)))

    def display(self, ingredient_id: str) -> str:
        """Give the ingredient's English name."""
        return next(i for i in self.vocabulary.ingredients if i.id == ingredient_id).names[Language.EN]

    @property
    def decision(self) -> Decision:
        """Give what the rule decides about its order."""
        if self.rule.decision is None:
            raise NoGold(f"rule {self.rule.id} decides about no order")
        return self.rule.decision

    @property
    def told_by_the_test(self) -> frozenset[str]:
        """Name the ingredients that the test itself names, as a drug level does."""
        return frozenset(drug.id for drug in self.vocabulary.ingredients_in(self.match.lab.label))

    @property
    def lab_latest(self) -> ToolCall:
        """Ask for the newest results of the analyte."""
        return self._call("Observation.search", category="laboratory", code=self.match.lab.label)

    @property
    def lab_trend(self) -> ToolCall:
        """Ask for the results of the window before as_of."""
        return self._lab_since(self.match.as_of - TREND_WINDOW)

    @property
    def lab_since_baseline(self) -> ToolCall:
        """Ask for the results from the baseline of a fall on."""
        return self._lab_since(self.match.lab.baseline_time or self.match.lab.charttime)

    def _lab_since(self, since: datetime) -> ToolCall:
        return self._call(
            "Observation.search",
            category="laboratory",
            code=self.match.lab.label,
            date_from=since.strftime("%Y-%m-%dT%H:%M:%S"),
            _count=ALL_ON_ONE_PAGE,
        )

    @cached_property
    def results(self) -> tuple[float, ...]:
        """Give the distinct numeric results of the analyte, the newest of them all first."""
        call = self._call(
            "Observation.search", category="laboratory", code=self.match.lab.label, _count=ALL_ON_ONE_PAGE
        )
        values = (r["valueQuantity"]["value"] for r in self.resources(call) if "valueQuantity" in r)
        return tuple(dict.fromkeys(float(value) for value in values))

    def shown_by(self, orders: Sequence[BoundOrder]) -> tuple[ResourceRef, ...]:
        """Name what shows that orders are running: the orders themselves, and their charted administrations."""
        refs = [order.ref for order in orders]
        since = min(order.starttime for order in orders)
        call = self._call(
            "MedicationAdministration.search",
            date_from=since.strftime("%Y-%m-%dT%H:%M:%S"),
            medication=self.display(orders[0].ingredient),
            _count=ALL_ON_ONE_PAGE,
        )
        result = self.toolset.call(call.tool, call.arguments)
        # A warehouse without administrations refuses the call: then only the orders show themselves.
        given = matches(result.resource) if result.ok else []
        of_orders = {str(ref) for ref in refs}
        refs += [
            ResourceRef(f"MedicationAdministration/{event['id']}")
            for event in given
            if event.get("request", {}).get("reference") in of_orders
        ]
        return tuple(refs)

    @property
    def active_orders(self) -> ToolCall:
        """Ask for the orders running at as_of."""
        return self._call("MedicationRequest.search", status="active", _count=ALL_ON_ONE_PAGE)

    def _call(self, tool: str, **arguments: JsonValue) -> ToolCall:
        return ToolCall(tool=tool, arguments={"subject_id": self.match.subject_id, **arguments})

    def resources(self, call: ToolCall) -> list[dict[str, Any]]:
        """Run a search and return the resources it shows, or say why there is no gold in it."""
        result = self.toolset.call(call.tool, call.arguments)
        if not result.ok:
            raise NoGold(f"{call.tool} is refused: {result.text}")
        return matches(result.resource)

    @cached_property
    def trend(self) -> list[dict[str, Any]]:
        """Return the analyte's numeric results in the window, oldest first."""
        numeric = [r for r in self.resources(self.lab_trend) if "valueQuantity" in r]
        return sorted(numeric, key=lambda r: (r["effectiveDateTime"], r["id"]))

    @cached_property
    def other_active_drugs(self) -> tuple[tuple[str, ...], ...]:
        """Return the names of each active drug that does not satisfy the rule's order condition."""
        order = self.rule.trigger.order
        bound = set(order.ingredients) if order is not None else set()
        others: dict[str, tuple[str, ...]] = {}
        for request in self.resources(self.active_orders):
            text = request["medicationCodeableConcept"]["text"].strip()
            ingredient = self.vocabulary.ingredient(text)
            if ingredient is None:
                others.setdefault(text.lower(), (text,))
            elif ingredient.id not in bound:
                others.setdefault(ingredient.id, (text, *self.ingredient_names(ingredient.id)))
        return tuple(tuple(dict.fromkeys(names)) for _, names in sorted(others.items()))
