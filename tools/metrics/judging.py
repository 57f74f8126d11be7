"""What models judged in a run, beside what code said of the same items."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from state.agreement import JudgeRecord, Judging
from state.base import SessionId
from state.outcome import Ballot, SessionResult, Verdict
from tools.metrics.agreement import MISSING, Codes, confusion, group_agreement, pair_agreement

VERDICTS = (Verdict.MET, Verdict.NOT_MET, Verdict.CANNOT_TELL)
NO_VERDICT = "no_verdict"
DECISIONS = (Verdict.MET, Verdict.NOT_MET)


def judging_of(results: Iterable[SessionResult], judges: Sequence[str]) -> Judging | None:
    """Tabulate the ballots of a run; None where no model judged."""
    if not judges:
        return None
    ended = sorted(results, key=lambda result: (result.session_id, result.epoch))
    by_item: dict[tuple[SessionId, int, int, str], dict[str, Ballot]] = {}
    for session in ended:
        for turn in session.turns:
            for ballot in turn.ballots:
                key = (session.session_id, session.epoch, turn.index, ballot.item_id)
                by_item.setdefault(key, {})[ballot.judge] = ballot
    final = {
        (session.session_id, session.epoch, turn.index, verdict.item_id): verdict.verdict
        for session in ended
        for turn in session.turns
        for verdict in turn.verdicts
    }
    left = Counter(
        final.get(key, Verdict.CANNOT_TELL) is Verdict.CANNOT_TELL
        for key, found in by_item.items()
        if any(ballot.code is Verdict.CANNOT_TELL for ballot in found.values())
    )
    sessions = [key[0] for key in by_item]
    labels = np.array([[code_of(found.get(judge)) for found in by_item.values()] for judge in judges])
    return Judging(
        decided=left[False],
        undecided=left[True],
        judges=tuple(_record(judge, list(by_item.values()), sessions) for judge in judges),
        panel=group_agreement(labels, len(VERDICTS), sessions) if len(judges) > 1 else None,
    )


def code_of(ballot: Ballot | None) -> int:
    """Number a ballot's verdict; a fault is no label."""
    return MISSING if ballot is None or ballot.fault is not None else VERDICTS.index(ballot.verdict)


def _record(judge: str, items: Sequence[dict[str, Ballot]], sessions: Sequence[str]) -> JudgeRecord:
    own = [(found[judge], of) for found, of in zip(items, sessions, strict=True) if judge in found]
    code = np.array([VERDICTS.index(ballot.code) for ballot, _ in own], dtype=np.int64)
    said = np.array([code_of(ballot) for ballot, _ in own], dtype=np.int64)
    return JudgeRecord(
        judge=judge,
        asked=len(own),
        table={
            name: {
                **row,
                NO_VERDICT: int(((said == MISSING) & (code == VERDICTS.index(Verdict(name)))).sum()),
            }
            for name, row in confusion(code, said, VERDICTS).items()
        },
        no_verdict=dict(sorted(Counter(b.fault.value for b, _ in own if b.fault is not None).items())),
        agreement=pair_agreement(_decided(code), _decided(said), len(DECISIONS), [of for _, of in own]),
    )


def _decided(labels: Codes) -> Codes:
    """Leave out what was not decided."""
    return np.where(labels < len(DECISIONS), labels, MISSING)
