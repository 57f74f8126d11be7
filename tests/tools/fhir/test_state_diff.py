"""The difference of two overlay states, in normal form."""

from collections.abc import Callable
from typing import Any

import pytest
from hospital import Hospital, at

from tools.fhir.state_diff import StateDiff, state_diff
from tools.fhir.toolset import Toolset
from tools.vocabulary import Dose

NOW = at(5, 12)
ORDER = {"medication": "KCl", "dose": "20-40 mEq", "route": "by mouth", "frequency": "q12h prn"}
STOP = {"medication": "warfarin", "status": "stopped", "reason": "INR 6"}


@pytest.fixture
def tools(make_hospital: Callable[[], Hospital]) -> Toolset:
    hospital = make_hospital()
    hospital.order(1, "Warfarin", at(2))
    return hospital.toolset(NOW, hadm_id=20)


def after(tools: Toolset, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    for name, arguments in calls:
        result = tools.call(name, {"subject_id": 1, **arguments})
        assert result.ok, result.text
    return tools.chart.overlay.snapshot()


def test_no_write_is_no_difference(tools: Toolset) -> None:
    state = after(tools, ("MedicationRequest.create", ORDER))
    assert state_diff([], []) == state_diff(state, after(tools)) == StateDiff()


def test_what_was_created_is_told_in_normal_form(tools: Toolset) -> None:
    state = after(
        tools,
        ("MedicationRequest.create", ORDER | {"duration_days": "one week", "indication": "K 2.9"}),
        (
            "ServiceRequest.create",
            {"service_type": "Recheck K", "priority": "asap", "target_date": "2150-01-06", "note": "n"},
        ),
        ("Flag.create", {"category": "administrative", "code": "c", "detail": "d"}),
    )
    order, service, flag = state_diff([], state).created
    assert (order.ref, order.tool) == ("MedicationRequest/new-1", "MedicationRequest.create")
    assert order.fields == {
        "medication": "KCl",
        "dose": Dose(20, "mEq", 40),
        "route": "PO",
        "frequency": "Q12H PRN",
        "duration_days": 7,
        "indication": "K 2.9",
        "status": "active",
    }
    assert (service.ref, service.tool) == ("ServiceRequest/new-2", "ServiceRequest.create")
    assert service.fields == {
        "service_type": "Recheck K",
        "priority": "asap",
        "target_date": "2150-01-06",
        "note": "n",
        "status": "active",
    }
    assert (flag.ref, flag.tool) == ("Flag/new-3", "Flag.create")
    assert flag.fields == {"category": "administrative", "code": "c", "detail": "d", "status": "active"}
    assert flag.text == "c\nd"


@pytest.mark.parametrize("category", ["safety", "allergy", "administrative", "clinical"])
def test_a_flag_keeps_the_category_it_was_given(tools: Toolset, category: str) -> None:
    state = after(tools, ("Flag.create", {"category": category, "code": "c", "detail": "d"}))
    (flag,) = state_diff([], state).created
    assert flag.fields["category"] == category


def test_an_order_of_the_record_is_changed_not_created(tools: Toolset) -> None:
    held = after(tools, ("MedicationRequest.patch", STOP | {"status": "on-hold"}))
    (change,) = state_diff([], held).changed
    assert change.tool == "MedicationRequest.patch"
    assert change.fields == {
        "_id": change.ref,
        "medication": "Warfarin",
        "status": "on-hold",
        "reason": "INR 6",
    }
    assert change.ref.startswith("MedicationRequest/rx-1-")
    stopped = after(tools, ("MedicationRequest.patch", STOP | {"reason": "bleeds"}))
    for before in ([], held):
        (change,) = state_diff(before, stopped).changed
        assert (change.fields["status"], change.fields["reason"]) == ("stopped", "bleeds")
    assert state_diff(held, stopped).created == ()


def test_an_order_is_created_once_and_changed_from_then_on(tools: Toolset) -> None:
    made = after(tools, ("MedicationRequest.create", ORDER))
    ended = after(tools, ("MedicationRequest.patch", STOP | {"medication": "KCl"}))
    (within,) = state_diff([], ended).created
    assert (within.fields["status"], state_diff([], ended).changed) == ("stopped", ())
    (later,) = state_diff(made, ended).changed
    assert (later.fields["_id"], later.fields["status"]) == ("MedicationRequest/new-1", "stopped")
    assert state_diff(made, ended).created == ()


def test_writes_of_one_tool_are_given_in_order(tools: Toolset) -> None:
    state = after(
        tools,
        ("MedicationRequest.patch", STOP),
        ("MedicationRequest.create", ORDER),
        ("MedicationRequest.create", ORDER | {"dose": "10 mEq"}),
    )
    diff = state_diff([], state)
    assert [write.ref for write in diff.of("MedicationRequest.create")] == [
        "MedicationRequest/new-1",
        "MedicationRequest/new-2",
    ]
    assert len(diff.of("MedicationRequest.patch")) == 1
    assert diff.of("Flag.create") == ()


@pytest.mark.parametrize(("frequency", "days", "told"), [("ONCE", 1, None), ("ONCE", 2, 2), ("DAILY", 1, 1)])
def test_one_day_adds_nothing_to_once(tools: Toolset, frequency: str, days: int, told: int | None) -> None:
    state = after(
        tools, ("MedicationRequest.create", ORDER | {"frequency": frequency, "duration_days": days})
    )
    assert state_diff([], state).created[0].fields.get("duration_days") == told
