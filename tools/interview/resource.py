"""An answer of the patient as FHIR: a QuestionnaireResponse whose source is the patient."""

from state.patient import Saying
from tools.ehr.chart import Chart
from tools.fhir.elements import Resource, compact, date_time, reference

TITLES = {
    "patient.get_chief_complaint": "Chief complaint",
    "patient.get_symptom_history": "Symptom history",
    "patient.get_medication_adherence": "Medication adherence",
    "patient.get_social_history": "Social history",
    "patient.get_functional_status": "Functional status",
    "patient.get_pain_assessment": "Pain assessment",
}


def answered(chart: Chart, tool: str, topic: str, said: Saying, interview: str) -> Resource:
    """Build the resource of one answer, given at as_of."""
    patient = reference("Patient", chart.subject_id)
    admission = reference("Encounter", f"hosp-{chart.hadm_id}") if chart.hadm_id is not None else None
    title = TITLES[tool]
    item = {
        "linkId": tool,
        "text": f"{title}: {topic}" if topic else title,
        "answer": [{"valueString": said.text}],
    }
    return compact(
        {
            "resourceType": "QuestionnaireResponse",
            "id": interview,
            "status": "completed",
            "subject": patient,
            "encounter": admission,
            "authored": date_time(chart.as_of),
            "source": patient,
            "item": [item],
        }
    )
