"""The record as gold sees it: one rule match, and the tool results an examinee could have got."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from pydantic import JsonValue

from state.base import Language, ResourceRef
from state.gold import Decision, ToolCall
from state.knowledge import BoundOrder, Rule, RuleMatch
from state.patient import PatientFacts
from tools.clinical.sample_comments import spoils
from tools.fhir.listing import matches
from tools.fhir.toolset import ToolResult, Toolset
from tools.vocabulary import Analyte, Ingredient, Vocabulary
from tools.wording import load_turn_wordings

TREND_WINDOW = timedelta(hours=72)
ALL_ON_ONE_PAGE = 100
NO_UNITS = ("units",)
"""What MIMIC-IV writes in the unit column of pH: it says nothing."""


class NoGold(Exception):
    """The record does not carry this question; the reason goes into the generation log."""


@dataclass(frozen=True)
class Result:
    """One laboratory result or vital sign as the tools show it; ``low`` and ``high`` are its own reference limits.

    ``spoiled``: the laboratory's comment puts it in doubt.
    """

    ref: ResourceRef
    value: float
    unit: str
    time: datetime
    low: float | None = None
    high: float | None = None
    spoiled: bool = False


@dataclass(frozen=True)
class GoldSource:
    """A match with its rule, and the same tools an examinee has. ``patient`` is who can be asked with them.

    ``looked_up`` are the ingredients that earlier questions had looked up: from then on a question may name them.
    """

    rule: Rule
    match: RuleMatch
    toolset: Toolset
    vocabulary: Vocabulary
    patient: PatientFacts | None = None
    looked_up: frozenset[str] = frozenset()

    def analyte(self, analyte_id: str) -> Analyte:
        """Give an analyte of the vocabulary that a rule names."""
        return next(analyte for analyte in self.vocabulary.analytes if analyte.id == analyte_id)

    def analyte_names(self, analyte_id: str) -> tuple[str, ...]:
        """Give every accepted word for an analyte."""
        analyte = self.analyte(analyte_id)
        return tuple(dict.fromkeys((*analyte.names.values(), *analyte.synonyms)))

    def ingredient(self, ingredient_id: str) -> Ingredient:
        """Give an ingredient of the vocabulary that a rule names."""
        return next(drug for drug in self.vocabulary.ingredients if drug.id == ingredient_id)

    def ingredient_names(self, ingredient_id: str) -> tuple[str, ...]:
        """Give every accepted word for an ingredient."""
        return self.vocabulary.names_of(self.ingredient(ingredient_id))

    def drug_names(self, order: BoundOrder) -> tuple[str, ...]:
        """Give every accepted word for an order's drug, the record's own string among them."""
        return tuple(dict.fromkeys((order.drug.strip(), *self.ingredient_names(order.ingredient))))

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

    def drugs_in(self, language: Language) -> str:
        """Name every drug whose order satisfies the rule, joined."""
        names = [self.drug_in(ingredient)[language] for ingredient in self.orders_by_ingredient]
        return load_turn_wordings(language).listed(names)

    def shown_by(self, orders: Sequence[BoundOrder]) -> tuple[ResourceRef, ...]:
        """Name what shows that orders are running: the orders themselves, and their charted administrations."""
        refs = [order.ref for order in orders]
        since = min(order.starttime for order in orders)
        call = self.call(
            "MedicationAdministration.search",
            date_from=f"{since:%Y-%m-%dT%H:%M:%S}",
            medication=self.drug_in(orders[0].ingredient)[Language.EN],
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

    def drug_in(self, ingredient_id: str) -> dict[Language, str]:
        """Give an ingredient's name in each language."""
        return dict(self.ingredient(ingredient_id).names)

    @property
    def sex(self) -> str:
        """Give the patient's sex as MIMIC-IV writes it: F or M."""
        sexes = {row["gender"] for row in self.toolset.chart.rows("hosp.patients")}
        if len(sexes) != 1 or not sexes <= {"F", "M"}:
            raise NoGold("the record does not say the patient's sex")
        return str(sexes.pop())

    @property
    def decision(self) -> Decision:
        """Give what the rule decides about its order."""
        if self.rule.decision is None:
            raise NoGold(f"rule {self.rule.id} decides about no order")
        return self.rule.decision

    @property
    def order(self) -> BoundOrder:
        """Give the order the match rests on."""
        if not self.match.orders:
            raise NoGold(f"rule {self.rule.id} rests on no order")
        return self.match.orders[0]

    @property
    def told_by_the_test(self) -> frozenset[str]:
        """Name the ingredients that the test itself names, as a drug level does."""
        return frozenset(drug.id for drug in self.vocabulary.ingredients_in(self.match.lab.label))

    @property
    def may_be_named(self) -> frozenset[str]:
        """Name the ingredients that a question gives nothing away by naming."""
        return self.told_by_the_test | self.looked_up

    def knowing_the_order(self) -> "GoldSource":
        """Give the record as it stands once the drugs of the orders were looked up; what was read of it is kept."""
        knowing = replace(self, looked_up=frozenset(self.orders_by_ingredient))
        vars(knowing).update(_results=self._results, _numbers=self._numbers)
        return knowing

    def call(self, tool: str, **arguments: JsonValue) -> ToolCall:
        """Write a call about the patient of the match."""
        return ToolCall(tool=tool, arguments={"subject_id": self.match.subject_id, **arguments})

    def labs(self, label: str, since: datetime | None = None) -> ToolCall:
        """Ask for the results of a test, all or from a moment on."""
        window: dict[str, JsonValue] = {"date_from": f"{since:%Y-%m-%dT%H:%M:%S}"} if since else {}
        if since:
            window["_count"] = ALL_ON_ONE_PAGE
        return self.call("Observation.search", category="laboratory", code=label, **window)

    @property
    def active_orders(self) -> ToolCall:
        """Ask for the orders running at as_of."""
        return self.call("MedicationRequest.search", status="active", _count=ALL_ON_ONE_PAGE)

    def result(self, call: ToolCall) -> ToolResult:
        """Run a reading call, once, and return what it shows."""
        key = call.model_dump_json()
        if key not in self._results:
            self._results[key] = self.toolset.call(call.tool, call.arguments)
        return self._results[key]

    def resources(self, call: ToolCall) -> list[dict[str, Any]]:
        """Run a search, once, and return the resources it shows, or say why there is no gold in it."""
        result = self.result(call)
        if not result.ok:
            raise NoGold(f"{call.tool} is refused: {result.text}")
        return matches(result.resource)

    @cached_property
    def _results(self) -> dict[str, ToolResult]:
        """Keep the results of reads: nothing is written while gold is derived."""
        return {}

    def results(self, call: ToolCall) -> list[Result]:
        """Return the numeric results a search shows, oldest first."""
        key = call.model_dump_json()
        if key not in self._numbers:
            found = [
                _result(r)
                for r in self.resources(call)
                if "comparator" not in r.get("valueQuantity", {"comparator": 1})
            ]
            self._numbers[key] = sorted(found, key=lambda result: (result.time, result.ref))
        return self._numbers[key]

    @cached_property
    def _numbers(self) -> dict[str, list[Result]]:
        """Keep what the results of searches say in numbers."""
        return {}

    @cached_property
    def trend(self) -> list[Result]:
        """Return the key test's numeric results of the window before as_of, oldest first."""
        return self.results(self.labs(self.match.lab.label, self.match.as_of - TREND_WINDOW))

    @cached_property
    def recorded_drugs(self) -> tuple[str, ...]:
        """Give every ingredient that an order, an administration or the home list has, current or past."""
        columns = {"hosp.prescriptions": "drug", "hosp.emar": "medication", "ed.medrecon": "name"}
        texts = {row[column] for table, column in columns.items() for row in self.toolset.chart.rows(table)}
        found = (drug for text in texts if text for drug in self.vocabulary.ingredients_in(str(text)))
        return tuple(sorted({drug.id for drug in found}))

    def other_drugs(self, but: Iterable[str]) -> tuple[tuple[str, ...], ...]:
        """Return the names of each active drug whose ingredient is not among ``but``."""
        spared = set(but)
        others: dict[str, tuple[str, ...]] = {}
        for request in self.resources(self.active_orders):
            text = request["medicationCodeableConcept"]["text"].strip()
            ingredient = self.vocabulary.ingredient(text)
            if ingredient is None:
                others.setdefault(text.lower(), (text,))
            elif ingredient.id not in spared:
                others.setdefault(ingredient.id, (text, *self.ingredient_names(ingredient.id)))
        return tuple(tuple(dict.fromkeys(names)) for _, names in sorted(others.items()))


def _result(resource: dict[str, Any]) -> Result:
    quantity = resource["valueQuantity"]
    limits = (resource.get("referenceRange") or [{}])[0]
    return Result(
        ref=ResourceRef(f"{resource['resourceType']}/{resource['id']}"),
        value=float(quantity["value"]),
        unit="" if quantity.get("unit") in NO_UNITS else quantity.get("unit", ""),
        time=datetime.fromisoformat(resource["effectiveDateTime"]).replace(tzinfo=None),
        low=limits.get("low", {}).get("value"),
        high=limits.get("high", {}).get("value"),
        spoiled=any(spoils(note["text"]) for note in resource.get("note", [])),
    )
