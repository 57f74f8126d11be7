"""The CSV files a table is read from: what their headers say, and the bytes in them."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from isal import isal_zlib

from state.base import InputError
from tools.ehr.tables import Table

CHUNK_BYTES = 1 << 20
HEADER_BYTES = 1 << 16
"""More than any header takes; what is read of each file to see it."""
GZIP_WINDOW = 31


@dataclass(frozen=True, slots=True)
class CsvFile:
    """One file. ``columns`` are the header's, in lower case; ``subject_id`` is set where it is of one patient."""

    directory: Path
    file_name: str
    size_bytes: int
    columns: tuple[str, ...]
    subject_id: int | None = None

    @property
    def path(self) -> Path:
        """Give the whole path."""
        return self.directory / self.file_name


@dataclass(frozen=True)
class Source:
    """What one table is read from: one file of all patients, or files of one patient each, in their order.

    ``name`` says which to a person. Without files the table is there and empty: other patients have rows of it.
    """

    table: Table
    name: str
    files: tuple[CsvFile, ...]
    by_subject: bool = False

    @property
    def size_bytes(self) -> int:
        """Add up the sizes on disk."""
        return sum(file.size_bytes for file in self.files)

    @property
    def unknown_columns(self) -> tuple[str, ...]:
        """List the columns MIMIC-IV does not have: they are left out."""
        named = dict.fromkeys(column for kind in self.kinds() for column in kind.columns)
        return tuple(column for column in named if column not in self.table.columns)

    def kinds(self) -> dict["Kind", list[Path]]:
        """Group the files by what must be equal to read them at once."""
        grouped: dict[Kind, list[Path]] = {}
        for file in self.files:
            packing = "gzip" if file.file_name.endswith(".gz") else "none"
            grouped.setdefault(Kind(file.columns, packing), []).append(file.path)
        return grouped


class Kind(NamedTuple):
    """What a CSV reader must know of a file; ``packing`` in DuckDB's words."""

    columns: tuple[str, ...]
    packing: str


def read_header(table: Table, path: Path) -> tuple[str, ...]:
    """Read the columns ``path`` names, in lower case; ``InputError`` if it lacks one of ``table``."""
    header = b""
    for chunk in decompressed(path, HEADER_BYTES):
        header += chunk
        if b"\n" in header:
            break
    text = header.partition(b"\n")[0].decode("utf-8-sig", errors="replace").strip()
    if not text:
        raise InputError(f"{path} is empty: it needs a header line with the columns of {table.name}")
    columns = tuple(column.strip().lower() for column in next(csv.reader([text])))
    missing = [column for column in table.columns if column not in columns and column not in table.optional]
    if missing:
        raise InputError(f"{path} lacks the column {missing[0]}: its header is {', '.join(columns)}")
    if len(set(columns)) < len(columns):
        raise InputError(f"{path} names a column twice: its header is {', '.join(columns)}")
    return columns


def decompressed(path: Path, chunk_bytes: int = CHUNK_BYTES) -> Iterator[bytes]:
    """Yield the bytes of a ``.csv`` or ``.csv.gz``; ``InputError`` where gzip is cut short or damaged."""
    for _, chunk in chunks(path, chunk_bytes):
        yield chunk


def chunks(path: Path, chunk_bytes: int = CHUNK_BYTES) -> Iterator[tuple[int, bytes]]:
    """Yield how many bytes were read from disk and what they decompress to; errors as ``decompressed``."""
    gunzip = _Gunzip(path) if path.suffix == ".gz" else None
    try:
        with path.open("rb", buffering=0) as stream:
            while chunk := stream.read(chunk_bytes):
                yield len(chunk), gunzip.feed(chunk) if gunzip else chunk
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    if gunzip:
        gunzip.end()


class _Gunzip:
    """Decompress a gzip file of one or more members in large pieces, three times as fast as the standard zlib."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._member = isal_zlib.decompressobj(GZIP_WINDOW)
        self._inside = False

    def feed(self, chunk: bytes) -> bytes:
        parts = []
        try:
            while chunk:
                self._inside = True
                parts.append(self._member.decompress(chunk))
                chunk = self._member.unused_data.lstrip(b"\0")
                if self._member.eof:
                    self._member, self._inside = isal_zlib.decompressobj(GZIP_WINDOW), False
        except isal_zlib.IsalError as error:  # type: ignore[misc]  # its stub has an instance for the class
            raise InputError(f"{self._path} is not a whole gzip file ({error}): copy it again") from error
        return b"".join(parts)

    def end(self) -> None:
        if self._inside:
            raise InputError(f"{self._path} is cut short: its gzip stream has no end, copy it again")
