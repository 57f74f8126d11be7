"""Analytes against MIMIC-IV's dictionary and the demo's results: the right items, each specimen, each unit."""

import csv
import gzip
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from tools.vocabulary import Analyte, Vocabulary

FLUIDS = {"serum": "Blood", "plasma": "Blood", "blood": "Blood", "whole blood": "Blood", "urine": "Urine"}
IN_THE_CHEMISTRY_LABORATORY = {50914, 50986, 51624}
"""Whole blood that no gas analyser measures: cyclosporin and tacrolimus; free calcium of an older item."""
WITHOUT_NUMBERS = {51464}
"""Bilirubin of a urine test strip: its results are words (NEG, SM) under mg/dL or N/A."""
NOT_THE_SAME = {
    "d_dimer": {52551},
    "lithium_level": {52030},
    "bicarbonate": {50803, 50804, 51739},
    "creatinine": {51081, 51082, 52024},
    "potassium": {50822, 50833, 51097},
    "sodium": {50824, 51100},
    "glucose": {50809, 51478, 51790},
    "albumin": {50835, 51046, 51069},
    "hemoglobin": {50811, 50855},
}
"""Items whose label may be taken for the analyte's: another specimen, unit or quantity."""


def analytes() -> tuple[Analyte, ...]:
    return Vocabulary.load().analytes


def rows(mimic_demo: Path, table: str) -> list[dict[str, str]]:
    with gzip.open(mimic_demo / f"{table}.csv.gz", "rt", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


@pytest.fixture(scope="module")
def items(mimic_demo: Path) -> dict[int, dict[str, str]]:
    return {int(row["itemid"]): row for row in rows(mimic_demo, "hosp/d_labitems")}


@pytest.fixture(scope="module")
def units(mimic_demo: Path) -> dict[int, Counter[str]]:
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for row in rows(mimic_demo, "hosp/labevents"):
        if row["valuenum"]:
            found[int(row["itemid"])][row["valueuom"].strip()] += 1
    return found


def test_an_item_is_of_the_analytes_specimen(items: dict[int, dict[str, str]]) -> None:
    for analyte in analytes():
        for itemid in analyte.itemids:
            item = items[itemid]
            assert item["fluid"] == FLUIDS[analyte.specimen], (analyte.id, item)
            if itemid not in IN_THE_CHEMISTRY_LABORATORY and item["fluid"] == "Blood":
                gas = item["category"] == "Blood Gas"
                assert gas is (analyte.specimen == "whole blood"), (analyte.id, item)


def test_no_analyte_has_the_item_of_another(items: dict[int, dict[str, str]]) -> None:
    vocabulary = Vocabulary.load()
    for analyte_id, others in NOT_THE_SAME.items():
        analyte = vocabulary.analyte_by_id(analyte_id)
        assert analyte is not None
        assert not set(analyte.itemids) & others
        assert others <= set(items)


def test_every_item_of_the_same_label_fluid_and_category_is_listed(items: dict[int, dict[str, str]]) -> None:
    of_item = {itemid: analyte.id for analyte in analytes() for itemid in analyte.itemids}
    named: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for itemid, analyte_id in of_item.items():
        item = items[itemid]
        named[item["label"].strip().lower(), item["fluid"], item["category"]].add(analyte_id)
    left_out = {
        itemid
        for itemid, item in items.items()
        if itemid not in of_item and (item["label"].strip().lower(), item["fluid"], item["category"]) in named
    }
    assert left_out == {52551}, "D-dimer in DDU"
    assert all(len(found) == 1 for found in named.values())


def test_every_number_of_the_demo_has_a_unit_that_its_analyte_reads(units: dict[int, Counter[str]]) -> None:
    for analyte in analytes():
        read = {unit.lower() for unit in analyte.units}
        for itemid in set(analyte.itemids) - WITHOUT_NUMBERS:
            assert {unit.lower() for unit in units[itemid]} <= read, (analyte.id, itemid, units[itemid])
    assert not any(units[itemid] for itemid in WITHOUT_NUMBERS)


def test_the_demo_has_results_of_the_analytes_that_rules_use_most(units: dict[int, Counter[str]]) -> None:
    caught = {a.id: sum(units[itemid].total() for itemid in a.itemids) for a in analytes()}
    most = ("potassium", "sodium", "creatinine", "glucose", "hemoglobin", "platelets", "bicarbonate", "inr")
    assert {analyte for analyte in most if caught[analyte] < 1000} == set()
    assert sum(caught.values()) > 70_000
