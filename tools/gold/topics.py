"""Topics: the things of the record that a session's questions are about, each with its tool call and its facts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Protocol

from state.base import Language, ResourceRef
from state.findings import BoundFinding, Sign
from state.gold import ToolCall
from state.knowledge import BoundOrder
from state.plan import KEY_LAB, ORDER
from tools.gold import items
from tools.gold.pieces import Piece
from tools.gold.source import ALL_ON_ONE_PAGE, GoldSource, NoGold, Result
from tools.wording import load_turn_wordings, render

ALSO_IN_WHOLE_BLOOD = frozenset({"potassium", "sodium", "glucose", "chloride", "creatinine"})
"""Tests that blood-gas machines measure too: a question about them says which specimen it means."""
WRONG_BY = timedelta(days=1, minutes=7)
STRANGER = "acetylcysteine"
"""A drug no rule is about; it stands in for the right one where an answer is made wrong."""
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


def wrong_value(value: float) -> float:
    """Make a number wrong beyond any rounding."""
    return round(value * 1.3 + 1, 2)


def shown(value: float) -> str:
    """Write a number as the record does."""
    return f"{value:g}"


def when(time: datetime) -> str:
    """Write a time to the minute."""
    return f"{time:%Y-%m-%d %H:%M}"


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
        """Return the newest result."""
        if not self.history:
            raise NoGold(f"no numeric result of {self.label}")
        return self.history[-1]

    @property
    def names(self) -> tuple[str, ...]:
        """Give every accepted word for the test."""
        return self.source.analyte_names(self.analyte)

    def words(self) -> dict[Language, dict[str, Any]]:
        """Name the test in each language."""
        zh = self.source.analyte(self.analyte).names[Language.ZH]
        return {Language.EN: {"analyte": self.label}, Language.ZH: {"analyte": zh}}

    def named(self, language: Language) -> dict[str, str]:
        """Give what a question calls the test by."""
        specimen = load_turn_wordings(language).specimen if self.analyte in ALSO_IN_WHOLE_BLOOD else ""
        return {"label": self.words()[language]["analyte"], "specimen": specimen}

    def asked(self, language: Language) -> str:
        """Name the test."""
        key = "lab" if self.name == KEY_LAB else "latest_lab"
        return render(load_turn_wordings(language).asks[key], self.named(language))

    def value_piece(
        self, template: str, result: Result, item_id: str, which: items.Which, *, safety: bool = False
    ) -> Piece:
        """State one result of the test; ``safety`` where a conclusion rests on it."""
        others = tuple(sorted({r.value for r in self.history} - {result.value}))
        item = items.value(
            item_id,
            which,
            self.label,
            self.names,
            result,
            others,
            latest=result.ref == self.latest.ref,
            safety=safety,
        )
        facts = {"value": shown(result.value), "unit_after": after(result.unit), "time": when(result.time)}
        return Piece(template, (item,), facts, self.words(), {"value": shown(wrong_value(result.value))})

    def time_piece(self, result: Result, item_id: str) -> Piece:
        """State when a result's sample was taken."""
        return Piece(
            "time",
            (items.time(item_id, "sample", result.time, (result.ref,)),),
            {"time": when(result.time)},
            wrong={"time": when(result.time + WRONG_BY)},
        )

    def pieces(self, prefix: str) -> tuple[Piece, ...]:
        """State the latest result, when it was drawn and its reference range."""
        latest = self.latest
        value = self.value_piece("value", latest, f"{prefix}-value", "latest", safety=True)
        told = [value, self.time_piece(latest, f"{prefix}-time")]
        if latest.low is not None or latest.high is not None:
            told.append(_range_piece(latest, f"{prefix}-range"))
        return tuple(told)

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """State the latest result alone."""
        return (self.value_piece("value", self.latest, f"{prefix}-value", "latest", safety=safety),)


