"""One token bucket a provider, of requests and of tokens, shared by every role that calls it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

MINUTE = 60.0
BURST_SECONDS = 10.0
"""How much of a minute's allowance may be spent at once: providers count in windows shorter than a minute."""


@dataclass
class Level:
    """What is left of one allowance; it may be overdrawn by what a call turned out to cost."""

    a_minute: int | None
    left: float = 0.0

    def __post_init__(self) -> None:
        self.left = self.most

    @property
    def most(self) -> float:
        """Say how much can be saved up; at least one."""
        return max(1.0, (self.a_minute or 0) * BURST_SECONDS / MINUTE)

    def refill(self, seconds: float) -> None:
        """Let time pass."""
        if self.a_minute is not None:
            self.left = min(self.most, self.left + self.a_minute * seconds / MINUTE)

    def wait(self, amount: float) -> float:
        """Say how many seconds until ``amount`` may be taken; more than can be saved up needs a full bucket."""
        if self.a_minute is None:
            return 0.0
        return max(0.0, min(amount, self.most) - self.left) * MINUTE / self.a_minute

    def take(self, amount: float) -> None:
        """Take ``amount``; a negative one gives back."""
        if self.a_minute is not None:
            self.left -= amount


class Bucket:
    """Admits calls in the order they come, as fast as the provider's rates allow. ``clock`` is in seconds."""

    def __init__(
        self,
        requests_per_minute: int | None,
        tokens_per_minute: int | None,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Start with a burst's worth of both."""
        self._requests, self._tokens = Level(requests_per_minute), Level(tokens_per_minute)
        self._clock, self._sleep = clock, sleep
        self._seen = clock()
        self._closed_until = 0.0
        self._turnstile = asyncio.Lock()

    async def enter(self, tokens: float) -> None:
        """Wait until a call that is expected to take ``tokens`` may be sent."""
        async with self._turnstile:
            while (wait := self._wait(tokens)) > 0:
                await self._sleep(wait)
            self._requests.take(1)
            self._tokens.take(tokens)

    def settle(self, expected: float, used: float) -> None:
        """Correct the bucket by what a call really took."""
        self._tokens.take(used - expected)

    def close_for(self, seconds: float) -> None:
        """Admit nobody for a while: the provider has asked to be left alone."""
        self._closed_until = max(self._closed_until, self._clock() + seconds)

    def _wait(self, tokens: float) -> float:
        now = self._clock()
        for level in (self._requests, self._tokens):
            level.refill(now - self._seen)
        self._seen = now
        return max(self._closed_until - now, self._requests.wait(1), self._tokens.wait(tokens))
