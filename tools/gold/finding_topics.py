"""Topics of a rule's further findings: what was given, grown, measured, coded, also ordered, or taken at home."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from state.base import Language, ResourceRef
from state.findings import BoundFinding, ConditionFinding, Sign
from state.gold import RubricItem, ToolCall
from tools.fhir.systems import ICD
from tools.gold import items
from tools.gold.pieces import Piece
from tools.gold.source import ALL_ON_ONE_PAGE, GoldSource, NoGold
from tools.gold.topics import (
    STRANGER,
    WRONG_DOSE,
    after,
    diagnosis_pieces,
    dose_in,
    shown,
    time_piece,
    wrong_value,
)
from tools.wording import load_turn_wordings, render


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
            words = {"label": self.bare(language)}
            return render(load_turn_wordings(language).asks["latest_vital"], words)
        finding = next(f for f in self.source.rule.trigger.also if f.name == self.name)
        if language not in finding.ask:
            raise NoGold(f"rule {self.source.rule.id} does not say in {language} how to ask for {self.name}")
        return finding.ask[language]

    def bare(self, language: Language) -> str:
        """Name a vital sign without saying which of its readings is meant."""
        return sign_words(self.bound.subject)[language]

    def pieces(self, prefix: str) -> tuple[Piece, ...]:
        """State the finding, with its time where it has one."""
        return _FINDING_PIECES[self.bound.kind](self, prefix)

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """State what matters of the finding: a diagnosis without when it was recorded."""
        told = self.pieces(prefix)
        return told[:1] if self.bound.kind == "condition" else told[:2]

    @property
    def resource(self) -> Mapping[str, Any]:
        """Give the first of the resources that show it."""
        found = (
            r for r in self.source.resources(self.call) if f"{r['resourceType']}/{r['id']}" in self.bound.refs
        )
        shown_first = next(found, None)
        if shown_first is None:
            raise NoGold(f"finding {self.name} is not shown")
        return shown_first


def ways_to_ask(ask: str, source: GoldSource, language: Language) -> tuple[str, ...]:
    """Give what questions call a finding: the rule's words, and those with "her" or "his" for "the" of a drug."""
    his = load_turn_wordings(language).pronouns[source.sex]["his"]
    if ask.startswith("the home "):
        return ask, ask.replace("the home ", f"{his} "), ask.replace("the ", f"{his} ", 1)
    if ask.startswith("the current "):
        return ask, ask.replace("the ", f"{his} ", 1)
    return (ask,)


def _drug_piece(
    topic: FindingTopic, template: str, prefix: str, what: str, charted: Sequence[Mapping[str, Any]] = ()
) -> Piece:
    """Name the drug, with the dose of the first of ``charted`` where each states one: that of any is right.

    ``charted`` are the orders, or the administration, that the dose is stated of.
    """
    bound, source = topic.bound, topic.source
    names, called = _drug_names(topic), source.drug_in(bound.subject)
    found: list[RubricItem] = [
        items.name(f"{prefix}-drug", what, names, bound.refs, source.recorded_drugs, shown=called)
    ]
    doses = dict.fromkeys(map(dose_in, charted))
    stated = tuple(dose for dose in doses if dose is not None)
    if stated and None not in doses:
        refs = tuple(ResourceRef(f"{one['resourceType']}/{one['id']}") for one in charted)
        found.append(items.dose(f"{prefix}-dose", stated, names, refs))
    words = {language: {"drug": " ".join((called[language], *stated[:1]))} for language in Language}
    return Piece(template, tuple(found), words=words, wrong={"drug": f"{STRANGER} {WRONG_DOSE}"})


def _drug_names(topic: FindingTopic) -> tuple[str, ...]:
    bound, source = topic.bound, topic.source
    return tuple(dict.fromkeys((bound.label, *source.ingredient_names(bound.subject))))


def _given(topic: FindingTopic, prefix: str) -> tuple[Piece, ...]:
    bound = topic.bound
    return (
        _drug_piece(topic, "given_drug", prefix, "the drug given", [topic.resource]),
        time_piece(
            "given_time", f"{prefix}-given", "dose", _time_of(bound), bound.refs[:1], _drug_names(topic)
        ),
    )


