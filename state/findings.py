"""What a chart can show that a clinical rule rests on: each kind of finding as a condition, and what it bound."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from state.base import Language, Record, ResourceRef
from state.codes import CodePrefixes

LIMITS = ("at_least", "above", "below", "at_most")
MEASURES = (
    "by_at_least",
    "by_above",
    "by_fraction_above",
    "by_at_most",
    "by_fraction_at_most",
    "from_below",
    "from_above",
)


class FindingBase(Record):
    """A condition that holds at as_of. ``name`` tells it apart within its rule; ``absent``: nothing satisfies it.

    ``ask`` names it in a question without giving the answer away: "the last dose of a diuretic charted as given".
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    absent: bool = False
    ask: dict[Language, str] = Field(default_factory=dict)


class Bounded(FindingBase):
    """A figure within limits, in ``unit``; every limit given must hold."""

    unit: str
    at_least: float | None = None
    above: float | None = None
    below: float | None = None
    at_most: float | None = None
    within_hours: int = Field(gt=0)

    @property
    def limited(self) -> bool:
        """Tell whether any limit is given."""
        return any(getattr(self, name) is not None for name in LIMITS)


class Change(Record):
    """How far a result has moved from the other extreme of the ``over_hours`` before it.

    ``rise`` counts from the lowest, ``fall`` from the highest earlier result of the patient, of whatever stay.
    ``by_at_least``, ``by_above`` and ``by_at_most`` are in the result's unit, ``by_fraction_above`` a fraction of that
    earlier result; ``from_below`` (rise) and ``from_above`` (fall) bound it; all that are given must hold. A
    fall ``by_at_most`` 0 is none. ``apart_at_least_hours`` is the least time between the two draws. ``steady``: nothing
    of the window differs from the latest by more than ``by_at_most``, or than ``by_fraction_at_most`` of itself.
    ``without_turn``: no result since the extreme moves back on the one before it. ``from_first``: what is asked of how
    far it moved holds from the first result of the window too, so that a fall amid a rise is none. ``throughout``: it
    has moved ``by_at_most`` so far at each result of the window, not only at the latest.
    ``from_below_range``: an earlier result of the window lies below its own reference range.
    ``from_draws``: so many draws of the window are beyond ``from_below`` or ``from_above``, so that one bad sample is
    no start. ``through``: an earlier result of the window lies within these two.
    """

    direction: Literal["rise", "fall", "steady"]
    over_hours: int = Field(gt=0)
    apart_at_least_hours: int = Field(default=0, ge=0)
    by_at_least: float | None = Field(default=None, gt=0)
    by_above: float | None = Field(default=None, ge=0)
    by_fraction_above: float | None = Field(default=None, gt=0)
    by_at_most: float | None = Field(default=None, ge=0)
    by_fraction_at_most: float | None = Field(default=None, gt=0)
    from_below: float | None = None
    from_above: float | None = None
    without_turn: bool = False
    from_first: bool = False
    throughout: bool = False
    from_draws: int = Field(default=1, ge=1)
    through: tuple[float, float] | None = None
    from_below_range: bool = False

    @model_validator(mode="after")
    def _measures_fit(self) -> Self:
        given = {name for name in MEASURES if getattr(self, name) is not None}
        if self.from_below_range and self.direction != "rise":
            raise ValueError("only a rise starts from_below_range")
        if self.direction == "steady":
            if self.without_turn or self.from_first or self.throughout:
                raise ValueError("what is steady has no turn, no first and no way: leave them out")
            if given not in ({"by_at_most"}, {"by_fraction_at_most"}):
                raise ValueError("steady takes by_at_most or by_fraction_at_most alone")
        elif "by_fraction_at_most" in given:
            raise ValueError("by_fraction_at_most is for steady alone")
        elif not given and not self.from_below_range:
            raise ValueError("rise and fall take a measure")
        elif self.throughout and self.by_at_most is None:
            raise ValueError("throughout needs by_at_most")
        elif self.from_first and not any(name.startswith("by_") for name in given):
            raise ValueError("from_first needs a measure of how far it moved")
        elif self.from_draws > 1 and not given & {"from_below", "from_above"}:
            raise ValueError("from_draws needs from_below or from_above")
        elif ("from_above" if self.direction == "rise" else "from_below") in given:
            raise ValueError("a rise starts from_below, a fall from_above")
        return self


