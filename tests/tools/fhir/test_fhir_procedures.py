"""Procedures, coded after discharge and charted in intensive care."""

from collections.abc import Callable
from datetime import datetime

import pytest
from hospital import Hospital, at

NOW = at(5, 12)


def filled(hospital: Hospital) -> Hospital:
    earlier = {"hadm_id": 10, "admittime": datetime(2149, 3, 1), "dischtime": datetime(2149, 3, 9)}
    hospital.add("hosp.admissions", earlier)
    hospital.add(
        "hosp.procedures_icd",
        {"hadm_id": 10, "seq_num": 1, "chartdate": datetime(2149, 3, 2).date(), "icd_code": "3961"}
        | {"icd_version": 9},
        {"hadm_id": 20, "seq_num": 1, "chartdate": at(2).date(), "icd_code": "0DTJ4ZZ", "icd_version": 10},
    )
    title = {"icd_code": "3961", "icd_version": 9, "long_title": "Extracorporeal circulation"}
    hospital.add("hosp.d_icd_procedures", title)
    hospital.add("hosp.d_icd_procedures", {"icd_code": "0DTJ4ZZ", "icd_version": 10})
    hospital.add("hosp.d_icd_procedures", {"icd_code": "3610", "icd_version": 9, "long_title": "Bypass"})
    hospital.add("icu.d_items", {"itemid": 225792, "label": "Ventilation", "linksto": "procedureevents"})
    charted = {"stay_id": 30, "itemid": 225792, "ordercategoryname": "Breathing", "location": "Left Arm"}
    for orderid, end, said in ((1, at(3), "FinishedRunning"), (2, at(4), "Stopped"), (3, at(6), "Stopped")):
        row = {"orderid": orderid, "starttime": at(2), "endtime": end, "storetime": end}
        hospital.add("icu.procedureevents", charted | row | {"statusdescription": said})
    return hospital


@pytest.fixture(scope="module")
def done(make_hospital: Callable[[], Hospital]) -> Hospital:
    return filled(make_hospital())


def test_charted_and_coded_procedures_are_told(hospital: Hospital) -> None:
    result = filled(hospital).toolset(NOW).call("Procedure.search", {"subject_id": 1})
    stopped, done, coded = result.text.split("\n- ")[1:]
    assert stopped == (
        "Procedure/icu-2-225792 | from 2150-01-02 00:00 to 2150-01-04 00:00 | Ventilation | Breathing | "
        "site: Left Arm | stopped | note: charted as Stopped | Encounter/hosp-20"
    )
    assert "| completed | Encounter/hosp-20" in done
    assert coded == (
        "Procedure/icd-10-1 | 2149-03-02 | Extracorporeal circulation (ICD-9-CM 39.61) | completed | "
        "note: number 1 of the procedure codes of the admission | Encounter/hosp-10"
    )


def test_codes_of_the_admission_under_way_are_not_known(hospital: Hospital) -> None:
    filled(hospital)
    assert "0DTJ4ZZ" not in hospital.toolset(at(10, 11)).call("Procedure.search", {"subject_id": 1}).text
    after = hospital.toolset(at(10, 12)).call("Procedure.search", {"subject_id": 1}).text
    assert "0DTJ4ZZ (ICD-10-PCS 0DTJ4ZZ)" in after


def test_a_procedure_belongs_to_its_admission_and_day(hospital: Hospital) -> None:
    tools = filled(hospital).toolset(NOW)
    assert tools.call("Procedure.search", {"subject_id": 1, "hadm_id": 10}).refs == ("Procedure/icd-10-1",)
    dated = {"subject_id": 1, "date_from": "2149-03-02", "date_to": "2149-03-02"}
    assert tools.call("Procedure.search", dated).refs == ("Procedure/icd-10-1",)


def test_missing_tables_are_told(hospital: Hospital) -> None:
    assert not hospital.toolset(NOW).call("Procedure.search", {"subject_id": 1}).ok
    hospital.add("icu.procedureevents")
    text = hospital.toolset(NOW).call("Procedure.search", {"subject_id": 1}).text
    assert text.startswith("No procedures known")
    assert "hosp.procedures_icd was not loaded" in text


@pytest.mark.parametrize(
    ("code", "refs"),
    [
        ("39.61", {"Procedure/icd-10-1"}),
        ("396", {"Procedure/icd-10-1"}),
        ("0dtj", {"Procedure/icd-20-1"}),
        ("0DTJ4ZZ", {"Procedure/icd-20-1"}),
        ("225792", {"Procedure/icu-1-225792", "Procedure/icu-2-225792", "Procedure/icu-3-225792"}),
        ("ventilation", {"Procedure/icu-1-225792", "Procedure/icu-2-225792", "Procedure/icu-3-225792"}),
    ],
)
def test_a_code_is_a_beginning_an_itemid_or_a_whole_name(done: Hospital, code: str, refs: set[str]) -> None:
    result = done.toolset(at(12)).call("Procedure.search", {"subject_id": 1, "code": code})
    assert result.ok, result.text
    assert set(result.refs) == refs
    assert f"procedures {code}" in result.text


@pytest.mark.parametrize("code", ["9", "Ventil", "22579", "39.61.1", "' OR 1=1", "39%", "Z"])
def test_a_code_that_means_nothing_is_refused(done: Hospital, code: str) -> None:
    result = done.toolset(at(12)).call("Procedure.search", {"subject_id": 1, "code": code})
    assert result.resource["issue"][0]["code"] == "code-invalid"
    assert ("nearest charted procedures: ventilation" in result.text) is (code == "Ventil")


def test_a_code_without_procedures_is_an_empty_bundle(done: Hospital) -> None:
    result = done.toolset(at(12)).call("Procedure.search", {"subject_id": 1, "code": "36.1"})
    assert result.resource["total"] == 0
    assert result.text.startswith("No procedures 36.1 known")
