"""Circumstances under which a rule's conclusion would be wrong at the bedside, and how the record shows them."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from state.base import Record
from state.codes import CodePrefixes
from state.findings import Finding


class Sign(Record):
    """One way the record shows a circumstance, from its time on for ``for_hours`` more."""

    for_hours: int = Field(default=0, ge=0)


class CodedSign(Sign, CodePrefixes):
    """A diagnosis whose code begins with one of the prefixes (no dots), coded at the end of a stay and from then on.

    ``chronic``: what is so coded was so all through that stay.
    """

    kind: Literal["coded"] = "coded"
    chronic: bool = False


class ProcedureSign(Sign):
    """A procedure of the bedside chart (icu.procedureevents), while it runs."""

    kind: Literal["procedure"] = "procedure"
    itemids: tuple[int, ...] = Field(min_length=1)


class InfusionSign(Sign):
    """An input of the bedside chart (icu.inputevents), while it runs."""

    kind: Literal["infusion"] = "infusion"
    itemids: tuple[int, ...] = Field(min_length=1)


class ChartedSign(Sign):
    """A reading of the bedside chart (icu.chartevents) that holds one of ``words``, or none of ``but``."""

    kind: Literal["charted"] = "charted"
    itemids: tuple[int, ...] = Field(min_length=1)
    words: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    for_hours: int = Field(gt=0)


class ResultSign(Sign):
    """A laboratory row (hosp.labevents) whose text begins with one of ``words``, from when it was drawn."""

    kind: Literal["result"] = "result"
    itemids: tuple[int, ...] = Field(min_length=1)
    words: tuple[str, ...] = Field(min_length=1)
    for_hours: int = Field(gt=0)


class OrderSign(Sign):
    """An order that is no drug (hosp.poe), from when it was given; ``subtypes`` empty means any."""

    kind: Literal["order"] = "order"
    type: str
    subtypes: tuple[str, ...] = ()
    for_hours: int = Field(gt=0)


class StatusSign(Sign):
    """A detail of an order (hosp.poe_detail) that holds one of ``words``, until the next one or the stay's end."""

    kind: Literal["status"] = "status"
    field: str
    words: tuple[str, ...] = Field(min_length=1)


class GivenSign(Sign):
    """A drug charted as given (hosp.emar); ``ingredients`` are vocabulary ids, ``infusion``: as running.

    ``beside``: only a dose with one of these charted no more than ``minutes`` before or after it.
    """

    kind: Literal["given"] = "given"
    ingredients: tuple[str, ...] = Field(min_length=1)
    infusion: bool = False
    beside: tuple[str, ...] = ()
    minutes: int = Field(default=0, ge=0)
    for_hours: int = Field(gt=0)


class WithheldSign(Sign):
    """A dose charted as not given or held (hosp.emar)."""

    kind: Literal["withheld"] = "withheld"
    ingredients: tuple[str, ...] = Field(min_length=1)
    for_hours: int = Field(gt=0)


class DoseChangeSign(Sign):
    """An order of a drug in another dose than the patient's order before it, from its start on."""

    kind: Literal["dose_change"] = "dose_change"
    ingredients: tuple[str, ...] = Field(min_length=1)
    for_hours: int = Field(gt=0)


class SmallDoseSign(Sign):
    """An order by mouth or into a vein of less than ``below`` milligrams a day, by drug, until it has ended."""

    kind: Literal["small_dose"] = "small_dose"
    below: dict[str, float] = Field(min_length=1)

    @property
    def ingredients(self) -> tuple[str, ...]:
        """The drugs it is about."""
        return tuple(self.below)


class ComplaintSign(Sign):
    """A chief complaint (ed.triage) with a word that begins as one of ``words``; for the stay its visit led to."""

    kind: Literal["complaint"] = "complaint"
    words: tuple[str, ...] = Field(min_length=1)


class DischargeSign(Sign):
    """A stay that ended at one of ``locations`` (hosp.admissions), from ``hours_before`` its end on, for good."""

    kind: Literal["discharge"] = "discharge"
    locations: tuple[str, ...] = Field(min_length=1)
    hours_before: int = Field(default=0, ge=0)


class CreatinineSign(Sign):
    """A creatinine that is not steady, by KDIGO: from when it is known until a week after its draw.

    ``tools.clinical.exclusion_sql`` has the figures and their source.
    """

    kind: Literal["creatinine"] = "creatinine"


AnySign = Annotated[
    CodedSign
    | ProcedureSign
    | InfusionSign
    | ChartedSign
    | ResultSign
    | OrderSign
    | StatusSign
    | GivenSign
    | WithheldSign
    | DoseChangeSign
    | SmallDoseSign
    | ComplaintSign
    | DischargeSign
    | CreatinineSign,
    Field(discriminator="kind"),
]


class Exclusion(Record):
    """A circumstance that rules name under ``unless``: where any of ``signs`` shows, such a rule is not matched.

    ``why`` says what is wrong with concluding all the same, and where the signs and their hours come from. ``needs``:
    of these tables at least one must have been ingested, or the circumstance cannot be told. ``every_rule``: it holds
    for every rule without being named.
    """

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    why: str = Field(min_length=10)
    needs: tuple[str, ...] = ()
    every_rule: bool = False
    signs: tuple[AnySign, ...] = Field(min_length=1)


class Bar(Record):
    """A finding under which one rule is not matched, and ``why``; ``absent``: an order or a dose that is not there."""

    why: str = Field(min_length=10)
    finding: Finding

    @model_validator(mode="after")
    def _can_be_missed(self) -> Self:
        if self.finding.absent and self.finding.kind not in ("given", "order"):
            raise ValueError("only an order or a dose bars by its absence: leave absent out")
        return self
