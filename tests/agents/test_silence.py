"""An endpoint that gives no reply is named within seconds; one that was never there ends the run."""

import asyncio
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from bad_openai import fails, hangs, says, serve
from langchain_core.messages import HumanMessage

from agents import endpoint
from agents.endpoint_trials import try_all
from agents.failures import describe
from agents.gateway import CallFailed, Gateway
from agents.patience import Patience
from agents.purse import RunStopped
from agents.silence import FIRST_SECONDS, SLOW_SECONDS, Silence
from state.journal import FailureKind


class Listening:
    """A silence on a clock of one's own, and what it said."""

    def __init__(self) -> None:
        self.now, self.said = 100.0, list[str]()
        self.silence = Silence("m at u", self.said.append, lambda: self.now)

    def after(self, seconds: float) -> list[str]:
        """Let time pass, a look a second, and give what was said."""
        before = len(self.said)
        for _ in range(int(seconds)):
            self.now += 1
            self.silence.look()
        return self.said[before:]


def test_a_first_reply_that_does_not_come_is_told_ever_more_seldom() -> None:
    listening = Listening()
    listening.silence.begin()
    assert listening.after(30) == []
    listening.silence.sent()
    assert listening.after(FIRST_SECONDS - 1) == []
    assert listening.after(1) == ["m at u has not replied for 5 s; asked once"]
    told = [line.split(";")[0].split(" for ")[1] for line in listening.after(195)]
    assert told == ["10 s", "20 s", "40 s", "80 s", "140 s", "200 s"]
    listening.silence.end(replied=True)
    assert listening.said[-1] == "m at u replies again, after 200 s"


def test_a_failed_try_is_told_with_its_reason_and_the_next() -> None:
    listening = Listening()
    for _ in range(2):
        listening.silence.begin()
        listening.silence.sent()
    listening.silence.failed("HTTP 503: down", 20.0)
    listening.silence.failed("HTTP 503: down", 9.0)
    assert listening.after(5) == [
        "m at u gives no reply (HTTP 503: down); asked 2 times in 5 s, again in 4 s"
    ]
    assert listening.after(5) == [
        "m at u gives no reply (HTTP 503: down); asked 2 times in 10 s, again in 10 s"
    ]
    listening.silence.end(replied=False)
    listening.silence.end(replied=False)
    assert listening.after(100) == []


def test_a_next_try_within_the_second_is_no_try_in_no_seconds() -> None:
    listening = Listening()
    listening.silence.begin()
    listening.silence.sent()
    listening.silence.failed("HTTP 500: down", FIRST_SECONDS + 0.3)
    assert listening.after(FIRST_SECONDS)[0].endswith(", again in 1 s")


def test_a_slow_model_that_has_replied_is_left_in_peace_for_a_minute() -> None:
    listening = Listening()
    listening.silence.begin()
    listening.silence.sent()
    listening.silence.end(replied=True)
    listening.silence.begin()
    listening.silence.sent()
    assert listening.after(SLOW_SECONDS - 1) == []
    assert listening.after(1) == ["m at u has not replied for 60 s; asked once"]
    assert listening.after(3600) != []


def closed_port() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{listener.getsockname()[1]}/v1"


@pytest.fixture
def asked(served: Any, call: Any) -> Callable[..., list[str]]:
    """Give a function that asks an endpoint on a clock ten times as fast, and gives what was said meanwhile."""

    def ask(url: str, **facts: Any) -> list[str]:
        said: list[str] = []

        async def run() -> None:
            gateway = Gateway(
                on_silence=said.append,
                patience=Patience(tries=3, first_seconds=1.0),
                clock=lambda: 10 * time.monotonic(),
            )
            async with gateway:
                await gateway.ask(call(served(url, **facts), [HumanMessage("How is the potassium?")]))

        with pytest.raises((CallFailed, RunStopped)) as failed:
            asyncio.run(run())
        return [*said, f"{type(failed.value).__name__}: {failed.value}"]

    return ask


def test_a_refused_connection_is_told_and_ends_a_run_that_never_had_a_reply(asked: Any) -> None:
    url = closed_port()
    *said, end = asked(url)
    assert said[0].startswith(
        f"openai-compatible/scripted at {url} gives no reply (cannot connect: Connection refused); asked "
    )
    assert end.startswith(
        f"RunStopped: openai-compatible/scripted at {url} was never reached: cannot connect: "
    )
    assert "(tried 3 times)" in end


def test_a_host_nobody_knows_ends_it_likewise(asked: Any) -> None:
    assert "was never reached" in asked("http://nobody.invalid:9/v1")[-1]


def test_an_address_that_takes_no_connection_was_never_reached(
    asked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its queue is full, so that a call waits for its connection, and not for a reply."""
    monkeypatch.setattr(endpoint, "CONNECT_SECONDS", 0.3)
    with socket.socket() as listener, ExitStack() as callers:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            caller = callers.enter_context(socket.socket())
            caller.setblocking(False)
            caller.connect_ex(listener.getsockname())
        end = asked(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")[-1]
    assert "was never reached: cannot connect: no answer from that address (tried 3 times)" in end


def test_a_server_that_takes_the_call_and_says_nothing_is_told(asked: Any) -> None:
    with serve(lambda _: hangs()) as server:
        *said, end = asked(server.url, call_seconds=1.5)
    assert said[0].endswith("; asked once")
    assert "has not replied for " in said[0]
    assert end.startswith("CallFailed: ")


def test_a_server_that_is_there_and_fails_ends_no_run(asked: Any) -> None:
    with serve(lambda _: fails(503)) as server:
        *said, end = asked(server.url)
    assert "gives no reply (HTTP 503: scripted 503)" in said[0]
    assert end.startswith("CallFailed: ")


def test_an_endpoint_that_is_lost_after_a_reply_ends_no_run(served: Any, call: Any) -> None:
    async def run() -> None:
        async with Gateway(patience=Patience(tries=2, first_seconds=0.01)) as gateway:
            with serve(lambda _: says("4.1")) as server:
                asked = served(server.url)
                await gateway.ask(call(asked, [HumanMessage("How is the potassium?")]))
            await gateway.ask(call(asked, [HumanMessage("And the sodium?")]))

    with pytest.raises(CallFailed, match="cannot connect: Connection refused") as failed:
        asyncio.run(run())
    assert failed.value.failure.kind is FailureKind.CONNECTION


def test_the_check_of_an_endpoint_that_is_not_there_says_so(served: Any) -> None:
    found = asyncio.run(try_all(served(closed_port()), None))
    ((what, works, said),) = found.rows
    assert (what, works) == ("key and answer", False)
    assert "was never reached: cannot connect: Connection refused (tried 2 times)" in said


def test_what_the_system_says_is_told_without_the_librarys_words() -> None:
    async def fault(url: str) -> Exception:
        import aiohttp

        try:
            async with aiohttp.ClientSession() as session, session.post(url):
                raise AssertionError("somebody listens there")
        except aiohttp.ClientError as error:
            return error

    assert describe(asyncio.run(fault(closed_port()))) == "cannot connect: Connection refused"
    assert "aiohttp" not in describe(asyncio.run(fault("http://nobody.invalid/")))
