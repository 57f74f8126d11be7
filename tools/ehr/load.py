"""Loading one table's files into a warehouse: typed, sorted by patient, counted a second time by DuckDB."""

import re
from pathlib import Path

import duckdb

from state.base import InputError
from tools.ehr.audit import Audit
from tools.ehr.numbers import first_unfit_line, read_as, stored_as
from tools.ehr.source import Source
from tools.ehr.writer import WarehouseWriter, count_rows

NAMED_IN_REFUSAL = 5


def load(connection: duckdb.DuckDBPyConnection, source: Source, audited: Audit, *, some: bool) -> int:
    """Replace the rows of ``source``'s table by those of its files, and count them; call in a transaction.

    With ``some``, only patients of the table ``chosen`` are kept of a file of all. ``InputError`` where a value does
    not fit, where DuckDB reads other rows than were counted, or where a key comes twice.
    """
    connection.execute(f"DELETE FROM {source.table.name}")
    counting = some and source.table.of_subjects and not source.by_subject
    connection.execute("CREATE OR REPLACE TEMP SEQUENCE read_row")
    if source.files:
        try:
            connection.execute(*insert_statement(source, chosen=counting))
        except duckdb.OutOfMemoryException as error:
            raise InputError(
                f"{source.name} cannot be sorted in the memory allowed: allow more with --memory"
            ) from error
        except duckdb.Error as error:
            raise InputError(_fault(source, str(error))) from error
    rows = count_rows(connection, source.table.name)
    if source.by_subject:
        _compare_by_subject(connection, source, audited)
    else:
        _compare(source, audited, _rows_drawn(connection) if counting else rows)
    if source.table.key is not None:
        _refuse_twice(connection, source, source.table.key)
    return rows


def _compare(source: Source, audited: Audit, rows_read: int) -> None:
    if rows_read != audited.rows:
        raise InputError(
            f"{source.files[0].path} has {audited.rows} records but {rows_read} rows could be read: "
            "look for blank lines or stray quotes"
        )


def insert_statement(source: Source, *, chosen: bool = False) -> tuple[str, dict[str, list[str]]]:
    """Build the INSERT: explicit types, nothing sniffed; empty values are NULL.

    With ``chosen`` only patients of the table ``chosen`` are kept, and every row read draws from ``read_row``.
    """
    table = source.table
    kinds = source.kinds()
    present = [column for column in table.columns if any(column in kind.columns for kind in kinds)]
    selects, paths = [], {}
    for place, (kind, files) in enumerate(kinds.items()):
        read = {
            column if column in table.columns else f"left_out_{at}": read_as(
                table.columns.get(column, "VARCHAR")
            )
            for at, column in enumerate(kind.columns)
        }
        stored = ", ".join(
            f"{stored_as(column, table.columns[column]) if column in kind.columns else 'NULL'} AS {column}"
            for column in present
        )
        selects.append(
            f"SELECT {stored} FROM read_csv($files_{place}, columns = {read!r}, compression = '{kind.packing}', "
            "header = true, auto_detect = false, hive_partitioning = false, delim = ',', quote = '\"', "
            "escape = '\"', nullstr = '', strict_mode = true)"
        )
        paths[f"files_{place}"] = [_without_wildcards(path) for path in files]
    if chosen:
        # One expression, so that no part of it is tried before the row is counted.
        selects[-1] += (
            " WHERE CASE WHEN nextval('read_row') > 0 THEN subject_id IN (SELECT subject_id FROM chosen) END"
        )
    return (
        f"INSERT INTO {table.name} ({', '.join(present)}) SELECT * FROM ({' UNION ALL '.join(selects)}) "
        f"ORDER BY {', '.join(column for column in table.order if column in present)}"
    ), paths


