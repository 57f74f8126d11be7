"""A PhysioNet directory of one made-up patient, to be damaged as a test needs."""

import csv
import gzip
import io
from collections.abc import Mapping
from pathlib import Path

import pytest

from tools.ehr.tables import TABLES


class PhysioNet:
    """Files of MIMIC-IV under ``root``; begins with the two tables every ingest needs."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.table("hosp.patients", {"subject_id": 1, "gender": "F", "anchor_age": 60, "dod": ""})
        self.table(
            "hosp.admissions",
            {
                "subject_id": 1,
                "hadm_id": 20,
                "admittime": "2150-01-01 08:00:00",
                "dischtime": "2150-01-05 12:00:00",
            },
        )

    def table(self, name: str, *rows: Mapping[str, object], without: str = "", extra: str = "") -> Path:
        """Write ``rows`` as ``module/table.csv.gz`` with MIMIC-IV's header, but one column less or more."""
        columns = [column for column in (*TABLES[name].columns, extra) if column not in {without, ""}]
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return self.raw(f"{TABLES[name].file_stem}.csv.gz", text.getvalue())

    def raw(self, name: str, text: str) -> Path:
        """Write ``text`` to a file under the root, compressed if its name ends in .gz."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text.encode())
        return path


@pytest.fixture
def physionet(tmp_path: Path) -> PhysioNet:
    """Give a whole, tiny PhysioNet directory."""
    return PhysioNet(tmp_path / "source")
