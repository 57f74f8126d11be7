"""What the arguments of all tools are made of, as a model sees them."""

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from tools.fhir.dates import day_or_moment

DEFAULT_COUNT = 20
MAX_COUNT = 100
MAX_WORDS = 200
"""Characters of a name, code or phrase. The longest drug string of the MIMIC-IV demo has 67, its longest test name 66;
to look for the nearest name of a text without end takes seconds."""
MAX_NOTE = 2_000
"""Characters of free text: a flag's detail, a reason, a note."""
MAX_INTEGER = 2**63 - 1


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


def _at_most(length: int) -> Callable[[str], str]:
    def check(text: str) -> str:
        if len(text) > length:
            raise ValueError(f"has {len(text):,} characters, {length:,} are allowed")
        return text

    return check


def _representable(number: int) -> int:
    if abs(number) > MAX_INTEGER:
        raise ValueError("is too large a number")
    return number


def _checked_date(text: str) -> str:
    day_or_moment(text)
    return text.strip()


Integer = Annotated[int, BeforeValidator(_not_a_truth_value), AfterValidator(_representable)]
Text = Annotated[str, AfterValidator(_at_most(MAX_WORDS)), AfterValidator(_said)]
Note = Annotated[str, AfterValidator(_at_most(MAX_NOTE)), AfterValidator(_said)]
Date = Annotated[str, AfterValidator(_at_most(MAX_WORDS)), AfterValidator(_checked_date)]


class Sort(StrEnum):
    """Order of a search, by the time the search filters by."""

    NEWEST_FIRST = "-date"
    OLDEST_FIRST = "date"

    @property
    def age(self) -> str:
        """Say what comes first: ``newest`` or ``oldest``."""
        return "newest" if self is Sort.NEWEST_FIRST else "oldest"


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
    resource_id: Text | None = Field(
        default=None,
        alias="_id",
        description="Only the resource with this id or reference, as another result names it",
    )


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

    @property
    def narrows(self) -> bool:
        """Tell whether an admission or a time is asked for."""
        return self.hadm_id is not None or self.date_from is not None or self.date_to is not None

    @cached_property
    def covers(self) -> Callable[[datetime], bool]:
        """Give a test for times in the range asked for; the last day or minute named counts whole."""
        first = day_or_moment(self.date_from)[0] if self.date_from is not None else datetime(1, 1, 1)
        if self.date_to is None:
            return lambda moment: moment >= first
        last, length = day_or_moment(self.date_to)
        return lambda moment: moment >= first and moment - last < length
