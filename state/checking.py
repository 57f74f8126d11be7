"""What a checker says of a session: it accepts, rejects for reasons, or cannot decide."""

from enum import StrEnum
from typing import Self

from pydantic import model_validator

from state.base import Record


class Stage(StrEnum):
    """The stages a session passes before it is released; each but ``planner`` and ``gold`` ends in a checker.

    The readings are a model's, where one is asked: it reads what code has accepted.
    """

    PLANNER = "planner"
    PLAN = "plan"
    OBSERVATION = "observation"
    GOLD = "gold"
    CLINICAL = "clinical"
    RUBRIC = "rubric"
    PATIENT = "patient"
    WORDING = "wording"
    BILINGUAL = "bilingual"
    VERIFY = "verify"
    CLINICAL_READING = "clinical_reading"
    WORDING_READING = "wording_reading"
    BILINGUAL_READING = "bilingual_reading"


class Ruling(StrEnum):
    """What a checker rules; only ``accept`` lets a session pass."""

    ACCEPT = "accept"
    REJECT = "reject"
    CANNOT_DECIDE = "cannot_decide"


class Check(Record):
    """The ruling of one checker, with every reason why it did not accept."""

    stage: Stage
    ruling: Ruling
    reasons: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _a_reason_unless_accepted(self) -> Self:
        if (self.ruling is Ruling.ACCEPT) == bool(self.reasons):
            raise ValueError("a ruling other than accept has reasons, and accept has none")
        return self

    @property
    def passed(self) -> bool:
        """Tell whether the session goes on."""
        return self.ruling is Ruling.ACCEPT
