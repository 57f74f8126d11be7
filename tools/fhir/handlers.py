"""What runs each tool on one chart."""

from collections.abc import Callable, Mapping
from typing import Any

from tools.fhir.allergies import Allergies
from tools.fhir.arguments import DatedSearchArguments
from tools.fhir.care_plans import CarePlans
from tools.fhir.conditions import Conditions
from tools.fhir.context import Context
from tools.fhir.diagnostic_reports import DiagnosticReports
from tools.fhir.documents import Documents
from tools.fhir.drug_orders import create_medication_request
from tools.fhir.elements import Resource
from tools.fhir.encounters import search_encounters
from tools.fhir.everything import Search, search_everything
from tools.fhir.flags import create_flag
from tools.fhir.medication_administrations import MedicationAdministrations
from tools.fhir.medication_requests import MedicationRequests
from tools.fhir.notes import Notes
from tools.fhir.observations import Observations
from tools.fhir.order_status import patch_medication_request
from tools.fhir.patients import read_patient
from tools.fhir.procedures import search_procedures
from tools.fhir.registry import TOOLS
from tools.fhir.service_requests import create_service_request

Single = Callable[[Any], Resource]


def singles(context: Context, requests: MedicationRequests) -> Mapping[str, Single]:
    """Give the tools that answer with one resource."""
    return {
        "Patient.read": lambda _: read_patient(context),
        "MedicationRequest.create": lambda asked: create_medication_request(context, asked),
        "MedicationRequest.patch": lambda asked: patch_medication_request(context, requests, asked),
        "ServiceRequest.create": lambda asked: create_service_request(context, asked),
        "Flag.create": lambda asked: create_flag(context, asked),
    }


def searches(context: Context, requests: MedicationRequests) -> Mapping[str, Search]:
    """Give the tools that answer with a listing; those that read the same rows share them."""
    notes = Notes(context)
    observations = Observations(context)
    found: dict[str, Search] = {
        "Encounter.search": lambda asked: search_encounters(context, asked),
        "Condition.search": Conditions(context).search,
        "AllergyIntolerance.search": Allergies(context, notes).search,
        "Procedure.search": lambda asked: search_procedures(context, asked),
        "Observation.search": observations.search,
        "MedicationRequest.search": requests.search,
        "MedicationAdministration.search": MedicationAdministrations(context, requests.orders).search,
        "DiagnosticReport.search": DiagnosticReports(context, notes, observations.microbiology).search,
        "DocumentReference.search": Documents(context, notes).search,
        "CarePlan.search": CarePlans(context, notes).search,
    }
    by_kind = {name.partition(".")[0]: (search, _arguments(name)) for name, search in found.items()}
    return found | {"Patient.everything": lambda asked: search_everything(context, by_kind, asked)}


def _arguments(name: str) -> type[DatedSearchArguments]:
    arguments = TOOLS[name].arguments
    if not issubclass(arguments, DatedSearchArguments):
        raise TypeError(f"{name} is not searched by date")
    return arguments
