"""LOINC codes of laboratory items: right items, well-formed codes, one specimen a code, most results of the demo."""

import csv
import gzip
from collections import Counter, defaultdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from state.base import InputError
from tools.vocabulary import Vocabulary
from tools.vocabulary.loinc import LoincMap


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


def families() -> list[dict[str, Any]]:
    text = (files("configs") / "vocabulary" / "loinc.yaml").read_text("utf-8")
    found: list[dict[str, Any]] = yaml.safe_load(text)["families"]
    return found


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
        for itemid, (_, label) in family["items"].items():
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
        for code in (cited, *(code for code, _ in family["items"].values())):
            assert code == f"{code.partition('-')[0]}-{check_digit(code)}", code


def test_items_of_one_code_are_of_one_specimen_and_analyte(vocabulary: Vocabulary) -> None:
    specimens, analytes = defaultdict(set), defaultdict(set)
    for family in families():
        for itemid, (code, _) in family["items"].items():
            assert vocabulary.loinc.of_item(itemid) == code
            assert itemid in vocabulary.loinc.items(code)
            specimens[code].add((family["fluid"], family.get("category")))
            if (analyte := vocabulary.analyte_of_item(itemid)) is not None:
                analytes[code].add(analyte.id)
    assert [code for code, found in specimens.items() if len(found) > 1] == []
    assert [code for code, found in analytes.items() if len(found) > 1] == []


def test_what_is_not_certain_has_no_code(vocabulary: Vocabulary) -> None:
    for itemid in (50868, 50811, 50915, 51070, 51288, 1):
        assert vocabulary.loinc.of_item(itemid) is None
    assert vocabulary.loinc.items("0-0") == ()


def test_most_results_of_the_demo_have_a_code(vocabulary: Vocabulary, mimic_demo: Path) -> None:
    seen = Counter(int(row["itemid"]) for row in rows(mimic_demo, "hosp/labevents"))
    coded = sum(number for itemid, number in seen.items() if vocabulary.loinc.of_item(itemid))
    assert coded / seen.total() > 0.85


def test_an_item_stands_once() -> None:
    family = {"items": {50971: ["2823-3", "Potassium"]}}
    with pytest.raises(InputError, match="item 50971 stands there twice"):
        LoincMap([family, family])
