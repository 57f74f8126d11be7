"""A set that a model words outlasts its provider's faults, limits and kills: nothing answered is asked for again."""

import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bad_openai import Reply, Script, Server, fails, serve
from langchain_core.messages import HumanMessage
from typer.testing import CliRunner
from worded import FILES, NAME, WANTED, bodies, served_by
from writers import writer

from agents.gateway import NO_TOOLS, Call
from agents.journal import Journal
from agents.purse import RunLimits
from graphs.benchmark import SESSIONS
from graphs.generate import app, generate
from graphs.generation_calls import CALLS, CallPlan, GenerationCalls, GenerationStopped
from graphs.workshop import Workshop
from state.journal import Place, Role

MODEL = ["--model", NAME]
NOWHERE = "http://127.0.0.1:1/v1"
PATIENCE_SECONDS = 300
KILLED_AFTER = (3, 17)
AT_A_TIME = 8
SLOW_SECONDS = 2.0
Open = Callable[..., Workshop]
Set = tuple[Path, Server]


def same(folder: Path, other: Path) -> None:
    for name in FILES:
        assert (folder / name).read_bytes() == (other / name).read_bytes(), name


@pytest.mark.parametrize("concurrency", [1, 16])
def test_the_same_replies_give_the_same_bytes(
    written: Set, worded: Open, tmp_path: Path, concurrency: int
) -> None:
    with serve(writer) as server:
        generate(worded(tmp_path, server), WANTED, tmp_path, concurrency=concurrency)
    same(tmp_path, written[0])
    assert sorted(bodies(server)) == sorted(bodies(written[1]))


def faulty_first(count: int, reply: Reply) -> Script:
    """Fail so many requests, then write."""
    left = [count]

    def script(request: dict[str, Any]) -> Reply:
        left[0] -= 1
        return reply if left[0] >= 0 else writer(request)

    return script


@pytest.mark.parametrize("status", [429, 500])
def test_passing_faults_of_a_provider_are_got_over(
    written: Set, worded: Open, tmp_path: Path, status: int
) -> None:
    with serve(faulty_first(2, fails(status))) as server:
        generate(worded(tmp_path, server), WANTED, tmp_path, concurrency=1)
    same(tmp_path, written[0])
    assert len(server.requests) == len(written[1].requests) + 2


@pytest.mark.parametrize(
    "reply", [fails(500), fails(401, message="no such key"), fails(402)], ids=["500", "401", "402"]
)
def test_a_provider_that_fails_for_good_stops_the_set_and_it_goes_on(
    written: Set, worded: Open, tmp_path: Path, reply: Reply
) -> None:
    """After some good replies every call fails; later the same command pays for what is missing alone."""
    seen: list[dict[str, Any]] = []

    def failing(request: dict[str, Any]) -> Reply:
        seen.append(request)
        return writer(request) if len(seen) <= 9 else reply

    with serve(failing) as server, pytest.raises(GenerationStopped, match=f"{NAME} failed"):
        generate(worded(tmp_path, server), WANTED, tmp_path)
    assert not (tmp_path / SESSIONS).exists()
    paid = Counter(bodies(server)[:9])
    with serve(writer) as server:
        generate(worded(tmp_path, server), WANTED, tmp_path)
    assert Counter(bodies(server)) == Counter(bodies(written[1])) - paid
    same(tmp_path, written[0])


@pytest.mark.parametrize("concurrency", [1, 8])
def test_a_limit_stops_the_set_and_more_goes_on(
    written: Set, worded: Open, tmp_path: Path, concurrency: int
) -> None:
    with serve(writer) as server:
        limited = worded(tmp_path, server, limits=RunLimits(calls=5))
        with pytest.raises(GenerationStopped, match="limit of 5 calls"):
            generate(limited, WANTED, tmp_path, concurrency=concurrency)
        assert len(server.requests) == 5
        generate(worded(tmp_path, server), WANTED, tmp_path)
    assert sorted(bodies(server)) == sorted(bodies(written[1]))
    same(tmp_path, written[0])


