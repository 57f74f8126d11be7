"""What a story may say; configs/synth/README.md explains each field with examples."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, Self

from pydantic import Field, model_validator

from state.base import Record
from tools.ehr.synth.records import Range, Reason


class Variant(StrEnum):
    """How a story ends: it happens, stays just safe, stays well inside, or its drug was stopped before."""

    POSITIVE = "positive"
    NEAR_MISS = "near_miss"
    CONTROL = "control"
    STOPPED = "stopped"


class Told(Record):
    """A part of a story that is told in some variants only; in all of them when ``variants`` is empty."""

    variants: tuple[Variant, ...] = ()

    def told_in(self, variant: Variant) -> bool:
        """Tell whether ``variant`` has this part."""
        return not self.variants or variant in self.variants


class Moment(Record):
    """A time in the stay: ``hours`` (drawn from the range) after an event, or the round (9 to 11) of a ``day``."""

    of: Literal["arrival", "admission", "index", "result", "discharge"] = "admission"
    hours: Range = (0.25, 1.0)
    day: int | None = None


class Point(Record):
    """Where a course stands so many hours after the first blood, by variant; drawn or charted then."""

    hours: float
    positive: Range
    near_miss: Range | None = None
    control: Range | None = None


class Course(Record):
    """How one value moves. Ranges are written from mild to severe: those of one story move together.

    ``start`` is the patient's own usual when left out. A variant without a range stays at the start. ``after``: where
    it goes when the index moment has passed.
    """

    start: Range | Mapping[Variant, Range] | None = None
    positive: Range | None = None
    near_miss: Range | None = None
    control: Range | None = None
    after: Range | None = None
    scale: Literal["value", "egfr", "uln", "times", "plus"] = "value"
    shape: Literal["ramp", "settle", "spike", "flat", "recover"] = "ramp"
    offset_hours: float = 0
    points: tuple[Point, ...] = ()
    drawn: tuple[Literal["arrival", "index", "next", "mornings"], ...] = ("index",)

    def start_of(self, variant: Variant) -> Range | None:
        """Give the range of the start in ``variant``."""
        if not isinstance(self.start, Mapping):
            return self.start
        return self.start.get(variant, self.start.get(Variant.POSITIVE))


def of_variant(part: Course | Point, variant: Variant) -> Range | None:
    """Give the range ``part`` has for ``variant``; a stopped drug's story goes as the positive one."""
    match variant:
        case Variant.NEAR_MISS:
            return part.near_miss
        case Variant.CONTROL:
            return part.control
        case _:
            return part.positive


class Given(Told):
    """A drug ordered in the story, one of ``one_of`` by turns. ``tested``: the drug the story is about.

    The order of a tested drug outlasts the index result by hours, or stops the day before it in a stopped variant.
    ``administered``: what the administration record says of its doses. ``at_discharge``: it goes on at home.
    """

    one_of: tuple[str, ...] = Field(min_length=1)
    doses: tuple[str, ...] = ()
    route: str | None = None
    frequency: str | None = None
    start: Moment = Moment()
    stop: Moment | None = None
    tested: bool = False
    home: bool = False
    at_discharge: bool = False
    rates: tuple[float, ...] = ()
    administered: Literal["usual", "all", "half", "held", "not_given"] = "usual"

    def key(self, turn: int) -> str:
        """Choose the drug of this turn."""
        return self.one_of[turn % len(self.one_of)]


class ListedDrug(Told):
    """A drug of the home list and what the ward made of it in the variants ``ward_in`` (in all when empty)."""

    drug: str
    dose: str | None = None
    ward: Literal["same", "omitted", "other_dose"] = "same"
    ward_dose: str | None = None
    ward_in: tuple[Variant, ...] = ()
    not_taken: str | None = None

    def ward_of(self, variant: Variant) -> Literal["same", "omitted", "other_dose"]:
        """Tell what the ward makes of the drug in ``variant``."""
        return self.ward if not self.ward_in or variant in self.ward_in else "same"


