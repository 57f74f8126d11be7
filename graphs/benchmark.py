"""A benchmark on disk: sessions, gold, plans, what patients can tell, and the manifest that ties them together."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from state.base import InputError, Record, SessionId
from state.gold import GoldSession
from state.manifest import BenchmarkManifest
from state.patient import PatientFacts
from state.plan import SessionPlan
from state.session import Session
from state.wordings import WordedTurn

SESSIONS, GOLD, PLANS, PATIENTS = "sessions.jsonl", "gold.jsonl", "plans.jsonl", "patients.jsonl"
MANIFEST = "benchmark.json"
WORDINGS = "wordings.jsonl"
"""Who worded which turn; there only where a model was asked to word."""
REVIEWS = "reviews.jsonl"
"""What reviewers made of the set; there only where somebody reviewed it."""
SEALED = (SESSIONS, GOLD, PLANS, PATIENTS, WORDINGS, REVIEWS)
"""The files whose digests the manifest holds: all that a run, a proof or a review reads."""
R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class Benchmark:
    """Sessions with their gold, and what the patients of some know. ``fingerprint`` is the sha256 over all files."""

    sessions: tuple[Session, ...]
    gold: dict[SessionId, GoldSession]
    manifest: BenchmarkManifest
    fingerprint: str
    patients: dict[SessionId, PatientFacts] = field(default_factory=dict)

    @property
    def sealed(self) -> bool:
        """Tell whether the manifest holds the digests of the files, so that an altered one is noticed."""
        return bool(self.manifest.files)

    def session(self, session_id: str) -> Session:
        """Return one session; an unknown id is an InputError."""
        for session in self.sessions:
            if session.session_id == session_id:
                return session
        raise InputError(f"no session {session_id!r} in this benchmark, which has {len(self.sessions)}")


SET_MENDED = "correct the field or generate the set again"


def validated(record: type[R], text: str, where: str, mend: str = SET_MENDED) -> R:
    """Read one JSON record; what does not fit is an InputError naming the field and saying how to ``mend`` it."""
    try:
        return record.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the text"
        raise InputError(f"{where}: {field}: {first['msg']}; {mend}") from error


def read_file(path: Path) -> str:
    """Read a file of a benchmark or a run; a missing one is an InputError."""
    if not path.is_file():
        raise InputError(f"{path} does not exist: give a directory written by python -m graphs.generate")
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not UTF-8 at byte {error.start}: save it as UTF-8, or generate it again"
        ) from error


def lines_of(text: str) -> list[str]:
    """Split JSON lines: at line feeds alone, for a text may hold U+2028 or U+0085, which JSON leaves as they are."""
    return text.removesuffix("\n").split("\n") if text else []


def read_lines(path: Path, record: type[R]) -> list[R]:
    """Read a JSON-lines file of one record type; the first bad line is an InputError naming line and field."""
    lines = lines_of(read_file(path))
    return [validated(record, line, f"{path} line {number}") for number, line in enumerate(lines, start=1)]


def digests(folder: Path) -> dict[str, str]:
    """Give the sha256 of each file of a set that is there, by name."""
    return {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in SEALED
        if (folder / name).is_file()
    }


def altered(folder: Path, manifest: BenchmarkManifest) -> list[str]:
    """Name the files of a set that are others than its manifest was written with, missing or new ones too.

    None where the manifest holds no digest: nothing can be told then.
    """
    is_now, was = digests(folder), manifest.files
    return [name for name in SEALED if was and is_now.get(name) != was.get(name)]


def read_benchmark(folder: Path, *, altered_too: bool = False) -> Benchmark:
    """Read a benchmark and check that its files belong together, and are those its manifest was written with.

    ``altered_too`` leaves the latter out, for who proves every session and so finds what was altered.
    """
    sessions = read_lines(folder / SESSIONS, Session)
    all_gold = read_lines(folder / GOLD, GoldSession)
    gold = {g.session_id: g for g in all_gold}
    manifest = validated(BenchmarkManifest, read_file(folder / MANIFEST), str(folder / MANIFEST))
    if not sessions:
        raise InputError(f"{folder / SESSIONS} holds no session: generate some first")
    if len({s.session_id for s in sessions}) != len(sessions):
        raise InputError(f"{folder / SESSIONS} holds the same session twice: session_id must be unique")
    if len(sessions) != manifest.sessions or len(all_gold) != len(sessions) or len(gold) != len(all_gold):
        raise InputError(
            f"{folder} holds {len(sessions)} sessions and {len(all_gold)} gold, {MANIFEST} says {manifest.sessions}: "
            "the files are not of one set, generate it again"
        )
    for session in sessions:
        if session.session_id not in gold or len(gold[session.session_id].turns) != len(session.turns):
            raise InputError(f"{folder / GOLD} has no gold for every turn of session {session.session_id}")
    patients = _read_patients(folder, sessions)
    for session in sessions:
        if session.session_id not in patients and any(turn.source.asks_the_patient for turn in session.turns):
            raise InputError(
                f"session {session.session_id} asks the patient, and {folder / PATIENTS} does not say what is known: "
                "the files are not of one set, generate it again"
            )
    if not altered_too and (others := altered(folder, manifest)):
        raise InputError(
            f"{folder / others[0]} is not the file that {folder / MANIFEST} was written with (by its sha256): "
            "bring that one back, or generate the set again; sets are corrected by python -m graphs.review"
        )
    digest = hashlib.sha256()
    for name in (SESSIONS, GOLD, *([PATIENTS] if patients else [])):
        digest.update((folder / name).read_bytes())
    return Benchmark(tuple(sessions), gold, manifest, digest.hexdigest(), patients)


def _read_patients(folder: Path, sessions: Sequence[Session]) -> dict[SessionId, PatientFacts]:
    """Read what patients know; a set without the file has no patient who can tell anything."""
    path = folder / PATIENTS
    if not path.exists():
        return {}
    subjects = {session.session_id: session.subject_id for session in sessions}
    patients: dict[SessionId, PatientFacts] = {}
    for known in read_lines(path, PatientFacts):
        if known.session_id in patients or subjects.get(known.session_id) != known.subject_id:
            raise InputError(
                f"{path}: the facts of session {known.session_id} come twice, or are of no session of this set, or of "
                "another patient than its own; generate the set again"
            )
        patients[known.session_id] = known
    return patients


def refuse_overwrite(folder: Path, *, overwrite: bool) -> None:
    """Raise InputError if the folder holds a benchmark already and ``overwrite`` is not meant, or is no folder."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"cannot make the directory {folder}: a file has that name; name another --out")
    if (folder / SESSIONS).exists() and not overwrite:
        raise InputError(f"{folder} holds sessions already: name another --out, or pass --overwrite")


