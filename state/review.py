"""What reviewers made of a set: who read which turn, signed it off, and changed what."""

from pydantic import Field

from state.base import Record, SessionId


class TextChange(Record):
    """One column of a turn's row, as it was and as the reviewer left it."""

    column: str
    before: str
    after: str


class TurnReview(Record):
    """One turn as a reviewer left it; a set keeps them in order, the latest last."""

    session_id: SessionId
    turn: int = Field(ge=0)
    reviewer: str = Field(min_length=1)
    signed_off: bool = False
    comment: str = ""
    changes: tuple[TextChange, ...] = ()
