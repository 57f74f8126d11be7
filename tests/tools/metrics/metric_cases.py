"""Sessions and results for tests of metrics."""

from datetime import datetime
from itertools import cycle

from state.base import Cohort, Language
from state.outcome import ItemVerdict, Scored, SessionResult, TurnOutcome, TurnResult, Verdict
from state.session import Implicitness, Scenario, Session, TaskType, Turn, Wording

TYPES = (TaskType.LOOKUP, TaskType.GATHER, TaskType.REASON, TaskType.WRITE)
SAID = {Language.EN: Wording(explicit="q", implicit="q")}


def session(name: str, tier: int = 1, turns: int = 4) -> Session:
    kinds = cycle(TYPES)
    return Session(
        session_id=name,
        scenario=Scenario.MED_SAFETY,
        tier=tier,
        cohort=Cohort.SYNTHETIC,
        subject_id=1,
        hadm_id=2,
        as_of=datetime(2150, 1, 1),
        turns=tuple(
            Turn(
                index=i,
                task_type=next(kinds),
                implicitness=Implicitness.NOMINAL_ANAPHORA if i else Implicitness.EXPLICIT,
                wording=SAID,
            )
            for i in range(turns)
        ),
    )


def result(
    of: Session, *outcomes: float | TurnOutcome, failed_safety: int = 0, epoch: int = 0
) -> SessionResult:
    failed = tuple(
        ItemVerdict(item_id=str(i), verdict=Verdict.NOT_MET, decided_by="code", reason="", safety=True)
        for i in range(failed_safety)
    )
    return SessionResult(
        session_id=of.session_id,
        epoch=epoch,
        scenario=of.scenario,
        tier=of.tier,
        language=Language.EN,
        cohort=of.cohort,
        turns=tuple(
            TurnResult(
                index=turn.index,
                task_type=turn.task_type,
                implicitness=turn.implicitness,
                rests_on_answer=False,
                outcome=Scored(score=outcome) if isinstance(outcome, float | int) else outcome,
                verdicts=failed if turn.index == 0 else (),
            )
            for turn, outcome in zip(of.turns, outcomes, strict=True)
        ),
    )
