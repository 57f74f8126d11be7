"""How often and how long a failed call is tried again."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime

from tenacity import RetryCallState

from agents.failures import RETRIED, classify, never_reached, retry_after
from state.base import Record
from state.journal import FailureKind


class Patience(Record):
    """``tries`` at most, twice the wait each time. A wait asked for beyond ``longest_asked_seconds`` ends it.

    ``hung_tries`` of them may hang: each waits its whole time, and its provider may have worked on it and bill it. One
    may be a lost connection; what hangs three times does not serve.
    """

    tries: int = 8
    hung_tries: int = 3
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


@dataclass
class Tries:
    """Counts the tries of one call."""

    patience: Patience
    hung: int = 0

    def are_spent(self, state: RetryCallState) -> bool:
        """Tell, after each try that failed, whether it was the last."""
        error = None if state.outcome is None else state.outcome.exception()
        if error is not None and classify(error) is FailureKind.HUNG and not never_reached(error):
            self.hung += 1
        return state.attempt_number >= self.patience.tries or self.hung >= self.patience.hung_tries
