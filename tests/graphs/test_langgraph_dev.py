"""A real ``langgraph dev`` server, driven over HTTP."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from graphs.embedded import demo_benchmark

ROOT = Path(__file__).parents[2]
START_SECONDS = 90


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def client(cohort_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SyncLangGraphClient]:
    port, log = _free_port(), tmp_path_factory.mktemp("dev") / "server.log"
    environment = {**os.environ, "LANGSMITH_TRACING": "false", "WARDROUND_CACHE": str(cohort_cache)}
    command = [str(Path(sys.executable).with_name("langgraph")), "dev", "--no-browser", "--no-reload"]
    with log.open("w") as output:
        server = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                with urllib.request.urlopen(f"{url}/ok", timeout=5):
                    break
            except (urllib.error.URLError, ConnectionError):
                if server.poll() is not None or time.monotonic() > deadline:
                    pytest.fail(f"langgraph dev did not start:\n{log.read_text()}")
                time.sleep(0.3)
        with get_sync_client(url=url) as opened:
            yield opened
    finally:
        print(log.read_text()[-20_000:])  # pytest shows it where a test failed
        server.terminate()
        server.wait(timeout=30)


def test_serves_both_graphs(client: SyncLangGraphClient) -> None:
    names = {assistant["graph_id"] for assistant in client.assistants.search()}
    assert names == {"evaluate", "generate"}


def test_steps_through_a_session_and_resumes_it(client: SyncLangGraphClient) -> None:
    session = demo_benchmark().sessions[0]
    thread = client.threads.create()["thread_id"]
    config = {"configurable": {"model": "offline/gold"}}
    client.runs.wait(
        thread,
        "evaluate",
        input={"session_id": session.session_id},
        config=config,
        interrupt_before=["doctor"],
    )
    paused = client.threads.get_state(thread)
    assert paused["next"] == ["doctor"]
    assert paused["values"]["question"] == session.turns[0].wording["en"].implicit
    end = client.runs.wait(thread, "evaluate", input=None, config=config)
    scores = [turn["outcome"]["score"] for turn in end["result"]["turns"]]
    assert scores == [1.0] * len(session.turns)
    assert len(client.threads.get_history(thread, limit=100)) > len(session.turns)


def test_generates_over_http(client: SyncLangGraphClient) -> None:
    end = client.runs.wait(None, "generate", input={"wanted": 2})
    assert sum(attempt["accepted"] for attempt in end["attempts"]) == 2
