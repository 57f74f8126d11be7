"""What a benchmark and a run were made from: enough to tell whether two figures may be compared."""

from datetime import datetime

from state.base import Cohort, GatePolicy, Language, Record


class BenchmarkManifest(Record):
    """How a set of sessions was generated. ``warehouse`` and ``knowledge`` are fingerprints (sha256)."""

    cohort: Cohort
    warehouse: str
    knowledge: str
    vocabulary: str
    wording: str
    scenarios: tuple[str, ...]
    sessions: int
    seed: int
    model: str
    gate: GatePolicy


class RunManifest(Record):
    """What a run measured, with what. Two runs are comparable when all but ``run_id``, times and ``model`` agree.

    ``offline`` marks a run whose doctor is one of the product's own programs: never a published figure.
    """

    run_id: str
    started: datetime
    model: str
    judge: str
    language: Language
    explicit: bool
    offline: bool
    cohort: Cohort
    gate: GatePolicy
    planned: int
    benchmark: str
    warehouse: str
    prompts: str
    vocabulary: str
    grading_version: int
    tool_steps: int
    turn_seconds: float
    ehr: str
    sessions: str
    versions: dict[str, str]
