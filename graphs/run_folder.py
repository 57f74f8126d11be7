"""A run on disk: runs/<run_id>/ with manifest, results, trajectories, checkpoints, metrics and report."""

import json
import os
import shlex
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from io import BufferedRandom
from pathlib import Path

from agents.journal import Journal
from graphs.benchmark import R, lines_of, validated
from graphs.outcomes import is_whole
from state.base import InputError, Record
from state.manifest import RunManifest
from state.metrics import Metrics
from state.outcome import SessionResult
from state.trajectory import SessionRecord

JOURNAL = "journal"
RESUME = "python -m graphs.evaluate --resume"
RESULTS, TRAJECTORIES = "results.jsonl", "trajectories.jsonl"
LOST_WORKER_SECONDS = 10.0
"""How long a worker may take to notice that it works for nobody."""


def read_manifest(path: Path) -> RunManifest:
    """Read the manifest of a run folder; a folder without one is an InputError."""
    file = path / "manifest.json"
    if not file.is_file():
        raise InputError(f"{path} is not a run: it holds no manifest.json")
    mend = "take it from a copy of the run, or run again: nothing else says what its figures are of"
    return validated(RunManifest, _text(file, mend), str(file), mend)


@dataclass(frozen=True)
class RunFolder:
    """Paths of one run, and the only code that writes them."""

    path: Path

    @classmethod
    def create(cls, output: Path, manifest: RunManifest) -> "RunFolder":
        """Make a new run folder; an existing one is never written over.

        It appears under its name with its manifest in it: a run that is killed before can be started again, and one
        that is there can be resumed.
        """
        folder, begun = cls(output / manifest.run_id), cls(output / f".{manifest.run_id}.partial")
        if folder.path.exists():
            raise InputError(f"{folder.path} exists already: choose another --output, or --resume it")
        try:
            begun.path.mkdir(parents=True)
            begun._write("manifest.json", manifest.model_dump_json(indent=2))
            begun.path.rename(folder.path)
        except OSError as error:
            raise InputError(
                f"cannot make {folder.path}: {error.strerror}; choose another --output"
            ) from error
        return folder

    def checkpoints(self, worker: int | None = None) -> Path:
        """Name the sqlite file of the checkpointer; every worker process has its own."""
        return self.path / ("checkpoints.sqlite" if worker is None else f"checkpoints-{worker}.sqlite")

    def journal(self, also: Sequence["RunFolder"] = ()) -> Journal:
        """Open the journal of model calls; ``also`` are runs whose calls answer this run's too."""
        return Journal(self.path / JOURNAL, [other.path / JOURNAL for other in also])

    @property
    def report(self) -> Path:
        """The page a person reads."""
        return self.path / "report.html"

    def append(self, result: SessionResult, record: SessionRecord) -> None:
        """Add a finished session: its trajectory first, then the line that makes it count."""
        _append(self.path / TRAJECTORIES, record)
        _append(self.path / RESULTS, result)

    def results(self) -> list[SessionResult]:
        """Return the newest whole result of each session and epoch, in the order they were finished.

        One whose trajectory is cut off does not count: nothing could say what it is the result of.
        """
        kept = {(record.session_id, record.epoch) for record in self.records()}
        read = _read(self.path / RESULTS, SessionResult)
        return list({place: r for r in read if (place := (r.session_id, r.epoch)) in kept}.values())

    def records(self) -> list[SessionRecord]:
        """Return the newest whole trajectory of each session and epoch."""
        read = _read(self.path / TRAJECTORIES, SessionRecord)
        return list({(r.session_id, r.epoch): r for r in read}.values())

    def finished(self) -> frozenset[tuple[str, int]]:
        """Name the sessions that need no second try, each with its epoch."""
        return frozenset((result.session_id, result.epoch) for result in self.results() if is_whole(result))

    def broken_lines(self) -> list[str]:
        """Name the lines of results and trajectories that were cut off or spoilt, and so do not count."""
        return [
            f"line {number} of {name}"
            for name in (RESULTS, TRAJECTORIES)
            for number, line in _numbered(self.path / name)
            if not _is_whole(line)
        ]

    def write_metrics(self, metrics: Metrics) -> None:
        """Write metrics.json, sorted and indented: the same figures give the same bytes."""
        self._write("metrics.json", json.dumps(metrics.model_dump(mode="json"), indent=2, sort_keys=True))

    def write_record(self, name: str, record: Record) -> None:
        """Write a small file of one record, ``name`` with its ending."""
        self._write(name, json.dumps(record.model_dump(mode="json"), indent=2, sort_keys=True))

    def read_record(self, name: str, record: type[R]) -> R | None:
        """Read such a file back; None where there is none."""
        file = self.path / name
        mend = f"delete the file: {RESUME} {self.path} writes it again"
        return validated(record, _text(file, mend), str(file), mend) if file.is_file() else None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes out of this run, which would pay for the same calls; ends with the process.

        A run that is being held already is an InputError. Workers that lost the process they work for are waited for:
        they end by themselves.
        """
        with self._held("lock.sqlite", 0.0):
            for left in sorted(self.path.glob("lock-*.sqlite")):
                with self._held(left.name, LOST_WORKER_SECONDS):
                    pass
            yield

    def worker_locked(self, worker: int) -> AbstractContextManager[None]:
        """Say that a worker of this run is alive; the same worker of an earlier process is waited for."""
        return self._held(f"lock-{worker}.sqlite", LOST_WORKER_SECONDS)

    @contextmanager
    def _held(self, name: str, seconds: float) -> Iterator[None]:
        """Hold a lock. It is sqlite's own, which every platform has and which ends with the process."""
        lock = sqlite3.connect(self.path / name, timeout=seconds, isolation_level=None)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise InputError(
                f"{self.path} is being run by another process: wait for it, or stop it first"
            ) from error
        else:
            yield
        finally:
            lock.close()

    def _write(self, name: str, text: str) -> None:
        part = self.path / (name + ".partial")
        part.write_text(text + "\n", "utf-8")
        part.replace(self.path / name)


def resume_line(folder: RunFolder) -> str:
    """Give the command that goes on with a run."""
    return f"{RESUME} {shlex.quote(str(folder.path))}"


def _append(path: Path, record: Record) -> None:
    """Append one line in one write, and wait until it is on disk.

    A line cut off by a crash before is closed first, so that it spoils no other.
    """
    line = (record.model_dump_json() + "\n").encode()
    with path.open("ab+") as file:
        if file.tell() and not _ends_line(file):
            line = b"\n" + line
        file.write(line)
        file.flush()
        os.fsync(file.fileno())


def _ends_line(file: BufferedRandom) -> bool:
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def _text(path: Path, mend: str) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 at byte {error.start}; {mend}") from error


def _numbered(path: Path) -> list[tuple[int, str]]:
    """List the lines of a file that hold anything, each with its number; what is not UTF-8 spoils its line alone."""
    text = path.read_bytes().decode("utf-8", "surrogateescape") if path.exists() else ""
    return [(number, line) for number, line in enumerate(lines_of(text), start=1) if line]


def _is_whole(line: str) -> bool:
    try:
        json.loads(line.encode("utf-8"))
    except ValueError:
        return False
    return True


def _read(path: Path, record: type[R]) -> list[R]:
    """Read whole lines; one that was cut off or spoilt is left out, any other fault is an InputError."""
    mend = f"delete the line: {RESUME} {path.parent} holds that session again"
    return [
        validated(record, line, f"{path} line {number}", mend)
        for number, line in _numbered(path)
        if _is_whole(line)
    ]
