"""One token bucket a provider, of requests and of tokens, shared by every role that calls it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agents.cells import Cells

MINUTE = 60.0
BURST_SECONDS = 10.0
"""How much of a minute's allowance may be spent at once: providers count in windows shorter than a minute."""


REQUESTS, TOKENS, SEEN, CLOSED_UNTIL, BEGUN = range(5)
"""Cells of a bucket: what is left of both allowances and when that was, until when it is closed, 1 once filled."""
RATE_CELLS = 5


@dataclass(frozen=True)
class Allowance:
    """So much a minute, or any amount. What is left may be overdrawn by what a call turned out to cost."""

    a_minute: int | None

    @property
    def most(self) -> float:
        """Say how much can be saved up; at least one."""
        return max(1.0, (self.a_minute or 0) * BURST_SECONDS / MINUTE)

    def refilled(self, left: float, seconds: float) -> float:
        """Say what is left after some time."""
        return left if self.a_minute is None else min(self.most, left + self.a_minute * seconds / MINUTE)

    def wait(self, left: float, amount: float) -> float:
        """Say how many seconds until ``amount`` may be taken; more than can be saved up needs a full bucket."""
        if self.a_minute is None:
            return 0.0
        return max(0.0, min(amount, self.most) - left) * MINUTE / self.a_minute


class Bucket:
    """Admits calls in the order they come, as fast as the provider's rates allow. ``clock`` is in seconds.

    Buckets of several processes on the same ``cells`` keep the rates together; their clock must be the machine's.
    """

    def __init__(
        self,
        requests_per_minute: int | None,
        tokens_per_minute: int | None,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        cells: Cells | None = None,
    ) -> None:
        """Start with a burst's worth of both."""
        self._requests, self._tokens = Allowance(requests_per_minute), Allowance(tokens_per_minute)
        self._clock, self._sleep = clock, sleep
        self._cells = cells or Cells.alone(RATE_CELLS)
        self._turnstile = asyncio.Lock()
        with self._cells.lock:
            if not self._cells.values[BEGUN]:
                self._cells.values[:] = [self._requests.most, self._tokens.most, clock(), 0.0, 1.0]

    async def enter(self, tokens: float) -> None:
        """Wait until a call that is expected to take ``tokens`` may be sent."""
        async with self._turnstile:
            while (wait := self._take(tokens)) > 0:
                await self._sleep(wait)

    def settle(self, expected: float, used: float) -> None:
        """Correct the bucket by what a call really took."""
        with self._cells.lock:
            self._cells.values[TOKENS] -= used - expected

    def close_for(self, seconds: float) -> None:
        """Admit nobody for a while: the provider has asked to be left alone."""
        with self._cells.lock:
            left = self._cells.values
            left[CLOSED_UNTIL] = max(left[CLOSED_UNTIL], self._clock() + seconds)

    def _take(self, tokens: float) -> float:
        """Take a call's share if it is there; else say how many seconds until it can be."""
        with self._cells.lock:
            left, now = self._cells.values, self._clock()
            left[REQUESTS] = self._requests.refilled(left[REQUESTS], now - left[SEEN])
            left[TOKENS] = self._tokens.refilled(left[TOKENS], now - left[SEEN])
            left[SEEN] = now
            wait = max(
                left[CLOSED_UNTIL] - now,
                self._requests.wait(left[REQUESTS], 1),
                self._tokens.wait(left[TOKENS], tokens),
            )
            if wait <= 0:
                left[REQUESTS] -= 1
                left[TOKENS] -= tokens
            return wait
