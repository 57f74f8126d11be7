"""A whole synthetic cohort, written to a warehouse."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from state.base import Cohort, InputError
from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw
from tools.ehr.synth.ids import MOST_PATIENTS
from tools.ehr.synth.patient import patient_rows
from tools.ehr.synth.rows import Row
from tools.ehr.warehouse import TableInfo
from tools.ehr.writer import WarehouseWriter

PATIENTS_A_WRITE = 200
ALPHABET = "0123456789ABCDEFGHIJKLMNPQRSTUVWXYZ"


def synthesise(out: Path, *, patients: int, seed: int, overwrite: bool = False) -> tuple[TableInfo, ...]:
    """Write a cohort of ``patients`` invented patients to ``out`` and describe its tables.

    The same ``seed`` gives the same rows in any process; patient k is the same whatever ``patients`` is.
    Raises ``InputError`` for a number of patients that cannot be, or an ``out`` that cannot be written.
    """
    if not 1 <= patients <= MOST_PATIENTS:
        raise InputError(f"{patients} patients cannot be made: ask for 1 to {MOST_PATIENTS}")
    catalog = Catalog.load()
    providers = _providers()
    with WarehouseWriter(out, Cohort.SYNTHETIC, overwrite=overwrite) as writer:
        _write(writer, dictionary_rows(catalog, providers))
        for start in range(0, patients, PATIENTS_A_WRITE):
            numbers = range(start, min(start + PATIENTS_A_WRITE, patients))
            _write(writer, (row for k in numbers for row in patient_rows(catalog, seed, k, providers)))
        return writer.commit()


def dictionary_rows(catalog: Catalog, providers: tuple[str, ...]) -> Iterator[Row]:
    """Write the dictionary entries that the cohort uses."""
    for analyte in catalog.analytes.values():
        named = {"itemid": analyte.itemid, "label": analyte.label}
        yield "hosp.d_labitems", {**named, "fluid": analyte.fluid, "category": analyte.category}
    for code, title in catalog.icd.items():
        yield "hosp.d_icd_diagnoses", {"icd_code": code, "icd_version": 10, "long_title": title}
    for code, title in catalog.procedures.items():
        yield "hosp.d_icd_procedures", {"icd_code": code, "icd_version": 10, "long_title": title}
    for vital in catalog.vitals.values():
        yield (
            "icu.d_items",
            {
                "itemid": vital.itemid,
                "label": vital.label,
                "abbreviation": vital.abbreviation,
                "linksto": vital.linksto,
                "category": vital.category,
                "unitname": vital.unit,
                "param_type": "Numeric",
            },
        )
    for product in catalog.blood.values():
        item = {"itemid": product.itemid, "label": product.label, "abbreviation": product.abbreviation}
        bought = {"category": "Blood Products/Colloids", "unitname": "mL", "param_type": "Solution"}
        yield "icu.d_items", {**item, "linksto": "inputevents", **bought}
    for provider in providers:
        yield "hosp.provider", {"provider_id": provider}


def _providers() -> tuple[str, ...]:
    draw = Draw("providers")
    return tuple(f"P{k:02d}" + "".join(draw.one(ALPHABET) for _ in range(3)) for k in range(10, 50))


def _write(writer: WarehouseWriter, rows: Iterator[Row]) -> None:
    tables = defaultdict(list)
    for table, row in rows:
        tables[table].append(row)
    for table, batch in tables.items():
        writer.insert(table, batch)
