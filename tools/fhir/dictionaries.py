"""The hospital's dictionaries: what codes mean. Nothing here is about a patient."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tools.ehr.warehouse import Warehouse


@dataclass(frozen=True)
class LabItem:
    """One test of hosp.d_labitems; a blood gas is a specimen of its own beside blood."""

    itemid: int
    label: str
    fluid: str
    category: str

    @property
    def specimen(self) -> str:
        """Name what is measured in: ``Blood``, ``Urine``, ``Blood, blood gas``."""
        return f"{self.fluid}, blood gas" if self.category.lower() == "blood gas" else self.fluid

    @property
    def described(self) -> str:
        """Name the test so that it can be told from its namesakes."""
        return f"{self.label} in {self.specimen}, {self.category}, itemid {self.itemid}"


class Dictionaries:
    """Look-ups in the ``d_`` tables of one warehouse, read when first needed."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._icd_titles: dict[tuple[str, int], str | None] = {}

    @cached_property
    def lab_items(self) -> dict[int, LabItem]:
        """Map itemid to the laboratory test."""
        rows = self._fetch("SELECT itemid, label, fluid, category FROM hosp.d_labitems ORDER BY itemid")
        return {
            itemid: LabItem(itemid, (label or f"itemid {itemid}").strip(), fluid or "unknown", category or "")
            for itemid, label, fluid, category in rows
        }

    @cached_property
    def lab_items_by_label(self) -> dict[str, tuple[LabItem, ...]]:
        """Map a label in lower case to the tests that bear it."""
        found: dict[str, list[LabItem]] = defaultdict(list)
        for item in self.lab_items.values():
            found[item.label.lower()].append(item)
        return {label: tuple(items) for label, items in found.items()}

    def icd_title(self, code: str, version: int) -> str | None:
        """Give the title of a diagnosis code without dot; None where the dictionary has none."""
        key = (code, version)
        if key not in self._icd_titles:
            rows = self._fetch(
                "SELECT long_title FROM hosp.d_icd_diagnoses WHERE icd_code = ? AND icd_version = ?",
                code,
                version,
            )
            self._icd_titles[key] = rows[0][0] if rows else None
        return self._icd_titles[key]

    def load_icd_titles(self, codes: set[tuple[str, int]]) -> None:
        """Read the titles of many codes in one query."""
        wanted = sorted(codes - self._icd_titles.keys())
        if not wanted:
            return
        rows = self._fetch(
            "SELECT icd_code, icd_version, long_title FROM hosp.d_icd_diagnoses "
            "WHERE icd_code IN (SELECT unnest(?::VARCHAR[]))",
            [code for code, _ in wanted],
        )
        self._icd_titles |= dict.fromkeys(wanted)
        self._icd_titles |= {(code, version): title for code, version, title in rows}

    def icd_code_begins(self, prefix: str) -> bool:
        """Tell whether any diagnosis code begins so; True where there is no dictionary to ask."""
        if not self._warehouse.loaded("hosp.d_icd_diagnoses"):
            return True
        return bool(
            self._fetch("SELECT 1 FROM hosp.d_icd_diagnoses WHERE starts_with(icd_code, ?) LIMIT 1", prefix)
        )

    def is_formulary_drug(self, drug: str) -> bool:
        """Tell whether this hospital ever ordered a drug of exactly this name, in any case."""
        found = self._fetch(
            "SELECT 1 FROM hosp.prescriptions WHERE lower(trim(drug)) = ? LIMIT 1", drug.strip().lower()
        )
        return bool(found)

    def is_microbiology_name(self, name: str) -> bool:
        """Tell whether this hospital ever did a culture or test, or took a specimen, of exactly this name."""
        found = self._fetch(
            "SELECT 1 FROM hosp.microbiologyevents WHERE lower(trim(test_name)) = $name "
            "OR lower(trim(spec_type_desc)) = $name LIMIT 1",
            name=name.strip().lower(),
        )
        return bool(found)

    def _fetch(self, statement: str, *values: object, **named: object) -> list[tuple[Any, ...]]:
        cursor = self._warehouse.cursor()
        try:
            return cursor.execute(statement, named or list(values)).fetchall()
        finally:
            cursor.close()
