"""Directories of made-up patients, to be damaged as a test needs."""

import csv
import gzip
import io
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tools.ehr.tables import TABLES

PATIENT = {"subject_id": 1, "gender": "F", "anchor_age": 60, "dod": ""}
ADMISSION = {
    "subject_id": 1,
    "hadm_id": 20,
    "admittime": "2150-01-01 08:00:00",
    "dischtime": "2150-01-05 12:00:00",
}


class Directory:
    """CSV files under ``root``."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def table(self, name: str, *rows: Mapping[str, object], without: str = "", extra: str = "") -> Path:
        """Write ``rows`` as ``module/table.csv.gz`` with MIMIC-IV's header, but one column less or more."""
        columns = [column for column in (*TABLES[name].columns, extra) if column not in {without, ""}]
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return self.raw(self.file_name(name), text.getvalue())

    def file_name(self, table: str) -> str:
        return f"{TABLES[table].file_stem}.csv.gz"

    def raw(self, name: str, text: str) -> Path:
        """Write ``text`` to a file under the root, compressed if its name ends in .gz."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text.encode())
        return path


class PhysioNet(Directory):
    """Files of MIMIC-IV under ``root``; begins with the two tables every ingest needs."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.table("hosp.patients", PATIENT)
        self.table("hosp.admissions", ADMISSION)


class OfOnePatient(Directory):
    """One patient's files in PhysAssistBench's layout, and the two tables every ingest needs."""

    def __init__(self, root: Path, subject_id: int) -> None:
        super().__init__(root)
        self.subject_id = subject_id
        self.table("hosp.patients", PATIENT | {"subject_id": subject_id})
        self.table("hosp.admissions", ADMISSION | {"subject_id": subject_id, "hadm_id": subject_id + 1000})

    def file_name(self, table: str) -> str:
        return f"{self.subject_id}/{table.replace('.', '_')}.csv.csv.gz"


@pytest.fixture
def physionet(tmp_path: Path) -> PhysioNet:
    """Give a whole, tiny PhysioNet directory."""
    return PhysioNet(tmp_path / "source")


@pytest.fixture
def directory(tmp_path: Path) -> Callable[[str], Directory]:
    """Give a maker of empty directories."""
    return lambda name: Directory(tmp_path / name)


@pytest.fixture
def patient(tmp_path: Path) -> Callable[[int], OfOnePatient]:
    """Give a maker of patients, each with a directory under ``split``."""
    return lambda subject_id: OfOnePatient(tmp_path / "split", subject_id)
