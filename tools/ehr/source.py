"""The files of a PhysioNet directory: which there are, what their headers say, and whether they are whole."""

import csv
import hashlib
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from state.base import InputError
from tools.ehr.tables import MODULES, TABLES, Table

CHUNK_BYTES = 1 << 20
GZIP_WINDOW = 31


@dataclass(frozen=True)
class CsvFile:
    """One table's file. ``name`` is relative to the root; ``columns`` are the header's, in lower case."""

    table: Table
    path: Path
    name: str
    columns: tuple[str, ...]

    @property
    def size_bytes(self) -> int:
        """Return the size on disk."""
        return self.path.stat().st_size

    @property
    def unknown_columns(self) -> tuple[str, ...]:
        """List the columns MIMIC-IV does not have: they are left out."""
        return tuple(column for column in self.columns if column not in self.table.columns)


@dataclass(frozen=True)
class Sources:
    """What a directory holds: a file a table, the tables it lacks, and files with no place in MIMIC-IV."""

    files: tuple[CsvFile, ...]
    absent: tuple[str, ...]
    strangers: tuple[str, ...]


@dataclass(frozen=True)
class Audit:
    """Records (the header not counted) and sha256 of a file's decompressed bytes."""

    rows: int
    sha256: str


def find_sources(root: Path) -> Sources:
    """Look for ``module/table.csv`` or ``.csv.gz`` under ``root`` and check headers.

    ``InputError`` names the directory, file or column that is missing.
    """
    if not root.is_dir():
        raise InputError(f"no directory {root}: give the one that holds hosp/, icu/, ed/ or note/")
    files: list[CsvFile] = []
    absent: list[str] = []
    for table in TABLES.values():
        paths = [root / f"{table.file_stem}.csv", root / f"{table.file_stem}.csv.gz"]
        found = [path for path in paths if path.is_file()]
        if len(found) > 1:
            raise InputError(f"{found[0]} and {found[1].name} are both there: remove one of them")
        if found:
            files.append(_with_header(table, found[0], root))
        elif table.required:
            raise InputError(f"{root} has no {table.file_stem}.csv or .csv.gz: every ingest needs this table")
        else:
            absent.append(table.name)
    known = {file.path for file in files}
    strangers = sorted(
        path.relative_to(root).as_posix()
        for module in MODULES
        for path in (root / module).glob("*.csv*")
        if path not in known
    )
    return Sources(tuple(files), tuple(absent), tuple(strangers))


def _with_header(table: Table, path: Path, root: Path) -> CsvFile:
    name = path.relative_to(root).as_posix()
    header = b""
    for chunk in decompressed(path):
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
    return CsvFile(table, path, name, columns)


def decompressed(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a ``.csv`` or ``.csv.gz``; ``InputError`` where gzip is cut short or damaged."""
    for _, chunk in _chunks(path):
        yield chunk


def audit(path: Path, progress: Callable[[int], None]) -> Audit:
    """Read ``path`` once: count CSV records (a newline inside quotes ends none) and digest the bytes.

    ``progress`` is called with the bytes read from disk, a chunk at a time, and may raise to stop.
    """
    digest = hashlib.sha256()
    records = 0
    quoted = 0
    last = b"\n"
    for read, chunk in _chunks(path):
        digest.update(chunk)
        pieces = chunk.split(b'"')
        records += sum(piece.count(b"\n") for piece in pieces[quoted::2])
        quoted ^= (len(pieces) - 1) & 1
        last = chunk[-1:] or last
        progress(read)
    if quoted:
        raise InputError(f"{path} ends inside a quoted value: it is cut short or damaged, copy it again")
    return Audit(records + (last != b"\n") - 1, digest.hexdigest())


def _chunks(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield how many bytes were read from disk and what they decompress to."""
    gunzip = _Gunzip(path) if path.suffix == ".gz" else None
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(CHUNK_BYTES):
                yield len(chunk), gunzip.feed(chunk) if gunzip else chunk
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    if gunzip:
        gunzip.end()


class _Gunzip:
    """Decompress a gzip file of one or more members in large pieces, which gzip.open does not."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._member = zlib.decompressobj(GZIP_WINDOW)
        self._inside = False

    def feed(self, chunk: bytes) -> bytes:
        parts = []
        try:
            while chunk:
                self._inside = True
                parts.append(self._member.decompress(chunk))
                chunk = self._member.unused_data.lstrip(b"\0")
                if self._member.eof:
                    self._member, self._inside = zlib.decompressobj(GZIP_WINDOW), False
        except zlib.error as error:
            raise InputError(f"{self._path} is not a whole gzip file ({error}): copy it again") from error
        return b"".join(parts)

    def end(self) -> None:
        if self._inside:
            raise InputError(f"{self._path} is cut short: its gzip stream has no end, copy it again")
