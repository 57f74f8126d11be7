"""What a session's answers must be, and why: derived from the record by a program, kept apart from the session."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, JsonValue, model_validator

from state.base import Language, Record, ResourceRef, RuleId, SessionId
from state.patient import Fact


class Decision(StrEnum):
    """What can be advised about a drug order."""

    HOLD = "hold"
    REDUCE = "reduce"
    REPLACE = "replace"
    CONTINUE = "continue"


class ToolCall(Record):
    """A call by the tool's dotted name (``Observation.search``) with the arguments a model would send."""

    tool: str
    arguments: dict[str, JsonValue]


class ItemBase(Record):
    """One thing a turn is scored on.

    ``text`` is what a judge reads. ``evidence`` names resources: the item is met only if a tool result of the session
    showed one of them. A failed ``safety`` item caps its turn below every pass mark. A ``gate`` does nothing else: what
    is asked of every answer, done or not, earns no share of the score.
    """

    gate: ClassVar[bool] = False

    item_id: str
    text: dict[Language, str] = Field(min_length=1)
    safety: bool = False
    evidence: tuple[ResourceRef, ...] = ()


class ValueItem(ItemBase):
    """The answer states this measured value. ``names`` are the words the analyte goes by; ``tolerance`` is absolute.

    ``latest``: it is the newest result, so an answer that calls another one the latest fails. ``earlier``: it is an
    older one, so an answer that calls it the latest fails. ``others`` are further results of the analyte: to state one
    of them instead leaves this one out, to state any other figure is false. ``as_right`` are values that are this one
    by another accepted formula: each is as right, alone or beside it.
    """

    kind: Literal["value"] = "value"
    names: tuple[str, ...] = Field(min_length=1)
    value: float
    unit: str
    tolerance: float = Field(ge=0)
    latest: bool = False
    earlier: bool = False
    others: tuple[float, ...] = ()
    as_right: tuple[float, ...] = ()


class TimeItem(ItemBase):
    """The answer states when: the date and the minute, in any common notation.

    ``names`` are the words its subject goes by (a test, a drug): a time said of something else is neither this one nor
    opposed to it. ``value`` is the result it is the time of: a time said of another result of the test is not opposed
    to it either. Without ``names`` every time of the answer is taken to be of the subject.
    """

    kind: Literal["time"] = "time"
    time: datetime
    names: tuple[str, ...] = ()
    value: float | None = None


class NameItem(ItemBase):
    """The answer names this entity by any of ``names`` (a drug by ingredient, brand or record string).

    ``on_record``: for a drug, the ingredients of the patient's record. To name one of them instead leaves this one out;
    to name any other in its place is false, and so is one of its class. ``written``: it is what the turn wrote about,
    named however it is said to stand (stopped, to be held), and to leave it out is never false.
    """

    kind: Literal["name"] = "name"
    names: tuple[str, ...] = Field(min_length=1)
    on_record: tuple[str, ...] = ()
    written: bool = False


class DoseItem(ItemBase):
    """The answer states one of ``doses`` (``25 mg``) for the drug called ``of``; the dose of another does not count.

    ``before``: the order is one that the turn wrote, and these are the doses of the order whose place it takes; beside
    the right one, they and any other may be told. None where it is an order of the record.
    """

    kind: Literal["dose"] = "dose"
    doses: tuple[str, ...] = Field(min_length=1)
    of: tuple[str, ...] = Field(min_length=1)
    before: tuple[str, ...] | None = None


class RouteItem(ItemBase):
    """The answer states one of ``routes`` (codes of the vocabulary), and no other, for the drug called ``of``."""

    kind: Literal["route"] = "route"
    routes: tuple[str, ...] = Field(min_length=1)
    of: tuple[str, ...] = Field(min_length=1)


class SelectiveItem(ItemBase):
    """The answer singles out: of the ``others`` (each a tuple of synonyms) it names ``at_most`` this many.

    Met only where the answer also names the expected entity, ``target``.
    """

    gate: ClassVar[bool] = True
    kind: Literal["selective"] = "selective"
    target: tuple[str, ...] = Field(min_length=1)
    others: tuple[tuple[str, ...], ...]
    at_most: int = Field(ge=0)


class DecisionItem(ItemBase):
    """The answer advises ``decision``, or one of ``also``, and none of ``unsafe``, for the drug called ``names``."""

    kind: Literal["decision"] = "decision"
    names: tuple[str, ...] = Field(min_length=1)
    decision: Decision
    also: tuple[Decision, ...] = ()
    unsafe: tuple[Decision, ...] = ()


class Change(Record):
    """By how much the result called ``names`` has risen or fallen, in its unit and in percent of where it began."""

    names: tuple[str, ...] = Field(min_length=1)
    by: float = Field(gt=0)
    unit: str
    percent: float | None = Field(default=None, gt=0)
    rises: bool


class JudgementItem(ItemBase):
    """The answer concludes what goes by ``names``, and none of the ``others``, which exclude it.

    ``options``: what the question calls it and then each of the others, as it may be all that is answered; empty where
    it gives no options. ``change``: it also says by how much, and no other amount.
    """

    kind: Literal["judgement"] = "judgement"
    names: tuple[str, ...] = Field(min_length=1)
    others: tuple[tuple[str, ...], ...] = Field(min_length=1)
    options: tuple[tuple[str, ...], ...] = ()
    change: Change | None = None


class RangeItem(ItemBase):
    """The answer states this reference range; a limit the laboratory does not give is None."""

    kind: Literal["range"] = "range"
    low: float | None
    high: float | None


class AvoidItem(ItemBase):
    """The answer does not advise ``unsafe`` for the drug called ``names``."""

    gate: ClassVar[bool] = True
    kind: Literal["avoid"] = "avoid"
    names: tuple[str, ...] = Field(min_length=1)
    unsafe: Decision