class LabFinding(Bounded):
    """The latest result of one analyte: within limits, outside its own reference range, or moved.

    ``for_hours``: the limits have held so long, in a result drawn that much earlier and in every one since.
    ``hours_from_draw``: the latest result was drawn no more than so many hours before or after the key result.
    ``absent`` takes no limits: no result of the analyte is known of the hours given.
    """

    kind: Literal["lab"] = "lab"
    analyte: str
    range: Literal["above", "below", "within"] | None = None
    change: Change | None = None
    for_hours: int | None = Field(default=None, gt=0)
    hours_from_draw: int | None = Field(default=None, gt=0)


class Figure(StrEnum):
    """Figures computed from the latest results of several analytes; ``tools.clinical.figures`` has the equations."""

    EGFR = "egfr_ckd_epi_2021"
    ANION_GAP = "anion_gap"
    CORRECTED_ANION_GAP = "anion_gap_albumin_corrected"
    CORRECTED_CALCIUM = "corrected_calcium"
    CORRECTED_SODIUM = "corrected_sodium_katz"
    CORRECTED_PHENYTOIN = "corrected_phenytoin"
    R_FACTOR = "r_factor"
    FIB4 = "fib4"
    UREA_CREATININE_RATIO = "urea_creatinine_ratio"
    TRANSFERRIN_SATURATION = "transferrin_saturation"
    OSMOLALITY = "serum_osmolality"
    OSMOLAL_GAP = "osmolal_gap"
    SODIUM_EXCRETION = "fractional_sodium_excretion"
    PCO2_OFF_WINTERS = "pco2_above_winters"
    REPORTED_GAP_OVER_LIMIT = "reported_anion_gap_above_limit"
    DELTA_RATIO = "delta_ratio"


class FigureFinding(Bounded):
    """A computed figure within limits: of the latest results, drawn together as its recipe says.

    ``for_days``: the limits have held so long, in results drawn together that much earlier, of whatever stay, and in
    all drawn together since.
    """

    kind: Literal["figure"] = "figure"
    figure: Figure
    for_days: int | None = Field(default=None, gt=0)


class OrderFinding(FindingBase):
    """An order of one of ``ingredients`` active at as_of (``absent``: none is).

    ``rivals``: other drugs that the words of ``ask`` fit as well; where it is asked for, none of them is active.
    ``once_within_hours``: instead, an order for one dose that was due in so many hours before the rule's key result was
    drawn, whether it is charted or not. ``begun_hours_after_admission``: instead, an order that began no later than so
    many hours after the admission did, whether it has ended or not.
    """

    kind: Literal["order"] = "order"
    ingredients: tuple[str, ...] = Field(min_length=1)
    routes: tuple[str, ...] = ()
    once_within_hours: int | None = Field(default=None, gt=0)
    begun_hours_after_admission: int | None = Field(default=None, gt=0)
    rivals: tuple[str, ...] = ()


class GivenFinding(FindingBase):
    """At least ``doses`` charted doses of ``ingredients`` in the hours before as_of (hosp.emar, given or running).

    ``hours_before_draw``: only what was charted at least so many hours before the rule's key result was drawn counts
    (0: before it), so that the result can show its effect. ``hours_to_draw``: only what was charted less than so many
    hours before the draw; ``after_draw``: only after it. ``spanning_hours``: the first and the last of them are at
    least so far apart. ``infusion``: only what is charted on a running infusion counts, nothing is charted as
    stopped since, and (unless ``absent``) an order for it into a vein has not ended at as_of.
    ``routes`` (canonical) narrow it to what the record says went in that way. ``ordered``: an order of the drug that is
    told has not ended at as_of. ``rivals``: other drugs that the words
    of ``ask`` fit as well.

    The last dose is told, whenever it was; where it is asked for, none of another drug of ``ingredients`` or
    ``rivals`` is charted at its minute or later.
    """

    kind: Literal["given"] = "given"
    ingredients: tuple[str, ...] = Field(min_length=1)
    doses: int = Field(default=1, ge=1)
    within_hours: int = Field(gt=0)
    hours_before_draw: int | None = Field(default=None, ge=0)
    hours_to_draw: int | None = Field(default=None, gt=0)
    after_draw: bool = False
    spanning_hours: int | None = Field(default=None, gt=0)
    infusion: bool = False
    routes: tuple[str, ...] = ()
    ordered: bool = False
    rivals: tuple[str, ...] = ()


