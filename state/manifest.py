"""What a benchmark and a run were made from: enough to tell whether two figures may be compared."""

from datetime import datetime

from pydantic import Field

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


class RunSettings(Record):
    """What the user asked for. ``ehr`` and ``sessions`` are absolute paths, None for the embedded ones.

    ``key_variable`` names the environment variable of the endpoint's key; the key itself is never kept.
    """

    model: str = "offline/baseline"
    base_url: str | None = None
    key_variable: str = "WARDROUND_API_KEY"
    judge: str = "offline/rules"
    language: Language = Language.EN
    explicit: bool = False
    ehr: str | None = None
    sessions: str | None = None
    limit: int | None = Field(default=None, ge=1)
    tool_steps: int = Field(default=16, ge=1)
    turn_seconds: float = Field(default=600.0, gt=0)


class RunManifest(Record):
    """What a run measured, with what. Fingerprints are sha256.

    ``offline`` marks a run whose doctor is one of the product's own programs: never a published figure.
    """

    run_id: str
    started: datetime
    settings: RunSettings
    offline: bool
    cohort: Cohort
    gate: GatePolicy
    planned: int
    benchmark: str
    warehouse: str
    prompts: str
    vocabulary: str
    patient_words: str
    grading_version: int
    versions: dict[str, str]
