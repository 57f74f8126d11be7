"""What a session writes: checked first, then kept in the chart's overlay."""

from tools.fhir.context import Context
from tools.fhir.create_arguments import FlagCategory, FlagCreate, MedicationRequestCreate
from tools.fhir.elements import Resource, compact, concept, date_time, quantity
from tools.fhir.outcome import IssueType, Refused
from tools.fhir.systems import FLAG_CATEGORY

CODED_FLAGS = {
    FlagCategory.SAFETY: ("safety", "Safety"),
    FlagCategory.ADMINISTRATIVE: ("admin", "Administrative"),
}
"""The categories of a flag that FHIR's flag-category code system has; allergy and clinical are text."""


def create_medication_request(context: Context, asked: MedicationRequestCreate) -> Resource:
    """Order a drug. The resource keeps the caller's words; every part of the dosage is understood before it is kept."""
    vocabulary = context.vocabulary
    if (
        vocabulary.ingredient(asked.medication) is None
        and asked.medication.lower() not in context.dictionaries.formulary
    ):
        raise Refused(
            IssueType.CODE_INVALID,
            f"medication {asked.medication!r} is neither a known drug nor on this hospital's formulary: "
            "give one drug by ingredient, brand or formulary name, without dose or form",
        )
    dose = vocabulary.dose(asked.dose)
    if dose is None or dose.value <= 0:
        raise Refused(
            IssueType.VALUE, f'dose {asked.dose!r} is not one amount with a unit, such as "12.5 mg"'
        )
    route = vocabulary.route(asked.route)
    if route is None:
        raise Refused(
            IssueType.CODE_INVALID, f"route {asked.route!r} is not known: write PO, IV, SC, IM, SL ..."
        )
    frequency = vocabulary.frequency(asked.frequency)
    if frequency is None:
        raise Refused(
            IssueType.CODE_INVALID,
            f"frequency {asked.frequency!r} is not known: write DAILY, BID, TID, QID, Q8H, QHS, ONCE ...",
        )
    repeat = {"boundsDuration": quantity(asked.duration_days, "days")} if asked.duration_days else None
    dosage: Resource = {
        "text": f"{asked.dose} {asked.route} {asked.frequency}",
        "timing": compact({"repeat": repeat, "code": concept(frequency)}),
        "route": concept(route),
        "doseAndRate": [{"doseQuantity": quantity(dose.value, dose.unit)}],
    }
    if "PRN" in frequency:
        dosage["asNeededBoolean"] = True
    return context.chart.overlay.create(
        compact(
            {
                "resourceType": "MedicationRequest",
                "status": "active",
                "intent": "order",
                "medicationCodeableConcept": concept(asked.medication),
                "subject": context.subject,
                "encounter": context.encounter(context.chart.hadm_id),
                "authoredOn": date_time(context.chart.as_of),
                "reasonCode": [concept(asked.indication)] if asked.indication else None,
                "dosageInstruction": [dosage],
            }
        )
    )


def create_flag(context: Context, asked: FlagCreate) -> Resource:
    """Raise a flag on the patient. ``code`` is its coding's display, ``detail`` its text."""
    coded = CODED_FLAGS.get(asked.category)
    category = (
        concept(coded[1], (FLAG_CATEGORY, *coded)) if coded else concept(asked.category.value.capitalize())
    )
    return context.chart.overlay.create(
        compact(
            {
                "resourceType": "Flag",
                "status": "active",
                "category": [category],
                "code": {"coding": [{"display": asked.code}], "text": asked.detail},
                "subject": context.subject,
                "period": {"start": date_time(context.chart.as_of)},
                "encounter": context.encounter(context.chart.hadm_id),
            }
        )
    )
