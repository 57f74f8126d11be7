"""A finished call is on disk before it is used, is found again by all that was sent, and is never paid twice."""

import asyncio
import json
import multiprocessing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bad_openai import fails, says, serve
from langchain_core.messages import HumanMessage, SystemMessage

from agents.gateway import Call, CallFailed, Gateway, JournalMiss, WireTools
from agents.journal import Journal
from agents.patience import Patience
from state.base import InputError
from state.journal import Entry, Parts, Place, Reply, Role
from state.trajectory import Usage

PARTS = Parts(model="m", parameters="p", tools="t", prompt="s", question="q", messages="x")


def entry(step: int, content: str = "yes", session: str = "s") -> Entry:
    reply = Reply(
        reply_id="r", content=content, finish_reason="stop", usage=Usage(input_tokens=3, output_tokens=2)
    )
    place = Place(role=Role.DOCTOR, session_id=session, turn=0, step=step)  # type: ignore[arg-type]
    return Entry(place=place, parts=PARTS, reply=reply, seconds=0.1, tries=1, usd=0.5)


def put_all(journal: Journal, entries: list[Entry]) -> None:
    async def together() -> None:
        await asyncio.gather(*(journal.put(e) for e in entries))

    asyncio.run(together())
    journal.close()


def test_many_at_once_are_all_kept(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    put_all(journal, [entry(i) for i in range(500)])
    again = Journal(tmp_path)
    assert all(again.find(entry(i).place, PARTS) == entry(i) for i in range(500))
    assert [e.place.step for e in again.entries()] == list(range(500))


def test_it_is_on_disk_when_put_returns(tmp_path: Path) -> None:
    journal = Journal(tmp_path)

    async def one_by_one() -> None:
        for i in range(5):
            await journal.put(entry(i))
            assert Journal(tmp_path).find(entry(i).place, PARTS) is not None

    asyncio.run(one_by_one())
    journal.close()


def test_what_was_put_is_found_at_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path)

    async def in_two_parts() -> None:
        await asyncio.gather(*(journal.put(entry(i)) for i in range(50)))
        await journal.put(entry(50))

    asyncio.run(in_two_parts())
    journal.close()
    assert all(journal.find(entry(i).place, PARTS) == entry(i) for i in range(51))


def test_a_disk_that_is_full_loses_nothing_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, write = Journal(tmp_path), Journal._write
    broken = [True]

    def full(self: Journal, lines: bytes) -> None:
        if broken:
            broken.clear()
            raise OSError(28, "No space left on device")
        write(self, lines)

    monkeypatch.setattr(Journal, "_write", full)

    async def together() -> list[Any]:
        return await asyncio.gather(*(journal.put(entry(i)) for i in range(3)), return_exceptions=True)

    ended = asyncio.run(together())
    journal.close()
    assert [isinstance(end, OSError) for end in ended] == [True, False, False]
    assert len(list(Journal(tmp_path).entries())) == 3


