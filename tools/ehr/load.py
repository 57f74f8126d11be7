"""Loading one table's files into a warehouse: typed, sorted by patient, counted a second time by DuckDB."""

import re
from collections.abc import Iterator
from pathlib import Path

import duckdb

from state.base import InputError
from tools.ehr.audit import Audit
from tools.ehr.numbers import first_unfit_line, read_as, stored_as
from tools.ehr.source import Source
from tools.ehr.writer import WarehouseWriter

NAMED_IN_REFUSAL = 5


def load(writer: WarehouseWriter, source: Source, audited: Audit) -> None:
    """Replace the rows of ``source``'s table by those of its files; call in a transaction.

    Of a file of all patients only those the writer is for are kept. ``InputError`` where a value does not fit or
    DuckDB reads other rows than were counted.
    """
    connection, name = writer.connection, source.table.name
    connection.execute(f"DELETE FROM {name}")
    if source.files:
        connection.execute("CREATE OR REPLACE TEMP SEQUENCE read_row")
        try:
            connection.execute(*insert_statement(source, chosen=writer.subjects is not None))
        except duckdb.OutOfMemoryException as error:
            raise InputError(
                f"{source.files[0].path} cannot be sorted in the memory allowed: allow more with --memory"
            ) from error
        except duckdb.Error as error:
            raise InputError(_fault(source, str(error))) from error
    if source.by_subject:
        _compare_by_subject(connection, source, audited)
    elif (rows := _rows_read(writer, source)) != audited.rows:
        raise InputError(_miscounted(source.files[0].path, audited.rows, rows))


def insert_statement(source: Source, *, chosen: bool = False) -> tuple[str, dict[str, list[str]]]:
    """Build the INSERT: explicit types, nothing sniffed; empty values are NULL.

    With ``chosen`` it keeps the patients of the table ``chosen`` and draws one of ``read_row`` for every row read.
    """
    table = source.table
    present = [c for c in table.columns if any(c in header for header in source.headers())]
    selects, paths = [], {}
    for place, (header, files) in enumerate(source.headers().items()):
        read = {
            column if column in table.columns else f"left_out_{at}": read_as(table.columns.get(column, "VARCHAR"))
            for at, column in enumerate(header)
        }
        stored = ", ".join(stored_as(c, table.columns[c]) if c in header else f"NULL AS {c}" for c in present)
        selects.append(
            f"SELECT {stored} FROM read_csv($files_{place}, columns = {read!r}, header = true, "
            "auto_detect = false, hive_partitioning = false, delim = ',', quote = '\"', escape = '\"', "
            "nullstr = '', strict_mode = true)"
        )
        paths[f"files_{place}"] = [_without_wildcards(path) for path in files]
    if chosen and table.of_subjects and not source.by_subject:
        # One expression, so that no part of it is tried before a row is counted.
        selects[-1] += (
            " WHERE CASE WHEN nextval('read_row') > 0 THEN subject_id IN (SELECT subject_id FROM chosen) END"
        )
    return (
        f"INSERT INTO {table.name} ({', '.join(present)}) {' UNION ALL '.join(selects)} "
        f"ORDER BY {', '.join(column for column in table.order if column in present)}"
    ), paths


def refuse_missing(connection: duckdb.DuckDBPyConnection) -> None:
    """Raise ``InputError`` naming patients of the table ``chosen`` that hosp.patients does not have."""
    rows = connection.execute(
        "SELECT subject_id FROM chosen WHERE subject_id NOT IN "
        "(SELECT subject_id FROM hosp.patients WHERE subject_id IS NOT NULL) ORDER BY subject_id"
    ).fetchall()
    if rows:
        named = ", ".join(str(row[0]) for row in rows[:NAMED_IN_REFUSAL])
        more = f" and {len(rows) - NAMED_IN_REFUSAL:,} more" if len(rows) > NAMED_IN_REFUSAL else ""
        raise InputError(f"no such patient in hosp.patients: {named}{more}: leave out of --subjects what is not there")


def _without_wildcards(path: Path) -> str:
    return re.sub(r"([*?\[])", r"[\1]", str(path))


def _rows_read(writer: WarehouseWriter, source: Source) -> int:
    if writer.subjects is None or not source.table.of_subjects:
        return writer.rows(source.table.name)
    (read,) = writer.connection.execute(
        "SELECT coalesce(last_value, 0) FROM duckdb_sequences() WHERE sequence_name = 'read_row'"
    ).fetchall()[0]
    return int(read)


def _compare_by_subject(connection: duckdb.DuckDBPyConnection, source: Source, audited: Audit) -> None:
    counted = connection.execute(f"SELECT subject_id, count(*) FROM {source.table.name} GROUP BY 1").fetchall()
    rows_of = dict(counted)
    for file in source.files:
        expected, rows = audited.rows_of.get(file.subject_id, 0), rows_of.pop(file.subject_id, 0)
        if expected != rows:
            raise InputError(
                f"{_miscounted(file.path, expected, rows)}, and whether all are of patient {file.subject_id}"
            )
    ...


def _miscounted(path: Path, records: int, rows: int) -> str:
    return f"{path} has {records} records but {rows} rows could be read: look for blank lines or stray quotes"
