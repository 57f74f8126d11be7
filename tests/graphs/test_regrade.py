"""A run judged again: other verdicts on the same answers, no call of the doctor, and a manifest that says so."""

import asyncio
import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import typer
from bad_openai import Reply, Server, fails, says, serve
from judges import TornDoctor, lenient, severe

from graphs import evaluate, replay
from graphs.close_run import close_run
from graphs.evaluate import make_manifest
from graphs.run_folder import RunFolder, read_manifest
from graphs.run_sessions import run_sessions
from graphs.ward import Ward
from state.manifest import RunSettings
from state.metrics import Metrics
from state.outcome import Verdict

DEMO = Path(str(files("configs") / "demo"))
ONE = "openai-compatible/one"


@pytest.fixture
def by_code(synthetic_warehouse: Path, tmp_path: Path) -> RunFolder:
    """Give a run of two sessions of torn doctors, judged by code alone."""
    settings = RunSettings(
        model="offline/gold", ehr=str(synthetic_warehouse), sessions=str(DEMO), limit=2, turn_seconds=500
    )
    warehouse, benchmark = evaluate.open_data(settings, tmp_path)
    with warehouse:
        ward = Ward.open(warehouse, benchmark, settings)
        ward.make_doctor = lambda gold: TornDoctor(gold=gold, language=settings.language)
        folder = RunFolder.create(tmp_path / "before", make_manifest(ward))
        asyncio.run(run_sessions(ward, folder, 4))
        close_run(ward, folder, read_manifest(folder.path))
    return folder


@pytest.fixture
def judge() -> Iterator[Server]:
    with serve(lenient) as server:
        yield server


def again(folder: RunFolder, server: Server, output: Path, **options: Any) -> RunFolder:
    asked = {"judge": ONE, "judge_base_url": server.url, "cross_check": 0.0, **options}
    evaluate.main(judge_only=folder.path, output=output, **asked)
    (path,) = output.iterdir()
    return RunFolder(path)


def metrics_of(folder: RunFolder) -> Metrics:
    return Metrics.model_validate_json((folder.path / "metrics.json").read_text())


def test_the_doctor_is_not_asked_and_the_judge_decides(
    by_code: RunFolder, judge: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = again(by_code, judge, tmp_path / "after")
    left = metrics_of(by_code).outcomes["unscored"]
    assert left >= 2
    assert len(judge.requests) == left
    found = metrics_of(done)
    assert found.outcomes == {"scored": 8, "not_attempted": 0}
    assert found.judging is not None
    assert found.judging.decided == left
    assert {r.session_id: r for r in done.records()} == {r.session_id: r for r in by_code.records()}
    bill = json.loads((done.path / "bill.json").read_text())["roles"]
    assert {role: tally["calls"] for role, tally in bill.items()} == {"judge": left}
    said = capsys.readouterr().out
    assert "Judges beside code" in said
    assert f"judge {ONE}" in said


def test_the_manifest_says_what_was_judged_again_and_by_whom(
    by_code: RunFolder, judge: Server, tmp_path: Path
) -> None:
    was = read_manifest(by_code.path)
    now = read_manifest(again(by_code, judge, tmp_path / "after").path)
    assert now.regrade is not None
    assert (now.regrade.run_id, now.regrade.path) == (was.run_id, str(by_code.path.resolve()))
    assert now.settings.judge == ONE
    assert now.settings.turn_seconds == 500
    assert (now.judge_prompts, now.judge_parameters) == (now.judge_prompts, {ONE: {"temperature": 0.0}})
    assert now.judge_prompts
    assert not was.judge_prompts
    assert now.comparison_key != was.comparison_key
    assert now.prompts == was.prompts


def test_what_is_lacking_is_asked_again_and_nothing_else(by_code: RunFolder, tmp_path: Path) -> None:
    asked: list[str] = []
    broken = [True]

    def script(request: dict[str, Any]) -> Reply:
        asked.append(request["messages"][1]["content"])
        return fails(401) if broken[0] and len(asked) > 1 else severe(request)

    with serve(script) as server:
        done = again(by_code, server, tmp_path / "after", concurrency=1)
        left = metrics_of(by_code).outcomes["unscored"]
        assert metrics_of(done).errored_by == {"judge": left - 1}
        broken[0] = False
        before = len(asked)
        evaluate.main(resume=done.path)
    assert len(asked) - before == left - 1
    assert len(set(asked)) == left
    assert metrics_of(done).outcomes == {"scored": 8, "not_attempted": 0}


def test_a_judge_that_nobody_heard_has_a_bill_and_can_be_asked_again(
    by_code: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve(lambda _: fails(401)) as down, pytest.raises(typer.Exit) as end:
        again(by_code, down, tmp_path / "after")
    assert end.value.exit_code == 3
    (path,) = (tmp_path / "after").iterdir()
    text = " ".join(capsys.readouterr().out.split())
    assert "billed no calls" in text
    assert "$0" not in text
    assert f"{ONE} gave no verdict on any of the" in text
    assert f"what failed is asked again by python -m graphs.evaluate --resume {path}" in text


def test_what_the_doctors_provider_failed_at_is_not_asked_for_by_judging_again(
    synthetic_warehouse: Path, judge: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = {"ehr": synthetic_warehouse, "sessions": DEMO, "limit": 1, "output": tmp_path / "before"}
    with serve(lambda _: fails(401)) as down, pytest.raises(typer.Exit):
        evaluate.main(model="openai-compatible/m", base_url=down.url, **data)
    (path,) = (tmp_path / "before").iterdir()
    assert "what failed is asked again" in capsys.readouterr().out
    with pytest.raises(typer.Exit):
        again(RunFolder(path), judge, tmp_path / "after")
    assert "what failed is asked again" not in capsys.readouterr().out


def test_by_code_again_is_what_it_was(by_code: RunFolder, tmp_path: Path) -> None:
    evaluate.main(judge_only=by_code.path, output=tmp_path / "after")
    (path,) = (tmp_path / "after").iterdir()
    in_order = [sorted(f.results(), key=lambda r: r.session_id) for f in (RunFolder(path), by_code)]
    assert in_order[0] == in_order[1]
    assert (path / "metrics.json").read_bytes() == (by_code.path / "metrics.json").read_bytes()


def test_a_limit_of_the_run_stops_the_judges_too(by_code: RunFolder, judge: Server, tmp_path: Path) -> None:
    with pytest.raises(typer.Exit) as end:
        again(by_code, judge, tmp_path / "after", run_calls=1, concurrency=1)
    assert end.value.exit_code == 3
    (path,) = (tmp_path / "after").iterdir()
    evaluate.main(resume=path)
    assert len(judge.requests) == metrics_of(by_code).outcomes["unscored"]


def test_a_replay_says_where_to_look(
    by_code: RunFolder, judge: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = again(by_code, judge, tmp_path / "after")
    with pytest.raises(typer.Exit) as end:
        replay.main(done.path, done.results()[0].session_id)
    assert end.value.exit_code == 2
    assert f"replay {by_code.path.resolve()} instead" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": "offline/echo"}, "beside it only options of the judge"),
        ({"limit": 1}, "beside it only options of the judge"),
        ({"judge": "offline/coin"}, "unknown judge"),
        ({"judge": "glm/x"}, "ZAI_API_KEY"),
    ],
)
def test_what_cannot_be_judged_again(
    by_code: RunFolder,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    options: dict[str, Any],
    words: str,
) -> None:
    monkeypatch.delenv("ZAI_API_KEY", raising=False)
    with pytest.raises(typer.Exit) as end:
        evaluate.main(judge_only=by_code.path, output=tmp_path / "after", **options)
    assert end.value.exit_code == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "after").exists()


@pytest.mark.parametrize("field", ["benchmark", "vocabulary", "warehouse", "tools"])
def test_a_run_on_other_ground_is_not_judged_again(
    by_code: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str], field: str
) -> None:
    file = by_code.path / "manifest.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), field: "0" * 64}))
    with pytest.raises(typer.Exit):
        evaluate.main(judge_only=by_code.path, output=tmp_path / "after")
    assert f"{field} changed since" in capsys.readouterr().err


