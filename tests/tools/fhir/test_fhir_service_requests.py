"""Requests of services are understood and dated before they are kept."""

import pytest
from hospital import Hospital, at

from tools.fhir.toolset import Toolset

NOW = at(5, 12)
REQUEST = {"subject_id": 1, "service_type": "chest x-ray", "priority": "urgent"}


@pytest.fixture
def tools(hospital: Hospital) -> Toolset:
    return hospital.toolset(NOW, hadm_id=20)


def test_a_request_is_kept_and_read_back(tools: Toolset) -> None:
    made = tools.call("ServiceRequest.create", REQUEST | {"note": "cough", "target_date": "2150-01-06"})
    assert made.text == (
        "ServiceRequest/new-1 | chest x-ray | Imaging | urgent | active | for 2150-01-06 | ordered 2150-01-05 12:00 | "
        "note: cough | Encounter/hosp-20"
    )
    assert made.write is not None
    assert (made.write.accepted, made.write.ref) == (True, "ServiceRequest/new-1")
    found = tools.call("Patient.everything", {"subject_id": 1, "_id": "ServiceRequest/new-1"})
    assert found.resource["entry"][0]["resource"] == made.resource


@pytest.mark.parametrize(
    ("service", "category"),
    [
        ("CT abdomen/pelvis with contrast", ["Imaging"]),
        ("复查血钾", ["Laboratory procedure"]),
        ("Nephrology consult", ["Consult"]),
        ("imaging-guided paracentesis", ["Imaging", "Diagnostic"]),
    ],
)
def test_a_request_keeps_its_words_and_is_understood(
    tools: Toolset, service: str, category: list[str]
) -> None:
    made = tools.call("ServiceRequest.create", REQUEST | {"service_type": service})
    assert made.ok, made.text
    assert made.resource["code"]["text"] == service
    assert [kind["text"] for kind in made.resource["category"]] == category


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"service_type": "something nice"}, "names no known service"),
        ({"service_type": "lisinopril"}, "is a drug"),
        ({"service_type": "digoxin"}, "ask for its level"),
        ({"service_type": "CT " * 100}, "has 300 characters, 200 are allowed"),
        ({"note": "n" * 2001}, "has 2,001 characters, 2,000 are allowed"),
        ({"service_type": " "}, "must not be empty"),
        ({"service_type": "direct"}, "names no known service"),
        ({"priority": "stat"}, "'priority'"),
        ({"priority": None}, "'priority'"),
        ({"target_date": "2150-01-04"}, "is past"),
        ({"target_date": "2150-01-05T11:59"}, "is past"),
        ({"target_date": "2150-02-30"}, "'target_date'"),
        ({"target_date": "tomorrow"}, "write YYYY-MM-DD"),
        ({"note": ""}, "must not be empty"),
        ({"subject_id": 2}, "not 2"),
        ({"reason": "x"}, "unknown argument 'reason'"),
    ],
)
def test_a_wrong_request_is_refused_recorded_and_not_kept(
    tools: Toolset, wrong: dict[str, object], said: str
) -> None:
    result = tools.call("ServiceRequest.create", REQUEST | wrong)
    assert not result.ok
    assert said in result.text
    assert result.write is not None
    assert not result.write.accepted
    assert result.write.error == result.resource["issue"][0]["details"]["text"]
    assert tools.chart.overlay.refs == ()


def test_today_is_not_past(tools: Toolset) -> None:
    for target in ("2150-01-05", "2150-01-05T12:00", "2150-01-05T18:30"):
        made = tools.call("ServiceRequest.create", REQUEST | {"target_date": target})
        assert made.resource["occurrenceDateTime"].startswith(target)
