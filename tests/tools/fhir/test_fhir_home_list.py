"""The home medication list: what it shows, from when, and how it is told from the orders of the hospital."""

from typing import Any

from hospital import Hospital, at

NOW = at(5, 12)


def visit(hospital: Hospital, **more: Any) -> None:
    hospital.add("ed.edstays", {"stay_id": 30, "intime": at(1, 5), "outtime": at(1, 8)} | more)


def entry(hospital: Hospital, name: str | None, **more: Any) -> None:
    row = {"stay_id": 30, "charttime": at(1, 6), "name": name, "gsn": "000391", "ndc": "58517031030"}
    hospital.add("ed.medrecon", row | {"etc_rn": 1, "etcdescription": "ACE Inhibitors"} | more)


def found(hospital: Hospital, moment: Any = NOW, **arguments: object) -> list[dict[str, Any]]:
    result = hospital.toolset(moment).call("MedicationRequest.search", {"subject_id": 1, **arguments})
    assert result.ok, result.text
    return [e["resource"] for e in result.resource.get("entry", []) if e["search"]["mode"] == "match"]


def names(hospital: Hospital, moment: Any = NOW, **arguments: object) -> list[str]:
    return [r["medicationCodeableConcept"]["text"] for r in found(hospital, moment, **arguments)]


def test_an_entry_is_reported_and_of_the_community(hospital: Hospital) -> None:
    visit(hospital)
    entry(hospital, "lisinopril")
    (resource,) = found(hospital, category="community")
    assert resource["id"].startswith("home-30-")
    assert (resource["status"], resource["intent"], resource["reportedBoolean"]) == ("unknown", "order", True)
    assert resource["category"][0]["coding"][0] == {
        "system": "http://terminology.hl7.org/CodeSystem/medicationrequest-category",
        "code": "community",
        "display": "Community",
    }
    assert resource["encounter"] == {"reference": "Encounter/ed-30"}
    assert resource["medicationCodeableConcept"]["coding"][0]["code"] == "58517031030"
    assert resource["authoredOn"].startswith("2150-01-01T06:00:00")
    assert "dosageInstruction" not in resource


def test_a_line_says_where_it_is_taken_and_no_status(hospital: Hospital) -> None:
    visit(hospital)
    entry(hospital, "lisinopril")
    text = (
        hospital.toolset(NOW)
        .call("MedicationRequest.search", {"subject_id": 1, "category": "community"})
        .text
    )
    line = text.splitlines()[-1]
    assert "| lisinopril | taken at home | recorded 2150-01-01 06:00 |" in line
    assert "ACE Inhibitors" in line
    assert "unknown" not in line
    assert "ordered" not in line


def test_the_list_and_the_orders_are_apart(hospital: Hospital) -> None:
    visit(hospital)
    entry(hospital, "lisinopril")
    hospital.order(1, "Furosemide", at(2))
    assert names(hospital) == names(hospital, category="inpatient") == ["Furosemide"]
    assert names(hospital, category="community") == ["lisinopril"]
    assert names(hospital, status="active") == ["Furosemide"]


def test_the_list_is_known_from_when_it_was_charted(hospital: Hospital) -> None:
    visit(hospital)
    entry(hospital, "lisinopril")
    entry(hospital, "metformin", charttime=at(1, 7))
    assert names(hospital, at(1, 5, 59), category="community") == []
    assert names(hospital, at(1, 6), category="community") == ["lisinopril"]
    assert names(hospital, at(1, 7), category="community") == ["metformin", "lisinopril"]


def test_another_patient_s_list_is_not_shown(hospital: Hospital) -> None:
    visit(hospital)
    visit(hospital, stay_id=31, subject_id=2, hadm_id=None)
    entry(hospital, "metformin", stay_id=31, subject_id=2)
    entry(hospital, "lisinopril", stay_id=31)
    assert names(hospital, category="community") == []


def test_one_drug_one_admission_one_entry(hospital: Hospital) -> None:
    visit(hospital)
    visit(hospital, stay_id=29, intime=at(1, 1), outtime=at(1, 3), hadm_id=None)
    entry(hospital, "Zestril")
    entry(hospital, "metformin", stay_id=29, charttime=at(1, 2))
    assert names(hospital, category="community", medication="lisinopril") == ["Zestril"]
    assert names(hospital, category="community", _sort="date") == ["metformin", "Zestril"]
    assert names(hospital, category="community", hadm_id=20) == ["Zestril"]
    (first, _) = found(hospital, category="community")
    for named in (first["id"], f"MedicationRequest/{first['id']}"):
        assert names(hospital, _id=named) == ["Zestril"]


def test_a_status_is_refused(hospital: Hospital) -> None:
    visit(hospital)
    entry(hospital, "lisinopril")
    result = hospital.toolset(NOW).call(
        "MedicationRequest.search", {"subject_id": 1, "category": "community", "status": "active"}
    )
    assert not result.ok
    assert "without status" in result.text


def test_a_list_that_was_not_loaded_is_told(hospital: Hospital) -> None:
    hospital.order(1, "Furosemide", at(2))
    result = hospital.toolset(NOW).call(
        "MedicationRequest.search", {"subject_id": 1, "category": "community"}
    )
    assert not result.ok
    assert "ed.medrecon" in result.text


def test_an_entry_without_name_or_code(hospital: Hospital) -> None:
    visit(hospital)
    entry(hospital, None, ndc="0", etcdescription=None)
    (resource,) = found(hospital, category="community")
    assert resource["medicationCodeableConcept"] == {"text": "drug not recorded"}
    assert "note" not in resource


def test_an_entry_cannot_be_stopped(hospital: Hospital) -> None:
    visit(hospital)
    entry(hospital, "lisinopril")
    hospital.order(1, "Furosemide", at(2))
    (resource,) = found(hospital, category="community")
    result = hospital.toolset(NOW).call(
        "MedicationRequest.patch",
        {"subject_id": 1, "_id": resource["id"], "status": "stopped", "reason": "x y"},
    )
    assert not result.ok
