"""A run spends no more than it may, whatever is under way."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from bad_openai import Reply, fails, says, serve
from langchain_core.messages import HumanMessage

from agents.gateway import CallFailed
from agents.purse import Purse, RunLimits, RunStopped, Worst
from state.models import Price, Source

PRICE = Price(
    input_usd=0.0,
    output_usd=1_000_000.0,
    source=Source(url="http://127.0.0.1", read="2026-01-01", says="a dollar a token written"),  # type: ignore[arg-type]
)


def purse(**limits: Any) -> Purse:
    return Purse(RunLimits(**limits), lambda: 0.0)


def test_a_budget_is_never_overdrawn_by_calls_under_way(gateway: Any, served: Any, call: Any) -> None:
    """Each call may cost $20 and costs $10: with $75, seven fit, and never two that could break it together."""
    mine = purse(usd=75)
    stopped: list[str] = []

    async def run(url: str) -> None:
        model = served(url, price=PRICE, parameters={"max_tokens": 20})
        async with gateway(purse=mine) as calls:

            async def one(step: int) -> None:
                try:
                    await calls.ask(call(model, [HumanMessage("?")], step=step))
                except RunStopped as reason:
                    stopped.append(str(reason))
                assert mine.bill().total.usd is not None
                assert mine.bill().total.usd <= 75

            await asyncio.gather(*(one(i) for i in range(30)))

    with serve(lambda _: says("x")) as server:
        asyncio.run(run(server.url))
    assert len(server.requests) == 6
    assert mine.bill().total.usd == 60
    assert len(stopped) == 24
    assert "budget of $75 is spent" in stopped[0]


def test_a_budget_without_a_price_stops_before_the_first_call(gateway: Any, served: Any, call: Any) -> None:
    async def run(url: str) -> None:
        async with gateway(purse=purse(usd=1)) as calls:
            await calls.ask(call(served(url), [HumanMessage("?")]))

    with serve(lambda _: says("x")) as server, pytest.raises(RunStopped, match="price"):
        asyncio.run(run(server.url))
    assert server.requests == []


TOKENS = {"parameters": {"max_tokens": 10}}
"""With a question of 400 letters, a call can take the 110 tokens that the scripted server counts for each."""
LONG = HumanMessage("?" * 400)


@pytest.mark.parametrize(
    ("limits", "made"), [({"calls": 7}, 7), ({"tokens": 770}, 7), ({"tokens": 879}, 7), ({"tokens": 769}, 6)]
)
def test_calls_and_tokens_are_never_overrun_by_calls_under_way(
    gateway: Any, served: Any, call: Any, limits: dict[str, int], made: int
) -> None:
    stopped: list[str] = []

    async def run(url: str) -> None:
        async with gateway(purse=purse(**limits)) as calls:

            async def one(step: int) -> None:
                try:
                    await calls.ask(call(served(url, **TOKENS), [LONG], step=step))
                except RunStopped as reason:
                    stopped.append(str(reason))

            await asyncio.gather(*(one(i) for i in range(30)))

    with serve(lambda _: replace(says("x"), delay=0.05)) as server:
        asyncio.run(run(server.url))
    assert len(server.requests) == made
    assert len(stopped) == 30 - made
    (limit,) = limits.values()
    assert all(f"limit of {limit} " in reason for reason in stopped)


def test_a_call_that_was_lost_gives_its_place_back(gateway: Any, served: Any, call: Any) -> None:
    """Two may be made, and the first to be begun fails: one that waits takes its place."""
    mine = purse(calls=2)

    async def run(url: str) -> list[BaseException | Any]:
        async with gateway(purse=mine) as calls:
            asked = (calls.ask(call(served(url), [HumanMessage(str(i))], step=i)) for i in range(3))
            return await asyncio.gather(*asked, return_exceptions=True)

    def script(request: dict[str, Any]) -> Reply:
        lost = request["messages"][0]["content"] == "0"
        return replace(fails(401) if lost else says("x"), delay=0.05)

    with serve(script) as server:
        first, *others = asyncio.run(run(server.url))
    assert isinstance(first, CallFailed)
    assert [other.text for other in others] == ["x", "x"]
    assert mine.bill().total.calls == 2


@pytest.mark.parametrize(
    ("limits", "made"), [({"calls": 3}, 3), ({"tokens": 220}, 2), ({"tokens": 330}, 3), ({"tokens": 109}, 0)]
)
def test_calls_and_tokens_of_a_run_end_it(
    gateway: Any, served: Any, call: Any, limits: dict[str, int], made: int
) -> None:
    async def run(url: str) -> None:
        async with gateway(purse=purse(**limits)) as calls:
            for step in range(9):
                await calls.ask(call(served(url, **TOKENS), [LONG], step=step))

    with serve(lambda _: says("x")) as server, pytest.raises(RunStopped, match="limit of"):
        asyncio.run(run(server.url))
    assert len(server.requests) == made


def test_wall_time_of_a_run_ends_it() -> None:
    now = [0.0]
    mine = Purse(RunLimits(seconds=10), lambda: now[0])
    asyncio.run(mine.reserve(Worst(None, 0)))
    now[0] = 9.99
    asyncio.run(mine.reserve(Worst(None, 0)))
    now[0] = 10.0
    with pytest.raises(RunStopped, match=r"10\.0 seconds"):
        asyncio.run(mine.reserve(Worst(None, 0)))


def test_an_unknown_price_makes_the_whole_bill_unknown(gateway: Any, served: Any, call: Any) -> None:
    mine = purse()

    async def run(url: str) -> None:
        async with gateway(purse=mine) as calls:
            await calls.ask(call(served(url, price=PRICE), [HumanMessage("?")]))
            assert mine.bill().total.usd == 10
            await calls.ask(call(served(url, name="other/x"), [HumanMessage("?")], step=1))

    with serve(lambda _: says("x")) as server:
        asyncio.run(run(server.url))
    assert mine.bill().total.usd is None
    assert mine.bill().total.calls == 2
