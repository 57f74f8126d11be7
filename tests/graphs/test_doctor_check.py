"""The endpoint check says what works, by trying it."""

import asyncio
import json
from typing import Any

import pytest
import yaml
from bad_openai import Reply, calls, fails, says, serve

from agents.endpoint_trials import Findings, try_all
from agents.models import entry_text, read_catalogue
from agents.models import serve as served_model
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


def test_a_model_that_writes_its_calls_as_text_is_found_out() -> None:
    found = check(lambda r: says(json.dumps({"name": "Observation_read"})) if "tools" in r else able(r))
    assert outcome(found)["tool calls"] is False


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
