"""The other side of ``bench_chart.py``: a plain pandas split by patient, and reads that open a CSV at each call.

Written for the bench and for nothing else: what a harness does that keeps one ``csv.gz`` a patient and table.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from pathlib import Path

import pandas as pd

SHOWN = 20


def split_by_subject(source: Path, out: Path, tables: Iterable[str]) -> int:
    """Write ``<out>/<subject_id>/<module>_<table>.csv.gz`` of ``tables``, dictionaries whole; give the rows read."""
    rows = 0
    for table in tables:
        frame = pd.read_csv(source / f"{table.replace('.', '/')}.csv.gz", low_memory=False)
        rows += len(frame)
        name = f"{table.replace('.', '_')}.csv.gz"
        if "subject_id" not in frame.columns:
            _write(frame, out / name)
            continue
        for subject_id, of_subject in frame.groupby("subject_id"):
            _write(of_subject, out / str(subject_id) / name)
    return rows


def _write(frame: pd.DataFrame, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(path, index=False)


class PandasReads:
    """Two tools over the split. Every call reads its files; the dictionary of tests is read once, at the start."""

    def __init__(self, root: Path, source: Path) -> None:
        self._root = root
        self._labels = pd.read_csv(source / "hosp" / "d_labitems.csv.gz").set_index("itemid")["label"]

    def labs(self, subject_id: int, as_of: datetime, itemids: Collection[int]) -> tuple[int, str]:
        """Find one test's results stored by ``as_of``, newest first; give their number and the first page as text."""
        rows = self._read(subject_id, "hosp_labevents", ["charttime", "storetime"])
        known = rows["storetime"].fillna(rows["charttime"] + pd.Timedelta(days=1)) <= as_of
        found = rows[rows["itemid"].isin(itemids) & known].sort_values("charttime", ascending=False)
        lines = [
            f"{row.charttime} {self._labels[row.itemid]}: {row.value} {row.valueuom} "
            f"({row.ref_range_lower}-{row.ref_range_upper}) {row.flag}"
            for row in found.head(SHOWN).itertuples()
        ]
        return len(found), "\n".join(lines)

    def orders(self, subject_id: int, as_of: datetime) -> tuple[int, str]:
        """Find the medication orders begun by ``as_of``, newest first; give their number and the first page as text."""
        rows = self._read(subject_id, "hosp_prescriptions", ["starttime", "stoptime"])
        found = rows[rows["starttime"] <= as_of].sort_values("starttime", ascending=False)
        lines = [
            f"{row.drug} {row.dose_val_rx} {row.dose_unit_rx} {row.route} from {row.starttime} to {row.stoptime} "
            f"{'active' if pd.isna(row.stoptime) or row.stoptime > as_of else 'completed'}"
            for row in found.head(SHOWN).itertuples()
        ]
        return len(found), "\n".join(lines)

    def _read(self, subject_id: int, name: str, times: list[str]) -> pd.DataFrame:
        return pd.read_csv(
            self._root / str(subject_id) / f"{name}.csv.gz", parse_dates=times, low_memory=False
        )
