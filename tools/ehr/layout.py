"""Where the files of MIMIC-IV lie: PhysioNet's directories, several of them, or one directory a patient.

PhysioNet: ``<root>/<module>/<table>.csv.gz``, the modules spread over downloads of their own. By patient, as
PhysAssistBench reads it: ``<root>/<subject_id>/<module>_<table>.csv.csv.gz``, dictionaries in PhysioNet's form
beside them or elsewhere. A root may also be the directory one level up.
"""

import os
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from state.base import InputError
from tools.ehr.source import CsvFile, Source, read_header
from tools.ehr.tables import MODULES, TABLES, Table

OF_A_MODULE = re.compile(r"(\w+)\.csv(?:\.gz)?", re.ASCII)
OF_A_SUBJECT = re.compile(rf"({'|'.join(MODULES)})_(\w+)\.csv(?:\.csv)?(?:\.gz)?", re.ASCII)
SUBJECT = re.compile(r"\d+", re.ASCII)


@dataclass(frozen=True)
class Sources:
    """What the roots hold: a source a table, the tables they lack, and files with no place in MIMIC-IV."""

    tables: tuple[Source, ...]
    absent: tuple[str, ...]
    strangers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _File:
    """A file and the table its name says; ``table`` is empty where MIMIC-IV has no such table.

    There may be millions: the directory and the name are shared between them.
    """

    table: str
    root: Path
    directory: Path
    file_name: str
    size_bytes: int
    subject_id: int | None = None

    @property
    def path(self) -> Path:
        return self.directory / self.file_name

    @property
    def name(self) -> str:
        """Name the file from the root on, whoever the patient."""
        return (
            self.path.relative_to(self.root).as_posix() if self.subject_id is None else f"*/{self.file_name}"
        )


def find_sources(roots: Sequence[Path], subjects: Collection[int] | None = None) -> Sources:
    """Look for tables under ``roots`` and check headers; of directories by patient only those of ``subjects``.

    ``InputError`` names the directory, file or column that is missing, or the two files that hold the same.
    """
    files: dict[str, list[_File]] = {name: [] for name in TABLES}
    seen: set[str] = set()
    strangers: Counter[str] = Counter()
    for root, home in _homes(roots):
        for file in chain(_of_modules(root, home), _of_subjects(root, home)):
            if file.table not in files:
                strangers[file.name] += 1
                continue
            seen.add(file.table)
            if file.subject_id is None or subjects is None or file.subject_id in subjects:
                files[file.table].append(file)
    absent = tuple(name for name in TABLES if name not in seen)
    for name in absent:
        if TABLES[name].required:
            raise InputError(
                f"{_listed(roots)} has no {TABLES[name].file_stem}.csv or .csv.gz: every ingest needs this table"
            )
    tables = tuple(_source(table, files.pop(name)) for name, table in TABLES.items() if name in seen)
    return Sources(tables, absent, tuple(_counted(name, n) for name, n in sorted(strangers.items())))


def _homes(roots: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """Pair each root with the directories that hold its modules or patients: itself, or else those in it."""
    met: set[Path] = set()
    for root in roots:
        if not root.is_dir():
            raise InputError(f"no directory {root}: give the one that holds hosp/, icu/, ed/ or note/")
        inside = [root] if _is_home(root) else [path for path in _open_directories(root) if _is_home(path)]
        if not inside and root.name in MODULES:
            raise InputError(f"{root} is one module: give the directory that holds {root.name}/")
        if not inside:
            raise InputError(
                f"{root} holds no hosp/, icu/, ed/ or note/ and no patients' directories: "
                "give the directory that does"
            )
        for home in inside:
            if home.resolve() not in met:
                met.add(home.resolve())
                yield root, home


def _is_home(directory: Path) -> bool:
    return any(
        path.name in MODULES
        or (SUBJECT.fullmatch(path.name) and any(file.table for file in _of_subject(directory, path)))
        for path in _directories(directory)
    )


def _of_modules(root: Path, home: Path) -> Iterator[_File]:
    for module in MODULES:
        directory = home / module
        for entry in _csv_entries(directory) if directory.is_dir() else ():
            named = OF_A_MODULE.fullmatch(entry.name)
            table = f"{module}.{named[1]}" if named else ""
            yield _File(table, root, directory, entry.name, entry.stat().st_size)


def _of_subjects(root: Path, home: Path) -> Iterator[_File]:
    for directory in _directories(home):
        if SUBJECT.fullmatch(directory.name):
            yield from _of_subject(root, directory)


def _of_subject(root: Path, directory: Path) -> Iterator[_File]:
    subject_id = int(directory.name)
    for entry in _csv_entries(directory):
        named = OF_A_SUBJECT.fullmatch(entry.name)
        table = f"{named[1]}.{named[2]}" if named else ""
        known = table in TABLES and TABLES[table].of_subjects
        yield _File(
            sys.intern(table) if known else "",
            root,
            directory,
            sys.intern(entry.name),
            entry.stat().st_size,
            subject_id,
        )


def _source(table: Table, files: list[_File]) -> Source:
    held: dict[int | None, _File] = {}
    for file in files:
        mixed = (file.subject_id is None) != (files[0].subject_id is None)
        other = files[0] if mixed else held.setdefault(file.subject_id, file)
        if other is not file:
            raise InputError(
                f"{other.path} and {file.path} both hold {table.name}: remove one, or leave out one --root"
            )
    files.sort(key=lambda file: file.subject_id or 0)
    by_subject = not files or files[0].subject_id is not None
    names = " or ".join(sorted({file.name for file in files})) or "no file of these patients"
    return Source(table, _counted(names, len(files)), tuple(_with_headers(table, files)), by_subject)


def _with_headers(table: Table, files: list[_File]) -> Iterator[CsvFile]:
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}
    for file in files:
        header = read_header(table, file.path)
        header = shared.setdefault(header, header)
        yield CsvFile(file.directory, file.file_name, file.size_bytes, header, file.subject_id)


def _directories(directory: Path) -> list[Path]:
    return [directory / entry.name for entry in _entries(directory) if entry.is_dir()]


def _open_directories(directory: Path) -> list[Path]:
    return [path for path in _directories(directory) if os.access(path, os.R_OK | os.X_OK)]


def _csv_entries(directory: Path) -> list[os.DirEntry[str]]:
    return [entry for entry in _entries(directory) if ".csv" in entry.name and entry.is_file()]


def _entries(directory: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise InputError(f"{directory} cannot be read: {error.strerror}") from error


def _counted(name: str, files: int) -> str:
    return name if files < 2 else f"{name} ({files:,} files)"


def _listed(roots: Sequence[Path]) -> str:
    return " and ".join(str(root) for root in roots)
