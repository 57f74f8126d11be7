"""Results that follow from others by chemistry or arithmetic, so that those drawn together agree."""

from collections.abc import Callable, Mapping
from math import log10

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw

Values = dict[str, float]

PK, SOLUBLE = 6.1, 0.03
"""Henderson-Hasselbalch for blood: pK, and mmol/L of CO2 dissolved at 1 mmHg."""


def _pco2(v: Values) -> float:
    """Breathe as Winter expects of a metabolic acidosis (Albert et al., Ann Intern Med 1967;66:312)."""
    bicarbonate = v["bicarbonate"]
    return 1.5 * bicarbonate + 8 if bicarbonate < 21 else 40 + 0.7 * (bicarbonate - 24)


def _base_excess(v: Values) -> float:
    """Give the base excess of blood (Siggaard-Andersen's Van Slyke equation, haemoglobin left out)."""
    return 0.93 * (v["bicarbonate"] - 24.4 + 14.8 * (v["ph_blood"] - 7.4))


DERIVED: Mapping[str, Callable[[Values], float]] = {
    "urea_nitrogen": lambda v: v["creatinine"] * v["urea_ratio"],
    "chloride": lambda v: v["sodium"] + v["potassium"] - v["bicarbonate"] - v["anion_gap"],
    "potassium_whole_blood": lambda v: v["potassium"],
    "hematocrit": lambda v: v["hemoglobin"] * 3,
    "rbc": lambda v: v["hematocrit"] * 10 / v["mcv"],
    "mch": lambda v: v["hemoglobin"] * 10 / v["rbc"],
    "mchc": lambda v: v["hemoglobin"] * 100 / v["hematocrit"],
    "pt": lambda v: v["inr"] * 11,
    "bilirubin_direct": lambda v: v["bilirubin_total"] * 0.3,
    "bilirubin_indirect": lambda v: v["bilirubin_total"] - v["bilirubin_direct"],
    "transferrin": lambda v: v["tibc"] / 1.3,
    "osmolality": lambda v: 2 * v["sodium"] + v["glucose"] / 18 + v["urea_nitrogen"] / 2.8 + 6,
    "pco2_blood": _pco2,
    "ph_blood": lambda v: PK + log10(v["bicarbonate"] / (SOLUBLE * v["pco2_blood"])),
    "total_co2_whole_blood": lambda v: v["bicarbonate"] + SOLUBLE * v["pco2_blood"],
    "base_excess": _base_excess,
}
"""Analytes that follow from others, in this order."""

SOURCES = frozenset(
    {
        *(
            "sodium",
            "potassium",
            "bicarbonate",
            "anion_gap",
            "creatinine",
            "glucose",
            "hemoglobin",
            "mcv",
            "inr",
        ),
        *("bilirubin_total", "tibc", *DERIVED),
    }
)
"""What the formulas need, whatever was asked for."""

NOISE: Mapping[str, float] = {
    "urea_nitrogen": 1,
    "potassium_whole_blood": 0.06,
    "hematocrit": 0.3,
    "pt": 0.2,
    "osmolality": 1.5,
    "pco2_blood": 1,
}
"""Spread about what the formula gives."""


def with_derived(catalog: Catalog, draw: Draw, measured: Values, urea_ratio: float) -> Values:
    """Add what follows from the ``measured`` values, rounded as reported; a value that is there stays.

    A pH without a pCO2 sets the pCO2.
    """
    values = {**measured, "urea_ratio": urea_ratio}
    if "ph_blood" in values and "pco2_blood" not in values:
        pressure = values["bicarbonate"] / SOLUBLE / 10 ** (values["ph_blood"] - PK)
        values["pco2_blood"] = round(pressure, catalog.analytes["pco2_blood"].decimals)
    for key, formula in DERIVED.items():
        if key not in values:
            value = formula(values) + draw.about(0, NOISE.get(key, 0))
            values[key] = round(value, catalog.analytes[key].decimals)
    return values
