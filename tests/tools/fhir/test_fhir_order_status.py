"""A standing order is stopped or held by name or id, and every later read says so."""

from collections.abc import Callable

import pytest
from hospital import Hospital, at

from tools.ehr.overlay import Overlay
from tools.fhir.toolset import Toolset

NOW = at(5, 12)
STOP = {"subject_id": 1, "status": "stopped", "reason": "INR 6.1"}
ORDER = {"subject_id": 1, "medication": "warfarin", "dose": "2.5 mg", "route": "PO", "frequency": "DAILY"}


@pytest.fixture(scope="module")
def wards(make_hospital: Callable[[], Hospital]) -> Hospital:
    hospital = make_hospital()
    hospital.order(1, "Warfarin", at(2))
    hospital.order(2, "Metoprolol Tartrate", at(2), dose_val_rx="25")
    hospital.order(3, "Metoprolol Tartrate", at(3), dose_val_rx="50")
    hospital.order(4, "Lisinopril", at(2), at(4))
    hospital.order(5, "5% Dextrose", at(2), dose_val_rx="1000", dose_unit_rx="mL", route="IV")
    hospital.order(5, "Potassium Chloride", at(2), drug_type="ADDITIVE", dose_val_rx="20", dose_unit_rx="mEq")
    hospital.order(6, "Zzz Trial Drug 7", at(2))
    return hospital


@pytest.fixture
def tools(wards: Hospital) -> Toolset:
    return wards.toolset(NOW, hadm_id=20)


def reference(tools: Toolset, drug: str) -> str:
    (ref,) = tools.call("MedicationRequest.search", {"subject_id": 1, "medication": drug}).refs
    return str(ref)


def standing(tools: Toolset, status: str) -> list[str]:
    return [
        str(ref) for ref in tools.call("MedicationRequest.search", {"subject_id": 1, "status": status}).refs
    ]


def test_an_order_is_stopped_and_read_so(tools: Toolset) -> None:
    ref = reference(tools, "warfarin")
    made = tools.call("MedicationRequest.patch", STOP | {"medication": "Coumadin"})
    assert made.refs == (ref,)
    assert made.write is not None
    assert (made.write.accepted, made.write.ref) == (True, ref)
    assert made.text == (
        f"{ref} | Warfarin | 5 mg PO | from 2150-01-02 00:00 to 2150-01-05 12:00 | stopped (INR 6.1) | "
        "ordered 2150-01-02 00:00 | Encounter/hosp-20"
    )
    assert ref not in standing(tools, "active")
    assert standing(tools, "stopped") == [ref]
    read = tools.call("MedicationRequest.search", {"subject_id": 1, "medication": "warfarin"})
    assert read.resource["entry"][0]["resource"] == made.resource
    everything = tools.call("Patient.everything", {"subject_id": 1, "_id": ref})
    assert everything.resource["entry"][0]["resource"] == made.resource


@pytest.mark.parametrize("by", ["whole reference", "id alone"])
def test_of_two_orders_one_is_named_by_its_id(tools: Toolset, by: str) -> None:
    refused = tools.call("MedicationRequest.patch", STOP | {"medication": "Lopressor"})
    assert refused.resource["issue"][0]["code"] == "multiple-matches"
    refs = tools.call("MedicationRequest.search", {"subject_id": 1, "medication": "Lopressor"}).refs
    assert all(f"{ref} Metoprolol Tartrate" in refused.text for ref in refs)
    assert "50 mg PO" in refused.text
    name = refs[0] if by == "whole reference" else refs[0].removeprefix("MedicationRequest/")
    made = tools.call("MedicationRequest.patch", STOP | {"_id": name, "status": "on-hold"})
    assert made.refs == (refs[0],)
    assert standing(tools, "on-hold") == [refs[0]]
    assert refs[1] in standing(tools, "active")
    assert tools.call("MedicationRequest.patch", STOP | {"medication": "metoprolol"}).resource["issue"][0][
        "code"
    ] == ("multiple-matches")


