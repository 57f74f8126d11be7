"""Diagnostic reports: films with their impression, cultures by specimen, and no panels that the record lacks."""

from typing import Any

import pytest
from hospital import Hospital, at
from made_up_notes import report

from tools.fhir.toolset import ToolResult

NOW = at(8)


def search(hospital: Hospital, **arguments: object) -> ToolResult:
    result = hospital.toolset(NOW).call("DiagnosticReport.search", {"subject_id": 1, **arguments})
    assert result.ok, result.text
    return result


def culture(hospital: Hospital, specimen: int, test: int, name: str, **more: Any) -> None:
    row = {"micro_specimen_id": specimen, "test_itemid": test, "test_name": name, "chartdate": at(3)}
    row |= {"charttime": at(3, 6), "storetime": at(5, 9), "spec_type_desc": "URINE"}
    hospital.add("hosp.microbiologyevents", row | {"microevent_id": specimen * 100 + test} | more)


def test_films_are_listed_with_exam_and_impression(hospital: Hospital) -> None:
    hospital.film(at(2, 6), at(2, 9), report(), "CHEST (PORTABLE AP)")
    hospital.film(at(3, 6), at(3, 9), "No headings at all.", None)
    first, second = search(hospital, report_type="radiology").text.split("\n- ")[1:]
    assert first.startswith(
        "DiagnosticReport/rad-1-RR-2 | 2150-01-03 06:00 | Radiology | Radiology report, examination not recorded | "
        "final | reported 2150-01-03 09:00"
    )
    assert "No headings at all." in first
    assert "CHEST (PORTABLE AP) | final" in second
    assert "Impression, whole:\n<<<\nLarge heart, no pneumonia." in second
    assert "DocumentReference_search _id=note-1-RR-1" in second


def test_a_film_found_alone_shows_its_text(hospital: Hospital) -> None:
    hospital.film(at(2, 6), at(2, 9), report())
    assert search(hospital, report_type="radiology").text.split("<<<\n")[1].startswith("EXAMINATION:")


def test_a_long_report_says_where_the_rest_is(hospital: Hospital) -> None:
    hospital.film(at(2, 6), at(2, 9), "IMPRESSION:\n" + "A long story. " * 2_000)
    assert "for more, DocumentReference_search _id=note-1-RR-1 and part=2" in search(hospital).text
    hospital.film(at(2, 7), at(2, 9), "IMPRESSION:\nShort.")
    text = search(hospital).text
    assert "Impression, part 1 of " in text
    assert len(text) < 4_000


def test_an_addendum_is_called_one_and_names_only_a_known_report(hospital: Hospital) -> None:
    parent = hospital.film(at(2, 6), at(2, 9), report(), "CHEST")
    late = hospital.film(at(2, 6), at(12), report(), "LATE EXAM")
    for number, of in enumerate((parent, late)):
        addendum = hospital.film(at(4, number), at(4, 9), "Added.", "CHEST", note_type="AR")
        hospital.detail(addendum, "parent_note_id", of)
    hospital.detail(parent, "addendum_note_id", "1-AR-99")
    assert search(hospital, report_type="radiology").text.count("CHEST (addendum)") == 2
    documents = hospital.toolset(NOW).call("DocumentReference.search", {"subject_id": 1})
    assert documents.text.count(f"adds to DocumentReference/note-{parent}") == 1
    assert f"note-{late}" not in str(documents)
    assert "1-AR-99" not in str(documents)


def test_a_specimen_shows_every_result(hospital: Hospital) -> None:
    culture(hospital, 7, 1, "URINE CULTURE", org_itemid=80002, org_name="ESCHERICHIA COLI", isolate_num=1)
    hospital.tables["hosp.microbiologyevents"][-1] |= {"ab_itemid": 90015, "ab_name": "VANCOMYCIN"}
    hospital.tables["hosp.microbiologyevents"][-1] |= {"dilution_text": "<=1", "interpretation": "S"}
    culture(hospital, 7, 2, "GRAM STAIN", comments="NO ORGANISMS SEEN")
    culture(hospital, 7, 3, "FUNGAL CULTURE", comments="YEAST", storetime=at(9))
    result = search(hospital, report_type="microbiology")
    assert result.refs == (
        "DiagnosticReport/micro-7",
        "Observation/micro-7-1-80002-1",
        "Observation/micro-7-2-0-0",
    )
    assert "Microbiology of URINE | whether more results are to come is not recorded" in result.text
    assert "URINE CULTURE: ESCHERICHIA COLI; VANCOMYCIN: MIC <=1 SUSCEPTIBLE" in result.text
    assert "GRAM STAIN: NO ORGANISMS SEEN" in result.text
    assert "YEAST" not in result.text


def test_laboratory_panels_are_refused_and_results_pointed_to(hospital: Hospital) -> None:
    hospital.lab(50971, at(2, 6), "4.1")
    result = hospital.toolset(NOW).call(
        "DiagnosticReport.search", {"subject_id": 1, "report_type": "laboratory"}
    )
    assert not result.ok
    assert "Observation_search, category laboratory" in result.text


def test_reports_of_both_kinds_come_in_one_order(hospital: Hospital) -> None:
    culture(hospital, 7, 2, "GRAM STAIN", comments="NO ORGANISMS SEEN")
    hospital.film(at(2, 6), at(2, 9), report())
    hospital.film(at(4, 6), at(4, 9), report())
    kinds = ["rad", "micro", "rad"]
    refs = [r for r in search(hospital).refs if r.startswith("DiagnosticReport")]
    assert [ref.split("/")[1].split("-")[0] for ref in refs] == kinds
    assert search(hospital, date_from="2150-01-03", date_to="2150-01-03").resource["total"] == 1


def test_a_missing_table_is_told_and_two_are_refused(hospital: Hospital) -> None:
    for arguments in ({}, {"report_type": "radiology"}):
        result = hospital.toolset(NOW).call("DiagnosticReport.search", {"subject_id": 1, **arguments})
        assert not result.ok
        assert "note.radiology" in result.text
    culture(hospital, 7, 2, "GRAM STAIN", comments="NO ORGANISMS SEEN")
    assert "Warning (incomplete): note.radiology was not loaded" in search(hospital).text


@pytest.mark.parametrize("report_type", ["x-ray", "", "lab"])
def test_an_unknown_type_is_refused(hospital: Hospital, report_type: str) -> None:
    result = hospital.toolset(NOW).call(
        "DiagnosticReport.search", {"subject_id": 1, "report_type": report_type}
    )
    assert result.resource["issue"][0]["code"] == "value"
