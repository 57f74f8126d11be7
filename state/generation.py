"""The generation log: what became of every candidate, and what the stages let through."""

from pydantic import Field, JsonValue

from state.base import HadmId, Record, RuleId, SubjectId
from state.checking import Ruling, Stage
from state.gold import GoldSession
from state.patient import PatientFacts
from state.plan import SessionPlan
from state.session import Scenario, Session
from state.wordings import WordedTurn, WordingCount


class Attempt(Record):
    """One rule match that was tried for a slot: accepted, or turned away at a stage for reasons.

    ``rewordings`` counts the times its questions were worded again before.
    """

    slot: int = Field(ge=0)
    candidate: int = Field(ge=0)
    scenario: Scenario
    tier: int
    arc: int
    rule_id: RuleId
    control: bool = False
    subject_id: SubjectId
    hadm_id: HadmId
    accepted: bool
    stage: Stage
    ruling: Ruling
    rewordings: int = Field(default=0, ge=0)
    reasons: tuple[str, ...] = ()


class Proven(Record):
    """A session with its plan and gold, and what its patient knows where there is a patient to ask.

    ``worded`` says who worded it, where a model was asked to.
    """

    plan: SessionPlan
    session: Session
    gold: GoldSession
    patient: PatientFacts | None = None
    worded: tuple[WordedTurn, ...] = ()


class GenerationCommand(Record):
    """What a set is generated from and how; the same command, and the same replies, give the same bytes.

    ``prompts`` and ``parameters`` are what a model that words was asked with, ``checker_prompts`` and
    ``checker_parameters`` what one was that reads beside the checkers.
    """

    warehouse: str
    knowledge: str
    vocabulary: str
    wording: str
    scenarios: tuple[Scenario, ...]
    sessions: int
    seed: int
    gate: str
    model: str
    prompts: str = ""
    parameters: dict[str, JsonValue] = Field(default_factory=dict)
    checker: str = "offline/rules"
    checker_prompts: str = ""
    checker_parameters: dict[str, JsonValue] = Field(default_factory=dict)


class Tried(Record):
    """A line of the journal of a set that is not finished: an attempt, with its session where it was accepted."""

    attempt: Attempt
    proven: Proven | None = None


class StageCount(Record):
    """What one stage did with the candidates that reached it; ``reasons`` counts why, the commonest first."""

    stage: Stage
    reached: int
    passed: int
    rejected: int
    undecided: int
    reasons: dict[str, int]


class GenerationReport(Record):
    """Accepted and rejected candidates by stage and reason; ``wording`` is of sets that a model was asked to word."""

    wanted: int
    accepted: int
    tried: int
    reworded: int
    stages: tuple[StageCount, ...]
    wording: WordingCount | None = None
