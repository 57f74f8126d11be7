"""The arguments of each write, as a model sees them."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from tools.fhir.arguments import Arguments, Date, Integer, Text


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


class ServiceRequestCreate(Arguments):
    """Arguments of ServiceRequest.create."""

    service_type: Text = Field(
        description="The one service wanted: CT abdomen, blood culture, repeat potassium, cardiology consult ..."
    )
    priority: RequestPriority = Field(description="How soon: routine, urgent or asap")
    note: Text | None = Field(default=None, description="Why, and what else the service must know")
    target_date: Date | None = Field(
        default=None,
        description="When it is to be done: YYYY-MM-DD or YYYY-MM-DDTHH:MM, not before now",
    )
