"""The tools: names, descriptions and argument schemas as data."""

from dataclasses import dataclass

from tools.fhir.arguments import (
    Arguments,
    ConditionSearch,
    EncounterSearch,
    FlagCreate,
    MedicationAdministrationSearch,
    MedicationRequestCreate,
    MedicationRequestSearch,
    ObservationSearch,
    PatientRead,
)


@dataclass(frozen=True)
class ToolSpec:
    """One tool. ``name`` is dotted (``Observation.search``); models see ``wire_name``."""

    name: str
    description: str
    arguments: type[Arguments]

    @property
    def wire_name(self) -> str:
        """Give the name models call: providers allow no dots."""
        return wire_name(self.name)

    @property
    def writes(self) -> bool:
        """Tell whether the tool changes the record."""
        return self.name.endswith(".create")

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
            f"Find medication orders with dose, route, frequency and status as of now. {_KNOWN_NOW}",
            MedicationRequestSearch,
        ),
        ToolSpec(
            "MedicationAdministration.search",
            "Find charted administrations: what was given, not given, held, started or stopped, and the dose given. "
            f"{_KNOWN_NOW}",
            MedicationAdministrationSearch,
        ),
        ToolSpec(
            "MedicationRequest.create",
            "Order a drug for this patient, begun now. Every call makes a new order; nothing is replaced or stopped.",
            MedicationRequestCreate,
        ),
        ToolSpec(
            "Flag.create",
            "Raise a flag on this patient for everyone who opens the record. Every call makes a new flag.",
            FlagCreate,
        ),
    )
}


def dotted_name(name: str) -> str | None:
    """Give the dotted name of a tool called by either name; None for no tool."""
    if name in TOOLS:
        return name
    return next((spec.name for spec in TOOLS.values() if spec.wire_name == name), None)
