"""Which patients are wanted, as a person writes them down."""

import csv
from pathlib import Path

from state.base import InputError

COLUMN = "subject_id"
LARGEST = 2**31 - 1


def parse_subjects(text: str) -> frozenset[int]:
    """Read ``10000032,10000980``; ``InputError`` names what is no subject_id."""
    found = frozenset(_subject_id(part.strip(), "--subjects") for part in text.split(",") if part.strip())
    if not found:
        raise InputError("--subjects names no patient: write it like 10000032,10000980")
    return found


def read_subjects(path: Path) -> frozenset[int]:
    """Read one subject_id a line, or the column ``subject_id`` of a CSV file; blank lines are skipped.

    ``InputError`` names the file and the line that holds no subject_id.
    """
    rows = _rows(path)
    if not rows:
        raise InputError(f"{path} names no patient: write one subject_id a line")
    header = [value.lower() for value in rows[0][1]]
    if COLUMN in header:
        place, rows = header.index(COLUMN), rows[1:]
    elif len(header) > 1:
        raise InputError(f"{path} has no column {COLUMN}: name it in the first line, or write one id a line")
    else:
        place = 0
    if not rows:
        raise InputError(f"{path} names no patient: it has a header and nothing else")
    return frozenset(
        _subject_id(row[place] if place < len(row) else "", f"{path} line {line}") for line, row in rows
    )


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    try:
        reader = csv.reader(path.read_text(encoding="utf-8-sig").splitlines())
        stripped = [(reader.line_num, [value.strip() for value in row]) for row in reader]
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} is not text in UTF-8: write one subject_id a line") from error
    return [(line, row) for line, row in stripped if any(row)]


def _subject_id(text: str, where: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= LARGEST):
        raise InputError(f"{where}: {text!r} is not a subject_id: it is a whole number like 10000032")
    return int(text)
