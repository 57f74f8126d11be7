"""Writing a warehouse: built beside its place and moved there only when whole."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

import duckdb

from state.base import Cohort, InputError
from tools.ehr.tables import MODULES, TABLES
from tools.ehr.warehouse import FORMAT, TableInfo

ATTACHED = "warehouse"
ROWS_A_STATEMENT = 2000
ROWS_A_GROUP = 16_384
"""An eighth of DuckDB's own: most tables of a cohort then go to disk as they come, not through the log first."""


@dataclass(frozen=True)
class SourceFile:
    """What a table was read from: its name, the records in it (kept or not), sha256 as in ``audit.Audit``."""

    name: str
    rows: int
    sha256: str


class WarehouseWriter:
    """Write a warehouse to ``out``.

    All tables exist, empty, from the start, on ``connection``. Everything goes to ``<out>.partial`` until
    ``commit``; left without one, the partial file is deleted and ``out`` is as it was. With ``resume`` the
    partial file outlives a Ctrl-C, and the next writer goes on from the tables ``writing`` had marked whole.
    ``subjects`` says that the warehouse is of these patients only.
    """

    def __init__(
        self,
        out: Path,
        cohort: Cohort,
        *,
        overwrite: bool = False,
        resume: bool = False,
        subjects: Collection[int] | None = None,
    ) -> None:
        """Begin; ``InputError`` if ``out`` exists and not ``overwrite``, or cannot be written."""
        if out.is_dir():
            raise InputError(f"{out} is a directory: name a file to write")
        if out.exists() and not overwrite:
            raise InputError(f"{out} exists: remove it, name another file, or pass --overwrite")
        if not out.parent.is_dir():
            raise InputError(f"the directory {out.parent} does not exist: create it, or name another file")
        self.out = out
        self.cohort = cohort
        self.subjects = None if subjects is None else tuple(sorted(set(subjects)))
        self._resume = resume
        self._partial = out.with_name(out.name + ".partial")
        self._spill = out.with_name(out.name + ".partial.tmp")
        self._inserted: set[str] = set()
        self._committed = False
        self._loading: set[duckdb.DuckDBPyConnection] = set()
        self.connection = self._connect()
        if not (resume and self._resumable()):
            self.connection.close()
            self._remove_partial()
            self.connection = self._connect()
            self._create_tables()

    def insert(self, table: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Append ``rows``, in subject order; a missing column is NULL, an unknown one a ``ValueError``."""
        columns = TABLES[table].columns
        for row in rows:
            if not row.keys() <= columns.keys():
                raise ValueError(f"{table} has no column {sorted(row.keys() - columns.keys())}")
        self._inserted.add(table)
        unnested = ", ".join(f"unnest(?::{kind}[])" for kind in columns.values())
        for start in range(0, len(rows), ROWS_A_STATEMENT):
            chunk = rows[start : start + ROWS_A_STATEMENT]
            values = [[row.get(column) for row in chunk] for column in columns]
            self.connection.execute(f"INSERT INTO {table} SELECT {unnested}", values)

    @contextmanager
    def writing(self, table: str, source: SourceFile) -> Iterator[duckdb.DuckDBPyConnection]:
        """Give a cursor in a transaction that fills ``table`` and marks it whole, so that both survive a kill.

        Several threads may write a table each. The temporary table ``chosen`` holds the ids of ``subjects``.
        """
        with closing(self.connection.cursor()) as cursor:
            _settle(cursor)
            cursor.execute(
                "CREATE TEMP TABLE chosen AS SELECT unnest(?::INTEGER[]) AS subject_id", [self.subjects]
            )
            self._loading.add(cursor)
            try:
                cursor.execute("BEGIN")
                cursor.execute("DELETE FROM wardround.whole WHERE name = ?", [table])
                yield cursor
                cursor.execute(
                    "INSERT INTO wardround.whole VALUES (?, ?, ?, ?)",
                    [table, source.name, source.rows, source.sha256],
                )
                cursor.execute("COMMIT")
            finally:
                self._loading.discard(cursor)

    def interrupt(self) -> bool:
        """End the statements that other threads have under way, and tell whether there were any."""
        loading = tuple(self._loading)
        for cursor in loading:
            cursor.interrupt()
        return bool(loading)

    def marked(self) -> dict[str, SourceFile]:
        """Return the tables that are whole, of this run and of the one it resumes."""
        rows = self.connection.execute("SELECT * FROM wardround.whole").fetchall()
        return {table: SourceFile(*source) for table, *source in rows}

    def commit(self, sources: Mapping[str, SourceFile] = MappingProxyType({})) -> tuple[TableInfo, ...]:
        """Describe the tables (``sources`` by table name), close, and move the file to ``out``."""
        tables = tuple(self._describe(name, sources.get(name)) for name in TABLES)
        self.connection.execute("DROP TABLE wardround.whole")
        self.connection.execute("DROP TABLE wardround.partial")
        self.connection.execute("CREATE TABLE wardround.info (key VARCHAR, value VARCHAR)")
        info = [["format", str(FORMAT)], ["cohort", self.cohort.value]]
        if (chosen := _joined(self.subjects)) is not None:
            info.append(["subjects", chosen])
        self.connection.executemany("INSERT INTO wardround.info VALUES (?, ?)", info)
        self.connection.execute(
            "CREATE TABLE wardround.tables (position INTEGER, name VARCHAR, rows BIGINT, sha256 VARCHAR, "
            "source VARCHAR, loaded BOOLEAN)"
        )
        self.connection.executemany(
            "INSERT INTO wardround.tables VALUES (?, ?, ?, ?, ?, ?)",
            [[place, t.name, t.rows, t.sha256, t.source, t.loaded] for place, t in enumerate(tables)],
        )
        self.connection.close()
        self._partial.replace(self.out)
        self._committed = True
        return tables

    def rows(self, table: str) -> int:
        """Count the rows of ``table``."""
        return count_rows(self.connection, table)

    def _describe(self, name: str, source: SourceFile | None) -> TableInfo:
        rows = self.rows(name)
        if source is not None:
            return TableInfo(name, rows, source.sha256, source.name, loaded=True)
        loaded = rows > 0 or name in self._inserted
        return TableInfo(name, rows, self._digest(name) if loaded else None, None, loaded=loaded)

    def _digest(self, name: str) -> str:
        """Digest the rows as text, whatever their order."""
        (digest,) = self.connection.execute(
            f"SELECT sha256(coalesce(string_agg(line, chr(10) ORDER BY line), '')) "
            f"FROM (SELECT CAST(t AS VARCHAR) AS line FROM {name} t)"
        ).fetchall()[0]
        return str(digest)

    def _connect(self) -> duckdb.DuckDBPyConnection:
        try:
            return self._open_partial()
        except duckdb.IOException as error:
            if "lock" in str(error).lower():
                raise InputError(f"{self.out} is being written by another process: wait for it") from error
            if not self._partial.exists():
                raise InputError(f"{self.out} cannot be written: {str(error).splitlines()[0]}") from error
        except duckdb.Error:
            pass
        self._remove_partial()
        return self._open_partial()

    def _open_partial(self) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect()
        quoted = str(self._partial).replace("'", "''")
        try:
            connection.execute(f"ATTACH '{quoted}' AS {ATTACHED} (ROW_GROUP_SIZE {ROWS_A_GROUP})")
        except duckdb.Error:
            connection.close()
            raise
        _settle(connection)
        connection.execute("SET enable_progress_bar = false")
        connection.execute("SET temp_directory = ?", [str(self._spill)])
        return connection

    def _resumable(self) -> bool:
        try:
            begun = self.connection.execute(
                "SELECT format, cohort, resume, subjects FROM wardround.partial"
            ).fetchall()
        except (duckdb.CatalogException, duckdb.BinderException):
            return False
        return begun == [(FORMAT, self.cohort.value, True, _joined(self.subjects))]

    def _create_tables(self) -> None:
        self.connection.execute("BEGIN")
        for module in (*MODULES, "wardround"):
            self.connection.execute(f"CREATE SCHEMA {module}")
        for table in TABLES.values():
            self.connection.execute(table.ddl)
        self.connection.execute(
            "CREATE TABLE wardround.partial (format INTEGER, cohort VARCHAR, resume BOOLEAN, "
            "subjects VARCHAR)"
        )
        self.connection.execute(
            "INSERT INTO wardround.partial VALUES (?, ?, ?, ?)",
            [FORMAT, self.cohort.value, self._resume, _joined(self.subjects)],
        )
        self.connection.execute(
            "CREATE TABLE wardround.whole (name VARCHAR, source VARCHAR, rows BIGINT, sha256 VARCHAR)"
        )
        self.connection.execute("COMMIT")

    def _remove_partial(self) -> None:
        for leftover in (self._partial, self._partial.with_name(self._partial.name + ".wal")):
            leftover.unlink(missing_ok=True)
        self._remove_spill()

    def _remove_spill(self) -> None:
        if self._spill.is_dir():
            for file in self._spill.iterdir():
                file.unlink()
            self._spill.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.close()
        self._remove_spill()
        keep = self._resume and isinstance(error, KeyboardInterrupt)
        if not self._committed and not keep:
            self._remove_partial()


def count_rows(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    """Count the rows of ``table`` as ``connection`` sees them."""
    (rows,) = connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0]
    return int(rows)


def _settle(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the attached file what names without a database mean; a new cursor has to be told again."""
    connection.execute(f"USE {ATTACHED}")


def _joined(subjects: tuple[int, ...] | None) -> str | None:
    return None if subjects is None else ",".join(str(subject_id) for subject_id in subjects)