def test_a_held_order_can_be_stopped_and_no_more(tools: Toolset) -> None:
    warfarin = {"medication": "warfarin"}
    assert tools.call("MedicationRequest.patch", STOP | warfarin | {"status": "on-hold"}).ok
    again = tools.call("MedicationRequest.patch", STOP | warfarin | {"status": "on-hold"})
    assert "is on hold already" in again.text
    assert tools.call("MedicationRequest.patch", STOP | warfarin | {"reason": "bleeds"}).ok
    text = tools.call("MedicationRequest.search", {"subject_id": 1, **warfarin}).text
    assert "stopped (bleeds)" in text
    assert "INR 6.1" not in text
    last = tools.call("MedicationRequest.patch", STOP | {"_id": reference(tools, "warfarin")})
    assert "does not stand any more: it is stopped already" in last.text


def test_an_order_of_this_session_is_stopped_too(wards: Hospital) -> None:
    tools = wards.toolset(NOW, hadm_id=20)
    made = tools.call("MedicationRequest.create", ORDER | {"medication": "digoxin", "dose": "0.125 mg"})
    assert tools.call("MedicationRequest.patch", STOP | {"medication": "digoxin"}).refs == made.refs
    assert standing(tools, "stopped") == list(made.refs)
    assert list(tools.chart.overlay.refs) == list(made.refs)


@pytest.mark.parametrize(
    ("wrong", "code", "said"),
    [
        ({"medication": "warfarine"}, "code-invalid", "nearest drugs of this patient: Warfarin"),
        (
            {"medication": "digoxin"},
            "not-found",
            "no order of digoxin stands at 2150-01-05 12:00; standing orders: ",
        ),
        ({"medication": "lisinopril"}, "not-found", "no order of lisinopril stands"),
        ({"medication": "KCl"}, "multiple-matches", "only an additive of other orders"),
        ({"_id": "rx-99"}, "not-found", "no order 'rx-99' of this patient is known"),
        ({"_id": "Flag/new-1"}, "not-found", "no order"),
        ({}, "value", "name the order by '_id' or 'medication'"),
        ({"medication": "warfarin", "status": "active"}, "value", "'status'"),
        ({"medication": "warfarin", "status": "entered-in-error"}, "value", "'status'"),
        ({"medication": "warfarin", "reason": " "}, "value", "'reason' must not be empty"),
        ({"medication": "warfarin", "reason": "r" * 2_001}, "value", "2,000 are allowed"),
        ({"medication": "warfarin", "reason": None}, "value", "'reason'"),
        ({"medication": "warfarin", "subject_id": 2}, "forbidden", "not 2; nothing was run"),
        ({"medication": "warfarin", "dose": "1 mg"}, "not-supported", "unknown argument 'dose'"),
    ],
)
def test_a_wrong_change_is_refused_recorded_and_not_kept(
    tools: Toolset, wrong: dict[str, object], code: str, said: str
) -> None:
    result = tools.call("MedicationRequest.patch", STOP | wrong)
    issue = result.resource["issue"][0]
    assert issue["code"] == code
    assert said in issue["details"]["text"]
    assert result.write is not None
    assert (result.write.tool, result.write.accepted) == ("MedicationRequest.patch", False)
    assert result.write.error == issue["details"]["text"]
    assert tools.chart.overlay.refs == ()


def test_an_ended_order_and_one_of_another_drug_are_left_alone(tools: Toolset) -> None:
    ended = tools.call("MedicationRequest.patch", STOP | {"_id": reference(tools, "lisinopril")})
    assert "does not stand any more: it is completed already" in ended.text
    ref = reference(tools, "warfarin")
    other = tools.call("MedicationRequest.patch", STOP | {"_id": ref, "medication": "Lopressor"})
    assert f"{ref} Warfarin is not of Lopressor" in other.text
    assert tools.call("MedicationRequest.patch", STOP | {"_id": ref, "medication": "Coumadin"}).ok


def test_a_drug_outside_the_vocabulary_is_stopped_by_its_name(tools: Toolset) -> None:
    made = tools.call("MedicationRequest.patch", STOP | {"medication": "zzz trial drug 7"})
    assert made.resource["status"] == "stopped"


def test_changes_come_back_from_a_snapshot(wards: Hospital, tools: Toolset) -> None:
    tools.call("MedicationRequest.patch", STOP | {"medication": "warfarin"})
    twin = Toolset(tools.chart.with_overlay(Overlay(tools.chart.overlay.snapshot())), tools.vocabulary)
    assert standing(twin, "stopped") == standing(tools, "stopped")
    assert wards.toolset(NOW, hadm_id=20).chart.overlay.refs == ()
    assert standing(wards.toolset(NOW, hadm_id=20), "stopped") == []
