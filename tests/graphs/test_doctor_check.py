"""The endpoint check says what works, by trying it."""

import asyncio
import json
from typing import Any

import pytest
import typer
import yaml
from bad_openai import Reply, Script, asks, calls, fails, says, serve, tool_call

from agents.endpoint_trials import Findings, Use, try_all
from agents.models import entry_text, read_catalogue
from agents.models import serve as served_model
from graphs import doctor_check
from state.models import Catalogue, ModelChoice


def check(script: Any) -> Findings:
    with serve(script) as server:
        choice = ModelChoice(name="openai-compatible/x", base_url=server.url)
        return asyncio.run(try_all(served_model(choice, read_catalogue()), "sk"))


def able(request: dict[str, Any], json_schema: bool = True) -> Reply:
    """Do everything that is asked."""
    last = request["messages"][-1]
    if "response_format" in request:
        if request["response_format"]["type"] == "json_schema" and not json_schema:
            return fails(400, message="response_format json_schema is not supported")
        return says('{"verdict": "met"}')
    tools = [tool["function"]["name"] for tool in request.get("tools", [])]
    if tools == ["Verdict"]:
        return calls("Verdict", '{"verdict": "met"}')
    if tools and last["role"] == "user":
        return calls("Observation_read", '{"code": "Potassium"}')
    return says("It is 4.1 mmol/L." if last["role"] == "tool" else "ready")


def seen(found: Findings) -> dict[str, str]:
    return {what: said for what, _, said in found.rows}


def outcome(found: Findings) -> dict[str, bool]:
    return {what: works for what, works, _ in found.rows}


def test_an_able_endpoint_passes_everything() -> None:
    found = check(able)
    assert all(outcome(found).values()), found.rows
    assert found.facts["structured_output"] == "json_schema"


def test_the_entry_it_prints_is_one_the_catalogue_takes() -> None:
    found = check(lambda r: able(r, json_schema=False))
    text = entry_text("mine", {**found.facts, "models": {"x": {}}})
    facts = Catalogue.model_validate(yaml.safe_load(text)).providers["mine"]
    assert facts.structured_output.value == "function_calling"
    assert facts.accepts_seed
    assert facts.accepts_temperature


def test_what_is_refused_is_said() -> None:
    def script(request: dict[str, Any]) -> Reply:
        refused = {"temperature", "seed"} & set(request)
        return fails(400, message=f"unsupported {refused}") if refused else able(request)

    found = check(script)
    assert found.facts["accepts_temperature"] is False
    assert found.facts["accepts_seed"] is False


def test_an_outage_says_nothing_of_parameters() -> None:
    found = check(lambda r: fails(401) if "seed" in r else able(r))
    assert "accepts_seed" not in found.facts
    assert found.facts["accepts_temperature"] is True


def calling(reply: Reply) -> Script:
    """Do all that is asked, but give ``reply`` where the tool is to be called."""

    def script(request: dict[str, Any]) -> Reply:
        tools = [tool["function"]["name"] for tool in request.get("tools", [])]
        asked = tools == ["Observation_read"] and request["messages"][-1]["role"] == "user"
        return reply if asked else able(request)

    return script


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (says(json.dumps({"name": "Observation_read"})), "no call; it said"),
        (calls("Patient_read", '{"code": "Potassium"}'), "Patient_read, not Observation_read"),
        (calls("Observation_read", '{"code": '), "no JSON object"),
        (calls("Observation_read", "{}"), "without its argument code"),
        (
            calls("Observation_read", '{"code": "Potassium", "flavour": "x"}'),
            "arguments it does not have: flavour",
        ),
        (
            asks([tool_call("Observation_read", '{"code": "K"}'), tool_call("Chart_burn", "{}", "call_2")]),
            "Chart_burn, not Observation_read",
        ),
    ],
)
def test_a_call_that_is_not_the_one_asked_for_is_no_tool_call(reply: Reply, words: str) -> None:
    found = check(calling(reply))
    assert outcome(found)["tool calls"] is False
    assert words in seen(found)["tool calls"]
    assert found.lacks(Use.DOCTOR)
    assert found.lacks(Use.JUDGE) is None


