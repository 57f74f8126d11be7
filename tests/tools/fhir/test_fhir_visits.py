"""Patient, Encounter and Condition as they stand at a moment."""

from datetime import datetime

import pytest
from hospital import Hospital, at

from state.base import InputError

DURING, AFTER = at(5, 12), at(11)


def text(hospital: Hospital, tool: str, as_of: datetime = DURING, **arguments: object) -> str:
    result = hospital.toolset(as_of).call(tool, {"subject_id": 1, **arguments})
    assert result.ok, result.text
    return result.text


def diagnoses(hospital: Hospital) -> Hospital:
    hospital.add(
        "hosp.admissions",
        {"hadm_id": 10, "admittime": datetime(2149, 1, 1), "dischtime": datetime(2149, 1, 9)},
    )
    hospital.add(
        "ed.edstays", {"stay_id": 40, "intime": at(1, 5), "outtime": at(1, 9), "disposition": "ADMITTED"}
    )
    hospital.add(
        "ed.diagnosis",
        {"stay_id": 40, "seq_num": 1, "icd_code": "R079", "icd_version": 10, "icd_title": "Pain"},
    )
    hospital.add(
        "hosp.diagnoses_icd",
        {"hadm_id": 10, "seq_num": 1, "icd_code": "N184", "icd_version": 10},
        {"hadm_id": 10, "seq_num": 2, "icd_code": "4280", "icd_version": 9},
        {"hadm_id": 20, "seq_num": 1, "icd_code": "I2111", "icd_version": 10},
    )
    hospital.add(
        "hosp.d_icd_diagnoses",
        {"icd_code": "N184", "icd_version": 10, "long_title": "Chronic kidney disease, stage 4 (severe)"},
        {"icd_code": "4280", "icd_version": 9, "long_title": "Congestive heart failure, unspecified"},
        {"icd_code": "I2111", "icd_version": 10, "long_title": "STEMI"},
    )
    return hospital


def test_a_patient_is_not_dead_before_death(hospital: Hospital) -> None:
    hospital.add(
        "hosp.admissions", {"hadm_id": 30, "admittime": at(12), "dischtime": at(14), "deathtime": at(14, 6)}
    )
    living = text(hospital, "Patient.read", at(14, 5))
    assert living == "Patient/1 | female | born 2080, 70 years at 2150-01-14"
    assert text(hospital, "Patient.read", at(14, 6)) == living.replace(
        "at 2150-01-14", "at 2150-01-14 | DECEASED 2150-01-14 06:00"
    )


def test_no_age_is_below_nought_and_none_is_made_up(hospital: Hospital) -> None:
    assert "born 2080, 0 years at 2080-01-01" in text(hospital, "Patient.read", datetime(2080, 1, 1))
    with pytest.raises(InputError, match="patient 1 was born in 2080, after 2079-12-31: name a later time"):
        hospital.toolset(datetime(2079, 12, 31, 23))
    hospital.tables["hosp.patients"][0] |= {"anchor_age": None}
    hospital.add("hosp.patients")
    assert text(hospital, "Patient.read", datetime(1900, 1, 1)).startswith("Patient/1 | female")
    assert "born" not in text(hospital, "Patient.read")


def test_the_day_of_death_is_known_when_it_is_over(hospital: Hospital) -> None:
    hospital.tables["hosp.patients"][0]["dod"] = at(20).date()
    assert "DECEASED" not in text(hospital, "Patient.read", at(20, 23))
    assert "DECEASED 2150-01-20" in text(hospital, "Patient.read", at(21))


def test_an_admission_under_way_has_no_end(hospital: Hospital) -> None:
    hospital.tables["hosp.admissions"][0] |= {
        "discharge_location": "HOME",
        "admission_location": "EMERGENCY ROOM",
    }
    hospital.add("hosp.admissions", {"hadm_id": 21, "admittime": at(20), "dischtime": at(22)})
    assert text(hospital, "Encounter.search").splitlines()[-1] == (
        "- Encounter/hosp-20 | from 2150-01-01 08:00 end not reached | in-progress | inpatient encounter | EW EMER. | "
        "from: EMERGENCY ROOM"
    )
    ended = text(hospital, "Encounter.search", AFTER).splitlines()[-1]
    assert "from 2150-01-01 08:00 to 2150-01-10 12:00 | finished" in ended
    assert ended.endswith("discharged to: HOME")


def test_an_emergency_stay_joins_its_admission_once_that_has_begun(hospital: Hospital) -> None:
    diagnoses(hospital)
    before = text(hospital, "Encounter.search", at(1, 7), date_from="2150-01-01")
    assert "Encounter/ed-40" in before
    assert "hosp-20" not in before
    assert "ADMITTED" not in before
    assert "discharged to: ADMITTED | part of Encounter/hosp-20" in text(
        hospital, "Encounter.search", hadm_id=20
    )


def test_codes_of_the_admission_under_way_are_not_known(hospital: Hospital) -> None:
    diagnoses(hospital)
    _, emergency, kidney, heart = text(hospital, "Condition.search").splitlines()
    assert emergency == (
        "- Condition/ed-40-1 | Pain (ICD-10-CM R07.9) | clinical status active | recorded 2150-01-01 09:00 | "
        "note: number 1 of the codes of the emergency stay | Encounter/ed-40"
    )
    assert kidney == (
        "- Condition/icd-10-1 | Chronic kidney disease, stage 4 (severe) (ICD-10-CM N18.4) | "
        "clinical status not recorded | recorded 2149-01-09 00:00 | "
        "note: number 1 of the codes of the admission 10 | Encounter/hosp-10"
    )
    assert "Congestive heart failure, unspecified (ICD-9-CM 428.0)" in heart
    assert "STEMI" in text(hospital, "Condition.search", AFTER)


def test_a_code_is_a_prefix_with_or_without_dot(hospital: Hospital) -> None:
    diagnoses(hospital)
    for code in ("N18", "N18.4", "n184"):
        assert "Condition/icd-10-1" in text(hospital, "Condition.search", code=code).splitlines()[1]
    assert text(hospital, "Condition.search", code="I21").startswith(
        "No conditions with codes beginning I21 known"
    )
    for code, kind in (("kidney disease", "code-invalid"), ("N99", "code-invalid"), ("184", "code-invalid")):
        result = hospital.toolset(DURING).call("Condition.search", {"subject_id": 1, "code": code})
        assert result.resource["issue"][0]["code"] == kind


def test_a_filter_by_clinical_status_says_what_it_cannot_tell(hospital: Hospital) -> None:
    diagnoses(hospital)
    active = text(hospital, "Condition.search", clinical_status="active")
    assert "Condition/ed-40-1" in active
    assert "2 further diagnoses were coded in finished visits" in active
    resolved = text(hospital, "Condition.search", clinical_status="resolved")
    assert resolved.startswith("No conditions known")
    assert "3 further diagnoses" not in resolved
    assert "2 further diagnoses" in resolved


def test_visits_without_diagnosis_tables_are_refused(hospital: Hospital) -> None:
    result = hospital.toolset(DURING).call("Condition.search", {"subject_id": 1})
    assert result.text.startswith(
        "Error (not-supported): hosp.diagnoses_icd and ed.diagnosis were not loaded"
    )
