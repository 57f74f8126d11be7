"""How often and how long a failed call is tried again."""

import random
from datetime import UTC, datetime

from tenacity import RetryCallState

from agents.failures import RETRIED, classify, retry_after
from state.base import Record


class Patience(Record):
    """``tries`` at most, twice the wait each time. A wait asked for beyond ``longest_asked_seconds`` ends it."""

    tries: int = 8
    first_seconds: float = 1.0
    longest_seconds: float = 60.0
    longest_asked_seconds: float = 600.0

    def wait(self, state: RetryCallState, rng: random.Random) -> float:
        """Say how long to wait before the next try, in seconds: what the service asks, or a growing time; jittered."""
        asked = (
            retry_after(state.outcome.exception(), datetime.now(UTC)) if state.outcome is not None else None
        )
        if asked is not None:
            return asked * rng.uniform(1.0, 1.1)
        grown: float = self.first_seconds * 2 ** (state.attempt_number - 1)
        return min(self.longest_seconds, grown) * rng.uniform(0.5, 1.0)

    def retries(self, error: BaseException) -> bool:
        """Tell whether to ask again."""
        asked = retry_after(error, datetime.now(UTC)) or 0.0
        worth_it = isinstance(error, Exception) and classify(error) in RETRIED
        return worth_it and asked <= self.longest_asked_seconds
