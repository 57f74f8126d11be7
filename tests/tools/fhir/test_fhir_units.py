"""Units of the record that have an exact UCUM code, and those that have none."""

import csv
import gzip
from pathlib import Path

import pytest

from tools.fhir.elements import quantity
from tools.fhir.systems import UCUM_OF_UNIT


@pytest.mark.parametrize(
    ("unit", "code"),
    [
        ("mEq/L", "meq/L"),
        ("IU/L", "[IU]/L"),
        ("K/uL", "10*3/uL"),
        ("m/uL", "10*6/uL"),
        ("#/hpf", "/[HPF]"),
        ("mg/24hr", "mg/(24.h)"),
        ("mcg/kg/min", "ug/kg/min"),
        ("mL/hr", "mL/h"),
        ("°F", "[degF]"),
    ],
)
def test_an_exact_code_stands_beside_the_unit(unit: str, code: str) -> None:
    system = "http://unitsofmeasure.org"
    assert quantity(1, unit) == {"value": 1, "unit": unit, "system": system, "code": code}


@pytest.mark.parametrize("unit", ["units", "Ratio", "U", "ng/mL FEU", "TAB", "units/hr"])
def test_a_unit_without_an_exact_code_stands_alone(unit: str) -> None:
    assert quantity(1, unit) == {"value": 1, "unit": unit}


def test_nearly_every_laboratory_unit_of_the_demo_has_its_code(mimic_demo: Path) -> None:
    with gzip.open(mimic_demo / "hosp" / "labevents.csv.gz", "rt", encoding="utf-8") as lines:
        units = [row["valueuom"].strip() for row in csv.DictReader(lines) if row["valuenum"]]
    uncoded = {unit for unit in units if unit not in UCUM_OF_UNIT}
    logarithms = {"log10 IU/mL", "log10 copies/mL", "log10 cop/mL"}
    of_one_assay = {"U", "U/mL", "ng/mL FEU", "GPL", "MPL", "U/g/Hb"}
    assert uncoded == {"", "units", "Ratio"} | logarithms | of_one_assay
