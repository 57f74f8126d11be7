"""The tools: names, descriptions and argument schemas as data."""

from dataclasses import dataclass

from tools.fhir.arguments import Arguments
from tools.fhir.search_arguments import (
    AllergyIntoleranceSearch,
    CarePlanSearch,
    ConditionSearch,
    DiagnosticReportSearch,
    DocumentReferenceSearch,
    EncounterSearch,
    MedicationAdministrationSearch,
    MedicationRequestSearch,
    ObservationSearch,
    PatientEverything,
    PatientRead,
    ProcedureSearch,
)
from tools.fhir.write_arguments import (
    FlagCreate,
    MedicationRequestCreate,
    MedicationRequestPatch,
    ServiceRequestCreate,
)
from tools.interview.arguments import AboutAnything, ChiefComplaint, MedicationAdherence, SymptomHistory


@dataclass(frozen=True)
class ToolSpec:
    """One tool. ``name`` is dotted (``Observation.search``); models see ``wire_name``.

    Only ``exposed`` tools are offered to models; every tool can be called.
    """

    name: str
    description: str
    arguments: type[Arguments]
    exposed: bool = True

    @property
    def wire_name(self) -> str:
        """Give the name models call: providers allow no dots."""
        return wire_name(self.name)

    @property
    def writes(self) -> bool:
        """Tell whether the tool changes the record."""
        return self.name.endswith((".create", ".patch"))

    @property
    def allowed(self) -> tuple[str, ...]:
        """List the names of arguments as callers write them."""
        return tuple(field.alias or name for name, field in self.arguments.model_fields.items())


def wire_name(name: str) -> str:
    """Turn ``Observation.search`` into ``Observation_search``."""
    return name.replace(".", "_")


_KNOWN_NOW = "Only what is known now is shown."

TOOLS: dict[str, ToolSpec] = {
    spec.name: spec
    for spec in (
        ToolSpec(
            "Patient.read",
            "Read the patient's sex, birth year and age, and death if it has happened.",
            PatientRead,
        ),
        ToolSpec(
            "Encounter.search",
            "Find hospital admissions and emergency department stays with their times, locations and, once over, "
            f"where the patient went. {_KNOWN_NOW}",
            EncounterSearch,
        ),
        ToolSpec(
            "Condition.search",
            "Find coded diagnoses (ICD-9-CM, ICD-10-CM) of earlier admissions and of finished emergency stays. An "
            f"admission's codes are assigned after discharge. {_KNOWN_NOW}",
            ConditionSearch,
        ),
        ToolSpec(
            "Observation.search",
            "Find laboratory results, vital signs, and microbiology with every organism and susceptibility. "
            f"{_KNOWN_NOW} A result counts from when it was reported, not drawn.",
            ObservationSearch,
        ),
        ToolSpec(
            "MedicationRequest.search",
            "Find medication orders with dose, route, frequency and status as of now; or, with category=community, the "
            f"medications taken at home. {_KNOWN_NOW}",
            MedicationRequestSearch,
        ),
        ToolSpec(
            "MedicationAdministration.search",
            "Find charted administrations: what was given, not given, held, started or stopped, and the dose given. "
            f"{_KNOWN_NOW}",
            MedicationAdministrationSearch,
        ),
        ToolSpec(
            "DiagnosticReport.search",
            "Find radiology reports with their impression, and microbiology reports with all results of a specimen. A "
            f"report found alone is shown with its text. {_KNOWN_NOW} A report counts from when it was stored.",
            DiagnosticReportSearch,
        ),
        ToolSpec(
            "DocumentReference.search",
            "Find discharge summaries of earlier admissions and radiology reports, and read them: a document found "
            f"alone is shown whole, in parts if it is long; several are listed with their sections. {_KNOWN_NOW}",
            DocumentReferenceSearch,
        ),
        ToolSpec(
            "CarePlan.search",
            "Find the plans made at the discharge from earlier admissions: instructions, follow-up, transitional "
            f"issues, discharge medications. {_KNOWN_NOW}",
            CarePlanSearch,
        ),
        ToolSpec(
            "patient.get_symptom_history",
            "Ask the patient about symptoms. The patient answers what is asked, in their own words.",
            SymptomHistory,
        ),
        ToolSpec(
            "patient.get_medication_adherence",
            "Ask the patient how they use a drug, at home and here, and why if not as prescribed.",
            MedicationAdherence,
        ),
        ToolSpec(
            "patient.get_social_history",
            "Ask the patient how they live: home, work, smoking, alcohol, drugs.",
            AboutAnything,
        ),
        ToolSpec(
            "patient.get_functional_status",
            "Ask the patient what they can do: walking, washing and dressing, household, managing pills.",
            AboutAnything,
        ),
        ToolSpec(
            "patient.get_pain_assessment",
            "Ask the patient where it hurts and how bad it is.",
            AboutAnything,
        ),
        ToolSpec(
            "patient.get_chief_complaint",
            "Ask the patient what brought them to the hospital.",
            ChiefComplaint,
            exposed=False,
        ),
        ToolSpec(
            "MedicationRequest.create",
            "Order a drug for this patient, begun now. Every call makes a new order; nothing is replaced or stopped.",
            MedicationRequestCreate,
        ),
        ToolSpec(
            "MedicationRequest.patch",
            "Stop or hold one standing order of this patient, and say why. Nothing else of the order is changed; a new "
            "dose is a new order.",
            MedicationRequestPatch,
        ),
        ToolSpec(
            "ServiceRequest.create",
            "Request a service for this patient: a laboratory test, imaging, consult, therapy, follow-up ... Every "
            "call makes a new request.",
            ServiceRequestCreate,
        ),
        ToolSpec(
            "Flag.create",
            "Raise a flag on this patient for everyone who opens the record. Every call makes a new flag.",
            FlagCreate,
        ),
        ToolSpec(
            "Procedure.search",
            "Find procedures: those charted in intensive care, and the coded ones (ICD-9-CM, ICD-10-PCS) of earlier "
            f"admissions. {_KNOWN_NOW}",
            ProcedureSearch,
            exposed=False,
        ),
        ToolSpec(
            "AllergyIntolerance.search",
            "Find allergies that earlier discharge summaries state, each with the words of the note. "
            f"{_KNOWN_NOW}",
            AllergyIntoleranceSearch,
            exposed=False,
        ),
        ToolSpec(
            "Patient.everything",
            f"Page through the whole record of the patient, counted by resource type. {_KNOWN_NOW}",
            PatientEverything,
            exposed=False,
        ),
    )
}

EXPOSED = tuple(spec for spec in TOOLS.values() if spec.exposed)
"""The tools that models are offered, the same in every turn of every session."""


def dotted_name(name: str) -> str | None:
    """Give the dotted name of a tool called by either name; None for no tool."""
    if name in TOOLS:
        return name
    return next((spec.name for spec in TOOLS.values() if spec.wire_name == name), None)
