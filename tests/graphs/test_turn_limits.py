"""A turn that may take no more ends, is scored, and never crashes."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from bad_openai import Reply, calls, fails, says, serve
from endpoints import Evaluate, subject_of
from wards import OpenWard, Run

from state.base import InputError
from state.outcome import Errored, Party, Scored
from state.trajectory import Termination


def reads_for_ever(request: dict[str, Any]) -> Reply:
    return calls("Patient_read", json.dumps({"subject_id": subject_of(request)}))


@pytest.mark.parametrize(("tokens", "steps"), [(219, 2), (220, 2), (221, 3)])
def test_tokens_of_a_turn(evaluate: Evaluate, tokens: int, steps: int) -> None:
    """Each call of the scripted server takes 110 tokens; the limit is looked at before a call."""
    result, record, _ = evaluate(reads_for_ever, turn_tokens=tokens)
    assert [turn.termination for turn in record.turns] == [Termination.TOKEN_LIMIT] * 4
    assert [len(turn.steps) for turn in record.turns] == [steps] * 4
    assert all(isinstance(turn.outcome, Scored) for turn in result.turns)


def test_an_answer_within_the_limit_counts(evaluate: Evaluate) -> None:
    _, record, _ = evaluate(lambda _: says("4.1"), turn_tokens=1)
    assert [turn.termination for turn in record.turns] == [Termination.ANSWERED] * 4


def priced(path: Path, url: str) -> str:
    """Write a catalogue with one model that costs a cent a call of the scripted server."""
    source = {"url": url, "read": "2026-01-01", "says": "made up"}
    price = {"input_usd": 0.0, "output_usd": 1000.0, "source": source}
    facts = {"base_url": url, "models": {"m": {"price": price}}}
    path.write_text(yaml.safe_dump({"providers": {"loopback": facts}}))
    return str(path)


@pytest.mark.parametrize(("usd", "steps"), [(0.019, 2), (0.02, 2), (0.021, 3)])
def test_cost_of_a_turn(open_ward: OpenWard, run: Run, tmp_path: Path, usd: float, steps: int) -> None:
    with serve(reads_for_ever) as server:
        models = priced(tmp_path / "models.yaml", server.url)
        folder = run(open_ward("loopback/m", models=models, turn_usd=usd, limit=1))
    (record,) = folder.records()
    assert [turn.termination for turn in record.turns] == [Termination.COST_LIMIT] * 4
    assert [len(turn.steps) for turn in record.turns] == [steps] * 4
    assert record.turns[0].steps[0].usd == pytest.approx(0.01)


def test_a_limit_of_money_needs_a_price(open_ward: OpenWard) -> None:
    with pytest.raises(InputError, match="--turn-usd cannot be kept"):
        open_ward("openai-compatible/x", base_url="http://127.0.0.1:9/v1", turn_usd=1.0)


def test_a_full_context_is_the_models_own(evaluate: Evaluate) -> None:
    result, record, server = evaluate(lambda _: fails(400, code="context_length_exceeded"))
    assert [turn.termination for turn in record.turns] == [Termination.CONTEXT_OVERFLOW] * 4
    assert len(server.requests) == 4
    assert all(isinstance(turn.outcome, Scored) for turn in result.turns)


def test_a_filter_is_the_providers_and_no_zero(evaluate: Evaluate) -> None:
    result, _, server = evaluate(lambda _: fails(400, message="Content Exists Risk"))
    assert len(server.requests) == 1
    for turn in result.turns:
        assert isinstance(turn.outcome, Errored)
        assert turn.outcome.who is Party.PROVIDER
    assert "content_filter: HTTP 400: Content Exists Risk" in result.turns[0].outcome.error  # type: ignore[union-attr]


def test_a_fault_of_ours_is_not_the_providers(
    open_ward: OpenWard, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug between us and the wire must not be booked on the provider."""
    monkeypatch.setattr("agents.live_model.read_reply", lambda *_: 1 / 0)
    with serve(lambda _: says("x")) as server:
        (result,) = run(open_ward("openai-compatible/x", limit=1, base_url=server.url)).results()
    assert {turn.outcome.who for turn in result.turns if isinstance(turn.outcome, Errored)} == {Party.HARNESS}


def test_waiting_for_a_provider_is_not_the_models_time(evaluate: Evaluate) -> None:
    """Two waits of two seconds in a turn of three: the model itself answers at once."""
    seen: list[int] = []

    def script(_: dict[str, Any]) -> Reply:
        seen.append(1)
        return fails(429, {"Retry-After": "2"}) if len(seen) in {1, 2} else says("Here.")

    _, record, _ = evaluate(script, turn_seconds=3.0)
    assert [turn.termination for turn in record.turns] == [Termination.ANSWERED] * 4
    assert record.turns[0].seconds < 3.0
