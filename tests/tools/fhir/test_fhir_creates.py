"""Writes are checked before they are kept, and read back afterwards."""

import json
from collections.abc import Callable

import pytest
from hospital import Hospital, at

from tools.fhir.toolset import Toolset

NOW = at(5, 12)
ORDER = {
    "subject_id": 1,
    "medication": "metoprolol tartrate",
    "dose": "12.5 mg",
    "route": "PO",
    "frequency": "BID",
}
FLAG = {
    "subject_id": 1,
    "category": "safety",
    "code": "Hyperkalemia",
    "detail": "Potassium 5.9 on lisinopril",
}


@pytest.fixture(scope="module")
def ordering(make_hospital: Callable[[], Hospital]) -> Hospital:
    hospital = make_hospital()
    hospital.order(1, "Zzz Trial Drug 7", at(2))
    return hospital


@pytest.fixture
def tools(ordering: Hospital) -> Toolset:
    return ordering.toolset(NOW, hadm_id=20)


def test_an_order_is_kept_and_read_back(tools: Toolset) -> None:
    made = tools.call("MedicationRequest.create", ORDER | {"duration_days": 3, "indication": "rate control"})
    assert made.ok
    assert made.refs == ("MedicationRequest/new-1",)
    assert made.write is not None
    assert (made.write.accepted, made.write.ref, made.write.error) == (True, "MedicationRequest/new-1", None)
    assert made.write.arguments == ORDER | {"duration_days": 3, "indication": "rate control"}
    read = tools.call(
        "MedicationRequest.search", {"subject_id": 1, "status": "active", "medication": "Lopressor"}
    )
    assert read.refs == ("MedicationRequest/new-1",)
    assert read.text.splitlines()[-1] == (
        "- MedicationRequest/new-1 | metoprolol tartrate | 12.5 mg PO BID | for 3 days | active | "
        "ordered 2150-01-05 12:00 | for rate control | Encounter/hosp-20"
    )


def test_the_same_order_twice_is_two_orders(tools: Toolset) -> None:
    refs = [tools.call("MedicationRequest.create", ORDER).refs[0] for _ in range(2)]
    assert refs == ["MedicationRequest/new-1", "MedicationRequest/new-2"]
    assert tools.call("MedicationRequest.search", {"subject_id": 1}).resource["total"] == 3


def test_a_formulary_drug_outside_the_vocabulary_can_be_ordered(tools: Toolset) -> None:
    assert tools.call("MedicationRequest.create", ORDER | {"medication": "zzz trial drug 7"}).ok