def _culture(topic: FindingTopic, prefix: str) -> tuple[Piece, ...]:
    bound = topic.bound
    grew = bound.subject != "no growth"
    screened = (bound.text or "").upper().startswith("NO MRSA")
    none = items.NO_MRSA if screened else items.NO_GROWTH
    names = items.organism_names(bound.subject) if grew else none
    template = "organism" if grew else "no_mrsa" if screened else "no_growth"
    said = None if grew else {Language.EN: names[0], Language.ZH: "未检出MRSA" if screened else "无生长"}
    item = items.name(f"{prefix}-culture", "what the culture grew", names, bound.refs, shown=said)
    facts = {"organism": names[0]}
    wrong = {"organism": "Listeria monocytogenes"}
    return (
        Piece(template, (item,), facts, wrong=wrong, wrong_template="organism"),
        time_piece(
            "collected", f"{prefix}-collected", "specimen", _time_of(bound), bound.refs, items.CULTURE_NAMES
        ),
    )


def _vital(topic: FindingTopic, prefix: str) -> tuple[Piece, ...]:
    bound = topic.bound
    if bound.value is None:
        raise NoGold(f"finding {bound.name} has no number")
    value, unit = bound.value, bound.unit or ""
    names = sign_words(bound.subject)
    item = items.name(
        f"{prefix}-vital",
        f"the {names[Language.EN]}",
        _readings(value, unit),
        bound.refs,
        what_zh=names[Language.ZH],
    )
    words = {language: {"analyte": word} for language, word in names.items()}
    facts = {"value": shown(value), "unit_after": after(unit)}
    return (
        Piece("value", (item,), facts, words, {"value": shown(wrong_value(value))}),
        time_piece(
            "taken", f"{prefix}-taken", "reading", _time_of(bound), bound.refs, _sign_names(bound.subject)
        ),
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
    return diagnosis_pieces(prefix, "the coded diagnosis", topic.resource, _others_coded(topic))


def _others_coded(topic: FindingTopic) -> list[Mapping[str, Any]]:
    """List the diagnoses of earlier visits that satisfy the finding as well: whoever names one of them is right."""
    source = topic.source
    finding = next(f for f in source.rule.trigger.also if f.name == topic.name)
    if not isinstance(finding, ConditionFinding):
        return []
    prefixes = {ICD[10]: finding.icd10, ICD[9]: finding.icd9}
    found: list[Mapping[str, Any]] = []
    for coded in source.resources(source.call("Condition.search", _count=ALL_ON_ONE_PAGE)):
        (coding,) = coded["code"]["coding"]
        if coding["code"].replace(".", "").startswith(tuple(prefixes[coding["system"]])):
            found.append(coded)
    return found


def _order(topic: FindingTopic, prefix: str) -> tuple[Piece, ...]:
    orders = [request for request in topic.source.resources(topic.call) if _is_of(request, topic)]
    return (_drug_piece(topic, "also_ordered", prefix, "the other drug ordered", orders),)


def _is_of(request: Mapping[str, Any], topic: FindingTopic) -> bool:
    drug = topic.source.vocabulary.ingredient(request["medicationCodeableConcept"]["text"].strip())
    return drug is not None and drug.id == topic.bound.subject


def _home(topic: FindingTopic, prefix: str) -> tuple[Piece, ...]:
    return (_drug_piece(topic, "home", prefix, "the drug of the home list"),)


_FINDING_PIECES: Mapping[str, Callable[[FindingTopic, str], tuple[Piece, ...]]] = {
    "given": _given,
    "culture": _culture,
    "vital": _vital,
    "condition": _condition,
    "order": _order,
    "home_medication": _home,
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

_SIGN_SHORT: Mapping[Sign, tuple[str, ...]] = {
    Sign.TEMPERATURE_C: ("temp",),
    Sign.HEART_RATE_BPM: ("HR", "pulse", "脉搏"),
    Sign.RESPIRATORY_RATE: ("RR", "呼吸"),
    Sign.SYSTOLIC_MMHG: ("SBP", "BP", "blood pressure", "血压"),
    Sign.OXYGEN_SATURATION: ("SpO2", "O2 saturation"),
    Sign.WEIGHT_KG: (),
}


def sign_words(subject: str) -> Mapping[Language, str]:
    """Name a vital sign in each language."""
    return _SIGN_WORDS[Sign(subject)]


def _sign_names(subject: str) -> tuple[str, ...]:
    return (*sign_words(subject).values(), *_SIGN_SHORT[Sign(subject)])


def _time_of(bound: BoundFinding) -> datetime:
    if bound.time is None:
        raise NoGold(f"finding {bound.name} has no time")
    return bound.time
