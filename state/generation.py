"""The generation log: what became of every candidate."""

from pydantic import Field

from state.base import HadmId, Record, RuleId, SubjectId
from state.session import Scenario


class Attempt(Record):
    """One rule match that was tried for a slot: accepted, or rejected at a stage for reasons."""

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
    stage: str
    reasons: tuple[str, ...] = ()