class RateFinding(FindingBase):
    """An infusion of ``ingredients`` set anew between ``hours_to_draw`` before the key result's draw and as_of.

    Set anew: started, stopped, paused, given at another rate, or a bolus given, as hosp.emar or the bedside's chart
    (icu.inputevents, ``itemids``) has it. What came just so many hours before the draw does not count.
    """

    kind: Literal["rate"] = "rate"
    ingredients: tuple[str, ...] = Field(min_length=1)
    itemids: tuple[int, ...] = Field(min_length=1)
    hours_to_draw: int = Field(gt=0)


class CultureFinding(FindingBase):
    """A microbiology result known at as_of, collected within ``within_days``.

    ``specimens`` and ``organisms`` are MIMIC-IV's spec_type_desc and org_name (organisms: how they begin), in capitals;
    empty means any. ``susceptible_to`` and ``resistant_to`` are ab_name; each named must be so. ``comments``: how the
    comment of a culture without growth begins, in capitals. ``absent``: neither is a blood bottle that has turned
    positive and whose organism is not known yet.
    """

    kind: Literal["culture"] = "culture"
    specimens: tuple[str, ...] = ()
    growth: bool
    organisms: tuple[str, ...] = ()
    susceptible_to: tuple[str, ...] = ()
    resistant_to: tuple[str, ...] = ()
    comments: tuple[str, ...] = ("NO GROWTH",)
    within_days: int = Field(gt=0)

    @model_validator(mode="after")
    def _organisms_have_grown(self) -> Self:
        if not self.growth and (self.organisms or self.susceptible_to or self.resistant_to):
            raise ValueError("a culture without growth has no organism and no susceptibility")
        return self


class Sign(StrEnum):
    """Vital signs a rule can rest on, with the unit its limits are in."""

    TEMPERATURE_C = "temperature_c"
    HEART_RATE_BPM = "heart_rate_bpm"
    RESPIRATORY_RATE = "respiratory_rate"
    SYSTOLIC_MMHG = "systolic_mmhg"
    OXYGEN_SATURATION = "oxygen_saturation"
    WEIGHT_KG = "weight_kg"


class VitalFinding(FindingBase):
    """The latest reading of a vital sign: within limits, or moved. Limits are in the unit the sign's name says.

    ``for_hours``: the limits have held so long, in a reading that much earlier and in every one since.
    """

    kind: Literal["vital"] = "vital"
    sign: Sign
    at_least: float | None = None
    above: float | None = None
    below: float | None = None
    at_most: float | None = None
    within_hours: int = Field(gt=0)
    change: Change | None = None
    for_hours: int | None = Field(default=None, gt=0)


class ConditionFinding(FindingBase, CodePrefixes):
    """A coded diagnosis known at as_of whose code begins with one of the prefixes (no dots)."""

    kind: Literal["condition"] = "condition"


class HomeFinding(FindingBase):
    """A drug of ``ingredients`` on the home list taken down in the emergency department of this admission.

    ``absent``: a list was taken down, and has none; where there is no list, what was taken at home is not known.
    ``rivals``: other drugs that the words of ``ask`` fit as well; where it is asked for, the list has none of them.
    ``unordered``: only one of which no order is active at as_of.
    """

    kind: Literal["home_medication"] = "home_medication"
    ingredients: tuple[str, ...] = Field(min_length=1)
    rivals: tuple[str, ...] = ()
    unordered: bool = False

    @model_validator(mode="after")
    def _something_is_there(self) -> Self:
        if self.absent and self.unordered:
            raise ValueError("what is not on the list has no order to miss: leave unordered out")
        return self


Finding = Annotated[
    LabFinding
    | FigureFinding
    | OrderFinding
    | GivenFinding
    | RateFinding
    | CultureFinding
    | VitalFinding
    | ConditionFinding
    | HomeFinding,
    Field(discriminator="kind"),
]


class BoundFinding(Record):
    """A finding as the record has it, of one patient at one moment.

    ``refs`` prove it, the most telling first; none for what is absent. ``label`` is the record's own word, ``subject``
    the vocabulary id, figure, sign or code it stands for. Values are in ``unit``; ``earlier_*`` are set for a change.
    """

    name: str
    kind: str
    absent: bool = False
    refs: tuple[ResourceRef, ...] = ()
    subject: str
    label: str
    value: float | None = None
    unit: str | None = None
    text: str | None = None
    time: datetime | None = None
    earlier_value: float | None = None
    earlier_ref: ResourceRef | None = None
    earlier_time: datetime | None = None
