"""Random streams: one a patient and purpose, so that no draw moves another."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """A random stream named by seed, patient and purpose: the same in every process and cohort size."""

    def __init__(self, *name: object) -> None:
        self._random = Random("/".join(map(str, name)))  # noqa: S311  (synthetic data, not secrets)

    def chance(self, probability: float) -> bool:
        """Come true with ``probability``."""
        return self._random.random() < probability

    def whole(self, low: int, high: int) -> int:
        """Draw an integer from ``low`` to ``high``, both included."""
        return self._random.randint(low, high)

    def between(self, bounds: tuple[float, float]) -> float:
        """Draw evenly between two numbers."""
        return self._random.uniform(*bounds)

    def about(self, mean: float, spread: float, within: tuple[float, float] | None = None) -> float:
        """Draw from a normal distribution, kept ``within`` bounds."""
        value = self._random.gauss(mean, spread)
        return value if within is None else min(max(value, within[0]), within[1])

    def one(self, options: Sequence[T]) -> T:
        """Choose one."""
        return self._random.choice(options)

    def some(self, options: Sequence[T], most: int) -> list[T]:
        """Choose up to ``most``, none twice."""
        return self._random.sample(options, min(len(options), self.whole(0, most)))

    def weighted(self, weights: Mapping[str, int]) -> str:
        """Choose a key by its weight."""
        return self._random.choices(list(weights), list(weights.values()))[0]

    def minutes(self, low: int, high: int) -> timedelta:
        """Draw a whole number of minutes."""
        return timedelta(minutes=self.whole(low, high))


def at(day: datetime, hour: int, minute: int = 0) -> datetime:
    """Give a time of the day that ``day`` falls on."""
    return day.replace(hour=hour, minute=minute, second=0, microsecond=0)


def next_hour(time: datetime) -> datetime:
    """Round up to the full hour."""
    floor = at(time, time.hour)
    return floor if floor == time else floor + timedelta(hours=1)
