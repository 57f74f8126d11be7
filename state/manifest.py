"""What a benchmark and a run were made from: enough to tell whether two figures may be compared."""

from datetime import datetime
from hashlib import sha256

from pydantic import Field, JsonValue

from state.base import Cohort, GatePolicy, Language, Record


class BenchmarkManifest(Record):
    """How a set of sessions was generated. ``warehouse`` and ``knowledge`` are fingerprints (sha256).

    ``model`` worded the questions; where it is no program, ``prompts`` and ``parameters`` are what it was asked with.
    ``checker`` likewise read what code had accepted. ``files`` are the other files of the set by name, each with its
    sha256; empty in a set of a version that did not keep them.
    """

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
    prompts: str = ""
    parameters: dict[str, JsonValue] = Field(default_factory=dict)
    checker: str = "offline/rules"
    checker_prompts: str = ""
    checker_parameters: dict[str, JsonValue] = Field(default_factory=dict)
    files: dict[str, str] = Field(default_factory=dict)


class TurnLimits(Record):
    """What one turn may take; None is no limit. ``steps`` counts replies that call tools, ``seconds`` the model's own.

    A turn that may take no more ends, and what it ends with is scored.
    """

    steps: int = Field(default=16, ge=1)
    seconds: float = Field(default=600.0, gt=0)
    tokens: int | None = Field(default=None, ge=1)
    usd: float | None = Field(default=None, gt=0)


class RunSettings(Record):
    """What the user asked for. ``ehr``, ``sessions`` and ``models`` are absolute paths, None for the embedded ones.

    ``key_variable`` names the environment variable of the endpoint's key; the key itself is never kept. ``temperature``
    is that of PhysAssistBench's protocol; it is not sent to a model that would refuse it. ``judge`` names one judge or
    several by commas; ``judge_base_url`` and ``judge_key_variable`` are of those that are no provider's.
    ``patient_model`` speaks for the patients.
    """

    model: str = "offline/baseline"
    base_url: str | None = None
    key_variable: str | None = None
    models: str | None = None
    temperature: float | None = Field(default=0.2, ge=0, le=2)
    model_seed: int | None = None
    thinking: bool | None = None
    output_tokens: int | None = Field(default=None, ge=1)
    judge: str = "offline/rules"
    own_judge: bool = False
    judge_base_url: str | None = None
    judge_key_variable: str | None = None
    cross_check: float = Field(default=0.1, ge=0, le=1)
    patient_model: str = "offline/templates"
    patient_base_url: str | None = None
    patient_key_variable: str | None = None
    language: Language = Language.EN
    explicit: bool = False
    ehr: str | None = None
    sessions: str | None = None
    limit: int | None = Field(default=None, ge=1)
    epochs: int = Field(default=1, ge=1)
    gate: GatePolicy = GatePolicy.STRICT
    tool_steps: int = Field(default=16, ge=1)
    turn_seconds: float = Field(default=600.0, gt=0)
    turn_tokens: int | None = Field(default=None, ge=1)
    turn_usd: float | None = Field(default=None, gt=0)

    @property
    def turn_limits(self) -> TurnLimits:
        """Give what one turn may take."""
        return TurnLimits(
            steps=self.tool_steps, seconds=self.turn_seconds, tokens=self.turn_tokens, usd=self.turn_usd
        )


class Fork(Record):
    """The session a fork was made of, and the turn before which."""

    run_id: str
    session_id: str
    turn: int = Field(ge=0)


class Regrade(Record):
    """The run whose answers were judged again, and where it is."""

    run_id: str
    path: str


class RunManifest(Record):
    """What a run measured, with what. Fingerprints are sha256.

    ``offline`` marks a run whose doctor is one of the product's own programs: never a published figure. ``gate`` is the
    one charts were read through, whatever the sessions were generated with. ``parameters`` is what its requests held
    beside model, messages and tools; ``tools`` is the digest of the tool list, ``labels`` of the words of its results.
    ``prompts`` are those that reach the examinee; ``judge_prompts`` and ``judge_parameters`` are what judges that are
    models were asked with, ``patient_prompts`` and ``patient_parameters`` what a model that spoke for patients was.
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
    parameters: dict[str, JsonValue] = Field(default_factory=dict)
    tools: str = ""
    labels: str = ""
    grading_words: str = ""
    grading_version: int
    versions: dict[str, str]
    fork: Fork | None = None
    judge_prompts: str = ""
    judge_parameters: dict[str, dict[str, JsonValue]] = Field(default_factory=dict)
    patient_prompts: str = ""
    patient_parameters: dict[str, JsonValue] = Field(default_factory=dict)
    regrade: Regrade | None = None

    @property
    def measured(self) -> dict[str, str]:
        """Give all that must be equal before two doctors' figures may be compared, each by its name."""
        settings = self.settings
        return {
            "benchmark": self.benchmark,
            "warehouse": self.warehouse,
            "prompts": self.prompts,
            "vocabulary": self.vocabulary,
            "patient_words": self.patient_words,
            "grading_version": str(self.grading_version),
            "grading_words": self.grading_words,
            "tools": self.tools,
            "labels": self.labels,
            "gate": self.gate.value,
            "judge": ",".join(sorted(name.strip() for name in settings.judge.split(","))),
            "judge_prompts": self.judge_prompts,
            "patient": settings.patient_model,
            "patient_prompts": self.patient_prompts,
            "language": settings.language.value,
            "explicit": str(settings.explicit),
            "planned": str(self.planned),
            "limits": settings.turn_limits.model_dump_json(),
        }

    @property
    def comparison_key(self) -> str:
        """Digest what is measured; only runs of one key compare; 12 characters."""
        return sha256(repr(sorted(self.measured.items())).encode()).hexdigest()[:12]