def test_a_result_that_is_refused_is_no_answer_from_it() -> None:
    found = check(lambda r: fails(400) if r["messages"][-1]["role"] == "tool" else able(r))
    assert outcome(found)["tool calls"]
    assert "scripted 400" in seen(found)["answer from a result"]
    assert found.lacks(Use.DOCTOR)


def structured(request: dict[str, Any]) -> bool:
    return (
        "response_format" in request
        or request.get("tools", [{}])[0].get("function", {}).get("name") == "Verdict"
    )


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (calls("Observation_read", '{"verdict": "met"}'), "Observation_read, not Verdict"),
        (calls("Verdict", '{"verdict": "perhaps"}'), "not in the schema"),
        (calls("Verdict", '{"verdict": "met", "why": "so"}'), "not in the schema"),
        (says('{"verdict": "met"}'), "no call; it said"),
    ],
)
def test_a_function_that_was_not_called_as_asked_is_no_structured_output(reply: Reply, words: str) -> None:
    found = check(lambda r: reply if structured(r) and "tools" in r else able(r))
    assert outcome(found)["structured output, function_calling"] is False
    assert words in seen(found)["structured output, function_calling"]


def test_json_in_a_fence_is_read_as_the_judges_read_it() -> None:
    found = check(lambda r: says('```json\n{"verdict": "met"}\n```') if "response_format" in r else able(r))
    assert outcome(found)["structured output, json_mode"]


def printed(script: Any, capsys: pytest.CaptureFixture[str], **options: Any) -> tuple[int, str]:
    with serve(script) as server:
        code = 0
        try:
            doctor_check.main("openai-compatible/x", base_url=server.url, **options)
        except typer.Exit as end:
            code = end.exit_code
    return code, " ".join(capsys.readouterr().out.split())


def test_what_a_model_says_is_shown_as_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    code, text = printed(calling(says("[/b] so [red]it is")), capsys, use=Use.DOCTOR)
    assert code == 1
    assert "[/b] so [red]it is" in text


def no_schema(request: dict[str, Any]) -> Reply:
    return says("yes, it is") if structured(request) else able(request)


@pytest.mark.parametrize(
    ("script", "use", "code", "words"),
    [
        (able, None, 0, "it can be a doctor it can be a judge"),
        (no_schema, None, 1, "it can be no judge: in no way did a verdict come in its schema"),
        (no_schema, Use.DOCTOR, 0, "it can be a doctor"),
        (no_schema, Use.JUDGE, 1, "it can be no judge"),
        (
            calling(says("I would look it up.")),
            None,
            1,
            "it can be no doctor: it did not call the tool it was given",
        ),
        (calling(says("I would look it up.")), Use.JUDGE, 0, "it can be a judge"),
        (lambda _: says(""), None, 1, "it answered nothing"),
        (lambda _: fails(401), None, 3, "it gave no reply"),
        (lambda _: fails(401), Use.JUDGE, 3, "it gave no reply"),
    ],
)
def test_its_exit_code_says_whether_it_serves(
    script: Any, use: Use | None, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ended, text = printed(script, capsys, **({} if use is None else {"use": use}))
    assert ended == code
    assert words in text


@pytest.mark.parametrize(
    ("reply", "words"), [(fails(401), "authentication"), (fails(404), "model_not_found")]
)
def test_an_endpoint_that_answers_nothing_ends_it_at_once(reply: Reply, words: str) -> None:
    with serve(lambda _: reply) as server:
        choice = ModelChoice(name="openai-compatible/x", base_url=server.url)
        found = asyncio.run(try_all(served_model(choice, read_catalogue()), None))
    ((what, works, said),) = found.rows
    assert (what, works) == ("key and answer", False)
    assert words in said
    assert len(server.requests) == 1
