"""Take a reviewed workbook into a set: what was corrected is proved again before anything is written."""

import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from graphs.benchmark import (
    GOLD,
    PLANS,
    REVIEWS,
    SESSIONS,
    Benchmark,
    lines_of,
    read_benchmark,
    read_file,
    read_lines,
    seal,
)
from graphs.review_rows import EDITABLE, KEYS, SHOWN, RowFault, graded, row_of, worded
from graphs.review_workbook import Row, read_workbook
from graphs.verify import read_worded, session_faults, workshop_of
from state.base import InputError, SessionId
from state.gold import GoldSession
from state.plan import SessionPlan
from state.review import TextChange, TurnReview
from state.session import Session
from tools.ehr.warehouse import Warehouse

YES, NO = "yes", ("", "no")


@dataclass
class Reviewed:
    """A set as its reviewers left it: the sessions and gold that changed, who changed them, and from which rows."""

    sessions: dict[SessionId, Session] = field(default_factory=dict)
    gold: dict[SessionId, GoldSession] = field(default_factory=dict)
    reviews: list[TurnReview] = field(default_factory=list)
    rows: dict[SessionId, list[tuple[Row, tuple[str, ...]]]] = field(
        default_factory=lambda: defaultdict(list)
    )


def import_review(folder: Path, xlsx: Path, out: Path, warehouse: Warehouse) -> Reviewed:
    """Write ``folder`` with the corrections of a workbook to ``out``; an untouched workbook gives the same bytes.

    InputError, naming sheet, row and column, for a cell that cannot be taken and for a correction that breaks the
    session: nothing is written then.
    """
    benchmark = read_benchmark(folder)
    fingerprint, rows = read_workbook(xlsx)
    if fingerprint != benchmark.fingerprint:
        raise InputError(
            f"{xlsx} is of another set, or of another state of it, than {folder}: export it again"
        )
    reviewed = _read(benchmark, rows, xlsx)
    _prove(reviewed, benchmark, folder, warehouse, xlsx)
    _write(reviewed, folder, out)
    if benchmark.sealed:
        seal(out, benchmark.manifest)
    return reviewed


def _read(benchmark: Benchmark, rows: Sequence[Row], xlsx: Path) -> Reviewed:
    wanted = {(str(s.session_id), str(t.index)) for s in benchmark.sessions for t in s.turns}
    reviewed = Reviewed()
    for row in rows:
        key = (row.cells["session_id"], row.cells["turn"])
        if key not in wanted:
            raise InputError(
                f"{xlsx}, {row.at(*KEYS)} is no turn of the set, or stands twice: restore the row"
            )
        wanted.remove(key)
        try:
            _take(row, benchmark, reviewed)
        except RowFault as fault:
            raise InputError(f"{xlsx}, {row.at(fault.column)}: {fault.reason}") from fault
    if wanted:
        name, turn = min(wanted)
        raise InputError(
            f"{xlsx}, sheet turns: the row of turn {turn} of session {name} is missing: restore it"
        )
    return reviewed


def _take(row: Row, benchmark: Benchmark, reviewed: Reviewed) -> None:
    """Take what one row changes, and what its reviewer says of it."""
    name, index = SessionId(row.cells["session_id"]), int(row.cells["turn"])
    session = reviewed.sessions.get(name) or benchmark.session(name)
    gold = reviewed.gold.get(name) or benchmark.gold[name]
    before = row_of(session, session.turns[index], gold.turns[index])
    if touched := next((column for column in SHOWN if row.cells[column] != before[column]), None):
        raise RowFault(touched, "is not to be changed: restore it")
    changed = {column: row.cells[column] for column in EDITABLE if row.cells[column] != before[column]}
    reviewer = row.cells["reviewer"].strip()
    signed = row.cells["signed_off"].strip().casefold()
    if signed not in (YES, *NO):
        raise RowFault("signed_off", "is neither yes nor no")
    if not reviewer and (changed or signed == YES or row.cells["comment"]):
        raise RowFault("reviewer", "is empty: who changed, signed off or commented the row?")
    if changed:
        turns = [worded(t, changed) if t.index == index else t for t in session.turns]
        golden = [graded(t, changed, session.subject_id) if t.index == index else t for t in gold.turns]
        reviewed.sessions[name] = session.model_copy(update={"turns": tuple(turns)})
        reviewed.gold[name] = gold.model_copy(update={"turns": tuple(golden)})
        reviewed.rows[name].append((row, tuple(changed)))
    if reviewer:
        reviewed.reviews.append(
            TurnReview(
                session_id=name,
                turn=index,
                reviewer=reviewer,
                signed_off=signed == YES,
                comment=row.cells["comment"],
                changes=tuple(
                    TextChange(column=c, before=before[c], after=text) for c, text in changed.items()
                ),
            )
        )


def _prove(reviewed: Reviewed, benchmark: Benchmark, folder: Path, warehouse: Warehouse, xlsx: Path) -> None:
    """Hold every session that changed to the checkers and the replay."""
    if not reviewed.rows:
        return
    workshop = workshop_of(benchmark, warehouse, folder)
    plans = {plan.session_id: plan for plan in read_lines(folder / PLANS, SessionPlan)}
    earlier, worded = read_reviews(folder), read_worded(folder, benchmark.manifest)
    for name, rows in reviewed.rows.items():
        if name not in plans:
            raise InputError(f"{folder / PLANS} has no plan of session {name}: nothing can be proved of it")
        faults = session_faults(
            reviewed.sessions[name],
            reviewed.gold[name],
            plans[name],
            benchmark.patients.get(name),
            workshop,
            [*earlier, *reviewed.reviews],
            worded,
        )
        if faults:
            row, columns = next(((r, c) for r, c in rows if f"turn {r.cells['turn']}" in faults[0]), rows[0])
            raise InputError(f"{xlsx}, {row.at(*columns)}: the correction breaks the session: {faults[0]}")


def read_reviews(folder: Path) -> list[TurnReview]:
    """Read what reviewers have made of a set so far; none where nobody has."""
    path = folder / REVIEWS
    return read_lines(path, TurnReview) if path.exists() else []


def _write(reviewed: Reviewed, folder: Path, out: Path) -> None:
    """Copy the set, with the lines of changed sessions written anew and the reviews at the end of theirs."""
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file: name a new directory with --out")
    if out.exists() and (out.samefile(folder) or any(out.iterdir())):
        raise InputError(f"{out} is not empty: name a new directory with --out")
    try:
        shutil.copytree(folder, out, dirs_exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror}; name another --out") from error
    _replace_lines(out / SESSIONS, reviewed.sessions)
    _replace_lines(out / GOLD, reviewed.gold)
    if reviewed.reviews:
        with (out / REVIEWS).open("a", encoding="utf-8") as reviews:
            reviews.writelines(review.model_dump_json() + "\n" for review in reviewed.reviews)


def _replace_lines(
    path: Path, changed: Mapping[SessionId, Session] | Mapping[SessionId, GoldSession]
) -> None:
    if not changed:
        return
    lines = lines_of(read_file(path))
    records = [Session if path.name == SESSIONS else GoldSession] * len(lines)
    names = [record.model_validate_json(line).session_id for record, line in zip(records, lines, strict=True)]
    new = [
        changed[name].model_dump_json() if name in changed else line
        for name, line in zip(names, lines, strict=True)
    ]
    path.write_text("".join(line + "\n" for line in new), "utf-8")
