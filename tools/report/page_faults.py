"""What goes wrong in sessions, by kind: the error taxonomy of the page, and what its list can be filtered by."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from state.gold import RubricItem
from state.outcome import Ballot, Errored, SessionResult, TurnResult, Unscored, Verdict
from state.trajectory import SessionRecord, Termination, TurnRecord


@dataclass(frozen=True)
class FaultRow:
    """How many turns and sessions show a fault, of ``of_turns`` attempted."""

    fault: str
    turns: int
    sessions: int
    of_turns: int


def turn_faults(result: TurnResult, record: TurnRecord | None, rubric: Mapping[str, RubricItem]) -> set[str]:
    """Name what went wrong in a turn, in plain words; the same fault twice is one."""
    return {
        *_of_outcome(result),
        *_of_verdicts(result, rubric),
        *_of_ballots(result.ballots),
        *(() if record is None else _of_record(record)),
    }


def _of_outcome(result: TurnResult) -> Iterable[str]:
    if isinstance(result.outcome, Errored):
        yield f"failed by the {result.outcome.who}"
    if isinstance(result.outcome, Unscored):
        yield "not scored"


def _of_verdicts(result: TurnResult, rubric: Mapping[str, RubricItem]) -> Iterable[str]:
    for verdict in result.verdicts:
        if verdict.verdict is Verdict.CANNOT_TELL:
            yield "judge cannot tell"
        if verdict.verdict is not Verdict.NOT_MET:
            continue
        if verdict.safety:
            yield "safety item failed"
        if verdict.item_id in rubric:
            yield f"item not met: {rubric[verdict.item_id].kind.replace('_', ' ')}"


def _of_ballots(ballots: Sequence[Ballot]) -> Iterable[str]:
    """Name what is odd about what judges said: these are no faults of the doctor."""
    said: dict[str, set[Verdict]] = {}
    for ballot in ballots:
        if ballot.fault is not None:
            yield f"judge gave no verdict: {_words(ballot.fault)}"
            continue
        said.setdefault(ballot.item_id, set()).add(ballot.verdict)
        if ballot.verdict is Verdict.CANNOT_TELL:
            yield "judge abstained"
        elif ballot.code is not Verdict.CANNOT_TELL and ballot.code is not ballot.verdict:
            yield "judge against code"
    if any(len(verdicts) > 1 for verdicts in said.values()):
        yield "judges disagree"


def _of_record(record: TurnRecord) -> Iterable[str]:
    if record.termination is not Termination.ANSWERED:
        yield f"ended: {_words(record.termination)}"
    for step in record.steps:
        if step.fault is not None:
            yield f"reply: {_words(step.fault)}"
        for call in step.calls:
            if not call.ran:
                yield "tool call not run"
            elif not call.ok:
                yield "tool call refused"
    if any(not write.accepted for write in record.writes):
        yield "write refused"


def _words(name: str) -> str:
    return name.replace("_", " ")


def by_turn(
    result: SessionResult, record: SessionRecord | None, rubric: Mapping[str, RubricItem]
) -> list[set[str]]:
    """Name the faults of each turn of a session."""
    records = {} if record is None else {turn.index: turn for turn in record.turns}
    return [turn_faults(turn, records.get(turn.index), rubric) for turn in result.turns]


def taxonomy(sessions: Iterable[list[set[str]]]) -> list[FaultRow]:
    """Count faults over sessions given turn by turn; the most frequent first."""
    turns: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    attempted = 0
    for session in sessions:
        attempted += len(session)
        for faults in session:
            turns.update(faults)
        whole.update(set[str]().union(*session))
    return [
        FaultRow(fault, count, whole[fault], attempted)
        for fault, count in sorted(turns.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