def make_folder(folder: Path) -> None:
    """Make the folder of a new benchmark; InputError if it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot make the directory {folder}: {error.strerror}; name another --out"
        ) from error


def write_lines(path: Path, records: Sequence[Record]) -> None:
    """Write a JSON-lines file whole, through a temporary name."""
    part = path.with_name(path.name + ".partial")
    part.write_text("".join(record.model_dump_json() + "\n" for record in records), "utf-8")
    part.replace(path)


def write_record(path: Path, record: Record) -> None:
    """Write one record as JSON to read, whole, through a temporary name."""
    part = path.with_name(path.name + ".partial")
    part.write_text(record.model_dump_json(indent=2) + "\n", "utf-8")
    part.replace(path)


def write_benchmark(
    folder: Path,
    sessions: Sequence[Session],
    gold: Sequence[GoldSession],
    plans: Sequence[SessionPlan],
    manifest: BenchmarkManifest,
    patients: Sequence[PatientFacts] = (),
    worded: Sequence[WordedTurn] = (),
) -> None:
    """Write the files of a benchmark, the manifest with their digests last; the same input gives the same bytes.

    patients.jsonl is there only where there are any, wordings.jsonl where a model was asked to word.
    """
    write_lines(folder / SESSIONS, sessions)
    write_lines(folder / GOLD, gold)
    write_lines(folder / PLANS, plans)
    _write_if_any(folder / PATIENTS, patients)
    _write_if_any(folder / WORDINGS, worded)
    (folder / REVIEWS).unlink(missing_ok=True)
    seal(folder, manifest)


def seal(folder: Path, manifest: BenchmarkManifest) -> None:
    """Write the manifest of a set with the digests of its files as they are."""
    write_record(folder / MANIFEST, manifest.model_copy(update={"files": digests(folder)}))


def _write_if_any(path: Path, records: Sequence[Record]) -> None:
    if records:
        write_lines(path, records)
    else:
        path.unlink(missing_ok=True)