class Cultured(Told):
    """A culture: ``isolate`` None grew nothing. ``pending``: the result comes after discharge."""

    specimen: str
    isolate: str | None = None
    taken: Moment = Moment(of="arrival", hours=(0.1, 0.9))
    final_hours: Range = (48, 72)
    pending: bool = False


class Imaged(Told):
    """A radiology report. Words in {braces} are filled in: {who} ("___ year old woman") and {complaint}."""

    exam: str
    code: str
    taken: Moment = Moment(of="arrival", hours=(0.5, 2.0))
    indication: str = "{who} with {complaint}"
    technique: str = "Standard views"
    findings: str
    impression: str


class Transfused(Told):
    """Units of a blood product: ordered from the blood bank, and charted as given in the ICU."""

    product: str
    units: int = 1
    start: Moment = Moment()


class Requested(Told):
    """A request that is no drug, as hosp.poe has it: order_type and order_subtype."""

    type: str
    subtype: str
    start: Moment = Moment()


class Fact(Told):
    """What the patient could tell and notes have written down, a sentence without full stop.

    ``drug`` names the home drug an adherence is of. Symptoms are told in the summary of the story's own stay, all
    others in every summary of the patient.
    """

    kind: Literal[
        "living",
        "work",
        "function",
        "tobacco",
        "alcohol",
        "social",
        "symptom",
        "adherence",
        "allergy",
        "followup",
    ]
    text: str
    drug: str | None = None


class StartedDrug(Record):
    """A drug that an earlier stay began and its discharge list names; a home drug's own key: a new dose."""

    drug: str
    dose: str


class Earlier(Record):
    """A stay before the story's: a reason by name, further codes, and the days from its end to the next stay.

    ``started`` and ``stopped`` are what its discharge summary changed of the home list; the list itself, as the
    patient tells it, need not have followed.
    """

    reason: str
    codes: tuple[str, ...] = ()
    started: tuple[StartedDrug, ...] = ()
    stopped: tuple[str, ...] = ()
    days_before: tuple[int, int] = (25, 260)


class Story(Record):
    """What happens in one stay, and to whom."""

    id: str
    scenario: str
    age: tuple[int, int]
    sex: Literal["M", "F"] | None = None
    weight_kg: Range | None = None
    conditions: tuple[str, ...]
    without: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    adverse: tuple[str, ...] = ()
    earlier: tuple[Earlier, ...] = ()
    reason: Reason
    day: tuple[int, int] | None = None
    hours: Range | None = None
    leaves_after: tuple[int, int] = (2, 4)
    leaves_to: str | None = None
    every: Mapping[str, int] = {}
    results: Mapping[str, Course] = {}
    vitals: Mapping[str, Course] = {}
    urine_output: Course | None = None
    drugs: tuple[Given, ...] = ()
    home: tuple[ListedDrug, ...] = ()
    cultures: tuple[Cultured, ...] = ()
    imaging: tuple[Imaged, ...] = ()
    transfusions: tuple[Transfused, ...] = ()
    requests: tuple[Requested, ...] = ()
    facts: tuple[Fact, ...] = ()
    control: bool = True

    @property
    def tested(self) -> Given | None:
        """Give the drug the story is about, if it is about one."""
        return next((given for given in self.drugs if given.tested), None)

    @property
    def courses(self) -> Mapping[str, Course]:
        """Give every course by name."""
        output = {"urine_output": self.urine_output} if self.urine_output else {}
        return {**self.results, **self.vitals, **output}

    @property
    def charted(self) -> bool:
        """Tell whether the story needs a bedside chart at its index moment."""
        return self.urine_output is not None or bool(self.vitals.keys() - {"weight"})

    @model_validator(mode="after")
    def _one_index(self) -> Self:
        if (self.day is None) == (self.hours is None):
            raise ValueError(f"story {self.id}: say either day or hours of its index moment")
        return self