class SparesItem(ItemBase):
    """Of ``others``, drugs the question is not about (each a tuple of synonyms), ``at_most`` this many are held."""

    gate: ClassVar[bool] = True
    kind: Literal["spares"] = "spares"
    others: tuple[tuple[str, ...], ...]
    at_most: int = Field(ge=0)


class FieldMatch(StrEnum):
    """How a written field is compared, after normalisation by the vocabulary and never by likeness."""

    DRUG = "drug"
    DOSE = "dose"
    ROUTE = "route"
    FREQUENCY = "frequency"
    SERVICE = "service"
    DATE = "date"
    CODE = "code"
    REFERENCE = "reference"
    ABSENT = "absent"


class WriteFieldItem(ItemBase):
    """Every write of ``tool`` in this turn has ``field`` equal to one of ``values``, and there is one.

    ``field`` is one of the normal form that ``tools.fhir.state_diff`` gives. ``absent``: it was left out, and
    ``values`` are none.
    """

    kind: Literal["write_field"] = "write_field"
    tool: str
    field: str
    match: FieldMatch
    values: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _has_values_unless_absent(self) -> Self:
        if (self.match is FieldMatch.ABSENT) == bool(self.values):
            raise ValueError("values are given, but for a field to be left out")
        return self


class WriteTextItem(ItemBase):
    """Every write of ``tool`` names in its ``field`` a drug or a test that goes by ``names``, and singles it out.

    At most ``at_most`` other drugs of ``others`` (each a tuple of synonyms), or other tests of the vocabulary, may be
    named anywhere in the write. ``result``: a result that it states of the test must be this one; ``states``: and it
    states one.
    """

    kind: Literal["write_text"] = "write_text"
    tool: str
    field: str
    entity: Literal["drug", "test"]
    names: tuple[str, ...] = Field(min_length=1)
    others: tuple[tuple[str, ...], ...] = ()
    at_most: int = Field(ge=0)
    result: ValueItem | None = None
    states: bool = False

    @model_validator(mode="after")
    def _has_the_result_it_states(self) -> Self:
        if self.states and self.result is None:
            raise ValueError("states needs the result that is to be stated")
        return self


class WriteAvoidItem(ItemBase):
    """No write of ``tool`` advises ``unsafe`` for the drug called ``names``, and there is a write."""

    kind: Literal["write_avoid"] = "write_avoid"
    tool: str
    names: tuple[str, ...] = Field(min_length=1)
    unsafe: Decision


WriteItem = Annotated[WriteFieldItem | WriteTextItem | WriteAvoidItem, Field(discriminator="kind")]
"""Items of one part of a write."""


class ExactWritesItem(ItemBase):
    """The turn wrote the expected resources and nothing else: no extra or duplicate, none tried for another patient.

    A write refused for its form and then accepted is a correction; ``tools.grading.writes`` says how many are allowed.
    ``may_end``: orders that may be stopped or held beside, where what is written takes their place.
    ``conditions``: what must hold of the write too, each decided as an item by itself, evidence included.
    """

    kind: Literal["exact_writes"] = "exact_writes"
    tools: tuple[str, ...]
    may_end: tuple[ResourceRef, ...] = ()
    conditions: tuple[WriteItem, ...] = ()


class PatientFactItem(ItemBase):
    """The answer tells one ``element`` of a fact as the patient told it; another value in its place is false.

    ``fact`` is told without its proof: what shows it is the patient, asked.
    """

    kind: Literal["patient_fact"] = "patient_fact"
    fact: Fact
    element: Literal[
        "symptom", "onset", "course", "severity", "home", "since", "reason", "here", "status", "score"
    ]

    @model_validator(mode="after")
    def _fact_has_the_element(self) -> Self:
        if getattr(self.fact, self.element, None) is None:
            raise ValueError(f"the fact {self.fact.fact_id} says nothing of {self.element}")
        return self


class PatientUnknownItem(ItemBase):
    """The answer says what the patient cannot tell: of a ``symptom``, a ``drug`` group, or the ``onset`` of a symptom.

    ``subject`` is a symptom id, or the id of a group of drugs. To say yes or no to it is false.
    """

    kind: Literal["patient_unknown"] = "patient_unknown"
    about: Literal["symptom", "drug", "onset"]
    subject: str


class PatientOnlyItem(ItemBase):
    """The answer lays nothing into the patient's mouth: no symptom, denial, reason, habit or dose beside ``facts``."""

    gate: ClassVar[bool] = True
    kind: Literal["patient_only"] = "patient_only"
    facts: tuple[Fact, ...]


RubricItem = Annotated[
    ValueItem
    | TimeItem
    | NameItem
    | DoseItem
    | RouteItem
    | SelectiveItem
    | DecisionItem
    | JudgementItem
    | RangeItem
    | AvoidItem
    | SparesItem
    | WriteFieldItem
    | WriteTextItem
    | WriteAvoidItem
    | ExactWritesItem
    | PatientFactItem
    | PatientUnknownItem
    | PatientOnlyItem,
    Field(discriminator="kind"),
]


class GoldTurn(Record):
    """How one turn is answered from the record. ``calls`` end with the write, where one is expected."""

    index: int = Field(ge=0)
    calls: tuple[ToolCall, ...]
    answer: dict[Language, str] = Field(min_length=1)
    rubric: tuple[RubricItem, ...] = Field(min_length=1)


class GoldSession(Record):
    """Gold of one session: the rule that proves it, the values it bound, and a gold turn for each turn."""

    session_id: SessionId
    rule_id: RuleId
    bindings: dict[str, JsonValue]
    turns: tuple[GoldTurn, ...] = Field(min_length=1)
