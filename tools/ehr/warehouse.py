"""A warehouse file opened for reading: MIMIC-IV tables under their own names, and what is in them."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import duckdb

from state.base import Cohort, InputError

NO_EXTENSIONS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
"""A file that is no DuckDB file must not make DuckDB fetch code that could read it."""
FORMAT = 1
"""Version of the file's layout; a warehouse of another one must be made again."""


@dataclass(frozen=True)
class TableInfo:
    """What a warehouse holds of one table.

    ``sha256`` is of the source's decompressed bytes (``audit.Audit`` says how of files by patient), or of the rows
    where there was no source file.
    ``loaded`` is False when the source had no such table: it exists and is empty.
    """

    name: str
    rows: int
    sha256: str | None
    source: str | None
    loaded: bool


def fingerprint(cohort: Cohort, tables: Iterable[TableInfo], subjects: str | None = None) -> str:
    """Digest table names, row counts, checksums and who was chosen: equal for warehouses of the same data."""
    digest = hashlib.sha256(f"wardround {FORMAT} {cohort}\n".encode())
    for table in sorted(tables, key=lambda table: table.name):
        digest.update(f"{table.name} {table.rows} {table.sha256 or '-'} {table.loaded}\n".encode())
    if subjects is not None:
        digest.update(f"subjects {subjects}\n".encode())
    return digest.hexdigest()


class Warehouse:
    """A read-only warehouse. Cursors are independent: take one in each thread.

    ``subjects`` are the patients chosen from the source; None where it was taken whole.
    """

    def __init__(self, path: Path, connection: duckdb.DuckDBPyConnection) -> None:
        """Read the file's description from ``connection``; callers use ``open``."""
        self.path = path
        self._connection = connection
        info = dict(connection.execute("SELECT key, value FROM wardround.info").fetchall())
        if info["format"] != str(FORMAT):
            raise InputError(
                f"{path} has layout {info['format']}, this version reads {FORMAT}: make it again"
            )
        self.cohort = Cohort(info["cohort"])
        chosen = info.get("subjects")
        self.subjects = (
            None
            if chosen is None
            else tuple(int(subject_id) for subject_id in chosen.split(",") if subject_id)
        )
        self._tables = tuple(
            TableInfo(*row)
            for row in connection.execute(
                "SELECT name, rows, sha256, source, loaded FROM wardround.tables ORDER BY position"
            ).fetchall()
        )
        self._loaded = {table.name: table.loaded for table in self._tables}
        self.fingerprint = fingerprint(self.cohort, self._tables, chosen)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open ``path``; ``InputError`` if it is missing, no DuckDB file, or not made by ``tools.ehr``."""
        if not path.is_file():
            raise InputError(f"no warehouse at {path}: make one with python -m tools.ehr ingest (or synth)")
        try:
            connection = duckdb.connect(str(path), read_only=True, config=NO_EXTENSIONS)
        except duckdb.Error as error:
            raise InputError(
                f"{path} is no warehouse, or cannot be read ({_first_line(error)}): make one with python -m tools.ehr"
            ) from error
        try:
            return cls(path, connection)
        except duckdb.CatalogException as error:
            connection.close()
            raise InputError(f"{path} is a DuckDB file but no warehouse of python -m tools.ehr") from error
        except InputError:
            connection.close()
            raise

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Give a new cursor, to be used by one thread at a time."""
        return self._connection.cursor()

    def loaded(self, table: str) -> bool:
        """Tell "no rows" (True) from "the source had no such table" (False)."""
        return self._loaded[table]

    def tables(self) -> tuple[TableInfo, ...]:
        """List every table of MIMIC-IV in module order, loaded or not."""
        return self._tables

    def close(self) -> None:
        """Close the file and every cursor's access to it."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
