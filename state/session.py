"""A session as the examinee meets it: turns about one patient at one moment. Holds nothing of gold."""

from datetime import datetime
from enum import StrEnum
from typing import Literal, Self

from pydantic import Field, model_validator

from state.base import Cohort, HadmId, Language, Record, SessionId, SubjectId


class Scenario(StrEnum):
    """Clinical scenarios of PhysAssistBench."""

    DIAGNOSTIC_WORKUP = "diagnostic_workup"
    MED_SAFETY = "med_safety"
    TREATMENT_RESPONSE = "treatment_response"
    DISCHARGE_PLANNING = "discharge_planning"


class TaskType(StrEnum):
    """What a turn asks for: information lookup, data gathering, clinical reasoning, write/update."""

    LOOKUP = "lookup"
    GATHER = "gather"
    REASON = "reason"
    WRITE = "write"


class Implicitness(StrEnum):
    """How a turn leaves things unsaid."""

    EXPLICIT = "explicit"
    NOMINAL_ANAPHORA = "NA"
    PREDICATE_ELLIPSIS = "PE"
    ABSTRACT_EVENT_ANAPHORA = "AE"


class TaskSource(StrEnum):
    """Where the answer to a turn is found: the record, the patient, both, or in what is written."""

    EHR = "ehr"
    PATIENT = "patient"
    MIXED = "mixed"
    WRITE = "write"

    @property
    def asks_the_patient(self) -> bool:
        """Tell whether the turn cannot be answered without asking the patient."""
        return self in (TaskSource.PATIENT, TaskSource.MIXED)


class Wording(Record):
    """One question in one language, fully spelled out and as the physician says it."""

    explicit: str = Field(min_length=1)
    implicit: str = Field(min_length=1)


class Turn(Record):
    """One question of the physician.

    ``rests_on_answer`` marks a turn that can only be understood through an earlier answer of the examinee.
    """

    index: int = Field(ge=0)
    task_type: TaskType
    implicitness: Implicitness
    wording: dict[Language, Wording] = Field(min_length=1)
    rests_on_answer: bool = False
    source: TaskSource = TaskSource.EHR


class Session(Record):
    """Turns about one patient of one admission, asked at ``as_of`` (local time of the record, no zone)."""

    session_id: SessionId = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$")
    scenario: Scenario
    tier: Literal[1, 2, 3]
    cohort: Cohort
    subject_id: SubjectId
    hadm_id: HadmId
    as_of: datetime
    turns: tuple[Turn, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _turns_are_numbered_and_open_explicitly(self) -> Self:
        if [turn.index for turn in self.turns] != list(range(len(self.turns))):
            raise ValueError("turns must be numbered 0, 1, 2 ... in order")
        if self.turns[0].implicitness is not Implicitness.EXPLICIT:
            raise ValueError("turn 0 must be explicit: no dialogue precedes it")
        if self.as_of.tzinfo is not None:
            raise ValueError("as_of must carry no time zone: MIMIC-IV times are local")
        return self

    @model_validator(mode="after")
    def _asks_the_patient_once_at_most(self) -> Self:
        if sum(turn.source.asks_the_patient for turn in self.turns) > 1:
            raise ValueError("at most one turn of a session asks the patient")
        return self

    @property
    def arc(self) -> str:
        """Name the sequence of task types, ``lookup-gather-reason-write``."""
        return "-".join(turn.task_type for turn in self.turns)
