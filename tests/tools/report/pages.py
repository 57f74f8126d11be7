"""Pages of made-up sessions: whatever a test wants said in them."""

from datetime import datetime
from pathlib import Path
from typing import Any

from state.base import Cohort, GatePolicy, Language
from state.gold import ValueItem
from state.manifest import RunManifest, RunSettings
from state.metrics import Metrics
from state.outcome import (
    Ballot,
    Errored,
    ItemVerdict,
    Party,
    Scored,
    SessionResult,
    TurnResult,
    Unscored,
    Verdict,
)
from state.session import Implicitness, Scenario, Session, TaskType, Turn, Wording
from state.trajectory import CallRecord, SessionRecord, Step, Termination, TurnRecord, WriteRecord
from tools.metrics import summarise
from tools.report import SessionPage, write_page

ITEM = ValueItem(
    item_id="t0-value",
    text={Language.EN: "States the latest potassium: 5.9 mmol/L"},
    names=("potassium",),
    value=5.9,
    unit="mmol/L",
    tolerance=0.05,
)
QUESTION = "And its latest value?"
IN_FULL = "What is the patient's latest potassium?"
ANSWER = "The potassium is 5.9 mmol/L, up from 4.1 on 2150-01-01 08:00, and 777 besides."
RESULT = "- Observation/lab-777 | 2150-01-01 08:00 | Potassium: 4.1 mmol/L"


def manifest(cohort: Cohort, model: str = "offline/gold") -> RunManifest:
    return RunManifest(
        run_id="r1",
        started=datetime(2026, 1, 2, 3, 4),
        settings=RunSettings(model=model),
        offline=model.startswith("offline/"),
        cohort=cohort,
        gate=GatePolicy.STRICT,
        planned=1,
        benchmark="b",
        warehouse="w",
        prompts="p",
        vocabulary="v",
        patient_words="p",
        grading_version=1,
        versions={},
    )


def metrics(*pages: SessionPage) -> Metrics:
    return summarise([page.session for page in pages], [page.result for page in pages], "en")


def session_of(session_id: str, cohort: Cohort, scenario: Scenario, tier: int) -> Session:
    turn = Turn(
        index=0,
        task_type=TaskType.LOOKUP,
        implicitness=Implicitness.EXPLICIT,
        wording={Language.EN: Wording(explicit=IN_FULL, implicit=QUESTION)},
    )
    return Session(
        session_id=session_id,
        scenario=scenario,
        tier=tier,
        cohort=cohort,
        subject_id=10000001,
        hadm_id=20000001,
        as_of=datetime(2150, 1, 1),
        turns=(turn, turn.model_copy(update={"index": 1, "task_type": TaskType.REASON})),
    )


def result_of(
    session: Session, outcome: Any, reason: str, *, met: bool, ballots: tuple[Ballot, ...] = ()
) -> SessionResult:
    verdict = ItemVerdict(
        item_id=ITEM.item_id,
        verdict=Verdict.MET if met else Verdict.NOT_MET,
        decided_by="code",
        reason=reason,
        safety=not met,
    )
    return SessionResult(
        session_id=session.session_id,
        scenario=session.scenario,
        tier=session.tier,
        language=Language.EN,
        cohort=session.cohort,
        turns=tuple(
            TurnResult(
                index=turn.index,
                task_type=turn.task_type,
                implicitness=turn.implicitness,
                rests_on_answer=False,
                outcome=outcome,
                verdicts=(verdict,) if turn.index == 0 else (),
                ballots=ballots if turn.index == 0 else (),
            )
            for turn in session.turns
        ),
    )


def record_of(
    session: Session, said: dict[str, str], calls: tuple[CallRecord, ...], writes: tuple[WriteRecord, ...]
) -> SessionRecord:
    first = TurnRecord(
        index=0,
        question=said["question"],
        steps=(
            Step(content=said["thinking"], calls=calls, seconds=1.2),
            Step(content=said["answer"], seconds=0.3),
        ),
        answer=said["answer"],
        termination=Termination.ANSWERED,
        writes=writes,
        seconds=1.5,
    )
    last = TurnRecord(
        index=1, question="And then?", steps=(), answer="", termination=Termination.EMPTY_REPLY, seconds=0
    )
    return SessionRecord(session_id=session.session_id, turns=(first, last))


def call(
    name: str = "Observation_search", *, ran: bool = True, ok: bool = True, **arguments: Any
) -> CallRecord:
    return CallRecord(call_id="c", name=name, arguments=arguments or {"code": "potassium"}, ran=ran, ok=ok)


def ballot(verdict: Verdict = Verdict.MET, code: Verdict = Verdict.CANNOT_TELL, **changes: Any) -> Ballot:
    """Give what a judge said of the item."""
    given = {"judge": "deepseek/x", "reason": "It says 5.9.", "quote": "potassium is 5.9"} | changes
    return Ballot(item_id=ITEM.item_id, code=code, verdict=verdict, **given)


def page(
    session_id: str = "med_safety-x-1",
    cohort: Cohort = Cohort.SYNTHETIC,
    *,
    scenario: Scenario = Scenario.MED_SAFETY,
    tier: int = 1,
    outcome: Any = Scored(score=0.5),  # noqa: B008 - frozen
    met: bool = True,
    calls: tuple[CallRecord, ...] = (call(),),
    writes: tuple[WriteRecord, ...] = (),
    ballots: tuple[Ballot, ...] = (),
    shown: tuple[str, ...] = (RESULT,),
    **said: str,
) -> SessionPage:
    """Make a page of two turns; ``said`` replaces the question, answer, thinking or reason of the first."""
    words = {"question": QUESTION, "answer": ANSWER, "thinking": "", "reason": "states 5.9"} | said
    session = session_of(session_id, cohort, scenario, tier)
    return SessionPage(
        session,
        result_of(session, outcome, words["reason"], met=met, ballots=ballots),
        record_of(session, words, calls, writes),
        "A patient of 63 years.",
        {(0, place): text for place, text in enumerate(shown)},
        {ITEM.item_id: ITEM},
    )


AGAIN = f"python -m graphs.report runs/{'a_long_name' * 9} --format html --include-phi"


def write(path: Path, *pages: SessionPage, show_text: bool = True) -> Path:
    """Write report.html of some pages and give its place."""
    cohort = pages[0].session.cohort
    write_page(
        path / "report.html", manifest(cohort), metrics(*pages), pages, show_text=show_text, again=AGAIN
    )
    return path / "report.html"


def various() -> list[SessionPage]:
    """Make sessions that differ in everything the list can be filtered by."""
    broken = Errored(error="no answer", who=Party.PROVIDER)
    return [
        page("med_safety-a", outcome=Scored(score=1.0), answer="Potassium is 5.9, alpha."),
        page("med_safety-b", tier=2, met=False, calls=(call(ok=False),), answer="beta words"),
        page("diagnostic_workup-c", scenario=Scenario.DIAGNOSTIC_WORKUP, outcome=Unscored(reason="odd")),
        page("discharge_planning-d", scenario=Scenario.DISCHARGE_PLANNING, tier=3, outcome=broken),
    ]
