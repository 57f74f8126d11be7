"""Clinical rules read from configs/knowledge and checked against the vocabulary."""

import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import yaml
from pydantic import ValidationError

from state.base import InputError
from state.knowledge import LabCondition, OrderAction, OrderCondition, Rule, Trigger
from state.session import Scenario
from tools.clinical import egfr
from tools.clinical.exclusions import FOLDER as EXCLUSIONS
from tools.clinical.exclusions import exclusion_faults, implied
from tools.clinical.finding_faults import finding_faults
from tools.clinical.judgements import FOLDER as JUDGEMENTS
from tools.clinical.judgements import judgement_faults
from tools.vocabulary import Vocabulary

_NO_RULES = (EXCLUSIONS, JUDGEMENTS)
RESUME = "resume"
"""The answer of judgements on home drugs that lets them go on."""
_CLASS_KEYS = {"classes": "ingredients", "absent_classes": "absent", "rival_classes": "rivals"}


def load_rules(scenario: Scenario | None = None) -> tuple[Rule, ...]:
    """Read the product's rules of one scenario, or of all, ordered by scenario and id."""
    vocabulary = Vocabulary.load()
    return tuple(
        rule
        for folder in _folders()
        if scenario is None or folder.name == scenario
        for rule in read_rules(folder, vocabulary)
    )


def read_rules(folder: Traversable, vocabulary: Vocabulary) -> tuple[Rule, ...]:
    """Read every ``<rule id>.yaml`` of ``folder``, which is named after its scenario.

    ``order.classes``, ``order.absent_classes`` and ``order.rival_classes`` stand for the vocabulary's ingredients of
    those drug classes; what satisfies the rule is no rival. A control without ``order`` takes the trigger's. Exclusions
    of every rule are added to each ``unless``, an unsteady kidney to that of controls and of home drugs resumed.
    Raises InputError naming the file and the field that is wrong.
    """
    rules = []
    for file in _yaml_files(folder):
        rule = _read(file, vocabulary)
        if file.name != f"{rule.id}.yaml":
            raise InputError(f"{folder.name}/{file.name}: id is {rule.id}; name the file {rule.id}.yaml")
        if rule.scenario != folder.name:
            raise InputError(f"{folder.name}/{file.name}: scenario is {rule.scenario}; move the file there")
        rules.append(rule)
    return tuple(rules)


