"""The data of configs/synth as typed records: analytes, drugs, conditions, wards and stories."""

from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Literal, Self

import yaml
from pydantic import Field, model_validator

from state.base import Record

Range = tuple[float, float]


class Analyte(Record):
    """One laboratory item. ``usual`` is mean and spread between patients, ``wobble`` between draws.

    Without ``usual`` the value is derived from others. Results under ``below`` are reported as "<below".
    """

    itemid: int
    label: str
    fluid: str = "Blood"
    category: str = "Chemistry"
    unit: str | None = None
    reference: Range | None = None
    reference_female: Range | None = None
    decimals: int
    panel: str
    usual: Range | None = None
    wobble: float = 0
    within: Range | None = None
    below: float | None = None

    def limits(self, sex: str) -> Range | None:
        """Give the reference range for ``sex`` (M or F)."""
        return self.reference_female if sex == "F" and self.reference_female else self.reference


class Base(Record):
    """The diluent row of a pharmacy order."""

    name: str
    dose: str
    unit: str
    strength: str
    code: str


class Drug(Record):
    """One product as it is ordered. ``form_dose``: what one unit of the dispensed form holds."""

    name: str
    classes: tuple[str, ...]
    route: str = "PO/NG"
    frequency: str
    doses: tuple[str, ...] = Field(min_length=1)
    unit: str = "mg"
    strength: str
    form_dose: float | None = None
    form: str = "TAB"
    code: str
    process: str = "Unit Dose"
    base: Base | None = None
    drug_type: Literal["MAIN", "BASE"] = "MAIN"
    home: str | None = None
    home_class: str | None = None
    inpatient: bool = True
    sliding_scale: bool = False
    infusion: bool = False

    def form_amount(self, dose: str) -> str:
        """Give how many units of the form make up ``dose``, as MIMIC-IV writes form_val_disp."""
        try:
            amount = float(dose) / self.form_dose if self.form_dose else 1.0
        except ValueError:
            return "1"
        return f"{amount:g}"


class Condition(Record):
    """A condition a patient lives with: codes, home drugs (one of each list) and what it moves."""

    icd: tuple[str, ...]
    home: tuple[tuple[str, ...], ...] = ()
    usual: Mapping[str, Range] = {}
    egfr: Range | None = None
    only: Literal["M", "F"] | None = None


class Reason(Record):
    """Why a stay began and what it brings whatever its story. Chances are of a blood gas, urine, the ICU."""

    principal: str
    complaint: str
    service: str
    unit: str
    orders: tuple[str, ...] = ()
    usual: Mapping[str, Range] = {}
    culture: str | None = None
    cardiac: bool = False
    elective: bool = False
    procedure: str | None = None
    icu: float = 0.1
    gas: float = 0.15
    urine: float = 0.1


class Story(Record):
    """One drug and one result; see configs/synth/stories.yaml for what each field means."""

    id: str
    drugs: tuple[str, ...] = Field(min_length=1)
    doses: tuple[str, ...] | None = None
    from_day: int = 0
    analyte: str
    scale: Literal["value", "egfr", "uln", "fraction"] = "value"
    shape: Literal["ramp", "spike"] = "ramp"
    day: tuple[int, int]
    start: Range
    near_start: Range | None = None
    positive: Range
    near_miss: Range
    alongside: Mapping[str, Range] = {}
    conditions: tuple[str, ...]
    history: tuple[str, ...] = ()
    age: tuple[int, int]
    without: tuple[str, ...] = ()
    adverse: tuple[str, ...] = ()
    reason: Reason


class Standing(Record):
    """An order every ward writes on admission, with a chance, unless a class is ordered already."""

    drug: str
    chance: float
    unless: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


class Vital(Record):
    """An ICU chart item, drawn about ``mean`` every so many hours; without a mean it is set by the patient."""

    itemid: int
    label: str
    abbreviation: str
    category: str
    unit: str
    mean: float | None = None
    spread: float = 0
    most: float | None = None
    every: int = 1
    decimals: int = 0


class Catalog(Record):
    """Everything of configs/synth. Names that do not resolve raise ``ValidationError`` on loading."""

    panels: Mapping[str, tuple[int, int]]
    analytes: Mapping[str, Analyte]
    frequencies: Mapping[str, tuple[int, ...]]
    drugs: Mapping[str, Drug]
    conditions: Mapping[str, Condition]
    common: tuple[str, ...]
    supplements: tuple[str, ...]
    demographics: Mapping[str, Mapping[str, int]]
    reasons: Mapping[str, Reason]
    standing: tuple[Standing, ...]
    cultures: Mapping[str, Mapping[str, int | str]]
    susceptibilities: Mapping[str, tuple[tuple[int, str, str, str], ...]]
    vitals: Mapping[str, Vital]
    icd: Mapping[str, str]
    procedures: Mapping[str, str]
    stories: tuple[Story, ...]

    @classmethod
    def load(cls) -> Self:
        """Read configs/synth."""
        merged: dict[str, object] = {}
        for name in ("labs", "drugs", "people", "wards", "stories"):
            merged |= yaml.safe_load(
                (files("configs") / "synth" / f"{name}.yaml").read_text(encoding="utf-8")
            )
        return cls.model_validate(merged)

    def panel(self, name: str) -> tuple[str, ...]:
        """List the analytes drawn together as ``name``."""
        return tuple(key for key, analyte in self.analytes.items() if analyte.panel == name)

    def turnaround(self, panel: str) -> tuple[int, int]:
        """Give the usual minutes from draw to result."""
        return self.panels.get(panel, self.panels["level"])

    @model_validator(mode="after")
    def _names_resolve(self) -> Self:
        reasons = [*self.reasons.values(), *(story.reason for story in self.stories)]
        conditions = [*self.common, *(c for story in self.stories for c in story.conditions)]
        drugs = [s.drug for s in self.standing] + list(self.supplements)
        drugs += [drug for reason in reasons for drug in reason.orders]
        drugs += [drug for story in self.stories for drug in story.drugs]
        drugs += [drug for c in self.conditions.values() for options in c.home for drug in options]
        codes = [reason.principal for reason in reasons]
        codes += [code for story in self.stories for code in (*story.adverse, *story.history)]
        codes += [code for condition in self.conditions.values() for code in condition.icd]
        _known("drugs", drugs, self.drugs)
        _known("conditions", conditions, self.conditions)
        _known("icd", codes, self.icd)
        _known("analytes", [story.analyte for story in self.stories], self.analytes)
        _known("frequencies", [drug.frequency for drug in self.drugs.values()], self.frequencies)
        _known("procedures", [reason.procedure for reason in reasons if reason.procedure], self.procedures)
        _known("cultures", [reason.culture for reason in reasons if reason.culture], self.cultures)
        return self


def _known(kind: str, names: Iterable[str], table: Mapping[str, object]) -> None:
    missing = sorted(set(names) - table.keys())
    if missing:
        raise ValueError(f"configs/synth has no {kind} named {', '.join(missing)}")
