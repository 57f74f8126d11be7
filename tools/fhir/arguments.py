"""The arguments of every tool, as a model sees them."""

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from tools.fhir.dates import day_or_moment

DEFAULT_COUNT = 20
MAX_COUNT = 100


def _not_a_truth_value(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("Input should be a whole number, not true or false")  # noqa: TRY004 - pydantic reports ValueError
    return value


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("holds half a character (a lone surrogate)")
    return text.strip()


def _checked_date(text: str) -> str:
    day_or_moment(text)
    return text.strip()


Integer = Annotated[int, BeforeValidator(_not_a_truth_value)]
Text = Annotated[str, AfterValidator(_said)]
Date = Annotated[str, AfterValidator(_checked_date)]


class Sort(StrEnum):
    """Order of a search, by the time the search filters by."""

    NEWEST_FIRST = "-date"
    OLDEST_FIRST = "date"


class ObservationCategory(StrEnum):
    """Kinds of observation on record."""

    LABORATORY = "laboratory"
    VITAL_SIGNS = "vital-signs"
    MICROBIOLOGY = "microbiology"


class ClinicalStatus(StrEnum):
    """Clinical status of a condition."""

    ACTIVE = "active"
    RESOLVED = "resolved"
    INACTIVE = "inactive"


class OrderStatus(StrEnum):
    """Status of a medication order at as_of."""

    ACTIVE = "active"
    COMPLETED = "completed"
    STOPPED = "stopped"
    CANCELLED = "cancelled"


class FlagCategory(StrEnum):
    """Kinds of flag."""

    SAFETY = "safety"
    ALLERGY = "allergy"
    ADMINISTRATIVE = "administrative"
    CLINICAL = "clinical"


class Arguments(BaseModel):
    """What every tool takes: the patient, who must be the patient of this session."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    subject_id: Integer = Field(description="MIMIC-IV subject_id of the patient of this session")


class SearchArguments(Arguments):
    """What every search takes."""

    hadm_id: Integer | None = Field(
        default=None,
        description="Only records of this hospital admission: those linked to it, and unlinked ones timed between its "
        "emergency registration and its discharge",
    )
    count: Annotated[Integer, Field(ge=1, le=MAX_COUNT)] = Field(
        default=DEFAULT_COUNT, alias="_count", description=f"Results a page, 1 to {MAX_COUNT}"
    )
    page: Annotated[Integer, Field(ge=1)] = Field(default=1, description="Page to show, from 1")


class DatedSearchArguments(SearchArguments):
    """What searches over a time take."""

    sort: Sort = Field(
        default=Sort.NEWEST_FIRST, alias="_sort", description="-date: newest first; date: oldest first"
    )
    date_from: Date | None = Field(
        default=None,
        description="Not before this date or time: YYYY-MM-DD or YYYY-MM-DDTHH:MM, local to the record",
    )
    date_to: Date | None = Field(
        default=None,
        description="Not after this date (the whole day counts) or time: YYYY-MM-DD or YYYY-MM-DDTHH:MM",
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.date_from is not None and self.date_to is not None:
            start, length = day_or_moment(self.date_to)
            if day_or_moment(self.date_from)[0] - start >= length:
                raise ValueError("date_from is after date_to")
        return self

    @cached_property
    def covers(self) -> Callable[[datetime], bool]:
        """Give a test for times in the range asked for; the last day or minute named counts whole."""
        first = day_or_moment(self.date_from)[0] if self.date_from is not None else datetime(1, 1, 1)
        if self.date_to is None:
            return lambda moment: moment >= first
        last, length = day_or_moment(self.date_to)
        return lambda moment: moment >= first and moment - last < length


class PatientRead(Arguments):
    """Arguments of Patient.read."""


class EncounterSearch(DatedSearchArguments):
    """Arguments of Encounter.search; dates are of the start."""


class ConditionSearch(SearchArguments):
    """Arguments of Condition.search."""

    code: Text | None = Field(
        default=None,
        description="ICD-9-CM or ICD-10-CM code or its beginning, with or without the dot: N18, 428.0",
    )
    clinical_status: ClinicalStatus | None = Field(
        default=None,
        description="active: diagnoses of the emergency stay that led to the admission under way. Diagnoses coded in "
        "finished stays carry no clinical status in this record, so resolved and inactive match nothing",
    )


class ObservationSearch(DatedSearchArguments):
    """Arguments of Observation.search; dates are of collection."""

    category: ObservationCategory | None = Field(
        default=None, description="Kind of observation; all when left out"
    )
    code: Text | None = Field(
        default=None,
        description="One test by its name or a usual abbreviation (Potassium, K, SCr, heart rate), its LOINC code or "
        "its MIMIC-IV itemid; for microbiology the name of the culture or specimen. Never matched by likeness",
    )


class MedicationRequestSearch(DatedSearchArguments):
    """Arguments of MedicationRequest.search; dates are of the order's start."""

    medication: Text | None = Field(
        default=None, description="One drug: ingredient, brand, or the name as the order has it"
    )
    status: OrderStatus | None = Field(
        default=None,
        description="active: begun and not ended by now; stopped: discontinued or changed before it ran out; "
        "completed: ended, not known to be discontinued; cancelled: taken back before its start",
    )


class MedicationAdministrationSearch(DatedSearchArguments):
    """Arguments of MedicationAdministration.search; dates are of the charted event."""

    medication: Text | None = Field(
        default=None,
        description="One drug: ingredient, brand, or the name as the administration record has it",
    )


class MedicationRequestCreate(Arguments):
    """Arguments of MedicationRequest.create."""

    medication: Text = Field(description="One drug by ingredient, brand or formulary name, without dose")
    dose: Text = Field(description='One dose with its unit, such as "12.5 mg" or "20 mEq"')
    route: Text = Field(description="Route, such as PO, IV, SC")
    frequency: Text = Field(description="Schedule, such as DAILY, BID, Q8H, ONCE")
    indication: Text | None = Field(default=None, description="Why it is ordered")
    duration_days: Annotated[Integer, Field(ge=1)] | None = Field(
        default=None, description="For how many days; without it, until stopped"
    )


class FlagCreate(Arguments):
    """Arguments of Flag.create."""

    category: FlagCategory = Field(description="Kind of flag")
    code: Text = Field(description="The warning in a few words")
    detail: Text = Field(description="What was found, and what to do about it")
