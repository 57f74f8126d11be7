"""Patient from hosp.patients, with what the last known admission says of the person."""

from datetime import datetime

from tools.fhir.context import Context
from tools.fhir.elements import Resource, compact, concept, date_time, text_of
from tools.fhir.systems import PATIENT_ID

GENDER = {"F": "female", "M": "male"}
RACE = "http://hl7.org/fhir/us/core/StructureDefinition/us-core-race"


def read_patient(context: Context) -> Resource:
    """Build the Patient known at as_of.

    MIMIC-IV gives a shifted year and an age, so ``birthDate`` is a year; ages over 89 are all recorded as 91. Death is
    known from the moment charted in hospital, or the day after ``dod``.
    """
    (row,) = context.rows("hosp.patients")
    admissions = sorted(context.admissions.values(), key=lambda a: a["admittime"])
    latest = admissions[-1] if admissions else {}
    deaths = [a["deathtime"] for a in admissions if a["deathtime"] is not None]
    died: datetime | None = deaths[-1] if deaths else row["dod"]
    race, language = text_of(latest.get("race")), text_of(latest.get("language"))
    marital_status = text_of(latest.get("marital_status"))
    race_extension = {"url": RACE, "extension": [{"url": "text", "valueString": race}]} if race else None
    return compact(
        {
            "resourceType": "Patient",
            "id": str(context.chart.subject_id),
            "extension": [race_extension] if race_extension else None,
            "identifier": [{"system": PATIENT_ID, "value": str(context.chart.subject_id)}],
            "gender": GENDER.get(row["gender"], "unknown"),
            "birthDate": f"{born:04d}" if (born := context.chart.birth_year) is not None else None,
            "deceasedDateTime": date_time(died) if died else None,
            "maritalStatus": concept(marital_status) if marital_status else None,
            "communication": [{"language": concept(language)}] if language and language != "?" else None,
        }
    )
