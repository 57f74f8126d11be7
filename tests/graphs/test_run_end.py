"""What a run says last: its bill whatever came of it, whom nobody heard, how it is gone on with, and its exit code."""

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import typer
from bad_openai import Reply, Script, fails, says, serve
from judges import lenient

from graphs import evaluate
from graphs.run_folder import RunFolder

DEMO = Path(str(files("configs") / "demo"))
ONE, TWO = "openai-compatible/one", "openai-compatible/two"
DOWN = fails(500, {"Retry-After": "0"}, "down")


@pytest.fixture
def ended(synthetic_warehouse: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Give a function that runs two sessions to their end: its exit code, what it said, its folder."""

    def run(script: Script, **options: Any) -> tuple[int, str, Path]:
        output, code = tmp_path / "runs", 0
        data = {"ehr": synthetic_warehouse, "sessions": DEMO, "limit": 2}
        with serve(script) as server:
            urls = {name: server.url for name in ("base_url", "judge_base_url") if options.get(name)}
            try:
                evaluate.main(output=output, **{**data, **options, **urls})
            except typer.Exit as end:
                code = end.exit_code
        (folder,) = output.iterdir()
        return code, " ".join(capsys.readouterr().out.split()), folder

    return run


def before_judges(name: str = ONE, **options: Any) -> dict[str, Any]:
    """Give the options of a run whose doctor is right, and whose judge sees all that code decides."""
    return {"model": "offline/gold", "judge": name, "judge_base_url": True, "cross_check": 1.0, **options}


def go_on(folder: Path) -> str:
    return f"what failed is asked again by python -m graphs.evaluate --resume {folder}"


@pytest.mark.parametrize(
    ("reply", "code", "fault"), [(DOWN, 3, "failed"), (says("I cannot judge that."), 1, "malformed")]
)
def test_a_judge_that_nobody_heard_is_named(ended: Any, reply: Reply, code: int, fault: str) -> None:
    found, text, folder = ended(lambda _: reply, **before_judges())
    assert "billed" in text
    asked = sum(len(turn.ballots) for result in RunFolder(folder).results() for turn in result.turns)
    assert f"{ONE} gave no verdict on any of the {asked} items it was asked about ({fault}: {asked})" in text
    assert f"judge these answers again with python -m graphs.evaluate --judge-only {folder} --judge" in text
    assert found == code
    assert "100.0 %" in text


def test_one_judge_of_a_panel_that_nobody_heard_is_named(ended: Any) -> None:
    found, text, _ = ended(
        lambda r: DOWN if r["model"] == "two" else lenient(r), **before_judges(f"{ONE},{TWO}")
    )
    assert f"{TWO} gave no verdict" in text
    assert f"{ONE} gave no verdict" not in text
    assert found == 3


def test_a_judge_that_was_heard_once_is_no_fault_of_the_run(ended: Any) -> None:
    asked: list[int] = []

    def script(request: dict[str, Any]) -> Reply:
        asked.append(1)
        return lenient(request) if len(asked) == 1 else fails(401)

    found, text, _ = ended(script, **before_judges())
    assert "gave no verdict on any" not in text
    assert found == 0


def test_a_provider_that_never_replies_ends_a_run_that_can_be_gone_on_with(ended: Any) -> None:
    found, text, folder = ended(lambda _: DOWN, model="openai-compatible/m", base_url=True)
    assert "HTTP 500: down (tried 8 times)" in text
    assert "nothing was scored" in text
    assert go_on(folder) in text
    assert found == 3


def test_what_no_judge_can_tell_is_not_asked_again(ended: Any) -> None:
    found, text, _ = ended(lambda _: says("Perhaps."), model="openai-compatible/m", base_url=True)
    assert "what failed" not in text
    assert found == 0
