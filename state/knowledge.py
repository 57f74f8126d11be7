"""Clinical rules as data: what the chart must show, what follows, and who says so."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from state.base import HadmId, Language, Record, ResourceRef, RuleId, SubjectId
from state.exclusions import Bar
from state.findings import BoundFinding, Finding
from state.gold import Decision
from state.session import Scenario


def _in_every_language(texts: dict[Language, str]) -> dict[Language, str]:
    if missing := set(Language) - set(texts):
        raise ValueError(f"say it in every language: {min(missing)} is missing")
    return texts


RuleText = Annotated[dict[Language, Annotated[str, Field(min_length=5)]], AfterValidator(_in_every_language)]
"""What a rule says in whole sentences, in every language: the same figures, units, drugs and negations in each."""


class CheckedText(StrEnum):
    """What kind of text a citation was compared with: a source itself, or one that repeats what it says."""

    LABEL = "label"
    GUIDELINE = "guideline"
    PAPER = "paper"
    SECONDARY = "secondary"


class Check(Record):
    """When a citation's statement was compared with which kind of text; ``url`` where that text has an address."""

    day: date
    text: CheckedText
    url: str | None = None


class Citation(Record):
    """The guideline, drug label or paper that states the rule, precise enough to be found.

    ``checked`` is None where the statement has not been compared with any text since it was written.
    """

    source: str = Field(min_length=10)
    year: int = Field(ge=1950, le=2030)
    statement: str = Field(min_length=10)
    url: str | None = None
    checked: Check | None = None


class LabCondition(Record):
    """A condition on the latest result of one analyte; exactly one kind of bound is given.

    ``at_least``/``above``/``below``/``at_most`` are in ``unit``; ``at_least`` may be paired with ``below`` or
    ``at_most``. ``times_uln_above``: multiple of the result's own upper reference limit.
    ``fall_fraction_above``: fall from the highest result of the ``lookback_days`` before, as a fraction;
    ``baseline_at_least_days``: only results drawn at least this long before the latest count as that baseline;
    ``fall_from_draws``: it has fallen so far from so many results of the lookback, so that one peak is no baseline.
    ``derived``: the bounds are on this figure computed from the result, and ``unit`` is the figure's.
    """

    analyte: str
    derived: Literal["egfr_ckd_epi_2021"] | None = None
    unit: str
    at_least: float | None = None
    above: float | None = None
    below: float | None = None
    at_most: float | None = None
    times_uln_above: float | None = None
    fall_fraction_above: float | None = None
    lookback_days: int | None = None
    baseline_at_least_days: int | None = None
    fall_from_draws: int = Field(default=1, ge=1)
    within_hours: int = Field(gt=0)

    @model_validator(mode="after")
    def _bounds_make_sense(self) -> Self:
        plain = [self.at_least, self.above, self.below, self.at_most]
        special = [self.times_uln_above, self.fall_fraction_above]
        if sum(bound is not None for bound in special) + any(bound is not None for bound in plain) != 1:
            raise ValueError("give plain bounds, or times_uln_above, or fall_fraction_above")
        if (self.fall_fraction_above is None) != (self.lookback_days is None):
            raise ValueError("fall_fraction_above and lookback_days go together")
        if self.baseline_at_least_days is not None and self.lookback_days is None:
            raise ValueError("baseline_at_least_days needs lookback_days")
        if self.fall_from_draws > 1 and self.lookback_days is None:
            raise ValueError("fall_from_draws needs lookback_days")
        return self


class OrderCondition(Record):
    """An order active at as_of whose ingredient is one of ``ingredients`` (vocabulary ids).

    ``routes`` (canonical) narrow it; so does a single dose of ``dose_at_least`` in ``dose_unit`` or more, and so do
    ``frequencies`` (canonical), of which an order whose frequency is not known has none.
    ``absent``: no order of these ingredients is active at as_of. ``rivals``: neither is one of these, since it would be
    a second right answer to the question which order is meant; unlike ``absent`` they say nothing about the advice.
    ``first_at_least_days``/``first_at_most_days``: the admission's first order of ``ingredients`` started this long
    before the result was drawn; a fall must then have come no earlier than ``first_at_least_days`` after that start.
    """

    ingredients: tuple[str, ...] = Field(min_length=1)
    routes: tuple[str, ...] = ()
    dose_at_least: float | None = Field(default=None, gt=0)
    dose_unit: str | None = None
    frequencies: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    first_at_least_days: int | None = Field(default=None, ge=0)
    first_at_most_days: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _pairs_are_whole(self) -> Self:
        if (self.dose_at_least is None) != (self.dose_unit is None):
            raise ValueError("dose_at_least and dose_unit go together")
        if (self.first_at_least_days is None) != (self.first_at_most_days is None):
            raise ValueError("first_at_least_days and first_at_most_days go together")
        return self


