"""A finished session is walked again without a call, and forked before any turn."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from bad_openai import Reply, careful_doctor, completion, fails, hangs, says, serve
from servers import Runner, counting_server
from wards import OpenWard, Run

from agents.gateway import Gateway
from graphs.replay import difference, walk
from state.outcome import Errored
from state.trajectory import Termination


@pytest.fixture(scope="module")
def runner(cohort_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(tmp_path_factory.mktemp("replay"), cohort_cache)


def careful(request: dict[str, Any]) -> Reply:
    message = careful_doctor(request)
    return completion(message, "tool_calls" if message.get("tool_calls") else "stop")


def recorded(folder: Any, session_id: str) -> Any:
    results = {result.session_id: result for result in folder.results()}
    records = {record.session_id: record for record in folder.records()}
    return results[session_id], records[session_id]


@pytest.mark.parametrize(
    "script",
    [
        careful,
        lambda _: says(""),
        lambda _: says("cut", finish_reason="length"),
        lambda r: fails(400, code="context_length_exceeded") if len(r["messages"]) > 6 else careful(r),
        lambda r: fails(401) if len(r["messages"]) > 6 else careful(r),
    ],
    ids=["answers", "empty", "truncated", "overflow", "broken off by the provider"],
)
def test_a_replay_gives_what_was_recorded_without_a_call(open_ward: OpenWard, run: Run, script: Any) -> None:
    with serve(script) as server:
        ward = open_ward("openai-compatible/x", limit=1, base_url=server.url)
        folder = run(ward)
        (session,) = ward.planned
        asked = len(server.requests)
        told = asyncio.run(walk(ward, Gateway(folder.journal(), replay_only=True), session))
        assert len(server.requests) == asked
    assert difference(recorded(folder, session.session_id), told) is None


def test_a_replay_of_a_hung_turn_ends_at_the_same_limit(open_ward: OpenWard, run: Run) -> None:
    with serve(lambda r: hangs() if len(r["messages"]) > 3 else careful(r)) as server:
        ward = open_ward("openai-compatible/x", limit=1, base_url=server.url, turn_seconds=1.5)
        folder = run(ward)
    (session,) = ward.planned
    told = asyncio.run(walk(ward, Gateway(folder.journal(), replay_only=True), session))
    assert told[1].turns[0].termination is Termination.TIME_LIMIT
    assert difference(recorded(folder, session.session_id), told) is None


def test_a_difference_is_found(open_ward: OpenWard, run: Run) -> None:
    with serve(careful) as server:
        ward = open_ward("openai-compatible/x", limit=1, base_url=server.url)
        folder = run(ward)
    was = recorded(folder, ward.planned[0].session_id)
    turn = was[1].turns[2].model_copy(update={"answer": "something else"})
    now = was[1].model_copy(update={"turns": (*was[1].turns[:2], turn, *was[1].turns[3:])})
    assert difference(was, (was[0], now)) == "turn 2: answer"
    assert difference(was, (was[0], was[1].model_copy(update={"turns": was[1].turns[:1]}))) is not None


@pytest.mark.parametrize("turn", [0, 2, 3])
def test_a_fork_asks_only_from_its_turn_on(open_ward: OpenWard, run: Run, turn: int, tmp_path: Path) -> None:
    with serve(careful) as server:
        ward = open_ward("openai-compatible/x", limit=1, base_url=server.url)
        folder = run(ward)
        (session,) = ward.planned
        before = recorded(folder, session.session_id)[1].turns[:turn]
        sent = list(server.requests)
        told = asyncio.run(walk(ward, Gateway(), session, before))
        asked = server.requests[len(sent) :]
    assert [record.answer for record in told[1].turns] == [
        record.answer for record in recorded(folder, session.session_id)[1].turns
    ]
    assert asked == sent[turn * 3 :]


def test_the_command_replays_and_forks(runner: Runner, tmp_path: Path) -> None:
    with counting_server(tmp_path / "server") as server:
        options = {"model": "openai-compatible/x", "base_url": server.url, "limit": 1}
        assert runner.run(output=tmp_path / "runs", **options) == 0
        (run,) = (tmp_path / "runs").iterdir()
        session = json.loads((run / "results.jsonl").read_text())["session_id"]
        assert runner.run("graphs.replay", run=run, session=session) == 0
        assert "the same as recorded; no model was called" in runner.output()
        assert len(server.served()) == 12

        forks = tmp_path / "forks"
        fork = {"run": run, "session": session, "turn": 2, "output": forks}
        assert runner.run("graphs.replay", model="offline/echo", **fork) == 0
        assert runner.run("graphs.replay", **fork) == 0
        assert len(server.served()) == 12 + 6
        kept = [json.loads((path / "trajectories.jsonl").read_text()) for path in sorted(forks.iterdir())]
        assert all([turn["index"] for turn in record["turns"]] == [0, 1, 2, 3] for record in kept)
        echoed = next(
            record for record in kept if record["turns"][2]["answer"] == record["turns"][2]["question"]
        )
        assert echoed["turns"][1]["answer"].startswith("From the chart")

        (other, _) = sorted(forks.iterdir())
        assert runner.run(resume=other) == 2
        assert "is a fork of one session" in " ".join(runner.output().split())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"session": "nobody"}, "holds no finished session 'nobody'"),
        ({"turn": 4}, "has turns 0 to 3"),
        ({"model": "offline/echo"}, "go with --turn"),
    ],
)
def test_bad_input_of_the_command(
    runner: Runner, tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    assert runner.run(output=tmp_path / "runs", model="offline/echo", limit=1) == 0
    (run,) = (tmp_path / "runs").iterdir()
    session = json.loads((run / "results.jsonl").read_text())["session_id"]
    assert runner.run("graphs.replay", **{"run": run, "session": session, **options}) == 2
    assert words in " ".join(runner.output().split())


def test_a_session_of_a_program_is_replayed_by_asking_it_again(runner: Runner, tmp_path: Path) -> None:
    assert runner.run(output=tmp_path / "runs", model="offline/baseline", limit=1) == 0
    (run,) = (tmp_path / "runs").iterdir()
    session = json.loads((run / "results.jsonl").read_text())["session_id"]
    assert runner.run("graphs.replay", run=run, session=session) == 0


def test_a_replay_of_a_failure_is_no_score(open_ward: OpenWard, run: Run) -> None:
    with serve(lambda _: fails(401)) as server:
        ward = open_ward("openai-compatible/x", limit=1, base_url=server.url)
        folder = run(ward)
    told = asyncio.run(walk(ward, Gateway(folder.journal(), replay_only=True), ward.planned[0]))
    assert all(isinstance(turn.outcome, Errored) for turn in told[0].turns)
