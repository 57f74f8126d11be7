"""Topics: what questions are about, each with its tool call and its facts; tests and orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Protocol

from state.base import Language, ResourceRef
from state.gold import TimeItem, ToolCall
from state.knowledge import BoundOrder
from state.plan import ORDER
from tools.gold import items
from tools.gold.pieces import Piece
from tools.gold.source import GoldSource, NoGold, Result
from tools.wording import load_turn_wordings, render

ALSO_IN_WHOLE_BLOOD = frozenset({"potassium", "sodium", "glucose", "chloride", "creatinine"})
"""Tests that blood-gas machines measure too: a question about them says which specimen it means."""
WRONG_BY = timedelta(days=1, minutes=7)
STRANGER = "acetylcysteine"
"""A drug no rule is about; it stands in for the right one where an answer is made wrong."""
WRONG_DOSE = "7777 mg"
"""A dose that nobody orders."""
BESIDE = "with_"
"""Begins the name of a topic that is read beside the key result."""


class Topic(Protocol):
    """Something that can be looked up with one tool."""

    @property
    def name(self) -> str:
        """Give the name it has in a plan."""

    @property
    def call(self) -> ToolCall:
        """Give the call that looks it up."""

    def asked(self, language: Language) -> str:
        """Name it in a question, giving nothing away."""

    def pieces(self, prefix: str) -> tuple[Piece, ...]:
        """State it, with its time and what else a lookup shows."""

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """State what matters of it where it stands beside others; ``safety`` where a conclusion rests on it."""


def after(unit: str) -> str:
    """Put a unit after its number."""
    return f" {unit}" if unit else ""


def dose_in(resource: Mapping[str, Any]) -> str | None:
    """Write the dose of a FHIR MedicationRequest or MedicationAdministration: ``25 mg``; None where it is no number."""
    if resource["resourceType"] == "MedicationAdministration":
        quantity = (resource.get("dosage") or {}).get("dose")
    else:
        dosage = (resource.get("dosageInstruction") or [{}])[0]
        quantity = (dosage.get("doseAndRate") or [{}])[0].get("doseQuantity")
    if quantity is None or "value" not in quantity or "unit" not in quantity:
        return None
    return f"{float(quantity['value']):g} {quantity['unit']}"


def wrong_value(value: float) -> float:
    """Make a number wrong beyond any rounding."""
    return round(value * 1.3 + 1, 2)


def shown(value: float) -> str:
    """Write a number as the record does."""
    return f"{value:g}"


def when(time: datetime) -> str:
    """Write a time to the minute."""
    return f"{time:%Y-%m-%d %H:%M}"


def time_piece(
    template: str,
    item_id: str,
    what: str,
    time: datetime,
    evidence: tuple[ResourceRef, ...],
    names: tuple[str, ...],
) -> Piece:
    """State the time of what goes by ``names``, by a template that has no other fact."""
    return _of_time(template, items.time(item_id, what, time, evidence, names))


def drawn_piece(item_id: str, topic: "LabTopic", result: Result) -> Piece:
    """State when the sample of a result was taken."""
    item = items.time(
        item_id,
        "sample",
        result.time,
        (result.ref,),
        topic.names,
        labels=topic.labels,
        value=result.value,
    )
    return _of_time("time", item)


def _of_time(template: str, item: TimeItem) -> Piece:
    time = item.time
    return Piece(template, (item,), {"time": when(time)}, wrong={"time": when(time + WRONG_BY)})


def diagnosis_pieces(
    prefix: str,
    what: str,
    coded: Mapping[str, Any],
    as_right: Sequence[Mapping[str, Any]] = (),
    template: str = "condition",
) -> tuple[Piece, ...]:
    """State a coded diagnosis and its code; then when it was recorded, unless others of ``as_right`` fit too.

    ``coded`` and ``as_right`` are FHIR Conditions.
    """
    every = [coded, *(other for other in as_right if other["id"] != coded["id"])]
    codes = dict.fromkeys(one["code"]["coding"][0]["code"] for one in every)
    written = tuple(dict.fromkeys(form for code in codes for form in (code, code.replace(".", ""))))
    titles = tuple(dict.fromkeys(one["code"]["text"] for one in every))
    refs = tuple(ResourceRef(f"Condition/{one['id']}") for one in every)
    named = (
        items.name(f"{prefix}-diagnosis", what, (*titles, *written), refs),
        items.name(f"{prefix}-code", f"the code of {what}", written, refs),
    )
    facts = {"title": titles[0], "code": written[0]}
    diagnosis = Piece(template, named, facts, wrong={"title": "Obesity, unspecified", "code": "E66.9"})
    if len(every) > 1:
        return (diagnosis,)
    recorded = datetime.fromisoformat(coded["recordedDate"]).replace(tzinfo=None)
    names = (*titles, *written, *items.DIAGNOSIS_NAMES)
    return diagnosis, time_piece("recorded", f"{prefix}-recorded", "diagnosis", recorded, refs, names)


@dataclass(frozen=True)
class LabTopic:
    """A laboratory test: its latest result."""

    source: GoldSource
    name: str
    analyte: str
    label: str

    @property
    def call(self) -> ToolCall:
        """Ask for the newest results of the test."""
        return self.source.labs(self.label)

    @cached_property
    def history(self) -> list[Result]:
        """Return every numeric result, oldest first."""
        return self.source.results(self.source.labs(self.label, datetime(1900, 1, 1)))

    @property
    def latest(self) -> Result:
        """Return the newest result, unless its sample is in doubt."""
        if not self.history:
            raise NoGold(f"no numeric result of {self.label}")
        if self.history[-1].spoiled:
            raise NoGold(f"the laboratory puts the latest {self.label} in doubt")
        return self.history[-1]

    @property
    def names(self) -> tuple[str, ...]:
        """Give every accepted word for the test."""
        return self.source.analyte_names(self.analyte)

    @property
    def labels(self) -> dict[Language, str]:
        """Give what a rubric calls the test: the record's label, in Chinese what is spoken."""
        return {Language.EN: self.label, Language.ZH: self.words()[Language.ZH]["analyte"]}

    def words(self) -> dict[Language, dict[str, Any]]:
        """Name the test in each language."""
        names = self.source.analyte(self.analyte).names
        return {
            language: {"analyte": load_turn_wordings(language).spoken.get(self.analyte, names[language])}
            for language in Language
        }

    def named(self, language: Language) -> dict[str, str]:
        """Give what a question calls the test by."""
        specimen = load_turn_wordings(language).specimen if self.analyte in ALSO_IN_WHOLE_BLOOD else ""
        return {"label": self.words()[language]["analyte"], "specimen": specimen}

    def asked(self, language: Language) -> str:
        """Name the test."""
        return render(load_turn_wordings(language).asks["latest_lab"], self.named(language))

    def bare(self, language: Language) -> str:
        """Name the test without saying which of its results is meant."""
        return render(load_turn_wordings(language).asks["lab"], self.named(language))

    def value_piece(
        self, template: str, result: Result, item_id: str, which: items.Which, *, safety: bool = False
    ) -> Piece:
        """State one result of the test; ``safety`` where a conclusion rests on it."""
        others = tuple(sorted({r.value for r in self.history} - {result.value}))
        item = items.value(
            item_id,
            which,
            self.labels,
            self.names,
            result,
            others,
            latest=result.ref == self.latest.ref,
            safety=safety,
        )
        facts = {"value": shown(result.value), "unit_after": after(result.unit), "time": when(result.time)}
        wrong = {"value": shown(wrong_value(result.value)), "time": when(result.time + WRONG_BY)}
        return Piece(template, (item,), facts, self.words(), wrong)

    def pieces(self, prefix: str) -> tuple[Piece, ...]:
        """State the latest result, when it was drawn and its reference range."""
        latest = self.latest
        value = self.value_piece("value", latest, f"{prefix}-value", "latest", safety=True)
        return (value, drawn_piece(f"{prefix}-time", self, latest), *self.range_pieces(latest, prefix))

    def range_pieces(self, result: Result, prefix: str) -> tuple[Piece, ...]:
        """State the reference range of a result, where the laboratory gives one."""
        if result.low is None and result.high is None:
            return ()
        return (_range_piece(result, f"{prefix}-range", self.labels),)

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """State the latest result and when it was drawn."""
        return (self.reading_piece(self.latest, prefix, "latest", safety=safety),)

    def reading_piece(
        self, result: Result, prefix: str, which: items.Which, *, safety: bool = False
    ) -> Piece:
        """State one result of the test with the time of its draw, in one sentence."""
        template = "first" if which == "first" else "reading"
        value = self.value_piece(template, result, f"{prefix}-value", which, safety=safety)
        drawn = drawn_piece(f"{prefix}-time", self, result)
        return replace(value, items=(*value.items, *drawn.items))


