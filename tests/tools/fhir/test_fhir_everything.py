"""Patient.everything counts first, pages through all, and tells what it cannot see."""

from hospital import Hospital, at
from made_up_notes import report, summary

NOW = at(12)


def filled(hospital: Hospital) -> Hospital:
    hospital.lab(50971, at(2, 6), "4.1")
    hospital.lab(50912, at(12, 6), "1.1")
    hospital.order(1, "Lisinopril", at(2))
    hospital.discharge_summary(at(10), summary())
    hospital.film(at(2, 6), at(2, 9), report())
    return hospital


def test_counts_come_first_and_pages_hold_all_once(hospital: Hospital) -> None:
    tools = filled(hospital).toolset(NOW, hadm_id=20)
    tools.call("Flag.create", {"subject_id": 1, "category": "safety", "code": "K", "detail": "high"})
    asked = {"subject_id": 1, "_count": 4}
    pages = [tools.call("Patient.everything", asked | {"page": page}) for page in (1, 2, 3)]
    counts = pages[0].text.splitlines()[1]
    assert counts == (
        "Information (informational): counts: Patient 1, Encounter 1, Condition 0, AllergyIntolerance 2, Procedure 0, "
        "Observation 1, MedicationRequest 1, MedicationAdministration 0, DiagnosticReport 1, DocumentReference 2, "
        "CarePlan 3, ServiceRequest 0, Flag 1"
    )
    assert not tools.call("Patient.everything", asked | {"page": 5}).ok
    refs = [ref for page in pages for ref in page.refs]
    refs += tools.call("Patient.everything", asked | {"page": 4}).refs
    assert len(refs) == len(set(refs)) == pages[0].resource["total"] == 13
    assert refs[0] == "Patient/1"
    assert refs[-1] == "Flag/new-1"
    links = {link["relation"]: link["url"] for link in pages[0].resource["link"]}
    assert links["next"].startswith("Patient/1/$everything?")


def test_what_cannot_be_searched_is_told(hospital: Hospital) -> None:
    text = hospital.toolset(NOW).call("Patient.everything", {"subject_id": 1}).text
    assert "Warning (not-supported): Condition: hosp.diagnoses_icd and ed.diagnosis were not loaded" in text
    assert "Warning (not-supported): CarePlan: note.discharge was not loaded" in text


def test_one_admission_dates_and_ids_narrow(hospital: Hospital) -> None:
    hospital.add("hosp.admissions", {"hadm_id": 21, "admittime": at(11), "dischtime": at(13)})
    tools = filled(hospital).toolset(at(14))
    labs = tools.call("Patient.everything", {"subject_id": 1, "hadm_id": 21, "_count": 100}).refs
    assert "Encounter/hosp-21" in labs
    assert "Encounter/hosp-20" not in labs
    dated = tools.call("Patient.everything", {"subject_id": 1, "date_to": "2150-01-02", "_count": 100}).refs
    assert "Observation/lab-1" in dated
    assert "Observation/lab-2" not in dated
    one = tools.call("Patient.everything", {"subject_id": 1, "_id": "lab-1"})
    assert one.refs == ("Observation/lab-1",)