def _range_piece(result: Result, item_id: str) -> Piece:
    low, high = result.low, result.high
    wrong_low, wrong_high = (None if limit is None else limit + 1 for limit in (low, high))
    return Piece(
        "range",
        (items.reference_range(item_id, low, high, (result.ref,)),),
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
        return render(wordings.asks["order"], {"bearing": bearing(self.source, language)})

    def pieces(self, prefix: str) -> tuple[Piece, ...]:
        """Name the drug, its dose and route, singled out from the other active orders."""
        return (self._piece(prefix, full=True),)

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """Name the drug, singled out."""
        return (self._piece(prefix, full=False),)

    def _piece(self, prefix: str, *, full: bool) -> Piece:
        source = self.source
        words = {
            language: {
                "orders": load_turn_wordings(language).listed(
                    [
                        _spelled(source.drug_in(order.ingredient)[language], order)
                        for order in source.match.orders
                    ]
                )
            }
            for language in Language
        }
        wrong = {"orders": f"{STRANGER} 7777 mg IM"}
        return Piece("order", items.order(source, prefix, full=full), words=words, wrong=wrong)


def _spelled(drug: str, order: BoundOrder) -> str:
    dose = f" {order.dose_value:g} {order.dose_unit}" if order.dose_value is not None else ""
    return f"{drug}{dose}" + (f" {order.route}" if order.route else "")


def bearing(source: GoldSource, language: Language) -> str:
    """Say how the order bears on the result: completes "an order that ..."."""
    wording = source.rule.wording.get(language)
    if wording is None or wording.bearing is None:
        raise NoGold(f"rule {source.rule.id} does not say in {language} how its order bears on the result")
    return wording.bearing


@dataclass(frozen=True)
class FindingTopic:
    """A further finding of the rule that one tool shows: a drug given, a culture, a vital sign, a diagnosis."""

    source: GoldSource
    bound: BoundFinding

    @property
    def name(self) -> str:
        """Give the finding's name."""
        return self.bound.name

    @property
    def call(self) -> ToolCall:
        """Give the call that shows it."""
        bound, call = self.bound, self.source.call
        match bound.kind:
            case "given":
                return call("MedicationAdministration.search", medication=bound.label, _count=ALL_ON_ONE_PAGE)
            case "culture":
                return call("Observation.search", category="microbiology", _count=ALL_ON_ONE_PAGE)
            case "vital":
                return call(
                    "Observation.search", category="vital-signs", code=_SIGN_CODES[Sign(bound.subject)]
                )
            case "condition":
                return call("Condition.search", code=bound.subject, _count=ALL_ON_ONE_PAGE)
            case "order":
                return self.source.active_orders
            case "home_medication":
                return call("MedicationRequest.search", category="community", _count=ALL_ON_ONE_PAGE)
        raise NoGold(f"a finding of kind {bound.kind} is not looked up with one tool")

    def asked(self, language: Language) -> str:
        """Name the finding in the rule's words."""
        if self.bound.kind == "vital":
            words = {"label": _SIGN_WORDS[Sign(self.bound.subject)][language]}
            return render(load_turn_wordings(language).asks["latest_vital"], words)
        finding = next(f for f in self.source.rule.trigger.also if f.name == self.name)
        if language not in finding.ask:
            raise NoGold(f"rule {self.source.rule.id} does not say in {language} how to ask for {self.name}")
        return finding.ask[language]

    def pieces(self, prefix: str) -> tuple[Piece, ...]:
        """State the finding, with its time where it has one."""
        return _FINDING_PIECES[self.bound.kind](self, prefix)

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """State what matters of the finding."""
        return self.pieces(prefix)[:1]


def _given(topic: FindingTopic, prefix: str) -> tuple[Piece, ...]:
    bound, source = topic.bound, topic.source
    names = tuple(dict.fromkeys((bound.label, *source.ingredient_names(bound.subject))))
    time = _time_of(bound)
    drug = items.name(f"{prefix}-drug", "the drug given", names, bound.refs)
    last = items.time(f"{prefix}-given", "dose", time, bound.refs[:1])
    drugs = {language: {"drug": word} for language, word in source.drug_in(bound.subject).items()}
    facts = {"time": when(time)}
    return (
        Piece("given_drug", (drug,), words=drugs, wrong={"drug": STRANGER}),
        Piece("given_time", (last,), facts, wrong={"time": when(time + WRONG_BY)}),
    )


def _culture(topic: FindingTopic, prefix: str) -> tuple[Piece, ...]:
    bound = topic.bound
    grew = bound.subject != "no growth"
    names = items.organism_names(bound.subject) if grew else items.NO_GROWTH
    item = items.name(f"{prefix}-culture", "what the culture grew", names, bound.refs)
    facts = {"organism": names[0]}
    wrong = {"organism": "Listeria monocytogenes"}
    time = _time_of(bound)
    collected = items.time(f"{prefix}-collected", "specimen", time, bound.refs)
    return (
        Piece("organism" if grew else "no_growth", (item,), facts, wrong=wrong, wrong_template="organism"),
        Piece("collected", (collected,), {"time": when(time)}, wrong={"time": when(time + WRONG_BY)}),
    )


def _vital(topic: FindingTopic, prefix: str) -> tuple[Piece, ...]:
    bound = topic.bound
    value, unit, time = bound.value or 0.0, bound.unit or "", _time_of(bound)
    names = _SIGN_WORDS[Sign(bound.subject)]
    item = items.name(f"{prefix}-vital", f"the {names[Language.EN]}", _readings(value, unit), bound.refs)
    taken = items.time(f"{prefix}-taken", "reading", time, bound.refs)
    words = {language: {"analyte": word} for language, word in names.items()}
    facts = {"value": shown(value), "unit_after": after(unit), "time": when(time)}
    return (
        Piece("value", (item,), facts, words, {"value": shown(wrong_value(value))}),
        Piece("taken", (taken,), {"time": when(time)}, wrong={"time": when(time + WRONG_BY)}),
    )


def _readings(value: float, unit: str) -> tuple[str, ...]:
    """Give the ways a reading is written: its number, and a temperature in the other scale too."""
    ways = [f"{value:g} {unit}".strip(), f"{value:g}", f"{value:.1f}"]
    if unit == "°F":
        ways.append(f"{(value - 32) * 5 / 9:.1f}")
    if unit == "°C":
        ways.append(f"{value * 9 / 5 + 32:.1f}")
    return tuple(dict.fromkeys(ways))


def _condition(topic: FindingTopic, prefix: str) -> tuple[Piece, ...]:
    bound = topic.bound
    code = bound.subject
    dotted = f"{code[:3]}.{code[3:]}" if len(code) > 3 else code
    item = items.name(f"{prefix}-diagnosis", "the coded diagnosis", (dotted, code, bound.label), bound.refs)
    wrong = {"title": "Obesity, unspecified", "code": "E66.9"}
    return (Piece("condition", (item,), {"title": bound.label, "code": dotted}, wrong=wrong),)


def _drug(template: str, what: str) -> Callable[["FindingTopic", str], tuple[Piece, ...]]:
    def pieces(topic: FindingTopic, prefix: str) -> tuple[Piece, ...]:
        bound, source = topic.bound, topic.source
        names = tuple(dict.fromkeys((bound.label, *source.ingredient_names(bound.subject))))
        item = items.name(f"{prefix}-drug", what, names, bound.refs)
        drugs = {language: {"drug": word} for language, word in source.drug_in(bound.subject).items()}
        return (Piece(template, (item,), words=drugs, wrong={"drug": STRANGER}),)

    return pieces


_FINDING_PIECES: Mapping[str, Callable[[FindingTopic, str], tuple[Piece, ...]]] = {
    "given": _given,
    "culture": _culture,
    "vital": _vital,
    "condition": _condition,
    "order": _drug("also_ordered", "the other drug ordered"),
    "home_medication": _drug("home", "the drug of the home list"),
}

_SIGN_CODES = {
    Sign.TEMPERATURE_C: "temperature",
    Sign.HEART_RATE_BPM: "heart rate",
    Sign.RESPIRATORY_RATE: "respiratory rate",
    Sign.SYSTOLIC_MMHG: "blood pressure",
    Sign.OXYGEN_SATURATION: "oxygen saturation",
    Sign.WEIGHT_KG: "weight",
}
_SIGN_WORDS: Mapping[Sign, Mapping[Language, str]] = {
    Sign.TEMPERATURE_C: {Language.EN: "temperature", Language.ZH: "体温"},
    Sign.HEART_RATE_BPM: {Language.EN: "heart rate", Language.ZH: "心率"},
    Sign.RESPIRATORY_RATE: {Language.EN: "respiratory rate", Language.ZH: "呼吸频率"},
    Sign.SYSTOLIC_MMHG: {Language.EN: "systolic blood pressure", Language.ZH: "收缩压"},
    Sign.OXYGEN_SATURATION: {Language.EN: "oxygen saturation", Language.ZH: "血氧饱和度"},
    Sign.WEIGHT_KG: {Language.EN: "weight", Language.ZH: "体重"},
}


def _time_of(bound: BoundFinding) -> datetime:
    if bound.time is None:
        raise NoGold(f"finding {bound.name} has no time")
    return bound.time


@dataclass(frozen=True)
class AdmissionTopic:
    """When the current admission began."""

    source: GoldSource
    name: str = "admission"

    @property
    def call(self) -> ToolCall:
        """Ask for the current admission."""
        return self.source.call("Encounter.search", hadm_id=self.source.match.hadm_id)

    def asked(self, language: Language) -> str:
        """Name the admission."""
        return load_turn_wordings(language).asks["admission"]

    def pieces(self, prefix: str) -> tuple[Piece, ...]:
        """State when it began."""
        ref = ResourceRef(f"Encounter/hosp-{self.source.match.hadm_id}")
        found = [r for r in self.source.resources(self.call) if f"Encounter/{r['id']}" == ref]
        if not found:
            raise NoGold("the current admission is not shown")
        time = datetime.fromisoformat(found[0]["period"]["start"]).replace(tzinfo=None)
        item = items.time(f"{prefix}-admitted", "admission", time, (ref,))
        return (Piece("admitted", (item,), {"time": when(time)}, wrong={"time": when(time + WRONG_BY)}),)

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """State when it began."""
        return self.pieces(prefix)


@dataclass(frozen=True)
class LastGivenTopic:
    """The last charted dose of the order a match rests on."""

    source: GoldSource
    name: str = "last_given"

    @property
    def call(self) -> ToolCall:
        """Ask for the charted administrations of its drug."""
        drug = self.source.drug_in(self.source.order.ingredient)[Language.EN]
        return self.source.call("MedicationAdministration.search", medication=drug, _count=ALL_ON_ONE_PAGE)

    def asked(self, language: Language) -> str:
        """Name the dose by how its order bears on the result."""
        words = {"bearing": bearing(self.source, language)}
        return render(load_turn_wordings(language).asks["last_given"], words)

    def pieces(self, prefix: str) -> tuple[Piece, ...]:
        """State when it was given."""
        if len(self.source.orders_by_ingredient) != 1:
            raise NoGold("orders of several drugs satisfy the rule")
        given = [r for r in self.source.resources(self.call) if r["status"] == "completed"]
        times = [datetime.fromisoformat(r["effectiveDateTime"]).replace(tzinfo=None) for r in given]
        if not times or times.count(max(times)) > 1:
            raise NoGold("no single last dose is charted as given")
        last = max(times)
        ref = ResourceRef(f"MedicationAdministration/{given[times.index(last)]['id']}")
        item = items.time(f"{prefix}-given", "dose", last, (ref,))
        return (Piece("given_time", (item,), {"time": when(last)}, wrong={"time": when(last + WRONG_BY)}),)

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """State when it was given."""
        return self.pieces(prefix)


@dataclass(frozen=True)
class ProblemTopic:
    """The principal diagnosis coded at the last finished admission."""

    source: GoldSource
    name: str = "problem"

    @property
    def call(self) -> ToolCall:
        """Ask for the coded diagnoses, newest visit first."""
        return self.source.call("Condition.search", _count=ALL_ON_ONE_PAGE)

    def asked(self, language: Language) -> str:
        """Name the diagnosis."""
        return load_turn_wordings(language).asks["problem"]

    def pieces(self, prefix: str) -> tuple[Piece, ...]:
        """State it with its code."""
        coded = [r for r in self.source.resources(self.call) if r["id"].startswith("icd-")]
        if not coded:
            raise NoGold("no diagnosis of an earlier admission is coded")
        first = coded[0]
        code, title = first["code"]["coding"][0]["code"], first["code"]["text"]
        ref = ResourceRef(f"Condition/{first['id']}")
        names = (code, code.replace(".", ""), title)
        item = items.name(f"{prefix}-diagnosis", "the principal diagnosis", names, (ref,))
        wrong = {"title": "Obesity, unspecified", "code": "E66.9"}
        return (Piece("condition", (item,), {"title": title, "code": code}, wrong=wrong),)

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """State it with its code."""
        return self.pieces(prefix)


AROUND: Mapping[str, Callable[[GoldSource], Topic]] = {
    "admission": AdmissionTopic,
    "last_given": LastGivenTopic,
    "problem": ProblemTopic,
}
"""Topics that any patient has, and that are no laboratory result."""
