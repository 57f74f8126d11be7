"""Runs for tests of reports, with figures from real results."""

from datetime import datetime
from typing import Any

from state.base import Cohort, GatePolicy, Language, SessionId
from state.manifest import RunManifest, RunSettings
from state.outcome import ItemVerdict, Scored, SessionResult, TurnResult, Verdict
from state.session import Implicitness, Scenario, TaskType
from tools.metrics import summarise_finished
from tools.metrics.effort import effort_of
from tools.report.run_report import RunReport, Scoring

KINDS = (TaskType.LOOKUP, TaskType.GATHER, TaskType.REASON, TaskType.WRITE)


def results(scores: list[list[float]], language: Language = Language.EN) -> list[SessionResult]:
    verdict = ItemVerdict(item_id="i", verdict=Verdict.MET, decided_by="code", reason="")
    return [
        SessionResult(
            session_id=SessionId(f"s{number}"),
            scenario=list(Scenario)[number % 4],
            tier=1 + number % 3,  # type: ignore[arg-type]
            language=language,
            cohort=Cohort.SYNTHETIC,
            turns=tuple(
                TurnResult(
                    index=index,
                    task_type=KINDS[index],
                    implicitness=Implicitness.NOMINAL_ANAPHORA if index else Implicitness.EXPLICIT,
                    rests_on_answer=False,
                    outcome=Scored(score=score),
                    verdicts=(verdict,),
                )
                for index, score in enumerate(turns)
            ),
        )
        for number, turns in enumerate(scores)
    ]


SCORES = [[1.0, 0.6, 0.75, 1.0], [0.5, 1.0, 0.59, 0.0], [0.7, 0.7, 0.7, 0.7], [0.0, 0.0, 0.0, 0.0]]


def manifest(model: str = "vllm/some-model", **changes: Any) -> RunManifest:
    settings = RunSettings(model=model, **changes.pop("settings", {}))
    given: dict[str, Any] = {
        "run_id": "r1",
        "started": datetime(2026, 1, 2, 3, 4),
        "settings": settings,
        "offline": model.startswith("offline/"),
        "cohort": Cohort.SYNTHETIC,
        "gate": GatePolicy.STRICT,
        "planned": 4,
        "benchmark": "b",
        "warehouse": "w",
        "prompts": "p",
        "vocabulary": "v",
        "patient_words": "p",
        "grading_version": 2,
        "versions": {},
    }
    return RunManifest(**{**given, **changes})


def run(model: str = "vllm/some-model", scoring: Scoring = Scoring.WARDROUND, **changes: Any) -> RunReport:
    of = manifest(model, **changes)
    found = results(SCORES, of.settings.language)
    return RunReport(of, summarise_finished(found), effort_of([], program=of.offline), tuple(found), scoring)
