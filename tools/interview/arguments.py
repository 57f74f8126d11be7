"""Arguments of the interview tools, as a model sees them."""

from typing import Annotated

from pydantic import AfterValidator, Field

from tools.fhir.arguments import Arguments, Text

LONGEST = 400
"""Characters of a question; nobody asks a patient longer ones."""


def _short(text: str) -> str:
    if len(text) > LONGEST:
        raise ValueError(f"is {len(text):,} characters long: ask in at most {LONGEST}")
    return text


Topic = Annotated[Text, AfterValidator(_short)]


class InterviewArguments(Arguments):
    """What every question to the patient takes."""

    session_id: Text | None = Field(
        default=None, description="The id of this interview as a tool result names it; can be left out"
    )

    @property
    def topic(self) -> str:
        """Give what the question is about; empty where it is not narrowed."""
        return ""


class AboutAnything(InterviewArguments):
    """A question that can be narrowed."""

    query: Topic | None = Field(
        default=None,
        description="Ask for one thing only, in your own words; without it the question is general",
    )

    @property
    def topic(self) -> str:
        """Give the words of the question."""
        return self.query or ""


class SymptomHistory(InterviewArguments):
    """Arguments of patient.get_symptom_history."""

    query: Topic = Field(
        description="What to ask about: a symptom, or the symptoms in general (what, since when, how it went, how bad)"
    )

    @property
    def topic(self) -> str:
        """Give the words of the question."""
        return self.query


class MedicationAdherence(InterviewArguments):
    """Arguments of patient.get_medication_adherence."""

    drug: Topic = Field(
        description="The drug to ask about, by ingredient, brand or a patient's word for it; or: all medications"
    )

    @property
    def topic(self) -> str:
        """Give the drug."""
        return self.drug


class ChiefComplaint(InterviewArguments):
    """Arguments of patient.get_chief_complaint."""
