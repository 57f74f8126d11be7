"""A model's fault is answered in words, never with an exception, another call, or other data."""

from collections.abc import Callable
from time import perf_counter
from typing import Any, get_args

import pytest
from hospital import Hospital, at

from tools.fhir.arguments import MAX_NOTE, MAX_WORDS
from tools.fhir.toolset import TOOLS, Toolset, wire_name

NOW = at(5, 12)


@pytest.fixture(scope="module")
def tools(make_hospital: Callable[[], Hospital]) -> Toolset:
    hospital = make_hospital()
    hospital.lab(50971, at(2, 6), "4.1")
    hospital.add("hosp.admissions", {"hadm_id": 21, "admittime": at(20), "dischtime": at(22)})
    hospital.add("hosp.admissions", {"subject_id": 2, "hadm_id": 22, "admittime": at(1), "dischtime": at(2)})
    return hospital.toolset(NOW)


def refused(tools: Toolset, name: str, arguments: Any) -> tuple[str, str]:
    result = tools.call(name, arguments)
    assert not result.ok
    assert result.refs == ()
    assert result.resource["resourceType"] == "OperationOutcome"
    issue = result.resource["issue"][0]
    assert issue["details"]["text"] in result.text
    return issue["code"], issue["details"]["text"]


@pytest.mark.parametrize("arguments", [None, "", '{"subject_id": 1}', [], [1], 7, "\ud800"])
def test_arguments_that_are_no_object_run_nothing(tools: Toolset, arguments: object) -> None:
    for name in TOOLS:
        code, text = refused(tools, name, arguments)
        assert code == "structure"
        assert "allowed arguments: subject_id" in text
    assert tools.chart.overlay.refs == ()


def test_another_patient_is_refused_by_every_tool(tools: Toolset) -> None:
    needed = {
        "MedicationRequest.create": {
            "medication": "aspirin",
            "dose": "81 mg",
            "route": "PO",
            "frequency": "DAILY",
        },
        "MedicationRequest.patch": {"medication": "aspirin", "status": "stopped", "reason": "bleeding"},
        "ServiceRequest.create": {"service_type": "chest x-ray", "priority": "urgent"},
        "Flag.create": {"category": "safety", "code": "x", "detail": "y"},
        "patient.get_symptom_history": {"query": "pain"},
        "patient.get_medication_adherence": {"drug": "aspirin"},
    }
    for name in TOOLS:
        code, text = refused(tools, name, {"subject_id": 2} | needed.get(name, {}))
        assert code == "forbidden"
        assert text == "this session is about patient 1, not 2; nothing was run"


@pytest.mark.parametrize("name", ["Observation.read", "", "observation.search", "DROP TABLE", "Observation"])
def test_an_unknown_tool_is_named_with_those_there_are(tools: Toolset, name: str) -> None:
    code, text = refused(tools, name, {"subject_id": 1})
    assert code == "not-supported"
    assert "Observation_search" in text


def test_an_unknown_argument_is_not_dropped(tools: Toolset) -> None:
    code, text = refused(tools, "Observation.search", {"subject_id": 1, "analyte": "K", "config": {}})
    assert code == "not-supported"
    assert "unknown argument 'analyte'" in text
    assert "unknown argument 'config'" in text
    assert (
        "allowed arguments: subject_id, hadm_id, _count, page, _id, _sort, date_from, date_to, category, code"
        in text
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "missing argument 'subject_id'"),
        ({"subject_id": 1, "_count": 0}, "'_count'"),
        ({"subject_id": 1, "_count": 101}, "'_count'"),
        ({"subject_id": 1, "count": 5}, "unknown argument 'count'"),
        ({"subject_id": 1, "page": -1}, "'page'"),
        ({"subject_id": 1, "code": 50971}, "'code'"),
        ({"subject_id": 1, "code": ""}, "'code' must not be empty"),
        ({"subject_id": 1, "code": "K\ud800"}, "'code'"),
        ({"subject_id": 1, "category": "labs"}, "'category'"),
        ({"subject_id": 1, "date_to": "2150-02-30"}, "'date_to'"),
        ({"subject_id": 1, "date_from": "05/01/2150"}, "write YYYY-MM-DD"),
        ({"subject_id": 1, "date_from": "2150-01-01T10:00:00+08:00"}, "'date_from'"),
        ({"subject_id": 1, "date_from": "2150-01-03", "date_to": "2150-01-02"}, "date_from is after date_to"),
    ],
)
def test_a_wrong_argument_is_explained(tools: Toolset, arguments: dict[str, object], said: str) -> None:
    assert said in refused(tools, "Observation.search", arguments)[1]


@pytest.mark.parametrize("length", [MAX_NOTE + 1, 100_000])
def test_a_text_too_long_is_refused_at_once(tools: Toolset, length: int) -> None:
    for name, spec in TOOLS.items():
        for argument, field in spec.arguments.model_fields.items():
            if str not in (field.annotation, *get_args(field.annotation)):
                continue
            called = field.alias or argument
            begun = perf_counter()
            _, text = refused(tools, name, {"subject_id": 1, called: "x" * length})
            assert perf_counter() - begun < 1
            assert f"{called!r} has {length:,} characters, " in text
            assert len(text) < 2_000


def test_a_name_as_long_as_may_be_is_looked_for_quickly(tools: Toolset) -> None:
    begun = perf_counter()
    assert refused(tools, "Observation.search", {"subject_id": 1, "code": ("kalium " * 200)[:MAX_WORDS]})
    assert perf_counter() - begun < 1


def test_invented_names_are_cut_in_the_answer(tools: Toolset) -> None:
    assert len(refused(tools, "x" * 100_000, {"subject_id": 1})[1]) < 700
    assert len(refused(tools, "Patient.read", {"subject_id": 1, "x" * 100_000: 1})[1]) < 500


@pytest.mark.parametrize("hadm_id", [21, 22, 23])
def test_a_later_admission_is_refused_like_one_that_does_not_exist(tools: Toolset, hadm_id: int) -> None:
    for name in ("Encounter.search", "Condition.search", "Observation.search"):
        code, text = refused(tools, name, {"subject_id": 1, "hadm_id": hadm_id})
        assert code == "not-found"
        assert text == f"no admission {hadm_id} of patient 1 is known; known admissions: 20"


def test_a_page_that_does_not_exist_is_refused(tools: Toolset) -> None:
    code, text = refused(tools, "Observation.search", {"subject_id": 1, "code": "K", "page": 2})
    assert code == "value"
    assert "last page 1" in text


def test_both_names_call_the_same_tool(tools: Toolset) -> None:
    asked = {"subject_id": 1, "code": "K"}
    dotted, wired = tools.call("Observation.search", asked), tools.call("Observation_search", asked)
    assert dotted == wired
    assert wire_name(dotted.tool) == "Observation_search"
