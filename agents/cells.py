"""A few numbers under a lock, of one process or of several together."""

from collections.abc import MutableSequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from multiprocessing.context import BaseContext
from typing import Any


@dataclass(frozen=True)
class Cells:
    """Numbers, 0 at first; whoever reads and then writes them holds the lock."""

    values: MutableSequence[float]
    lock: AbstractContextManager[Any]

    @classmethod
    def alone(cls, count: int) -> "Cells":
        """Make the numbers of one process, whose tasks need no lock between two awaits."""
        return cls([0.0] * count, nullcontext())

    @classmethod
    def together(cls, count: int, context: BaseContext) -> "Cells":
        """Make numbers that go along to the processes ``context`` starts."""
        return cls(context.RawArray("d", count), context.Lock())
