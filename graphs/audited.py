"""The verdicts of runs as people can check them: gathered from run folders and the benchmark they are about."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from agents.judge import RULES, judge_names
from agents.judge_case import heard_lines, written_lines
from agents.models import families_of, read_catalogue
from graphs.benchmark import Benchmark, read_benchmark
from graphs.close_run import by_place
from graphs.embedded import demo_benchmark
from graphs.judging import turn_evidence
from graphs.run_folder import RunFolder, read_manifest
from state.audit import AuditItem
from state.base import InputError
from state.gold import RubricItem
from state.manifest import RunManifest
from state.outcome import ItemVerdict, TurnResult, Verdict
from state.session import Session
from state.trajectory import TurnRecord
from tools.grading import rests_on_reading

KEY_CHARS = 12


def audit_items(run: Path) -> Iterator[AuditItem]:
    """Yield the verdicts of a run that rest on reading: what was never said, or never looked up, needs no reader."""
    manifest, folder = read_manifest(run), RunFolder(run)
    benchmark = _benchmark_of(manifest, run)
    kin = _kin(manifest)
    results, records = by_place(folder)
    for place, result in sorted(results.items()):
        session = benchmark.session(result.session_id)
        for turn in result.turns:
            turns = records[place].turns[: turn.index + 1]
            if turn.verdicts:
                yield from _of_turn(manifest, benchmark, session, turn, turns, kin, result.epoch)


def _of_turn(
    manifest: RunManifest,
    benchmark: Benchmark,
    session: Session,
    turn: TurnResult,
    records: tuple[TurnRecord, ...],
    kin: frozenset[str],
    epoch: int,
) -> Iterator[AuditItem]:
    language = manifest.settings.language
    evidence = turn_evidence(session, records, language)
    rubric = benchmark.gold[session.session_id].turns[turn.index].rubric
    for item, verdict in zip(rubric, turn.verdicts, strict=True):
        if not rests_on_reading(item, evidence) or _idle(item, verdict):
            continue
        ballots = [ballot for ballot in turn.ballots if ballot.item_id == item.item_id]
        by_model = verdict.decided_by == "model"
        yield AuditItem(
            key=_key(manifest.run_id, session.session_id, epoch, turn.index, item.item_id),
            run_id=manifest.run_id,
            session_id=session.session_id,
            task_type=turn.task_type,
            language=language,
            earlier=tuple((record.question, record.answer) for record in records[:-1]),
            question=records[-1].question,
            answer=records[-1].answer,
            heard=heard_lines(records),
            written=written_lines(records[-1], language),
            point=item.text[language],
            final=verdict.verdict,
            by_model=by_model,
            code=Verdict.CANNOT_TELL if by_model else verdict.verdict,
            judges={b.judge: b.verdict if b.fault is None else None for b in ballots},
            kin=kin,
        )


def _idle(item: RubricItem, verdict: ItemVerdict) -> bool:
    """Tell whether an absence was not counted because nothing else was done: no reading of the answer."""
    return item.gate and verdict.verdict is Verdict.NOT_MET and not verdict.safety


def _key(*of: object) -> str:
    return hashlib.sha256(repr(of).encode()).hexdigest()[:KEY_CHARS]


def _kin(manifest: RunManifest) -> frozenset[str]:
    """Name the judges of the examinee's family."""
    settings = manifest.settings
    judges = judge_names(settings.judge)
    if judges == (RULES,):
        return frozenset()
    catalogue = read_catalogue(None if settings.models is None else Path(settings.models))
    own = families_of(settings.model, catalogue)
    return frozenset(judge for judge in judges if own & families_of(judge, catalogue))


def _benchmark_of(manifest: RunManifest, run: Path) -> Benchmark:
    sessions = manifest.settings.sessions
    benchmark = demo_benchmark() if sessions is None else read_benchmark(Path(sessions))
    if benchmark.fingerprint != manifest.benchmark:
        raise InputError(
            f"{run} was run on another benchmark than {sessions or 'the demo sessions'} now holds: audit it with the "
            "sessions it was run on"
        )
    return benchmark
