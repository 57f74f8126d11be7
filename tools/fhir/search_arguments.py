"""The arguments of each read, as a model sees them."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from tools.fhir.arguments import Arguments, DatedSearchArguments, Integer, Text


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
    ON_HOLD = "on-hold"
    CANCELLED = "cancelled"


class OrderCategory(StrEnum):
    """Where a medication is taken."""

    INPATIENT = "inpatient"
    COMMUNITY = "community"


class ReportType(StrEnum):
    """Kinds of diagnostic report."""

    RADIOLOGY = "radiology"
    MICROBIOLOGY = "microbiology"
    LABORATORY = "laboratory"


class DocumentType(StrEnum):
    """Kinds of document on record."""

    DISCHARGE_SUMMARY = "discharge-summary"
    RADIOLOGY = "radiology"


class CarePlanCategory(StrEnum):
    """Kinds of plan a discharge summary holds."""

    DISCHARGE_PLANNING = "discharge-planning"
    FOLLOWUP = "followup"
    TREATMENT = "treatment"


class PatientRead(Arguments):
    """Arguments of Patient.read."""


class EncounterSearch(DatedSearchArguments):
    """Arguments of Encounter.search; dates are of the start."""


class ConditionSearch(DatedSearchArguments):
    """Arguments of Condition.search; dates are of recording."""

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
    """Arguments of MedicationRequest.search; dates are of the order's start, or of the home list."""

    medication: Text | None = Field(
        default=None, description="One drug: ingredient, brand, or the name as the order has it"
    )
    status: OrderStatus | None = Field(
        default=None,
        description="active: begun and not ended by now; stopped: discontinued or changed before it ran out; "
        "on-hold: held in this session; completed: ended, not known to be discontinued; "
        "cancelled: taken back before its start",
    )
    category: OrderCategory | None = Field(
        default=None,
        description="inpatient: orders of this hospital, also when left out; community: the list of medications taken "
        "at home, as taken down in the emergency department, by date of the list, without dose and without status",
    )

    @property
    def of_home(self) -> bool:
        """Tell whether the home list is asked for: by its category, or by the id of one of its entries."""
        named = (self.resource_id or "").removeprefix("MedicationRequest/")
        return self.category is OrderCategory.COMMUNITY or (
            self.category is None and named.startswith("home-")
        )


class MedicationAdministrationSearch(DatedSearchArguments):
    """Arguments of MedicationAdministration.search; dates are of the charted event."""

    medication: Text | None = Field(
        default=None,
        description="One drug: ingredient, brand, or the name as the administration record has it",
    )


class DiagnosticReportSearch(DatedSearchArguments):
    """Arguments of DiagnosticReport.search; dates are of the examination or the collection."""

    report_type: ReportType | None = Field(
        default=None,
        description="Kind of report; all when left out. laboratory has no reports here: ask Observation_search",
    )


class DocumentReferenceSearch(DatedSearchArguments):
    """Arguments of DocumentReference.search; dates are those charted on the document."""

    type_code: DocumentType | None = Field(default=None, description="Kind of document; all when left out")
    keyword: Text | None = Field(
        default=None,
        description="Only documents whose text holds this word or phrase, whole words in any case",
    )
    section: Text | None = Field(
        default=None,
        description="Show this section of the text: Discharge Medications, Brief Hospital Course, Impression ...",
    )
    part: Annotated[Integer, Field(ge=1)] = Field(
        default=1, description="Part of a long text to show, from 1; only for one document at a time"
    )


class CarePlanSearch(DatedSearchArguments):
    """Arguments of CarePlan.search; dates are those of the discharge summary."""

    category: CarePlanCategory | None = Field(
        default=None,
        description="discharge-planning: discharge instructions; followup: follow-up instructions and transitional "
        "issues; treatment: discharge medications; all when left out",
    )


class ProcedureSearch(DatedSearchArguments):
    """Arguments of Procedure.search; dates are of the procedure's start."""

    code: Text | None = Field(
        default=None,
        description="ICD-9-CM or ICD-10-PCS procedure code or its beginning, with or without the dot (39.95, 5A1D), or "
        "the itemid or whole name of a procedure charted in intensive care (225802, Dialysis - CRRT)",
    )


class AllergyIntoleranceSearch(DatedSearchArguments):
    """Arguments of AllergyIntolerance.search; dates are those of the newest note that says it."""


class PatientEverything(DatedSearchArguments):
    """Arguments of Patient.everything; dates are those each resource type is searched by."""