def test_a_killed_set_goes_on_without_paying_twice(
    written: Set, synthetic_warehouse: Path, tmp_path: Path
) -> None:
    """Kill the command amid its calls, twice, then let it end: what was on disk is never asked for again."""
    out = tmp_path / "set"
    with serve(writer) as server:
        command = [
            sys.executable,
            "-m",
            "graphs.generate",
            "--ehr",
            str(synthetic_warehouse),
            "--out",
            str(out),
        ]
        command += [
            "--scenarios",
            "med_safety",
            "--n",
            str(WANTED),
            "--seed",
            "7",
            *MODEL,
            "--base-url",
            server.url,
        ]
        for calls in KILLED_AFTER:
            before, kept = len(server.requests), _kept(out)
            running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            until = time.monotonic() + PATIENCE_SECONDS
            while time.monotonic() < until and running.poll() is None and _kept(out) < kept + calls:
                time.sleep(0.005)
            running.send_signal(signal.SIGKILL)
            running.wait()
            assert _kept(out) >= kept + calls, "the set ended before it could be killed"
            assert len(server.requests) - before <= _kept(out) - kept + AT_A_TIME
            assert not (out / SESSIONS).exists()
        before, kept = len(server.requests), _kept(out)
        assert subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0
        assert len(server.requests) - before == len(written[1].requests) - kept
    assert _kept(out) == len(written[1].requests)
    same(out, written[0])


def test_ctrl_c_asks_nothing_more(synthetic_warehouse: Path, tmp_path: Path) -> None:
    """The command ends while its model still writes."""
    slow: Script = lambda request: replace(writer(request), delay=SLOW_SECONDS)  # noqa: E731
    with serve(slow) as server:
        words = command(synthetic_warehouse, tmp_path / "set", *MODEL, "--base-url", server.url)
        running = subprocess.Popen(
            [sys.executable, "-m", "graphs.generate", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until and not server.requests:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=PATIENCE_SECONDS)
        then = len(server.requests)
        time.sleep(2 * SLOW_SECONDS)
        assert len(server.requests) == then <= 2
    assert running.returncode == 130, said.decode()
    assert said.decode().strip().splitlines()[-1] == "interrupted"
    assert not (tmp_path / "set" / SESSIONS).exists()


def _kept(out: Path) -> int:
    """Count the replies on disk."""
    return sum(1 for _ in Journal(out / CALLS).entries()) if (out / CALLS).exists() else 0


def command(ehr: Path, out: Path, *more: str) -> list[str]:
    return ["--ehr", str(ehr), "--out", str(out), "--scenarios", "med_safety", "--n", "1", *more]


def test_a_set_that_is_stopped_prints_its_bill(synthetic_warehouse: Path, tmp_path: Path) -> None:
    with serve(writer) as server:
        where = ["--base-url", server.url, "--run-calls", "3"]
        result = CliRunner().invoke(app, command(synthetic_warehouse, tmp_path / "set", *MODEL, *where))
    assert result.exit_code == 3, result.output
    text = " ".join(result.output.split())
    assert "the run's limit of 3 calls is reached" in text
    assert "billed 3 calls, 330 tokens, cost unknown" in text


def test_a_refused_key_ends_the_command_with_3_and_a_sentence(
    synthetic_warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "wrong")
    with serve(lambda _: fails(401, message="no such key")) as server:
        where = ["--base-url", server.url, "--key-variable", "MY_KEY"]
        result = CliRunner().invoke(app, command(synthetic_warehouse, tmp_path / "set", *MODEL, *where))
    assert result.exit_code == 3, result.output
    assert "authentication" in result.output
    assert "the same command goes on" in result.output
    assert server.keys[0] == "Bearer wrong"
    assert not (tmp_path / "set" / SESSIONS).exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--model", "deepseek/deepseek-chat"], "wants a key"),
        (["--model", "openai-compatible/x"], "needs --base-url"),
        (["--model", "nobody/x"], "unknown model"),
        (["--model", "offline/nothing"], "unknown model"),
        (["--base-url", NOWHERE], "call no model"),
        (["--budget", "1"], "call no model"),
        ([*MODEL, "--base-url", NOWHERE, "--budget", "1"], "the price of"),
    ],
)
def test_what_cannot_be_called_is_bad_input(
    synthetic_warehouse: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    sentence: str,
) -> None:
    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, command(synthetic_warehouse, tmp_path / "set", *options))
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.strip().splitlines()
    assert sentence in line
    assert not (tmp_path / "set").exists()


def test_a_stop_holds_for_every_thread(tmp_path: Path) -> None:
    """Nobody asks a provider again that has failed for good."""
    with serve(lambda _: fails(401)) as server:
        served = served_by(server.url)
        place = Place(role=Role.PHYSICIAN, session_id="s", turn=0, step=0)
        with GenerationCalls(CallPlan(tmp_path, served)) as calls:
            for _ in range(3):
                with pytest.raises(GenerationStopped):
                    calls.ask(Call(served, place, [HumanMessage("?")], NO_TOOLS))
    assert len(server.requests) == 1
