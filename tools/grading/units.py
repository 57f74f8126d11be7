"""Units of laboratory results: their spellings, and conversion between them."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from tools.grading.phrases import load_words
from tools.grading.text import plain

MASS, AMOUNT, CHARGE, FILTRATION = "mass", "amount", "charge", "filtration"
ROUNDED_FACTOR = 0.0025
"""Relative slack for a figure converted by molar mass: published factors are rounded (calcium 0.25 for 0.2495)."""


@dataclass(frozen=True)
class Unit:
    """A unit of results. ``factor`` leads to the first unit of its dimension: mg/L, mmol/L, mEq/L, 1/uL ..."""

    name: str
    dimension: str
    factor: float


def fold(spelling: str) -> str:
    """Bring spellings of one unit to one form."""
    return re.sub(r"\s+", "", plain(spelling)).casefold()


@cache
def _units() -> dict[str, Unit]:
    table: dict[str, Unit] = {}
    for name, entry in load_words("lab_units")["units"].items():
        unit = Unit(name, entry["dimension"], float(entry["factor"]))
        for word in (name, *entry["words"]):
            if table.setdefault(fold(word), unit) != unit:
                raise ValueError(f"lab_units.yaml: {word!r} is two units")
    return table


@cache
def result_unit_pattern() -> str:
    """Give a pattern of every spelling of a result unit, longest first."""
    data = load_words("lab_units")["units"]
    spellings = {plain(word) for name, entry in data.items() for word in (name, *entry["words"])}
    ordered = sorted(spellings, key=lambda word: (-len(word), word))
    return (
        "(?:"
        + "|".join(re.escape(word).replace(r"\ ", r"\s*").replace("/", r"\s?/\s?") for word in ordered)
        + ")"
    )


@cache
def other_unit_pattern() -> str:
    """Give a pattern of what makes a number no result: units of doses and durations, counted things."""
    data = load_words("lab_units")["other_units"]
    english = "|".join(
        re.escape(plain(word)) for word in sorted(data["en"], key=lambda word: (-len(word), word))
    )
    chinese = "|".join(map(re.escape, sorted(data["zh"], key=lambda word: (-len(word), word))))
    return rf"(?:(?:{english})(?![A-Za-z0-9/])|(?:{chinese})(?![/至到高别]))"


def find_unit(spelling: str) -> Unit | None:
    """Give the unit that goes by a spelling."""
    return _units().get(fold(spelling))


def is_filtration(spelling: str) -> bool:
    """Tell whether a unit is of a filtration rate or clearance."""
    unit = find_unit(spelling)
    return unit is not None and unit.dimension == FILTRATION


def convert(value: float, unit: Unit, wanted: Unit, analyte: str | None) -> float | None:
    """Convert a result; None where the units measure different things, or the analyte's molar mass is not known."""
    if unit.dimension == wanted.dimension:
        return value * unit.factor / wanted.factor
    facts: dict[str, Any] = load_words("lab_units")["analytes"].get(analyte, {})
    mmol_per_l = _to_mmol(value * unit.factor, unit.dimension, facts)
    if mmol_per_l is None:
        return None
    scale = _to_mmol(1.0, wanted.dimension, facts)
    return None if scale is None else mmol_per_l / scale / wanted.factor


def _to_mmol(value: float, dimension: str, facts: dict[str, Any]) -> float | None:
    if dimension == AMOUNT:
        return value
    if dimension == MASS and "molar_mass" in facts:
        return value / float(facts["molar_mass"])
    if dimension == CHARGE and "valence" in facts:
        return value / float(facts["valence"])
    return None
