"""What judges are worth beside people: the items that are labelled, and what the labels come to."""

from pydantic import Field

from state.agreement import Coefficient, Confusion, GroupAgreement, PairAgreement
from state.base import Language, Record, SessionId
from state.outcome import Verdict
from state.session import TaskType


class AuditItem(Record):
    """One verdict of a run, and what a person needs to give their own.

    ``key`` names it in a sheet and tells nothing. ``earlier`` are question and answer of the turns before, ``heard`` is
    what the patient has said, up to and in the turn. ``final`` is
    what the run went by, ``by_model`` whether a model decided it, ``code`` what code said alone. ``judges`` hold each
    model's verdict, None where it gave none; ``kin`` names those of the examinee's family.
    """

    key: str
    run_id: str
    session_id: SessionId
    task_type: TaskType
    language: Language
    earlier: tuple[tuple[str, str], ...]
    question: str
    answer: str
    heard: tuple[str, ...] = ()
    written: tuple[str, ...]
    point: str
    final: Verdict
    by_model: bool
    code: Verdict
    judges: dict[str, Verdict | None] = Field(default_factory=dict)
    kin: frozenset[str] = frozenset()

    @property
    def stratum(self) -> tuple[str, str, str, str]:
        """Give the stratum it is drawn from: kind of turn, language, verdict, and who gave or saw it."""
        who = "model" if self.by_model else "cross-checked" if self.judges else "code"
        return self.task_type.value, self.language.value, self.final.value, who


class Worth(Record):
    """One rater beside people: all items, and by task type and language. ``table`` goes from people to the rater.

    ``leniency`` is the share it finds met beyond the share that people find met.
    """

    rater: str
    all: PairAgreement
    by_task_type: dict[str, PairAgreement]
    by_language: dict[str, PairAgreement]
    table: Confusion
    leniency: Coefficient


class SelfPreference(Record):
    """Leniency of judges with examinees of their own family, with others, and the difference."""

    kin_items: int = Field(ge=0)
    other_items: int = Field(ge=0)
    kin: Coefficient
    others: Coefficient
    difference: Coefficient


class AuditReport(Record):
    """judge_audit.json. ``labelled`` items have a label, ``undecided`` of them no majority of people.

    Agreement with people is weighted back from the sample to all ``verdicts`` of the runs, but for alpha.
    """

    runs: tuple[str, ...]
    annotators: tuple[str, ...]
    verdicts: int = Field(ge=0)
    labelled: int = Field(ge=0)
    undecided: int = Field(ge=0)
    people: GroupAgreement | None
    people_by_task_type: dict[str, GroupAgreement]
    people_by_language: dict[str, GroupAgreement]
    pairs: dict[str, PairAgreement]
    raters: tuple[Worth, ...]
    self_preference: SelfPreference | None