class Trigger(Record):
    """What holds together at one moment of one admission.

    ``lab`` is the key: a moment is one at which a result of its analyte has become known. ``also`` are further
    findings, each of which must hold. ``before_discharge_hours``: only moments within these hours before discharge.
    What would make the conclusion wrong though all this holds: ``unless`` names shared exclusions (files beside the
    rules), each with what is wrong here, ``bars`` are findings of this rule alone.
    """

    lab: LabCondition
    order: OrderCondition | None = None
    also: tuple[Finding, ...] = ()
    age_at_least: int | None = Field(default=None, ge=18)
    age_at_most: int | None = Field(default=None, ge=18)
    sex: Literal["F", "M"] | None = None
    before_discharge_hours: int | None = Field(default=None, gt=0)
    unless: dict[str, str] = Field(default_factory=dict)
    bars: tuple[Bar, ...] = ()

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [finding.name for finding in (*self.also, *(bar.finding for bar in self.bars))]
        if len(set(names)) < len(names) or {"lab", "order"} & set(names):
            raise ValueError("findings of also and bars need names of their own, other than lab and order")
        return self


class Control(Trigger):
    """A near miss of a rule: where it holds, the source makes going on right and each of ``unsafe`` harmful.

    ``citation`` is the rule's where none is given. Only for rules whose source says so in so many words.
    """

    unsafe: tuple[Decision, ...] = Field(default=(Decision.HOLD,), min_length=1)
    reason: RuleText
    changes_if: RuleText
    citation: Citation | None = None


class FlagAction(Record):
    """Raise a Flag whose detail names the drug and the analyte."""

    tool: Literal["Flag.create"] = "Flag.create"
    category: Literal["safety", "clinical"] = "safety"


class OrderAction(Record):
    """Order a drug. ``medication`` is an ingredient, or None for the drug of the triggering order.

    ``dose_fraction`` scales the triggering order's dose; otherwise ``dose_value`` and ``dose_unit`` are given.
    ``route`` and ``frequency`` None keep those of the triggering order.
    """

    tool: Literal["MedicationRequest.create"] = "MedicationRequest.create"
    medication: str | None = None
    dose_fraction: float | None = Field(default=None, gt=0, lt=1)
    dose_value: float | None = Field(default=None, gt=0)
    dose_unit: str | None = None
    route: str | None = None
    frequency: str | None = None

    @model_validator(mode="after")
    def _one_way_to_dose(self) -> Self:
        fixed = self.dose_value is not None and self.dose_unit is not None
        if (self.dose_fraction is not None) == fixed:
            raise ValueError("give dose_fraction, or dose_value with dose_unit")
        if self.medication is not None and self.dose_fraction is not None:
            raise ValueError("dose_fraction scales the triggering order; it cannot dose another drug")
        return self


class StopAction(Record):
    """Stop, or put on hold, the triggering order."""

    tool: Literal["MedicationRequest.patch"] = "MedicationRequest.patch"
    status: Literal["stopped", "on-hold"] = "stopped"


class ServiceAction(Record):
    """Request a service: a laboratory test, imaging, a consult, a referral.

    ``words`` say it as a clinician would, in each language; ``names`` are further words that are as good, of any
    language.
    """

    tool: Literal["ServiceRequest.create"] = "ServiceRequest.create"
    words: dict[Language, str] = Field(min_length=1)
    names: tuple[str, ...] = ()
    priority: Literal["routine", "urgent", "asap"]


class Judgement(Record):
    """What a rule concludes where it is not about one order: an answer among those of a question.

    ``question`` and ``answer`` are ids of configs/knowledge/judgements; the question's other answers contradict
    it but for those of ``also``, which the record does not let one reject; those ``unsafe`` would harm.
    """

    question: str
    answer: str
    also: tuple[str, ...] = ()
    unsafe: tuple[str, ...] = ()

    @property
    def right(self) -> tuple[str, ...]:
        """Give every answer that is right."""
        return (self.answer, *self.also)


