"""The hospital's dictionaries: what codes mean. Nothing here is about a patient."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tools.ehr.warehouse import Warehouse
from tools.fhir.services import Services


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
    """What is read of a whole warehouse when first needed; every chart of it may share one, from any thread."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._icd_titles: dict[tuple[str, int], str | None] = {}
        self._beginnings: dict[tuple[str, str], bool] = {}
        self._procedure_titles: dict[tuple[str, int], str | None] = {}

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

    @cached_property
    def services(self) -> Services:
        """Give the words for services that can be requested."""
        return Services.load()

    @cached_property
    def procedure_items(self) -> dict[int, str]:
        """Map itemid to the label of what icu.procedureevents charts."""
        rows = self._fetch("SELECT itemid, label FROM icu.d_items WHERE linksto = 'procedureevents'")
        return {itemid: label.strip() for itemid, label in rows if label}

    def icd_title(self, code: str, version: int) -> str | None:
        """Give the title of a diagnosis code without dot; None where the dictionary has none."""
        self.load_icd_titles({(code, version)})
        return self._icd_titles[code, version]

    def load_icd_titles(self, codes: set[tuple[str, int]]) -> None:
        """Read the titles of many codes in one query."""
        self._load_titles("hosp.d_icd_diagnoses", codes, self._icd_titles)

    def procedure_titles(self, codes: set[tuple[str, int]]) -> Mapping[tuple[str, int], str | None]:
        """Give the titles of procedure codes without dot; None where the dictionary has none."""
        self._load_titles("hosp.d_icd_procedures", codes, self._procedure_titles)
        return self._procedure_titles

    def _load_titles(
        self, table: str, codes: set[tuple[str, int]], titles: dict[tuple[str, int], str | None]
    ) -> None:
        wanted = sorted(codes - titles.keys())
        if not wanted:
            return
        rows = self._fetch(
            f"SELECT icd_code, icd_version, long_title FROM {table} WHERE icd_code IN (SELECT unnest(?::VARCHAR[]))",
            [code for code, _ in wanted],
        )
        found = {(code, version): title for code, version, title in rows}
        titles |= {key: found.get(key) for key in wanted}

    def diagnosis_code_begins(self, prefix: str) -> bool:
        """Tell whether any diagnosis code begins so; True where there is no dictionary to ask."""
        return self._code_begins("hosp.d_icd_diagnoses", prefix)

    def procedure_code_begins(self, prefix: str) -> bool:
        """Tell whether any procedure code begins so; True where there is no dictionary to ask."""
        return self._code_begins("hosp.d_icd_procedures", prefix)

    def _code_begins(self, table: str, prefix: str) -> bool:
        if not self._warehouse.loaded(table):
            return True
        if (table, prefix) not in self._beginnings:
            query = f"SELECT 1 FROM {table} WHERE starts_with(icd_code, ?) LIMIT 1"
            self._beginnings[table, prefix] = bool(self._fetch(query, prefix))
        return self._beginnings[table, prefix]

    @cached_property
    def formulary(self) -> frozenset[str]:
        """List every name under which this hospital ever ordered a drug, in lower case."""
        rows = self._fetch("SELECT DISTINCT lower(trim(drug)) FROM hosp.prescriptions WHERE drug IS NOT NULL")
        return frozenset(drug for (drug,) in rows)

    @cached_property
    def microbiology_names(self) -> frozenset[str]:
        """List every culture, test and specimen of this hospital's microbiology, in lower case."""
        rows = self._fetch(
            "SELECT DISTINCT lower(trim(unnest([test_name, spec_type_desc]))) FROM hosp.microbiologyevents"
        )
        return frozenset(name for (name,) in rows if name)

    def _fetch(self, statement: str, *values: object, **named: object) -> list[tuple[Any, ...]]:
        cursor = self._warehouse.cursor()
        try:
            return cursor.execute(statement, named or list(values)).fetchall()
        finally:
            cursor.close()
