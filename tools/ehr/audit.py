"""Reading a table's files once, beside DuckDB, to know that they are whole and how many rows to expect."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from state.base import InputError
from tools.ehr.source import Source, chunks


@dataclass(frozen=True)
class Audit:
    """Records (headers not counted) and a sha256 of a table's files.

    Of one file it digests the decompressed bytes; of files by patient the lines ``<subject_id> <sha256>``.
    ``rows_of`` counts each patient's records where files are by patient.
    """

    rows: int
    sha256: str
    rows_of: Mapping[int, int] = field(default_factory=dict)


def audit(source: Source, progress: Callable[[int], None]) -> Audit:
    """Count CSV records (a newline inside quotes ends none) and digest the bytes of every file of ``source``.

    ``progress`` is called with the bytes read from disk, a chunk at a time, and may raise to stop. ``InputError``
    where a file is damaged.
    """
    if not source.by_subject:
        return _audit_file(source.files[0].path, progress)
    digest = hashlib.sha256()
    rows_of: dict[int, int] = {}
    for file in source.files:
        found = _audit_file(file.path, progress)
        digest.update(f"{file.subject_id} {found.sha256}\n".encode())
        if found.rows and file.subject_id is not None:
            rows_of[file.subject_id] = found.rows
    return Audit(sum(rows_of.values()), digest.hexdigest(), rows_of)


def _audit_file(path: Path, progress: Callable[[int], None]) -> Audit:
    digest = hashlib.sha256()
    records = 0
    quoted = 0
    ends = _LineEnds()
    for read, chunk in chunks(path):
        digest.update(chunk)
        if b'"' in chunk:
            pieces = chunk.split(b'"')
            records += sum(piece.count(b"\n") for piece in pieces[quoted::2])
            quoted ^= (len(pieces) - 1) & 1
        elif not quoted:
            records += chunk.count(b"\n")
        ends.feed(chunk)
        progress(read)
    if quoted:
        raise InputError(f"{path} ends inside a quoted value: it is cut short or damaged, copy it again")
    return Audit(records + 1 - ends.trailing - 1, digest.hexdigest())


class _LineEnds:
    """Counts the newlines that end the bytes fed: the last record has one, or none; more are blank lines."""

    def __init__(self) -> None:
        self.trailing = 0

    def feed(self, chunk: bytes) -> None:
        kept = chunk.rstrip(b"\r\n")
        self.trailing = chunk.count(b"\n", len(kept)) + (0 if kept else self.trailing)
