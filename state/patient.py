"""What the patient of a session knows and would say: facts with their proof, the persona, and what was said.

Facts live in a file of their own beside sessions and gold. A doctor meets them only through the interview tools. They
hold no laboratory value, no diagnosis and no urgency score: there is no field for one.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from state.base import Record, ResourceRef, SessionId, SubjectId
from state.outcome import Party
from state.patient_values import (
    Completeness,
    Course,
    Functional,
    HomeUse,
    InHospital,
    Level,
    Reason,
    Severity,
    Side,
    Social,
    SpanUnit,
)


class Persona(Record):
    """How a patient speaks. It changes words and order of telling, never a fact."""

    literacy: Level = Level.MEDIUM
    anxiety: Level = Level.LOW
    completeness: Completeness = Completeness.FULL
    self_diagnosis: Level = Level.LOW


class Span(Record):
    """A length of time that ended when the patient came to the hospital."""

    count: int = Field(ge=1, le=99)
    unit: SpanUnit


class FactBase(Record):
    """One thing the patient knows.

    ``proof`` names the records that show it; without any, the whole fact is story: invented for the session.
    ``invented`` names single fields that are story although the rest is proved. A ``withheld`` fact is told only when
    asked for specifically.
    """

    proof: tuple[ResourceRef, ...] = ()
    invented: tuple[str, ...] = ()
    withheld: bool = False

    @model_validator(mode="after")
    def _invented_fields_exist(self) -> Self:
        if unknown := [name for name in self.invented if getattr(self, name, None) is None]:
            raise ValueError(f"invented names {unknown[0]!r}, which this fact does not hold")
        return self

    @property
    def story(self) -> bool:
        """Tell whether the whole fact is invented."""
        return not self.proof


class SymptomFact(FactBase):
    """A symptom by its id in configs/patient/symptoms.yaml. ``denied``: the patient has not had it."""

    kind: Literal["symptom"] = "symptom"
    symptom: str = Field(pattern=r"^[a-z_]+$")
    side: Side | None = None
    denied: bool = False
    onset: Span | None = None
    course: Course | None = None
    severity: Severity | None = None
    chief: bool = False

    @model_validator(mode="after")
    def _nothing_is_said_of_what_is_denied(self) -> Self:
        if self.denied and (self.onset or self.course or self.severity or self.chief):
            raise ValueError("a denied symptom has no onset, course or severity and is no chief complaint")
        return self

    @property
    def fact_id(self) -> str:
        """Name the fact within its session."""
        return f"symptom-{self.symptom}" + (f"-{self.side}" if self.side else "")


class AdherenceFact(FactBase):
    """What becomes of a drug (an ingredient id of the vocabulary). ``since``: how long it has been so at home."""

    kind: Literal["adherence"] = "adherence"
    drug: str = Field(pattern=r"^[a-z0-9_]+$")
    home: HomeUse | None = None
    since: Span | None = None
    reason: Reason | None = None
    here: InHospital | None = None

    @model_validator(mode="after")
    def _says_something_that_fits(self) -> Self:
        if self.home is None and self.here is None:
            raise ValueError("an adherence fact says what happens at home, here, or both")
        if self.home in (None, HomeUse.TAKING) and (self.reason or self.since):
            raise ValueError("reason and since belong to a drug that is not taken as prescribed")
        return self

    @property
    def fact_id(self) -> str:
        """Name the fact within its session."""
        return f"adherence-{self.drug}"


class SocialFact(FactBase):
    """How the patient lives."""

    kind: Literal["social"] = "social"
    status: Social

    @property
    def topic(self) -> str:
        """Give what the fact is about: living, smoking, alcohol, drugs, work."""
        return self.status.partition("_")[0]

    @property
    def fact_id(self) -> str:
        """Name the fact within its session."""
        return f"social-{self.topic}"


class FunctionalFact(FactBase):
    """What the patient can do."""

    kind: Literal["functional"] = "functional"
    status: Functional

    @property
    def topic(self) -> str:
        """Give what the fact is about: walking, leaving, care, household, pills."""
        return self.status.partition("_")[0]

    @property
    def fact_id(self) -> str:
        """Name the fact within its session."""
        return f"functional-{self.topic}"


class PainFact(FactBase):
    """The patient's own rating on arrival, 0 to 10; where it hurts is a symptom."""

    kind: Literal["pain"] = "pain"
    score: int = Field(ge=0, le=10)

    @property
    def fact_id(self) -> str:
        """Name the fact within its session."""
        return "pain-score"


Fact = Annotated[
    SymptomFact | AdherenceFact | SocialFact | FunctionalFact | PainFact, Field(discriminator="kind")
]


class PatientFacts(Record):
    """All that the patient of one session knows; ``seed`` picks the words."""

    session_id: SessionId
    subject_id: SubjectId
    seed: int
    persona: Persona
    facts: tuple[Fact, ...] = ()

    @model_validator(mode="after")
    def _one_fact_an_id(self) -> Self:
        names = [fact.fact_id for fact in self.facts]
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"two facts are called {twice}: keep one")
        return self

    def ref(self, fact_id: str) -> ResourceRef:
        """Name a fact as trajectories and rubric items do, ``Patient/10000032#adherence-furosemide``."""
        return ResourceRef(f"Patient/{self.subject_id}#{fact_id}")


Voice = Literal["template", "model"]


class RefusedWords(Record):
    """Words of a model that were not let through: whose fault, and why."""

    who: Party
    reason: str


class Saying(Record):
    """What the patient said to one question. ``facts`` are the ids of the facts told, ``unknown`` names what was asked
    for and could not be told: ``unknown-symptom-fever``, ``unknown-drug-nsaid``, ``unknown-onset-cough``.

    ``voice`` is ``template`` where a program spoke, also where it had to step in after ``refused`` words of a model.
    """

    text: str
    facts: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    voice: Voice = "template"
    refused: tuple[RefusedWords, ...] = ()
