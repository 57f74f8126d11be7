"""Reading directories of MIMIC-IV into a warehouse: every table's files checked, then loaded, several at a time."""

import os
import re
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import NamedTuple

import duckdb

from state.base import Cohort, InputError
from tools.ehr.audit import audit
from tools.ehr.layout import Sources, find_sources
from tools.ehr.load import load, refuse_missing
from tools.ehr.source import Source
from tools.ehr.warehouse import TableInfo
from tools.ehr.writer import SourceFile, WarehouseWriter
from tools.interrupt import ctrl_c_as_itself

MEMORY_LIMIT = "2GB"
WORKERS = min(4, max(2, os.cpu_count() or 1))
"""Tables loaded at a time: a compressed file is read by one core, however many there are."""
PATIENTS = "hosp.patients"
STOPPING_SECONDS = 0.05
HEARING_SECONDS = 0.5


class Watcher:
    """Hears of an ingest's progress; this one says nothing. Threads that load call ``checked`` and ``loading``."""

    def begin(self, size_bytes: int) -> None:
        """Hear how many bytes all files hold on disk; each is checked once and loaded once."""

    def notice(self, sentence: str) -> None:
        """Hear of something left out."""

    def checked(self, size_bytes: int) -> None:
        """Hear that so many more bytes were counted and digested."""

    def loading(self, source: Source) -> None:
        """Hear which table is begun."""

    def loaded(self, source: Source, rows: int, seconds: float) -> None:
        """Hear that a table is whole; ``seconds`` is 0 where an interrupted ingest had loaded it."""


class _StoppedError(Exception):
    """Ends a thread when the ingest has failed elsewhere."""


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

    With ``subjects`` only these patients' rows are kept; dictionaries stay whole. Raises ``InputError`` for anything
    wrong with a file, or a subject that is not there; then ``out`` is as it was. After a Ctrl-C or a kill the same
    call goes on from the tables already whole, if their files are the same byte for byte.
    """
    watcher = watcher or Watcher()
    sources = find_sources([root] if isinstance(root, Path) else root, subjects)
    with (
        _memory_named(memory_limit),
        WarehouseWriter(out, Cohort.MIMIC_IV, overwrite=overwrite, resume=True, subjects=subjects) as writer,
        ctrl_c_as_itself(),
    ):
        _limit_memory(writer.connection, memory_limit)
        _notice_what_is_left_out(sources, watcher)
        watcher.begin(sum(source.size_bytes for source in sources.tables))
        return writer.commit(_load_all(writer, sources.tables, watcher))


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


class Loaded(NamedTuple):
    """What came of a table; ``rows`` is None, and ``seconds`` 0, where an interrupted ingest had loaded it."""

    file: SourceFile
    rows: int | None
    seconds: float


class _Loading:
    """Loads tables for ``writer``, each in a thread of its own."""

    def __init__(self, writer: WarehouseWriter, watcher: Watcher) -> None:
        self._writer = writer
        self._watcher = watcher
        self.done = writer.marked()
        self._stopped = Event()
        self.handed_out = Event()

    def one(self, source: Source) -> Loaded:
        """Check ``source``'s files and load its table, unless it was whole before."""
        self.handed_out.wait()
        self._checked(0)
        self._watcher.loading(source)
        found = audit(source, self._checked)
        file = SourceFile(source.name, found.rows, found.sha256)
        if self.done.get(source.table.name) == file:
            return Loaded(file, None, 0.0)
        self._checked(0)
        begun = perf_counter()
        with self._writer.writing(source.table.name, file) as cursor:
            rows = load(cursor, source, found, some=self._writer.subjects is not None)
        return Loaded(file, rows, perf_counter() - begun)

    def stop(self, tasks: Collection[Future[Loaded]]) -> None:
        """End what is under way and what is to come, if anything is; return when all has ended."""
        self._stopped.set()
        self.handed_out.set()
        while self._writer.interrupt() or any(not task.done() for task in tasks):
            wait(tasks, timeout=STOPPING_SECONDS)

    def _checked(self, size_bytes: int) -> None:
        if self._stopped.is_set():
            raise _StoppedError
        self._watcher.checked(size_bytes)


def _as_they_end(tasks: Collection[Future[Loaded]]) -> Iterator[Future[Loaded]]:
    """Yield each of ``tasks`` once it has ended.

    No wait is long: a Ctrl-C that falls just as Python begins one is heard only when that wait is over.
    """
    left = set(tasks)
    while left:
        ended, left = wait(left, HEARING_SECONDS, FIRST_COMPLETED)
        yield from ended


def _load_all(
    writer: WarehouseWriter, sources: tuple[Source, ...], watcher: Watcher
) -> dict[str, SourceFile]:
    """Load every table, patients first, then the largest; the first failure ends all."""
    loading = _Loading(writer, watcher)
    whole: dict[str, SourceFile] = {}
    with ThreadPoolExecutor(WORKERS) as pool:
        ordered = sorted(sources, key=lambda source: (source.table.name != PATIENTS, -source.size_bytes))
        tasks: dict[Future[Loaded], Source] = {}
        try:
            for source in ordered:
                tasks[pool.submit(loading.one, source)] = source
            loading.handed_out.set()
            for task in _as_they_end(tasks):
                source, table = tasks[task], tasks[task].table.name
                loaded = task.result()
                whole[table] = loaded.file
                if table == PATIENTS:
                    refuse_missing(writer)
                rows = writer.rows(table) if loaded.rows is None else loaded.rows
                watcher.loaded(source, rows, loaded.seconds)
        finally:
            loading.stop(tasks)
    for table in loading.done.keys() - whole.keys():
        writer.connection.execute(f"DELETE FROM {table}")
    return whole
