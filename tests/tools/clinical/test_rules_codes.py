"""Codes that rules and exclusions name: each means in MIMIC-IV's dictionaries what it is used for."""

import csv
import gzip
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from state.exclusions import ChartedSign, InfusionSign, OrderSign, ProcedureSign, ResultSign
from tools.clinical.exclusions import load_exclusions

VERSIONS = {"icd9": "9", "icd10": "10"}
TABLES = {
    ProcedureSign: "procedureevents",
    InfusionSign: "inputevents",
    ChartedSign: "chartevents",
    ResultSign: "labevents",
}
"""The table a sign reads: linksto of d_items, or labevents, whose items are those of d_labitems."""


def recorded(name: str) -> Any:
    return yaml.safe_load((Path(__file__).parent / name).read_text("utf-8"))


def rows(mimic_demo: Path, table: str) -> list[dict[str, str]]:
    with gzip.open(mimic_demo / f"{table}.csv.gz", "rt", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def prefixes(node: object) -> Iterator[tuple[str, str]]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key in VERSIONS:
                yield from ((key, prefix) for prefix in value)
            else:
                yield from prefixes(value)
    elif isinstance(node, list):
        for value in node:
            yield from prefixes(value)


@pytest.fixture(scope="module")
def used() -> set[tuple[str, str]]:
    knowledge = files("configs") / "knowledge"
    texts = [
        file.read_text("utf-8")
        for folder in knowledge.iterdir()
        if folder.is_dir()
        for file in folder.iterdir()
    ]
    return {found for text in texts for found in prefixes(yaml.load(text, Loader=yaml.CSafeLoader))}


def test_every_diagnosis_code_of_a_rule_is_recorded_with_its_meaning(used: set[tuple[str, str]]) -> None:
    known = [(key, prefix) for entry in recorded("codes_of_rules.yaml") for key, prefix in prefixes(entry)]
    assert len(known) == len(set(known))
    assert used <= set(known), used - set(known)
    assert set(known) <= used, f"no rule names these any more: {set(known) - used}"


def test_every_title_that_a_diagnosis_code_catches_says_what_it_stands_for(mimic_demo: Path) -> None:
    titles: dict[str, dict[str, str]] = {key: {} for key in VERSIONS}
    for row in rows(mimic_demo, "hosp/d_icd_diagnoses"):
        titles[f"icd{row['icd_version']}"][row["icd_code"].strip()] = row["long_title"]
    for entry in recorded("codes_of_rules.yaml"):
        says = re.compile(entry["says"], re.IGNORECASE)
        for key, prefix in prefixes(entry):
            caught = {code: title for code, title in titles[key].items() if code.startswith(prefix)}
            other = {code: title for code, title in caught.items() if not says.search(title)}
            assert caught, f"no {key} title begins with {prefix}"
            assert len(other) < len(caught) if entry.get("chapter") else not other, (prefix, other)


def test_every_item_of_an_exclusion_is_recorded_under_its_table() -> None:
    items = recorded("items_of_exclusions.yaml")
    used = {
        (itemid, TABLES[type(sign)])
        for exclusion in load_exclusions().values()
        for sign in exclusion.signs
        if isinstance(sign, tuple(TABLES))
        for itemid in sign.itemids
    }
    assert {(itemid, table) for itemid, (table, _) in items.items()} == used


def test_an_item_has_the_label_and_the_table_the_record_gives_it(mimic_demo: Path) -> None:
    chart = {int(row["itemid"]): (row["linksto"], row["label"]) for row in rows(mimic_demo, "icu/d_items")}
    lab = {int(row["itemid"]): ("labevents", row["label"]) for row in rows(mimic_demo, "hosp/d_labitems")}
    items = {itemid: tuple(said) for itemid, said in recorded("items_of_exclusions.yaml").items()}
    of_mimic_iii = {50800}
    """An item of MIMIC-III that d_labitems of the demo (MIMIC-IV 2.2) no longer has."""
    assert set(items) - set(chart) - set(lab) == of_mimic_iii
    for itemid in set(items) - of_mimic_iii:
        assert items[itemid] == (chart | lab)[itemid], itemid


def test_an_order_of_an_exclusion_is_one_the_record_has(mimic_demo: Path) -> None:
    orders = {(row["order_type"], row["order_subtype"]) for row in rows(mimic_demo, "hosp/poe")}
    signs = [sign for exclusion in load_exclusions().values() for sign in exclusion.signs]
    for sign in (sign for sign in signs if isinstance(sign, OrderSign)):
        subtypes = {subtype for kind, subtype in orders if kind == sign.type}
        assert subtypes, sign
        assert subtypes >= set(sign.subtypes), sign