@pytest.mark.parametrize("tail", [b'{"place": {"role"', b'{"place": {"role": "doctor"}}', b"\xff\xfe"])
def test_a_line_cut_off_by_a_crash_is_left_out(tmp_path: Path, tail: bytes) -> None:
    put_all(Journal(tmp_path), [entry(0)])
    with (tmp_path / "00001.jsonl").open("ab") as file:
        file.write(tail)
    journal = Journal(tmp_path)
    put_all(journal, [entry(1)])
    assert [e.place.step for e in Journal(tmp_path).entries()] == [0, 1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["00001.jsonl", "00002.jsonl"]


def test_a_hole_in_the_middle_is_an_error(tmp_path: Path) -> None:
    put_all(Journal(tmp_path), [entry(0), entry(1)])
    lines = (tmp_path / "00001.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "00001.jsonl").write_bytes(b"garbage\n" + lines[1])
    with pytest.raises(InputError, match=r"00001\.jsonl line 1 is no journal entry"):
        Journal(tmp_path)


def _worker(folder: str, number: int) -> None:
    put_all(Journal(Path(folder)), [entry(i, session=f"w{number}") for i in range(50)])


def test_workers_have_a_file_each(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_worker, args=(str(tmp_path), n)) for n in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(list(tmp_path.glob("*.jsonl"))) == 3
    assert len({(e.place.session_id, e.place.step) for e in Journal(tmp_path).entries()}) == 150


CHANGES: dict[str, tuple[str, Callable[[Call], Call]]] = {
    "the same": ("", lambda c: c),
    "parameter": (
        "parameters",
        lambda c: _replace(c, served=c.served.model_copy(update={"parameters": {"temperature": 0.9}})),
    ),
    "model": ("model", lambda c: _replace(c, served=c.served.model_copy(update={"name": "other/one"}))),
    "tools": ("tools", lambda c: _replace(c, tools=WireTools([], "other", 0.0))),
    "prompt": ("prompt, messages", lambda c: _replace(c, messages=[SystemMessage("New."), c.messages[1]])),
    "question": ("question, messages", lambda c: _replace(c, messages=[c.messages[0], HumanMessage("Now?")])),
}


def _replace(call: Call, **fields: Any) -> Call:
    return Call(**{**{name: getattr(call, name) for name in call.__dataclass_fields__}, **fields})


@pytest.mark.parametrize(("changed", "change"), CHANGES.values(), ids=CHANGES)
def test_a_change_is_a_miss_that_says_what_changed(
    tmp_path: Path, gateway: Any, served: Any, call: Any, changed: str, change: Callable[[Call], Call]
) -> None:
    heard: list[str] = []

    async def ask(asked: Call) -> None:
        async with gateway(journal=Journal(tmp_path), on_miss=lambda _, why: heard.append(why)) as calls:
            await calls.ask(asked)

    with serve(lambda _: says("4.1")) as server:
        first = call(served(server.url), [SystemMessage("You help."), HumanMessage("How is it?")])
        asyncio.run(ask(first))
        asyncio.run(ask(change(first)))
    assert len(server.requests) == (1 if not changed else 2)
    assert heard == ([changed] if changed else [])


def test_another_attempt_or_epoch_is_another_call(
    tmp_path: Path, gateway: Any, served: Any, call: Any
) -> None:
    async def ask(url: str) -> None:
        async with gateway(journal=Journal(tmp_path)) as calls:
            asked = call(served(url), [HumanMessage("?")])
            for more in ({}, {"attempt": 1}, {"epoch": 1}, {"role": Role.JUDGE}):
                await calls.ask(_replace(asked, place=asked.place.model_copy(update=more)))

    with serve(lambda _: says("x")) as server:
        asyncio.run(ask(server.url))
        asyncio.run(ask(server.url))
    assert len(server.requests) == 4


def test_a_providers_failure_is_asked_again_but_replayed_as_it_was(
    tmp_path: Path, gateway: Any, served: Any, call: Any
) -> None:
    left = [fails(500), says("up again")]

    async def ask(url: str, **fields: Any) -> str:
        async with gateway(journal=Journal(tmp_path), patience=Patience(tries=1), **fields) as calls:
            return str((await calls.ask(call(served(url), [HumanMessage("?")]))).text)

    with serve(lambda _: left.pop(0)) as server:
        with pytest.raises(CallFailed, match="scripted 500"):
            asyncio.run(ask(server.url))
        with pytest.raises(CallFailed, match="scripted 500"):
            asyncio.run(ask(server.url, replay_only=True))
        assert asyncio.run(ask(server.url)) == "up again"
        assert asyncio.run(ask(server.url, replay_only=True)) == "up again"
    assert len(server.requests) == 2


def test_an_overflow_is_the_models_own_and_is_not_asked_again(
    tmp_path: Path, gateway: Any, served: Any, call: Any
) -> None:
    async def ask(url: str) -> None:
        async with gateway(journal=Journal(tmp_path)) as calls:
            await calls.ask(call(served(url), [HumanMessage("?")]))

    with serve(lambda _: fails(400, code="context_length_exceeded")) as server:
        for _ in range(2):
            with pytest.raises(CallFailed, match="context_overflow"):
                asyncio.run(ask(server.url))
    assert len(server.requests) == 1


def test_a_replay_never_calls(tmp_path: Path, gateway: Any, served: Any, call: Any) -> None:
    async def ask(url: str) -> None:
        async with gateway(journal=Journal(tmp_path), replay_only=True) as calls:
            await calls.ask(call(served(url), [HumanMessage("?")]))

    with serve(lambda _: says("x")) as server, pytest.raises(JournalMiss, match="it was never made"):
        asyncio.run(ask(server.url))
    assert server.requests == []


def test_replies_of_another_run_answer_only_on_request_and_cost_nothing(
    tmp_path: Path, gateway: Any, served: Any, call: Any
) -> None:
    async def ask(url: str, journal: Journal) -> Gateway:
        async with gateway(journal=journal) as calls:
            await calls.ask(call(served(url), [HumanMessage("?")]))
            return calls  # type: ignore[no-any-return]

    with serve(lambda _: says("x")) as server:
        asyncio.run(ask(server.url, Journal(tmp_path / "one")))
        borrowed = asyncio.run(ask(server.url, Journal(tmp_path / "two", [tmp_path / "one"])))
        assert len(server.requests) == 1
        assert borrowed.purse.bill().total.calls == 0
        asyncio.run(ask(server.url, Journal(tmp_path / "three")))
        assert len(server.requests) == 2


def test_nothing_of_a_key_is_kept(tmp_path: Path, gateway: Any, served: Any, call: Any) -> None:
    async def ask(url: str) -> None:
        async with gateway(journal=Journal(tmp_path), key_of=lambda _: "sk-secret") as calls:
            await calls.ask(call(served(url), [HumanMessage("?")]))

    with serve(lambda _: says("x")) as server:
        asyncio.run(ask(server.url))
    assert server.keys == ["Bearer sk-secret"]
    text = (tmp_path / "00001.jsonl").read_text()
    assert "sk-secret" not in text
    assert json.loads(text)["reply"]["content"] == "x"
