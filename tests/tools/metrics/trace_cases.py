"""Traces of sessions for tests of conduct, built turn by turn."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from state.base import Cohort, Language
from state.gold import GoldSession, GoldTurn, RubricItem, ValueItem
from state.outcome import ItemVerdict, Scored, TurnOutcome, TurnResult, Verdict
from state.session import Implicitness, Scenario, Session, TaskType, Turn, Wording
from state.trajectory import CallRecord, Step, Termination, TurnRecord
from tools.metrics.resample import Resampler
from tools.metrics.trace import GoldRead, SessionTrace, TurnTrace

TEXT = {Language.EN: "wanted"}
DRAWN = Resampler(1, 500)


def value_item(name: str = "potassium", ref: str = "Observation/lab-1", item_id: str = "value") -> ValueItem:
    return ValueItem(
        item_id=item_id, text=TEXT, names=(name,), value=5.9, unit="mEq/L", tolerance=0, evidence=(ref,)
    )


def call(
    name: str, refs: Sequence[str] = (), *, ok: bool = True, ran: bool = True, **arguments: Any
) -> CallRecord:
    return CallRecord(
        call_id="c", name=name, arguments={"subject_id": 1, **arguments}, ran=ran, ok=ok, refs=tuple(refs)
    )


def read(refs: Sequence[str], tool: str = "Observation.search") -> GoldRead:
    return GoldRead(tool, frozenset(refs))


def turn(
    *,
    rubric: Sequence[RubricItem] = (value_item(),),
    verdicts: Sequence[ItemVerdict] = (),
    outcome: TurnOutcome | None = None,
    calls: Sequence[CallRecord] = (),
    reads: Sequence[GoldRead] = (),
    answer: str = "",
    told: str = "",
    shown: Sequence[str] = (),
    before: Sequence[dict[str, Any]] = (),
    after: Sequence[dict[str, Any]] = (),
    implicitness: Implicitness = Implicitness.EXPLICIT,
    termination: Termination = Termination.ANSWERED,
) -> TurnTrace:
    """Give a turn; its place in the session is set by ``session``."""
    return TurnTrace(
        gold=GoldTurn(index=0, calls=(), answer={Language.EN: "right"}, rubric=tuple(rubric)),
        reads=tuple(reads),
        result=TurnResult(
            index=0,
            task_type=TaskType.LOOKUP,
            implicitness=implicitness,
            rests_on_answer=False,
            outcome=outcome or Scored(score=0.0),
            verdicts=tuple(verdicts),
        ),
        record=TurnRecord(
            index=0,
            question="q",
            steps=(Step(content=answer, calls=tuple(calls)),),
            answer=answer,
            termination=termination,
            overlay=tuple(after),
            seconds=0,
        ),
        before=tuple(before),
        told=told,
        shown=tuple(shown),
    )


def trace(name: str, *turns: TurnTrace, reached: int | None = None) -> SessionTrace:
    """Give a session of these turns, of which the first ``reached`` were run."""
    gold = tuple(t.gold.model_copy(update={"index": i}) for i, t in enumerate(turns))
    planned = tuple(
        Turn(
            index=i,
            task_type=t.result.task_type,
            implicitness=t.result.implicitness if i else Implicitness.EXPLICIT,
            wording={Language.EN: Wording(explicit="q", implicit="q")},
        )
        for i, t in enumerate(turns)
    )
    session = Session(
        session_id=name,
        scenario=Scenario.MED_SAFETY,
        tier=1,
        cohort=Cohort.SYNTHETIC,
        subject_id=1,
        hadm_id=2,
        as_of=datetime(2150, 1, 1),
        turns=planned,
    )
    whole = GoldSession(session_id=name, rule_id="r", bindings={}, turns=gold)
    return SessionTrace(session, 0, whole, turns[:reached])


def verdict(item_id: str, of: Verdict, **flags: bool) -> ItemVerdict:
    return ItemVerdict(item_id=item_id, verdict=of, decided_by="code", reason="", **flags)
