"""Reading directories of MIMIC-IV into a warehouse: every table's files checked, then loaded."""

import re
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from time import perf_counter

import duckdb

from state.base import Cohort, InputError
from tools.ehr.audit import Audit, audit
from tools.ehr.layout import Sources, find_sources
from tools.ehr.load import load, refuse_missing
from tools.ehr.source import Source
from tools.ehr.warehouse import TableInfo
from tools.ehr.writer import SourceFile, WarehouseWriter
from tools.interrupt import ctrl_c_as_itself

MEMORY_LIMIT = "2GB"


class Watcher:
    """Hears of an ingest's progress; this one says nothing. ``checked`` is called from another thread."""

    def begin(self, size_bytes: int) -> None:
        """Hear how many bytes all files hold on disk; each is checked once and loaded once."""

    def notice(self, sentence: str) -> None:
        """Hear of something left out."""

    def checked(self, size_bytes: int) -> None:
        """Hear that so many more bytes were counted and digested."""

    def loading(self, source: Source) -> None:
        """Hear which table is next."""

    def loaded(self, source: Source, rows: int, seconds: float) -> None:
        """Hear that a table is whole; ``seconds`` is 0 where an interrupted ingest had loaded it."""


class _StoppedError(Exception):
    """Ends the checking thread when the ingest has failed elsewhere."""


def ingest(
    root: Path | Sequence[Path],
    out: Path,
    *,
    subjects: Collection[int] | None = None,
    overwrite: bool = False,
    memory_limit: str = MEMORY_LIMIT,
    watcher: Watcher | None = None,
) -> tuple[TableInfo, ...]:
    """Read the tables under ``root``, or several, into a warehouse at ``out``; describe every table of MIMIC-IV.

    With ``subjects`` only these patients' rows are kept; dictionaries stay whole. One thread counts records and
    digests files while another loads those before. Raises ``InputError`` for anything wrong with a file, or a
    subject that is not there; then ``out`` is as it was. After a Ctrl-C or a kill the same call goes on from the
    tables already whole, if their files are the same byte for byte.
    """
    watcher = watcher or Watcher()
    sources = find_sources([root] if isinstance(root, Path) else root, subjects)
    with (
        _memory_named(memory_limit),
        WarehouseWriter(out, Cohort.MIMIC_IV, overwrite=overwrite, resume=True, subjects=subjects) as writer,
        ThreadPoolExecutor(1) as pool,
        ctrl_c_as_itself(),
    ):
        _limit_memory(writer.connection, memory_limit)
        _notice_what_is_left_out(sources, watcher)
        watcher.begin(sum(source.size_bytes for source in sources.tables))
        stopped = Event()
        progress = partial(_unless, stopped, watcher)
        audits = [pool.submit(audit, source, progress) for source in sources.tables]
        try:
            whole = _load_all(writer, sources.tables, audits, watcher)
        finally:
            stopped.set()
            pool.shutdown(cancel_futures=True)
        return writer.commit(whole)


def _notice_what_is_left_out(sources: Sources, watcher: Watcher) -> None:
    for source in sources.tables:
        for column in source.unknown_columns:
            watcher.notice(
                f"{source.name}: the column {column or 'without a name'} is not in MIMIC-IV and is left out"
            )
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
    try:
        connection.execute("SET memory_limit = ?", [limit])
    except duckdb.ParserException as error:
        raise InputError(f"{limit} is more memory than can be asked for: write it like 2GB") from error


@contextmanager
def _memory_named(limit: str) -> Iterator[None]:
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise InputError(
            f"{limit} of memory is too little to ingest anything: allow more with --memory"
        ) from error


def _load_all(
    writer: WarehouseWriter,
    sources: tuple[Source, ...],
    audits: list["Future[Audit]"],
    watcher: Watcher,
) -> dict[str, SourceFile]:
    done = writer.marked()
    whole: dict[str, SourceFile] = {}
    for source, audited in zip(sources, audits, strict=True):
        table = source.table.name
        watcher.loading(source)
        found = audited.result()
        whole[table] = SourceFile(source.name, found.rows, found.sha256)
        begun = perf_counter()
        reused = done.get(table) == whole[table]
        if not reused:
            with writer.writing(table, whole[table]):
                load(writer, source, found)
        if table == "hosp.patients" and writer.subjects is not None:
            refuse_missing(writer.connection)
        watcher.loaded(source, writer.rows(table), 0.0 if reused else perf_counter() - begun)
    for table in done.keys() - whole.keys():
        writer.connection.execute(f"DELETE FROM {table}")
    return whole
