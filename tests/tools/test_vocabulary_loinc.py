"""LOINC codes of laboratory items: right items, sourced and well-formed codes, property and specimen that fit."""

import csv
import gzip
import re
from collections import Counter, defaultdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from state.base import InputError
from tools.vocabulary import Vocabulary
from tools.vocabulary.loinc import LoincMap

UNITS_OF_PROPERTY = {
    "Mass/volume": {"g/dL", "mg/dL", "mg/L", "ug/dL", "ug/mL", "ng/dL", "ng/mL", "pg/mL", "ng/mL FEU", "%"},
    "Moles/volume": {"mmol/L", "mEq/L", "umol/L"},
    "Enzymatic activity/volume": {"IU/L"},
    "Units/volume": {"uIU/mL", "mIU/mL", "IU/mL"},
    "#/volume": {"K/uL", "m/uL", "#/uL"},
    "#/area": {"#/hpf", "#/lpf"},
    "Partial pressure": {"mm Hg"},
    "Volume Fraction": {"%"},
    "Ratio": {"%"},
    "Mass Ratio": {"Ratio", "mg/mg"},
    "Mass/time": {"mg/24hr"},
    "Entitic volume": {"fL"},
    "Entitic mass": {"pg"},
}
"""LOINC's property, as its long common name has it in brackets -> MIMIC-IV's units of it. MCHC in % is g/dL."""
IN_PERCENT = re.compile(r"/100 |/Hemoglobin.total|^Oxygen saturation")
SPECIMENS = {
    ("Blood", ""): "Serum|Plasma|plasma|Blood|by Automated count|Prothrombin time|Thrombin time",
    ("Blood", "Blood Gas"): "Blood|Alveolar-arterial",
    ("Urine", ""): "Urine",
    ("Cerebrospinal Fluid", ""): "Cerebral spinal fluid",
    ("Ascites", ""): "Peritoneal fluid",
    ("Pleural", ""): "Pleural fluid",
    ("Other Body Fluid", ""): "Body fluid",
}
"""Fluid and, of blood, category -> what LOINC's name says of the specimen."""


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


def data() -> dict[str, Any]:
    text = (files("configs") / "vocabulary" / "loinc.yaml").read_text("utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def families() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = data()["families"]
    return found


def property_of(name: str) -> str | None:
    found = re.search(r"\[([^\]]+)\]", name)
    return found.group(1) if found else None


def rows(mimic_demo: Path, table: str) -> list[dict[str, str]]:
    with gzip.open(mimic_demo / f"{table}.csv.gz", "rt", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def check_digit(code: str) -> int:
    """Compute LOINC's check digit (mod 10) of a code, https://loinc.org/kb/faq/structure."""
    number = code.partition("-")[0]
    doubled = int("".join(number[::-1][::2])[::-1]) * 2
    digits = str(doubled) + "".join(number[::-1][1::2])
    return -sum(map(int, digits)) % 10


def test_items_have_the_label_and_fluid_the_record_names(mimic_demo: Path) -> None:
    recorded = {int(row["itemid"]): row for row in rows(mimic_demo, "hosp/d_labitems")}
    for family in families():
        for itemid, (_, label, _, _) in family["items"].items():
            row = recorded[itemid]
            assert (row["label"], row["fluid"]) == (label, family["fluid"])
            gas = row["category"] == "Blood Gas" and row["fluid"] == "Blood"
            assert gas is (family.get("category") == "Blood Gas"), itemid


def test_every_code_has_its_check_digit_and_every_family_its_page() -> None:
    assert check_digit("2823-3") == 3
    assert check_digit("17861-6") == 6
    for family in families():
        page, _, cited = family["source"].rpartition("/")
        assert page == "https://loinc.org"
        for code in (cited, *(code for code, *_ in family["items"].values())):
            assert code == f"{code.partition('-')[0]}-{check_digit(code)}", code
    assert check_digit("2832-3") != 3, "two digits changed places"


def test_every_row_names_the_sources_that_give_its_code() -> None:
    sources = data()["sources"]
    for family in families():
        for itemid, (_, _, _, confirmed) in family["items"].items():
            assert confirmed, itemid
            assert set(confirmed) <= set(sources), itemid
            assert "mimic_iii" not in confirmed or itemid <= 51555, f"MIMIC-III has no item {itemid}"
    assert all("https://" in source and "read 20" in source for source in sources.values())


def test_the_name_of_a_code_says_the_specimen_of_its_items() -> None:
    for family in families():
        specimen = SPECIMENS[family["fluid"], family.get("category", "")]
        for itemid, (_, _, name, _) in family["items"].items():
            assert re.search(specimen, name), (itemid, name)
            assert "arterial" not in name.partition("Alveolar-")[0].lower(), f"{itemid}: a gas may be venous"


def test_the_property_of_a_code_is_that_of_the_unit_the_record_has(mimic_demo: Path) -> None:
    units, numbers = defaultdict(set), set()
    for row in rows(mimic_demo, "hosp/labevents"):
        itemid = int(row["itemid"])
        units[itemid].add(row["valueuom"].strip())
        numbers |= {itemid} if row["valuenum"] else set()
    for family in families():
        for itemid, (_, _, name, _) in family["items"].items():
            kind, said = property_of(name), units[itemid] - {""}
            if kind == "Presence":
                assert itemid not in numbers, f"{itemid} has numbers: {name}"
            elif kind in UNITS_OF_PROPERTY:
                assert said <= UNITS_OF_PROPERTY[kind], (itemid, name)
            elif IN_PERCENT.search(name):
                assert said <= {"%"}, (itemid, name)


def test_items_of_one_code_are_of_one_specimen_and_analyte(vocabulary: Vocabulary) -> None:
    specimens, analytes = defaultdict(set), defaultdict(set)
    for family in families():
        for itemid, (code, _, name, _) in family["items"].items():
            assert vocabulary.loinc.of_item(itemid) == code
            assert vocabulary.loinc.name(code) == name
            assert itemid in vocabulary.loinc.items(code)
            specimens[code].add((family["fluid"], family.get("category")))
            if (analyte := vocabulary.analyte_of_item(itemid)) is not None:
                analytes[code].add(analyte.id)
    assert [code for code, found in specimens.items() if len(found) > 1] == []
    assert [code for code, found in analytes.items() if len(found) > 1] == []


def test_what_is_not_certain_has_no_code(vocabulary: Vocabulary) -> None:
    for itemid in (50868, 50811, 50915, 51070, 51288, 52442, 53085, 1):
        assert vocabulary.loinc.of_item(itemid) is None
    assert vocabulary.loinc.items("0-0") == ()


def test_most_results_of_the_demo_have_a_code(vocabulary: Vocabulary, mimic_demo: Path) -> None:
    seen = Counter(int(row["itemid"]) for row in rows(mimic_demo, "hosp/labevents"))
    coded = sum(number for itemid, number in seen.items() if vocabulary.loinc.of_item(itemid))
    assert coded / seen.total() > 0.87


def test_an_item_stands_once_and_a_code_has_one_name() -> None:
    name = "Potassium [Moles/volume] in Serum or Plasma"
    family = {"items": {50971: ["2823-3", "Potassium", name, ["mimic_code"]]}}
    with pytest.raises(InputError, match="item 50971 stands there twice"):
        LoincMap([family, family])
    other = {"items": {52610: ["2823-3", "Potassium", "Potassium [Mass/volume]", ["mimic_code"]]}}
    with pytest.raises(InputError, match=r"2823-3 is .* keep one"):
        LoincMap([family, other])
