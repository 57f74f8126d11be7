"""A hospital of one made-up patient, filled row by row as a test needs."""

import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb

from state.base import GatePolicy, Language
from tools.ehr.chart import Chart
from tools.ehr.tables import TABLES
from tools.ehr.warehouse import Warehouse
from tools.fhir.toolset import Toolset
from tools.vocabulary import Vocabulary

LAB_ITEMS = (
    (50971, "Potassium", "Blood", "Chemistry"),
    (50822, "Potassium, Whole Blood", "Blood", "Blood Gas"),
    (51097, "Potassium, Urine", "Urine", "Chemistry"),
    (50912, "Creatinine", "Blood", "Chemistry"),
    (59001, "Namesake", "Blood", "Chemistry"),
    (59002, "Namesake", "Urine", "Chemistry"),
    (52033, "Specimen Type", "Blood", "Blood Gas"),
)


class Hospital:
    """Rows to be written, in ``tables``. Patient 1 has admission 20 from 2150-01-01 08:00 to 2150-01-10 12:00."""

    def __init__(self, folder: Path, empty: Path, vocabulary: Vocabulary) -> None:
        self._folder = folder
        self._empty = empty
        self._written = 0
        self._changed = True
        self._vocabulary = vocabulary
        self.tables: dict[str, list[dict[str, Any]]] = {}
        self._opened: list[Warehouse] = []
        self.add("hosp.patients", {"gender": "F", "anchor_age": 70, "anchor_year": 2150})
        self.add(
            "hosp.admissions", {"admittime": at(1, 8), "dischtime": at(10, 12), "admission_type": "EW EMER."}
        )
        items = [dict(zip(("itemid", "label", "fluid", "category"), item, strict=True)) for item in LAB_ITEMS]
        self.tables["hosp.d_labitems"] = items
        self._ids = 0

    def add(self, table: str, *rows: dict[str, Any]) -> None:
        """Add rows of patient 1 and admission 20 unless they say otherwise; none at all marks the table as loaded."""
        self._changed = True
        columns = TABLES[table].columns
        defaults = {
            name: value for name, value in {"subject_id": 1, "hadm_id": 20}.items() if name in columns
        }
        self.tables.setdefault(table, []).extend(defaults | row for row in rows)

    def lab(self, itemid: int, drawn: datetime, value: str | None, /, **more: Any) -> None:
        """Add a laboratory result, stored an hour after it was drawn."""
        self._ids += 1
        numeric = value if value and value.replace(".", "").isdigit() else None
        row = {
            "labevent_id": self._ids,
            "specimen_id": self._ids,
            "itemid": itemid,
            "charttime": drawn,
            "value": value,
        }
        row |= {
            "valuenum": float(numeric) if numeric else None,
            "storetime": drawn.replace(hour=drawn.hour + 1),
        }
        self.add("hosp.labevents", row | more)

    def order(
        self, pharmacy_id: int, drug: str, start: datetime, stop: datetime | None = None, **more: Any
    ) -> None:
        """Add an order of 5 mg by mouth, entered when it starts."""
        row = {
            "pharmacy_id": pharmacy_id,
            "drug": drug,
            "drug_type": "MAIN",
            "starttime": start,
            "stoptime": stop,
        }
        self.add("hosp.prescriptions", row | {"dose_val_rx": "5", "dose_unit_rx": "mg", "route": "PO"} | more)

    def discharge_summary(self, charted: datetime, text: str, **more: Any) -> str:
        """Add the summary of admission 20, stored on its day at noon; gives its note_id."""
        return self._note("note.discharge", "DS", charted, charted.replace(hour=12), text, more)

    def film(self, taken: datetime, stored: datetime, text: str, exam: str | None = None, **more: Any) -> str:
        """Add a radiology report; gives its note_id."""
        note_id = self._note("note.radiology", "RR", taken, stored, text, more)
        if exam is not None:
            self.detail(note_id, "exam_name", exam)
        return note_id

    def detail(self, note_id: str, name: str, value: str, ordinal: int = 1) -> None:
        """Say something more of a radiology report."""
        row = {"note_id": note_id, "field_name": name, "field_value": value, "field_ordinal": ordinal}
        self.add("note.radiology_detail", row)

    def _note(
        self,
        table: str,
        kind: str,
        charted: datetime,
        stored: datetime,
        text: str,
        more: dict[str, Any],
    ) -> str:
        self._ids += 1
        row = {"note_id": f"1-{kind}-{self._ids}", "note_type": kind, "note_seq": self._ids}
        row |= {"charttime": charted, "storetime": stored, "text": text} | more
        self.add(table, row)
        return str(row["note_id"])

    def toolset(
        self,
        as_of: datetime,
        hadm_id: int | None = None,
        policy: GatePolicy = GatePolicy.STRICT,
        language: Language = Language.EN,
    ) -> Toolset:
        """Write what was added so far and open patient 1's tools at ``as_of``."""
        if self._changed:
            self._opened.append(Warehouse.open(self._write()))
            self._changed = False
        chart = Chart(self._opened[-1], 1, as_of, hadm_id, policy)
        return Toolset(chart, self._vocabulary, language=language)

    def _write(self) -> Path:
        """Fill a copy of the empty warehouse: quicker than writing one for every test."""
        file = self._folder / f"hospital-{self._written}.duckdb"
        self._written += 1
        shutil.copy(self._empty, file)
        with duckdb.connect(str(file)) as connection:
            for table, rows in self.tables.items():
                connection.execute("UPDATE wardround.tables SET loaded = true WHERE name = ?", [table])
                for row in rows:
                    marks = ", ".join("?" * len(row))
                    connection.execute(
                        f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", list(row.values())
                    )
        return file

    def close(self) -> None:
        """Close every file opened."""
        while self._opened:
            self._opened.pop().close()


def at(day: int, hour: int = 0, minute: int = 0) -> datetime:
    """Give a time of January 2150."""
    return datetime(2150, 1, day, hour, minute)