@pytest.mark.parametrize(
    "wrong",
    [
        {"medication": "metoprolo"},
        {"medication": "  "},
        {"medication": "metoprolol tartrate 25 mg tablet"},
        {"medication": "m" * 100_000},
        {"dose": "25-12.5 mg"},
        {"dose": "9" * 400 + " mg"},
        {"dose": "9" * 150 + " mg"},
        {"dose": "٥ mg"},
        {"dose": "10² mg"},
        {"dose": "some"},
        {"dose": "0 mg"},
        {"dose": "-5 mg"},
        {"route": "by carrier pigeon"},
        {"frequency": "when the moon is full"},
        {"duration_days": 0},
        {"duration_days": 2.5},
        {"duration_days": -3},
        {"duration_days": 3_651},
        {"duration_days": 10**30},
        {"duration_days": True},
        {"duration_days": "a month"},
        {"indication": "PRN for pain"},
        {"indication": "i" * 2_001},
        {"subject_id": 10**4_000},
        {"subject_id": 2},
        {"subject_id": "1; 2"},
        {"subject_id": True},
        {"note": "stat"},
    ],
)
def test_a_wrong_order_is_refused_recorded_and_not_kept(tools: Toolset, wrong: dict[str, object]) -> None:
    result = tools.call("MedicationRequest.create", ORDER | wrong)
    assert not result.ok
    assert result.resource["resourceType"] == "OperationOutcome"
    assert result.write is not None
    assert (result.write.accepted, result.write.ref) == (False, None)
    assert result.write.error == result.resource["issue"][0]["details"]["text"]
    assert tools.chart.overlay.created("MedicationRequest") == []


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (
            {"dose": "1-2 tablets"},
            {
                "text": "1-2 tablets PO BID",
                "doseAndRate": [
                    {
                        "doseRange": {
                            "low": {"value": 1, "unit": "tablet"},
                            "high": {"value": 2, "unit": "tablet"},
                        }
                    }
                ],
            },
        ),
        (
            {"medication": "氯化钾", "dose": "20毫当量", "route": "口服", "frequency": "每日两次"},
            {"text": "20毫当量 口服 每日两次", "route": {"text": "PO"}},
        ),
        (
            {"duration_days": "两周"},
            {
                "text": "12.5 mg PO BID 两周",
                "timing": {
                    "repeat": {
                        "boundsDuration": {
                            "value": 14,
                            "unit": "days",
                            "system": "http://unitsofmeasure.org",
                            "code": "d",
                        }
                    },
                    "code": {"text": "BID"},
                },
            },
        ),
        (
            {"frequency": "每6小时 必要时"},
            {
                "text": "12.5 mg PO 每6小时 必要时",
                "asNeededBoolean": True,
                "timing": {"code": {"text": "Q6H PRN"}},
            },
        ),
    ],
)
def test_the_words_are_kept_beside_what_they_mean(
    tools: Toolset, words: dict[str, object], kept: dict[str, object]
) -> None:
    made = tools.call("MedicationRequest.create", ORDER | words)
    assert made.ok, made.text
    (dosage,) = made.resource["dosageInstruction"]
    assert {name: dosage[name] for name in kept} == kept


def test_a_refusal_is_one_sentence_that_does_not_repeat_without_end(tools: Toolset) -> None:
    for field in ("medication", "dose", "route", "frequency", "duration_days"):
        said = tools.call("MedicationRequest.create", ORDER | {field: "9" * 100_000}).text
        assert len(said) < 400
        assert "\n" not in said
        assert f"argument '{field}' has 100,000 characters, 200 are allowed" in said


def test_models_are_told_that_a_duration_is_a_whole_number(tools: Toolset) -> None:
    (schema,) = [
        s["function"] for s in tools.schemas() if s["function"]["name"] == "MedicationRequest_create"
    ]
    duration = schema["parameters"]["properties"]["duration_days"]
    assert {"type": "integer", "minimum": 1} in duration["anyOf"]


def test_a_missing_field_is_refused(tools: Toolset) -> None:
    result = tools.call("MedicationRequest.create", {k: v for k, v in ORDER.items() if k != "dose"})
    assert result.resource["issue"][0]["code"] == "required"
    assert "missing argument 'dose'" in result.text


def test_a_flag_is_kept(tools: Toolset) -> None:
    made = tools.call("Flag.create", FLAG)
    assert made.text == (
        "Flag/new-1 | Safety | active | Hyperkalemia | Potassium 5.9 on lisinopril | since 2150-01-05 12:00"
    )
    assert tools.chart.overlay.refs == ("Flag/new-1",)


@pytest.mark.parametrize("wrong", [{"category": "danger"}, {"code": ""}, {"detail": " "}, {"subject_id": 2}])
def test_a_wrong_flag_is_refused(tools: Toolset, wrong: dict[str, object]) -> None:
    result = tools.call("Flag.create", FLAG | wrong)
    assert not result.ok
    assert tools.chart.overlay.refs == ()


def test_what_was_kept_cannot_be_changed_from_outside(tools: Toolset) -> None:
    made = tools.call("Flag.create", FLAG)
    before = json.dumps(tools.chart.overlay.snapshot())
    made.resource["code"]["text"] = "changed"
    tools.chart.overlay.created("Flag")[0]["code"]["text"] = "changed"
    tools.chart.overlay.snapshot()[0]["code"]["text"] = "changed"
    assert json.dumps(tools.chart.overlay.snapshot()) == before
