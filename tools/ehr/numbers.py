"""Numbers of a CSV file on their way into typed columns: DuckDB would round 1.5 to 2, this refuses it."""

import csv
import math
from collections.abc import Iterator
from pathlib import Path

from tools.ehr.source import CsvFile, Source, decompressed

LARGEST = {"SMALLINT": 2**15 - 1, "INTEGER": 2**31 - 1, "BIGINT": 2**53}
"""Bounds on whole numbers; BIGINT's is where doubles, which the file is read through, stop being exact."""


def read_as(kind: str) -> str:
    """Name the type a column is read as before it is checked."""
    return "DOUBLE" if kind in LARGEST else kind


def stored_as(column: str, kind: str) -> str:
    """Build the SQL that checks and casts ``column``; it fails with ``unfit number in <column>``."""
    if kind in LARGEST:
        unfit = f'"{column}" <> trunc("{column}") OR abs("{column}") > {LARGEST[kind]}'
    elif kind == "DOUBLE":
        unfit = f'NOT isfinite("{column}")'
    else:
        return f'"{column}"'
    return f"CASE WHEN {unfit} THEN error('unfit number in {column}') ELSE CAST(\"{column}\" AS {kind}) END"


def first_unfit_line(source: Source, column: str) -> tuple[Path, int]:
    """Find the file, and the line in it (the header is 1) where the first value that ``stored_as`` refuses ends."""
    kind = source.table.columns[column]
    return next(
        (file.path, line)
        for file in source.files
        if column in file.columns
        for line, value in _values(file, file.columns.index(column))
        if value and _is_unfit(float(value), kind)
    )


def _values(file: CsvFile, place: int) -> Iterator[tuple[int, str]]:
    reader = csv.reader(_lines(file))
    next(reader)
    return ((reader.line_num, row[place]) for row in reader if row)


def _is_unfit(value: float, kind: str) -> bool:
    if not math.isfinite(value):
        return True
    return kind in LARGEST and (value != math.trunc(value) or abs(value) > LARGEST[kind])


def _lines(file: CsvFile) -> Iterator[str]:
    rest = b""
    for chunk in decompressed(file.path):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode("utf-8-sig") + "\n"
    if rest:
        yield rest.decode()
