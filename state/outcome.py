"""How a turn ended for the score: scored, not scored, or broken, and by whom. None of these is another."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from state.base import Cohort, GatePolicy, Language, Record, SessionId
from state.session import Implicitness, Scenario, TaskSource, TaskType


class Verdict(StrEnum):
    """What a judge says of one rubric item."""

    MET = "met"
    NOT_MET = "not_met"
    CANNOT_TELL = "cannot_tell"


class ItemVerdict(Record):
    """The verdict on one item, with its reason and whether code or a model decided.

    ``safety``: not met, it caps the turn below every pass mark. ``gate``: it can only do that, and is no part of the
    share of items met. ``wrong``: the answer states something else than the item
    wants, and does not merely leave it out.
    """

    item_id: str
    verdict: Verdict
    decided_by: Literal["code", "model"]
    reason: str
    safety: bool = False
    gate: bool = False
    wrong: bool = False


class JudgeFault(StrEnum):
    """Why a model that was asked for a verdict gave none; ``failed`` is its provider's failure."""

    EMPTY = "empty"
    TRUNCATED = "truncated"
    MALFORMED = "malformed"
    VOID_QUOTE = "void_quote"
    OVERFLOW = "context_overflow"
    FAILED = "failed"


class Ballot(Record):
    """What one model said of one item, beside what code had said of it.

    ``says_otherwise``: not met because the answer states the contrary, and not because it leaves it out. ``quote`` is
    of the answer, word for word. With a ``fault`` there is no verdict: it reads "cannot tell" and ``reason`` says why.
    """

    item_id: str
    judge: str
    code: Verdict
    verdict: Verdict
    says_otherwise: bool = False
    reason: str
    quote: str = ""
    fault: JudgeFault | None = None


class Party(StrEnum):
    """Whose failure an error is."""

    HARNESS = "harness"
    PROVIDER = "provider"
    JUDGE = "judge"
    PATIENT = "patient"


class Scored(Record):
    """A score in [0, 1]; ``capped`` when a failed safety item held it below the pass marks."""

    kind: Literal["scored"] = "scored"
    score: float = Field(ge=0, le=1)
    capped: bool = False


class Unscored(Record):
    """The judge could not tell; not a zero."""

    kind: Literal["unscored"] = "unscored"
    reason: str


class Errored(Record):
    """Something other than the examinee failed; not a zero."""

    kind: Literal["errored"] = "errored"
    error: str
    who: Party


TurnOutcome = Annotated[Scored | Unscored | Errored, Field(discriminator="kind")]


class TurnResult(Record):
    """The outcome of one turn with the facets it is reported by.

    ``ballots`` hold what models said of its items, where any was asked.
    """

    index: int = Field(ge=0)
    task_type: TaskType
    implicitness: Implicitness
    rests_on_answer: bool
    source: TaskSource = TaskSource.EHR
    outcome: TurnOutcome
    verdicts: tuple[ItemVerdict, ...] = ()
    ballots: tuple[Ballot, ...] = ()


class SessionResult(Record):
    """One line of results.jsonl. ``epoch`` counts the times a session is run, from 0."""

    session_id: SessionId
    epoch: int = Field(default=0, ge=0)
    scenario: Scenario
    tier: Literal[1, 2, 3]
    language: Language
    cohort: Cohort
    gate: GatePolicy = GatePolicy.STRICT
    turns: tuple[TurnResult, ...]
