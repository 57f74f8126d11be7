"""Reading a PhysioNet directory of MIMIC-IV into a warehouse: typed, sorted by patient, counted twice."""

import re
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event
from time import perf_counter

import duckdb

from state.base import Cohort, InputError
from tools.ehr.numbers import first_unfit_line, read_as, stored_as
from tools.ehr.source import Audit, CsvFile, Sources, audit, find_sources
from tools.ehr.warehouse import TableInfo
from tools.ehr.writer import SourceFile, WarehouseWriter

MEMORY_LIMIT = "2GB"
DUCKDB_CTRL_C = "Query interrupted"
"""What DuckDB's RuntimeError says when a Ctrl-C ends a statement."""


class Watcher:
    """Hears of an ingest's progress; this one says nothing. ``checked`` is called from another thread."""

    def begin(self, size_bytes: int) -> None:
        """Hear how many bytes all files hold on disk; each is checked once and loaded once."""

    def notice(self, sentence: str) -> None:
        """Hear of something left out."""

    def checked(self, size_bytes: int) -> None:
        """Hear that so many more bytes were counted and digested."""

    def loading(self, file: CsvFile) -> None:
        """Hear which file is next."""

    def loaded(self, file: CsvFile, rows: int, seconds: float) -> None:
        """Hear that a table is whole; ``seconds`` is 0 where an interrupted ingest had loaded it."""


class _StoppedError(Exception):
    """Ends the checking thread when the ingest has failed elsewhere."""


def ingest(
    root: Path,
    out: Path,
    *,
    overwrite: bool = False,
    memory_limit: str = MEMORY_LIMIT,
    watcher: Watcher | None = None,
) -> tuple[TableInfo, ...]:
    """Read the tables under ``root`` into a warehouse at ``out`` and describe every table of MIMIC-IV.

    One thread counts records and digests files while another loads those before. Raises ``InputError`` for
    anything wrong with a file; then ``out`` is as it was. After a Ctrl-C or a kill the same call goes on from the
    tables already whole, if their files are the same byte for byte.
    """
    watcher = watcher or Watcher()
    sources = find_sources(root)
    with (
        WarehouseWriter(out, Cohort.MIMIC_IV, overwrite=overwrite, resume=True) as writer,
        ThreadPoolExecutor(1) as pool,
    ):
        _limit_memory(writer.connection, memory_limit)
        _notice_what_is_left_out(sources, watcher)
        watcher.begin(sum(file.size_bytes for file in sources.files))
        stopped = Event()
        progress = partial(_unless, stopped, watcher)
        audits = [pool.submit(audit, file.path, progress) for file in sources.files]
        try:
            whole = _load_all(writer, sources.files, audits, watcher)
        finally:
            stopped.set()
            pool.shutdown(cancel_futures=True)
        return writer.commit(whole)


def _notice_what_is_left_out(sources: Sources, watcher: Watcher) -> None:
    for file in sources.files:
        for column in file.unknown_columns:
            watcher.notice(f"{file.name}: the column {column} is not in MIMIC-IV and is left out")
    for name in sources.strangers:
        watcher.notice(f"{name}: not a file of MIMIC-IV, left out")
    if sources.absent:
        watcher.notice(f"not there, so empty: {', '.join(sources.absent)}")


def _unless(stopped: Event, watcher: Watcher, size_bytes: int) -> None:
    if stopped.is_set():
        raise _StoppedError
    watcher.checked(size_bytes)


def _limit_memory(connection: duckdb.DuckDBPyConnection, limit: str) -> None:
    if not re.fullmatch(r"\d+(\.\d+)? ?[KMGT]i?B", limit, re.ASCII):
        raise InputError(f"{limit!r} is not an amount of memory: write it like 2GB")
    connection.execute("SET memory_limit = ?", [limit])


def _load_all(
    writer: WarehouseWriter,
    files: tuple[CsvFile, ...],
    audits: list["Future[Audit]"],
    watcher: Watcher,
) -> dict[str, SourceFile]:
    done = writer.marked()
    whole: dict[str, SourceFile] = {}
    for file, audited in zip(files, audits, strict=True):
        watcher.loading(file)
        found = audited.result()
        source = SourceFile(file.name, found.rows, found.sha256)
        begun = perf_counter()
        reused = done.get(file.table.name) == source
        if not reused:
            _load(writer, file, source)
        watcher.loaded(file, found.rows, 0.0 if reused else perf_counter() - begun)
        whole[file.table.name] = source
    for table in done.keys() - whole.keys():
        writer.connection.execute(f"DELETE FROM {table}")
    return whole


def _load(writer: WarehouseWriter, file: CsvFile, source: SourceFile) -> None:
    table = file.table
    connection = writer.connection
    connection.execute("BEGIN")
    connection.execute(f"DELETE FROM {table.name}")
    connection.execute("DELETE FROM wardround.whole WHERE name = ?", [table.name])
    try:
        connection.execute(*_insert_statement(file))
    except duckdb.OutOfMemoryException as error:
        raise InputError(
            f"{file.path} cannot be sorted in the memory allowed: allow more with --memory"
        ) from error
    except duckdb.Error as error:
        raise InputError(_fault(file, str(error))) from error
    except RuntimeError as error:
        if str(error) == DUCKDB_CTRL_C:
            raise KeyboardInterrupt from error
        raise
    rows = writer.rows(table.name)
    if rows != source.rows:
        raise InputError(
            f"{file.path} has {source.rows} records but {rows} rows could be read: "
            "look for blank lines or stray quotes"
        )
    writer.mark(table.name, source)
    connection.execute("COMMIT")


def _insert_statement(file: CsvFile) -> tuple[str, dict[str, object]]:
    """Build the INSERT: explicit types, nothing sniffed; empty values are NULL."""
    table = file.table
    present = [column for column in table.columns if column in file.columns]
    read = {
        column if column in table.columns else f"left_out_{place}": read_as(
            table.columns.get(column, "VARCHAR")
        )
        for place, column in enumerate(file.columns)
    }
    stored = ", ".join(stored_as(column, table.columns[column]) for column in present)
    return (
        f"INSERT INTO {table.name} ({', '.join(present)}) SELECT {stored} FROM read_csv($path, "
        f"columns = {read!r}, header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"', "
        f"nullstr = '', strict_mode = true) "
        f"ORDER BY {', '.join(column for column in table.order if column in present)}"
    ), {"path": str(file.path)}


def _fault(file: CsvFile, message: str) -> str:
    """Say which line and column of ``file`` DuckDB refused; never the value, which may be a patient's."""
    unfit = re.search(r"unfit number in (\w+)", message)
    if unfit:
        column, kind = unfit[1], file.table.columns[unfit[1]]
        line = first_unfit_line(file, column)
        return f"{file.path} line {line}: the value of {column} does not fit its type {kind}"
    place = re.search(r"CSV Error on Line: (\d+)", message)
    where = f"{file.path} line {place[1]}" if place else str(file.path)
    converted = re.search(r'converting column "(\w+)"', message)
    if converted:
        column = converted[1]
        kind = file.table.columns.get(column, "VARCHAR")
        return f"{where}: the value of {column} does not fit its type {kind}"
    counted = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if counted:
        return f"{where}: {counted[2]} values, but the header names {counted[1]} columns"
    reason = (
        message.splitlines()[0] if not place else "not readable as CSV in UTF-8 with the header's columns"
    )
    return f"{where}: {reason}"
