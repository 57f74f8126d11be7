"""A provider's rate is kept, whoever calls, and a request to be left alone is kept by all."""

import asyncio

import pytest

from agents.limiter import BURST_SECONDS, Bucket


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


def admitted(bucket: Bucket, clock: Clock, calls: int, tokens: float) -> list[float]:
    """Let many callers in at once and note when each was admitted."""
    times: list[float] = []

    async def one() -> None:
        await bucket.enter(tokens)
        times.append(clock())

    async def all_at_once() -> None:
        await asyncio.gather(*(one() for _ in range(calls)))

    asyncio.run(all_at_once())
    return times


@pytest.mark.parametrize(
    ("requests", "tokens", "each"), [(60, None, 10.0), (None, 6000, 100.0), (60, 600_000, 10.0)]
)
def test_no_window_holds_more_than_the_rate_and_one_burst(
    requests: int | None, tokens: int | None, each: float
) -> None:
    clock = Clock()
    times = admitted(Bucket(requests, tokens, clock, clock.sleep), clock, 200, each)
    a_second = min((requests or 10**9) / 60, (tokens or 10**9) / 60 / each)
    for start in times:
        inside = sum(start <= time < start + 60 for time in times)
        assert inside <= a_second * (60 + BURST_SECONDS) + 1
    assert times[-1] == pytest.approx((200 - a_second * BURST_SECONDS) / a_second, rel=0.02)


def test_without_rates_nobody_waits() -> None:
    clock = Clock()
    assert set(admitted(Bucket(None, None, clock, clock.sleep), clock, 50, 1e9)) == {0.0}


def test_a_call_larger_than_the_bucket_is_let_in_when_it_is_full() -> None:
    clock = Clock()
    bucket = Bucket(None, 600, clock, clock.sleep)
    first, second = admitted(bucket, clock, 2, 1000)
    assert first == 0.0
    assert second == pytest.approx(100.0)


def test_what_a_call_really_took_is_paid_later() -> None:
    clock = Clock()
    bucket = Bucket(None, 600, clock, clock.sleep)
    admitted(bucket, clock, 1, 100)
    bucket.settle(100, 700)
    (time,) = admitted(bucket, clock, 1, 1)
    assert time == pytest.approx(60.1)


def test_a_provider_that_asks_to_be_left_alone_is_left_alone_by_all() -> None:
    clock = Clock()
    bucket = Bucket(None, None, clock, clock.sleep)
    bucket.close_for(30)
    bucket.close_for(5)
    assert set(admitted(bucket, clock, 10, 1)) == {30.0}