def knowledge_fingerprint() -> str:
    """Give the sha256 over names and bytes of every file the rules are made of."""
    digest = hashlib.sha256()
    for folder in (*_folders(), *(files("configs") / "knowledge" / name for name in _NO_RULES)):
        for file in _yaml_files(folder):
            digest.update(f"{folder.name}/{file.name}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _folders() -> list[Traversable]:
    folders = (
        f for f in (files("configs") / "knowledge").iterdir() if f.is_dir() and f.name not in _NO_RULES
    )
    return sorted(folders, key=lambda f: f.name)


def _yaml_files(folder: Traversable) -> list[Traversable]:
    return sorted((f for f in folder.iterdir() if f.name.endswith(".yaml")), key=lambda f: f.name)


def _read(file: Traversable, vocabulary: Vocabulary) -> Rule:
    try:
        data = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{file.name}: not readable as YAML: {' '.join(str(error).split())}") from error
    if not isinstance(data, dict):
        raise InputError(f"{file.name}: holds no mapping; see the other rules for the fields")
    try:
        rule = Rule.model_validate(_with_classes(data, file.name, vocabulary))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "rule"
        raise InputError(f"{file.name}: {field}: {first['msg']}") from error
    for field, wrong in _faults(rule, vocabulary):
        raise InputError(f"{file.name}: {field}: {wrong}")
    return rule


def _with_classes(data: dict[str, Any], name: str, vocabulary: Vocabulary) -> dict[str, Any]:
    trigger, control = data.get("trigger"), data.get("control")
    if not isinstance(trigger, dict):
        return data
    trigger = _with_members(trigger, f"{name}: trigger", vocabulary)
    if isinstance(control, dict):
        inherited = {"order": trigger["order"]} if "order" in trigger and "order" not in control else {}
        control = _with_members(implied(control | inherited, goes_on=True), f"{name}: control", vocabulary)
        data = data | {"control": control}
    judgement = data.get("judgement")
    resumes = isinstance(judgement, dict) and judgement.get("answer") == RESUME
    return data | {"trigger": implied(trigger, goes_on=resumes)}


def _with_members(condition: dict[str, Any], where: str, vocabulary: Vocabulary) -> dict[str, Any]:
    expanded = dict(condition)
    if isinstance(order := condition.get("order"), dict):
        expanded["order"] = _expanded(order, f"{where}.order", vocabulary)
    if isinstance(also := condition.get("also"), list):
        expanded["also"] = [
            _expanded(finding, f"{where}.also.{at}", vocabulary) if isinstance(finding, dict) else finding
            for at, finding in enumerate(also)
        ]
    if isinstance(bars := condition.get("bars"), list):
        expanded["bars"] = [
            {**bar, "finding": _expanded(bar["finding"], f"{where}.bars.{at}", vocabulary)}
            if isinstance(bar, dict) and isinstance(bar.get("finding"), dict)
            else bar
            for at, bar in enumerate(bars)
        ]
    return expanded


def _expanded(condition: Mapping[str, Any], where: str, vocabulary: Vocabulary) -> dict[str, Any]:
    """Put the ingredients of drug classes in place of the classes."""
    expanded = {key: value for key, value in condition.items() if key not in _CLASS_KEYS}
    for key, field in _CLASS_KEYS.items():
        members = list(_listed(condition, field)) if key in condition else []
        for drug_class in _listed(condition, key):
            found = [drug.id for drug in vocabulary.ingredients_of_class(drug_class)]
            if not found:
                raise InputError(f"{where}.{key}: the vocabulary has no class {drug_class}")
            members += found
        if members:
            expanded[field] = list(dict.fromkeys(members))
    if "rivals" in expanded:
        own = expanded.get("ingredients", ())
        expanded["rivals"] = [rival for rival in expanded["rivals"] if rival not in own]
    return expanded


def _listed(condition: Mapping[str, Any], key: str) -> Sequence[str]:
    value = condition.get(key, [])
    return value if isinstance(value, list) else [value]


def _faults(rule: Rule, vocabulary: Vocabulary) -> list[tuple[str, str]]:
    """List fields the vocabulary contradicts, with what is wrong."""
    conditions: list[tuple[str, Trigger]] = [("trigger", rule.trigger)]
    if rule.control is not None:
        conditions.append(("control", rule.control))
    return [
        *(
            (f"{name}.{field}", wrong)
            for name, condition in conditions
            for field, wrong in _trigger_faults(condition, vocabulary)
        ),
        *judgement_faults(rule),
        *_control_faults(rule),
        *(_action_faults(rule.action, vocabulary) if isinstance(rule.action, OrderAction) else ()),
    ]


def _control_faults(rule: Rule) -> list[tuple[str, str]]:
    """A control asks the rule's own question, so it is about the same figure and no other drugs."""
    if rule.control is None:
        return []
    ours, its = rule.trigger, rule.control
    if (its.lab.analyte, its.lab.derived, its.lab.unit) != (
        ours.lab.analyte,
        ours.lab.derived,
        ours.lab.unit,
    ):
        return [("control.lab", "is about another figure than trigger.lab")]
    theirs = its.order.ingredients if its.order is not None else ()
    if ours.order is None or not theirs or not set(theirs) <= set(ours.order.ingredients):
        return [("control.order", "names ingredients that trigger.order does not")]
    return []


def _trigger_faults(trigger: Trigger, vocabulary: Vocabulary) -> list[tuple[str, str]]:
    faults = _lab_faults(trigger.lab, vocabulary)
    if trigger.order is not None:
        faults += _order_faults(trigger.order, vocabulary)
    faults += [
        (f"also.{finding.name}.{field}", wrong)
        for finding in trigger.also
        for field, wrong in finding_faults(finding, vocabulary)
    ]
    faults += [
        (f"bars.{bar.finding.name}.{field}", wrong)
        for bar in trigger.bars
        for field, wrong in finding_faults(bar.finding, vocabulary)
    ]
    return faults + exclusion_faults(trigger)


def _lab_faults(lab: LabCondition, vocabulary: Vocabulary) -> list[tuple[str, str]]:
    analyte = vocabulary.analyte_by_id(lab.analyte)
    if analyte is None:
        return [("lab.analyte", f"{lab.analyte} is not in the vocabulary")]
    if lab.derived is not None:
        if lab.analyte != "creatinine":
            return [("lab.derived", f"{lab.derived} is computed from creatinine, not {lab.analyte}")]
        units: tuple[str, ...] = (egfr.UNIT,)
    else:
        units = analyte.units
    if lab.unit not in units:
        return [("lab.unit", f"{lab.unit!r} is not a unit of {lab.analyte}: give one of {list(units)}")]
    return []


def _order_faults(order: OrderCondition, vocabulary: Vocabulary) -> list[tuple[str, str]]:
    faults = [
        (f"order.{field}", f"{ingredient} is not in the vocabulary")
        for field, ingredients in (
            ("ingredients", order.ingredients),
            ("absent", order.absent),
            ("rivals", order.rivals),
        )
        for ingredient in ingredients
        if vocabulary.ingredient_by_id(ingredient) is None
    ]
    faults += [
        (
            "order.routes",
            f"{route} is no canonical route; the vocabulary says {vocabulary.route(route)}",
        )
        for route in order.routes
        if vocabulary.route(route) != route
    ]
    faults += [
        ("order.frequencies", f"{frequency} is no canonical frequency")
        for frequency in order.frequencies
        if vocabulary.frequency(frequency) != frequency
    ]
    if order.dose_unit is not None and vocabulary.dose(f"1 {order.dose_unit}") is None:
        faults.append(("order.dose_unit", f"{order.dose_unit} is not in the vocabulary"))
    return faults


def _action_faults(action: OrderAction, vocabulary: Vocabulary) -> list[tuple[str, str]]:
    faults = []
    if action.medication is not None and vocabulary.ingredient_by_id(action.medication) is None:
        faults.append(("action.medication", f"{action.medication} is not in the vocabulary"))
    if action.dose_value is not None and vocabulary.dose(f"{action.dose_value} {action.dose_unit}") is None:
        faults.append(("action.dose_unit", f"{action.dose_unit} is not in the vocabulary"))
    if action.route is not None and vocabulary.route(action.route) != action.route:
        faults.append(("action.route", f"{action.route} is no canonical route"))
    if action.frequency is not None and vocabulary.frequency(action.frequency) != action.frequency:
        faults.append(("action.frequency", f"{action.frequency} is no canonical frequency"))
    return faults