class JudgementAnswer(Record):
    """One answer to a judgement question: a sentence that gives it, and the words it goes by, a language each.

    ``quote``: how somebody says it who holds it, in a language where that is put otherwise than ``say``. ``options``:
    what it is called in the question, as it may be all that somebody answers.
    """

    say: dict[Language, str] = Field(min_length=1)
    quote: dict[Language, str] = Field(default_factory=dict)
    options: dict[Language, tuple[str, ...]] = Field(default_factory=dict)
    names: dict[Language, tuple[str, ...]] = Field(min_length=1)

    def held(self, language: Language) -> str:
        """Give the answer as somebody says it who holds it."""
        return self.quote.get(language, self.say[language])


class JudgementQuestion(Record):
    """A question with answers that exclude each other.

    ``ask`` is the whole question with its options; ``short`` is what is left of it where the dialogue says the rest.
    """

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    ask: dict[Language, str] = Field(min_length=1)
    short: dict[Language, str] = Field(min_length=1)
    answers: dict[str, JudgementAnswer] = Field(min_length=2)


class RuleWording(Record):
    """How the physician speaks of a rule's matter without giving looked-up things away, in one language.

    ``about`` is a noun phrase ("the antibiotic plan"); ``bearing`` names the drug of the order, where there is one, by
    what it does, as a noun phrase without an article ("diuretic that can push it higher", "it" being the key result);
    ``drug`` says what a drug order with a dose of its own is for, where naming the drug would give an answer away
    ("replacement of what the test shows to be lacking").
    """

    about: str = Field(min_length=3)
    bearing: str | None = None
    drug: str | None = None


class Rule(Record):
    """One clinical rule: a trigger over the chart, what follows from it, and the citation.

    It concludes either a ``decision`` about the triggering order, or a ``judgement``. ``control`` is where the same
    question has the opposite answer: without it, whoever always acts is always right. ``reason`` says why it so
    concludes, ``changes_if`` what would make it conclude otherwise.
    """

    id: RuleId = Field(pattern=r"^[a-z0-9_]+$")
    scenario: Scenario
    tier: Literal[1, 2, 3]
    title: str
    trigger: Trigger
    decision: Decision | None = None
    unsafe: tuple[Decision, ...] = ()
    judgement: Judgement | None = None
    reason: RuleText
    action: FlagAction | OrderAction | StopAction | ServiceAction = Field(discriminator="tool")
    changes_if: RuleText
    citation: Citation
    wording: dict[Language, RuleWording] = Field(default_factory=dict)
    control: Control | None = None

    @model_validator(mode="after")
    def _one_conclusion(self) -> Self:
        if (self.decision is None) == (self.judgement is None):
            raise ValueError("give a decision about the order, or a judgement")
        if self.decision is not None and self.trigger.order is None:
            raise ValueError("a decision is about an order: give trigger.order")
        if self.control is not None and self.decision is None:
            raise ValueError(
                "a control is a near miss of a decision; give a judgement a rule of its own instead"
            )
        return self

    def as_control(self) -> "Rule":
        """Return the rule of the near miss: to continue, wherever ``control`` holds."""
        if self.control is None:
            raise ValueError(f"rule {self.id} has no control")
        control = self.control
        return self.model_copy(
            update={
                "trigger": Trigger(**{name: getattr(control, name) for name in Trigger.model_fields}),
                "decision": Decision.CONTINUE,
                "unsafe": control.unsafe,
                "reason": control.reason,
                "changes_if": control.changes_if,
                "citation": control.citation or self.citation,
                "control": None,
            }
        )


class BoundLab(Record):
    """The laboratory result a match rests on, in the result's own unit.

    ``baseline_*`` are set for a fall only, ``derived_*`` where the rule bounds a derived figure only.
    """

    ref: ResourceRef
    analyte: str
    label: str
    value: float
    unit: str
    charttime: datetime
    storetime: datetime
    upper_limit: float | None = None
    baseline_value: float | None = None
    baseline_ref: ResourceRef | None = None
    baseline_time: datetime | None = None
    derived_value: float | None = None
    derived_unit: str | None = None


class BoundOrder(Record):
    """The active order a match rests on, as the record has it."""

    ref: ResourceRef
    ingredient: str
    drug: str
    dose_value: float | None
    dose_unit: str | None
    route: str | None
    frequency: str | None
    starttime: datetime


class RuleMatch(Record):
    """A rule, or its ``control``, that holds for one patient at one moment, with the values it bound.

    ``orders`` are all active orders that satisfy the order condition, sorted by start time then reference; the
    first is the one an ``OrderAction`` acts on.
    """

    rule_id: RuleId
    control: bool = False
    subject_id: SubjectId
    hadm_id: HadmId
    as_of: datetime
    lab: BoundLab
    orders: tuple[BoundOrder, ...]
    also: tuple[BoundFinding, ...] = ()
