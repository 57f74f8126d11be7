"""The arguments of each write, as a model sees them."""

from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from tools.fhir.arguments import Arguments, Date, Note, Text


class FlagCategory(StrEnum):
    """Kinds of flag."""

    SAFETY = "safety"
    ALLERGY = "allergy"
    ADMINISTRATIVE = "administrative"
    CLINICAL = "clinical"


class RequestPriority(StrEnum):
    """How soon a service is wanted; codes of FHIR R4's request-priority."""

    ROUTINE = "routine"
    URGENT = "urgent"
    ASAP = "asap"


class EndStatus(StrEnum):
    """How a standing order can be ended; codes of FHIR R4's medicationrequest-status."""

    STOPPED = "stopped"
    ON_HOLD = "on-hold"


def _in_words(value: Any) -> Any:
    """Take a whole number as the words for it; whether words say a number of days is told by the vocabulary."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Days = Annotated[Text, BeforeValidator(_in_words), WithJsonSchema({"type": "integer", "minimum": 1})]


class MedicationRequestCreate(Arguments):
    """Arguments of MedicationRequest.create."""

    medication: Text = Field(description="One drug by ingredient, brand or formulary name, without dose")
    dose: Text = Field(description='One dose with its unit, such as "12.5 mg", "20 mEq" or "1-2 tablets"')
    route: Text = Field(description="Route, such as PO, IV, SC")
    frequency: Text = Field(description="Schedule, such as DAILY, BID, Q8H, ONCE; with PRN for as needed")
    indication: Note | None = Field(default=None, description="Why it is ordered")
    duration_days: Days | None = Field(
        default=None, description="For how many days; without it, until stopped"
    )


class MedicationRequestPatch(Arguments):
    """Arguments of MedicationRequest.patch."""

    resource_id: Text | None = Field(
        default=None, alias="_id", description="The order's id or reference, as a search result names it"
    )
    medication: Text | None = Field(
        default=None, description="Its drug, where one standing order alone is of this drug"
    )
    status: EndStatus = Field(description="stopped: ended for good; on-hold: not given until further notice")
    reason: Note = Field(description="Why it is stopped or held")

    @model_validator(mode="after")
    def _names_an_order(self) -> Self:
        if self.resource_id is None and self.medication is None:
            raise ValueError("name the order by '_id' or 'medication'")
        return self


class FlagCreate(Arguments):
    """Arguments of Flag.create."""

    category: FlagCategory = Field(description="Kind of flag")
    code: Text = Field(description="The warning in a few words")
    detail: Note = Field(description="What was found, and what to do about it")


class ServiceRequestCreate(Arguments):
    """Arguments of ServiceRequest.create."""

    service_type: Text = Field(
        description="The one service wanted: CT abdomen, blood culture, repeat potassium, cardiology consult ..."
    )
    priority: RequestPriority = Field(description="How soon: routine, urgent or asap")
    note: Note | None = Field(default=None, description="Why, and what else the service must know")
    target_date: Date | None = Field(
        default=None,
        description="When it is to be done: YYYY-MM-DD or YYYY-MM-DDTHH:MM, not before now",
    )