def _range_piece(result: Result, item_id: str, labels: Mapping[Language, str]) -> Piece:
    low, high = result.low, result.high
    wrong_low, wrong_high = (None if limit is None else limit + 1 for limit in (low, high))
    return Piece(
        "range",
        (items.reference_range(item_id, labels, low, high, (result.ref,)),),
        {"low": _limit(low), "high": _limit(high)},
        wrong={"low": _limit(wrong_low), "high": _limit(wrong_high)},
    )


def _limit(limit: float | None) -> str | None:
    return None if limit is None else shown(limit)


@dataclass(frozen=True)
class OrderTopic:
    """The active order a match rests on."""

    source: GoldSource
    name: str = ORDER

    @property
    def call(self) -> ToolCall:
        """Ask for the orders running at as_of."""
        return self.source.active_orders

    def asked(self, language: Language) -> str:
        """Name the order by how it bears on the result."""
        wordings = load_turn_wordings(language)
        words = {**order_words(self.source, language), **wordings.pronouns[self.source.sex]}
        return render(wordings.asks["order"], words)

    def pieces(self, prefix: str) -> tuple[Piece, ...]:
        """Name the drug, its dose and route, singled out from the other active orders."""
        return (self._piece(prefix, route=True),)

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """Name the drug, singled out, with its dose and route."""
        return self.pieces(prefix)

    def naming(self, prefix: str) -> Piece:
        """Name the drug, singled out, with its dose alone."""
        return self._piece(prefix, route=False)

    def _piece(self, prefix: str, *, route: bool) -> Piece:
        source = self.source
        words = {
            language: {
                "orders": load_turn_wordings(language).listed(
                    [
                        spelled(source.drug_in(order.ingredient)[language], order)
                        for order in source.match.orders
                    ]
                )
            }
            for language in Language
        }
        wrong = {"orders": f"{STRANGER} {WRONG_DOSE} IM"}
        return Piece("order", items.order(source, prefix, route=route), words=words, wrong=wrong)