def refuse_missing(writer: WarehouseWriter) -> None:
    """Raise ``InputError`` naming the writer's ``subjects`` that hosp.patients, once loaded, does not have."""
    known = {row[0] for row in writer.connection.execute("SELECT subject_id FROM hosp.patients").fetchall()}
    missing = [str(subject_id) for subject_id in writer.subjects or () if subject_id not in known]
    if missing:
        named = ", ".join(missing[:NAMED_IN_REFUSAL])
        more = f" and {len(missing) - NAMED_IN_REFUSAL:,} more" if len(missing) > NAMED_IN_REFUSAL else ""
        raise InputError(
            f"no such patient in hosp.patients: {named}{more}: leave out of --subjects what is not there"
        )


def _without_wildcards(path: Path) -> str:
    return re.sub(r"([*?\[])", r"[\1]", str(path))


def _rows_drawn(connection: duckdb.DuckDBPyConnection) -> int:
    (drawn,) = connection.execute(
        "SELECT coalesce(last_value, 0) FROM duckdb_sequences() WHERE sequence_name = 'read_row'"
    ).fetchall()[0]
    return int(drawn)


def _compare_by_subject(connection: duckdb.DuckDBPyConnection, source: Source, audited: Audit) -> None:
    """Compare rows a patient; a row of another patient in one's file leaves that one short."""
    counted = connection.execute(
        f"SELECT subject_id, count(*) FROM {source.table.name} GROUP BY 1"
    ).fetchall()
    rows_of: dict[int | None, int] = dict(counted)
    if rows_of == audited.rows_of:
        return
    lacking = {
        file: rows_of.get(file.subject_id, 0) - audited.rows_of.get(file.subject_id or 0, 0)
        for file in source.files
    }
    file = min(source.files, key=lacking.__getitem__)
    raise InputError(
        f"{file.path} has {audited.rows_of.get(file.subject_id or 0, 0)} records but "
        f"{rows_of.get(file.subject_id, 0)} rows of patient {file.subject_id} could be read: "
        "look for rows of another patient, blank lines or stray quotes"
    )


def _refuse_twice(connection: duckdb.DuckDBPyConnection, source: Source, key: str) -> None:
    rows = connection.execute(
        f"SELECT {key}, min(subject_id), count(*) FROM {source.table.name} WHERE {key} IS NOT NULL "
        "GROUP BY 1 HAVING count(*) > 1 ORDER BY 1 LIMIT 1"
    ).fetchall()
    for value, subject_id, times in rows:
        whose = "" if key == "subject_id" else f" (of patient {subject_id})"
        raise InputError(
            f"{source.name} has {times} rows of {key} {value}{whose}: there can be one, remove the others"
        )


def _fault(source: Source, message: str) -> str:
    """Say which file, line and column DuckDB refused; never the value, which may be a patient's."""
    columns = source.table.columns
    unfit = re.fullmatch(r"Invalid Input Error: unfit number in (\w+)", message.strip())
    if unfit:
        path, line = first_unfit_line(source, unfit[1])
        return f"{path} line {line}: the value of {unfit[1]} does not fit its type {columns[unfit[1]]}"
    place = re.search(r"CSV Error on Line: (\d+)", message)
    path = _path_in(source, message)
    where = f"{path} line {place[1]}" if place else str(path)
    converted = re.search(r'converting column "(\w+)"', message)
    if converted:
        kind = columns.get(converted[1], "VARCHAR")
        return f"{where}: the value of {converted[1]} does not fit its type {kind}"
    counted = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if counted:
        return f"{where}: {counted[2]} values, but the header names {counted[1]} columns"
    reason = (
        message.splitlines()[0] if not place else "not readable as CSV in UTF-8 with the header's columns"
    )
    return f"{where}: {reason}"


def _path_in(source: Source, message: str) -> Path:
    """Find the file that DuckDB names last, after the line itself, which may hold anything."""
    named = re.findall(r"^  file = (.+)$", message, re.MULTILINE)
    if named and any(str(file.path) == named[-1] for file in source.files):
        return Path(named[-1])
    return source.files[0].path