def test_what_judges_will_take_is_said_before(
    by_code: RunFolder, judge: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluate.main(judge_only=by_code.path, judge=ONE, judge_base_url=judge.url, cross_check=1.0, dry_run=True)
    said = " ".join(capsys.readouterr().out.split())
    assert "the cross-checks only" in said
    assert "doctor" not in said
    assert not judge.requests
    rubric = sum(len(turn.verdicts) for result in by_code.results() for turn in result.turns)
    assert f"judge │ {rubric} │" in said


def test_an_examinee_needs_no_key_to_be_judged_again(
    by_code: RunFolder, judge: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)
    file = by_code.path / "manifest.json"
    manifest = json.loads(file.read_text())
    manifest["settings"]["model"] = "deepseek/deepseek-flash"
    file.write_text(json.dumps({**manifest, "offline": False, "parameters": {"temperature": 0.2}}))
    done = again(by_code, judge, tmp_path / "after")
    now = read_manifest(done.path)
    assert now.parameters == {"temperature": 0.2}
    assert now.settings.model == "deepseek/deepseek-flash"
    assert metrics_of(done).outcomes == {"scored": 8, "not_attempted": 0}
    with pytest.raises(typer.Exit):
        evaluate.main(judge_only=by_code.path, judge="vllm/deepseek-v9", output=tmp_path / "kin")


def test_no_verdict_is_met_where_code_would_have_said_otherwise(by_code: RunFolder, tmp_path: Path) -> None:
    """Judged by one that says nothing of use, a run is what code alone made of it."""
    with serve(lambda _: says("no")) as server, pytest.raises(typer.Exit) as end:
        again(by_code, server, tmp_path / "after", cross_check=1.0)
    assert end.value.exit_code == 1
    (path,) = (tmp_path / "after").iterdir()
    done = RunFolder(path)
    earlier = {result.session_id: result for result in by_code.results()}
    for now in done.results():
        for turn, before in zip(now.turns, earlier[now.session_id].turns, strict=True):
            assert turn.outcome.kind == before.outcome.kind
            assert [v.verdict for v in turn.verdicts] == [v.verdict for v in before.verdicts]
            assert all(ballot.verdict is Verdict.CANNOT_TELL for ballot in turn.ballots)