def spelled(drug: str, order: BoundOrder) -> str:
    """Write an order as a drug, its dose and its route."""
    dose = f" {order.dose_value:g} {order.dose_unit}" if order.dose_value is not None else ""
    return f"{drug}{dose}" + (f" {order.route}" if order.route else "")


def order_words(source: GoldSource, language: Language) -> dict[str, Any]:
    """Give what templates call the order's drug by: ``bearing`` bare, ``drug`` as the object of a verb.

    ``drug_known``: it is the name.
    """
    called = bearing(source, language)
    known = any(source.drug_in(drug)[language] == called for drug in source.orders_by_ingredient)
    article = "" if known else load_turn_wordings(language).article
    return {"bearing": called, "drug": article + called, "drug_known": known}


def bearing(source: GoldSource, language: Language) -> str:
    """Name the order's drug by how it bears on the result, or by its name where that gives nothing away."""
    told = [drug for drug in source.orders_by_ingredient if drug in source.may_be_named]
    if len(told) == 1 == len(source.orders_by_ingredient):
        return source.drug_in(told[0])[language]
    wording = source.rule.wording.get(language)
    if wording is None or wording.bearing is None:
        raise NoGold(f"rule {source.rule.id} does not say in {language} how its order bears on the result")
    return wording.bearing
