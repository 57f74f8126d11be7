"""The tools as LangChain and providers see them."""

import re
from collections.abc import Callable

import pytest
from hospital import Hospital, at
from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from tools.fhir.toolset import TOOLS, ToolResult, Toolset


@pytest.fixture(scope="module")
def tools(make_hospital: Callable[[], Hospital]) -> Toolset:
    hospital = make_hospital()
    hospital.lab(50971, at(2, 6), "4.1")
    hospital.lab(50971, at(3, 6), "4.2")
    return hospital.toolset(at(5, 12))


def invoke(tools: Toolset, name: str, arguments: object) -> ToolMessage:
    tool = next(tool for tool in tools.as_langchain() if tool.name == name)
    message = tool.invoke({"name": name, "args": arguments, "id": "call-1", "type": "tool_call"})
    assert isinstance(message, ToolMessage)
    return message


NOT_EXPOSED = (
    *("Procedure.search", "AllergyIntolerance.search", "Patient.everything"),
    "patient.get_chief_complaint",
)


def test_eighteen_tools_are_exposed_and_have_no_dots(tools: Toolset) -> None:
    bound = tools.as_langchain()
    assert all(isinstance(tool, StructuredTool) for tool in bound)
    assert [tool.name for tool in bound] == [s.wire_name for s in TOOLS.values() if s.name not in NOT_EXPOSED]
    assert sum(tool.name.endswith(("_create", "_patch")) for tool in bound) == 4
    assert len(bound) == 18
    assert all(re.fullmatch(r"[A-Za-z_]{1,64}", tool.name) for tool in bound)


@pytest.mark.parametrize("name", NOT_EXPOSED)
def test_the_other_tools_can_be_called_and_are_not_named(tools: Toolset, name: str) -> None:
    assert tools.call(name, {"subject_id": 1}).tool == name
    assert name.replace(".", "_") not in tools.call("Nope", {}).text


def test_schemas_describe_every_field_and_forbid_others(tools: Toolset) -> None:
    for tool, schema in zip(tools.as_langchain(), tools.schemas(), strict=True):
        seen = convert_to_openai_tool(tool)["function"]
        parameters = seen["parameters"]
        assert seen["description"] == schema["function"]["description"]
        assert parameters["properties"].keys() == schema["function"]["parameters"]["properties"].keys()
        assert parameters["additionalProperties"] is False
        assert all(field.get("description") for field in parameters["properties"].values())
        assert "subject_id" in parameters["required"]


def test_the_count_keeps_its_fhir_name(tools: Toolset) -> None:
    search = next(tool for tool in tools.as_langchain() if tool.name == "Observation_search")
    properties = convert_to_openai_tool(search)["function"]["parameters"]["properties"]
    assert {"_count", "_sort", "_id", "page"} <= properties.keys()
    assert {"count", "sort", "resource_id"}.isdisjoint(properties)


def test_a_result_is_text_with_the_whole_result_beside_it(tools: Toolset) -> None:
    message = invoke(tools, "Observation_search", {"subject_id": 1, "code": "K", "_count": 1})
    assert isinstance(message.artifact, ToolResult)
    assert message.content == message.artifact.text
    assert message.artifact.refs == ("Observation/lab-2",)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"subject_id": 1, "config": {"a": 1}},
        {"subject_id": 1, "run_manager": None},
        {"subject_id": 1, "self": 1, "callbacks": []},
        {"subject_id": "x"},
    ],
)
def test_wrong_arguments_are_a_message_not_an_exception(tools: Toolset, arguments: dict[str, object]) -> None:
    message = invoke(tools, "Flag_create", arguments | {"category": "safety", "code": "x", "detail": "y"})
    assert isinstance(message.artifact, ToolResult)
    assert not message.artifact.ok
    assert message.artifact.write is not None
    assert message.content.startswith("Error (")
    assert tools.chart.overlay.refs == ()
