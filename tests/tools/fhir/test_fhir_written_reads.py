"""What was written answers every search like what was recorded."""

from collections.abc import Callable

import pytest
from hospital import Hospital, at

from tools.fhir.toolset import Toolset

NOW = at(5, 12)
ORDER = {"subject_id": 1, "dose": "5 mg", "route": "PO", "frequency": "DAILY"}


@pytest.fixture
def tools(make_hospital: Callable[[], Hospital]) -> Toolset:
    hospital = make_hospital()
    hospital.add("hosp.admissions", {"hadm_id": 10, "admittime": at(1, 1), "dischtime": at(1, 6)})
    hospital.order(1, "Warfarin", at(2))
    hospital.order(2, "Furosemide", at(3))
    built = hospital.toolset(NOW, hadm_id=20)
    for drug in ("lisinopril", "warfarin", "amlodipine"):
        assert built.call("MedicationRequest.create", ORDER | {"medication": drug}).ok
    assert built.call(
        "MedicationRequest.patch",
        {"subject_id": 1, "medication": "furosemide", "status": "on-hold", "reason": "sodium 128"},
    ).ok
    return built


def drugs(tools: Toolset, **asked: object) -> list[str]:
    result = tools.call("MedicationRequest.search", {"subject_id": 1, **asked})
    assert result.ok, result.text
    return [
        entry["resource"]["medicationCodeableConcept"]["text"]
        for entry in result.resource.get("entry", [])
        if entry["search"]["mode"] == "match"
    ]


NEWEST_FIRST = ["amlodipine", "warfarin", "lisinopril", "Furosemide", "Warfarin"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, NEWEST_FIRST),
        ({"_sort": "-date"}, NEWEST_FIRST),
        ({"_sort": "date"}, NEWEST_FIRST[::-1]),
        ({"status": "active"}, ["amlodipine", "warfarin", "lisinopril", "Warfarin"]),
        ({"status": "on-hold"}, ["Furosemide"]),
        ({"status": "stopped"}, []),
        ({"medication": "Coumadin"}, ["warfarin", "Warfarin"]),
        ({"medication": "Coumadin", "_sort": "date"}, ["Warfarin", "warfarin"]),
        ({"medication": "Norvasc", "status": "active"}, ["amlodipine"]),
        ({"date_from": "2150-01-05"}, ["amlodipine", "warfarin", "lisinopril"]),
        ({"date_to": "2150-01-04"}, ["Furosemide", "Warfarin"]),
        ({"date_from": "2150-01-05T12:00", "date_to": "2150-01-05T12:00"}, NEWEST_FIRST[:3]),
        ({"hadm_id": 20}, NEWEST_FIRST),
        ({"hadm_id": 10}, []),
        ({"_id": "new-2"}, ["warfarin"]),
        ({"_id": "MedicationRequest/new-3"}, ["amlodipine"]),
    ],
)
def test_orders_written_are_found_by_every_filter(
    tools: Toolset, asked: dict[str, object], found: list[str]
) -> None:
    assert drugs(tools, **asked) == found


@pytest.mark.parametrize("sort", ["date", "-date"])
def test_pages_hold_written_and_recorded_orders_once(tools: Toolset, sort: str) -> None:
    whole = drugs(tools, _sort=sort)
    pages = [drugs(tools, _sort=sort, _count=2, page=page) for page in (1, 2, 3)]
    assert [len(page) for page in pages] == [2, 2, 1]
    assert [drug for page in pages for drug in page] == whole


def test_a_write_shows_at_once_and_an_empty_search_says_so(tools: Toolset) -> None:
    before = tools.call("MedicationRequest.search", {"subject_id": 1, "medication": "digoxin"})
    assert before.text.startswith("No orders of digoxin known at 2150-01-05 12:00 (total 0).")
    tools.call("MedicationRequest.create", ORDER | {"medication": "digoxin", "dose": "0.125 mg"})
    assert drugs(tools, medication="digoxin") == ["digoxin"]
    tools.call(
        "MedicationRequest.patch",
        {"subject_id": 1, "medication": "digoxin", "status": "stopped", "reason": "level 2.4"},
    )
    assert drugs(tools, medication="digoxin", status="active") == []
    assert drugs(tools, medication="digoxin", status="stopped") == ["digoxin"]


def test_every_write_is_counted_in_everything(tools: Toolset) -> None:
    tools.call("Flag.create", {"subject_id": 1, "category": "safety", "code": "K", "detail": "high"})
    tools.call("ServiceRequest.create", {"subject_id": 1, "service_type": "ECG", "priority": "asap"})
    text = tools.call("Patient.everything", {"subject_id": 1}).text
    assert "MedicationRequest 5" in text
    assert "ServiceRequest 1" in text
    assert "Flag 1" in text
