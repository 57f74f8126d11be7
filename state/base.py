"""The base of every record, and the identifiers that records share."""

from enum import StrEnum
from typing import NewType

from pydantic import BaseModel, ConfigDict

SubjectId = NewType("SubjectId", int)
HadmId = NewType("HadmId", int)
SessionId = NewType("SessionId", str)
RuleId = NewType("RuleId", str)
ResourceRef = NewType("ResourceRef", str)
"""A FHIR relative reference, ``Observation/lab-172061``; the same in every process."""


class Record(BaseModel):
    """An immutable record that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Language(StrEnum):
    """Languages a session can be worded in."""

    EN = "en"
    ZH = "zh"


class Cohort(StrEnum):
    """Where a warehouse's patients come from; real patients are protected health information."""

    SYNTHETIC = "synthetic"
    MIMIC_IV = "mimic-iv"


class GatePolicy(StrEnum):
    """Which rows of the record are known at a moment.

    ``strict`` shows only what was known then; ``physassistbench`` what the published harness of PhysAssistBench shows
    (``tools.ehr.gates.ungated`` lists the differences), for comparison with its figures and nothing else.
    """

    STRICT = "strict"
    PHYSASSISTBENCH = "physassistbench"


class InputError(Exception):
    """Bad input from the user: one sentence saying what was wrong, where, and what to do.

    Command lines print the sentence and end with exit code 2; nothing else catches it.
    """
