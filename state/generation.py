"""The generation log: what became of every candidate."""

from pydantic import Field

from state.base import HadmId, Record, RuleId, SubjectId


class Attempt(Record):
    """One rule match that was tried: accepted, or rejected at a stage for reasons."""

    candidate: int = Field(ge=0)
    rule_id: RuleId
    subject_id: SubjectId
    hadm_id: HadmId
    accepted: bool
    stage: str
    reasons: tuple[str, ...] = ()
