"""The building blocks of configs/synth: analytes, drugs, conditions, reasons for admission, vital signs, cultures."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

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


class Infusion(Record):
    """How a drip runs: ``rate`` in ``unit``, looked at every so many hours. ``kind`` is its administration_type."""

    kind: str = "IV Infusion"
    unit: str
    rate: Range
    decimals: int = 0
    every_hours: int = 8


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
    infusion: Infusion | None = None

    def form_amount(self, dose: str) -> str:
        """Give how many units of the form make up ``dose``, as MIMIC-IV writes form_val_disp."""
        try:
            amount = float(dose) / self.form_dose if self.form_dose else 1.0
        except ValueError:
            return "1"
        return f"{amount:g}"


class Condition(Record):
    """A condition a patient lives with: how notes name it, codes, home drugs (one of each list) and what it moves."""

    said: str
    icd: tuple[str, ...]
    home: tuple[tuple[str, ...], ...] = ()
    usual: Mapping[str, Range] = {}
    egfr: Range | None = None
    only: Literal["M", "F"] | None = None


class Reason(Record):
    """Why a stay began and what it brings whatever its story. Chances are of a blood gas, urine, the ICU.

    ``usual``: where results stand on arrival. ``ed_diagnoses``: codes of the emergency visit, the principal's if none.
    """

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
    ed_diagnoses: tuple[str, ...] = ()


class Standing(Record):
    """An order every ward writes on admission, with a chance, unless a class is ordered already."""

    drug: str
    chance: float
    unless: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


class Vital(Record):
    """An item of the ICU's bedside chart; ``usual``, ``wobble`` and ``within`` as of an analyte, in ``unit``.

    ``every``: hours between two entries. Without ``usual`` it is set by the patient's body or by other vital signs.
    """

    itemid: int
    label: str
    abbreviation: str
    category: str
    unit: str
    linksto: Literal["chartevents", "outputevents"] = "chartevents"
    usual: Range | None = None
    wobble: float = 0
    within: Range | None = None
    most: float | None = None
    every: int = 1
    decimals: int = 0


class BloodProduct(Record):
    """A unit of a blood product: icu.d_items entry, volume, running time, and poe.order_subtype of its order."""

    itemid: int
    label: str
    abbreviation: str
    ml: float
    minutes: int
    order: str


class Specimen(Record):
    """A specimen and the test done on it. ``usual``: the isolate it grows where no story says another.

    ``negative``: the comment of its report where nothing grew.
    """

    spec_itemid: int
    spec_type_desc: str
    test_itemid: int
    test_name: str
    usual: str | None = None
    negative: str = "NO GROWTH.  "


class Isolate(Record):
    """An organism and its antibiogram: itemid, antibiotic, dilution, interpretation."""

    org_itemid: int
    org_name: str
    susceptibilities: tuple[tuple[int, str, str, Literal["S", "I", "R"]], ...] = ()
