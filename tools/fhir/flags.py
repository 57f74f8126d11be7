"""Flag as a session raises it."""

from tools.fhir.context import Context
from tools.fhir.elements import Resource, compact, concept, date_time
from tools.fhir.systems import FLAG_CATEGORY
from tools.fhir.write_arguments import FlagCategory, FlagCreate

CODED_FLAGS = {
    FlagCategory.SAFETY: ("safety", "Safety"),
    FlagCategory.ADMINISTRATIVE: ("admin", "Administrative"),
}
"""The categories of a flag that FHIR's flag-category code system has; allergy and clinical are text."""


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
