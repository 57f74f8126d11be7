"""What a run has spent and may still spend: calls, tokens, time and money, for all roles together."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from agents.cells import Cells
from state.base import Record
from state.bill import Bill, Tally
from state.journal import Entry, Role
from tools.counted import counted

ROUNDING = 1e-9
"""Sums of cents in floating point are off by less."""
USD, TOKENS, CALLS = range(3)
"""Cells of a purse: what is spent; as many after them hold what is set aside for calls under way."""
KINDS = 3
PURSE_CELLS = 2 * KINDS
LOOK_AGAIN_SECONDS = 0.02
"""How often a call that the limits may still allow looks whether those under way have taken less than they could."""


class RunLimits(Record):
    """What a run may take before it stops and waits to be resumed; None is no limit."""

    usd: float | None = None
    tokens: int | None = None
    calls: int | None = None
    seconds: float | None = None


class Worst(NamedTuple):
    """What a call takes if its reply is as long as it may be; ``usd`` is None where the price is not known."""

    usd: float | None
    tokens: int


Held = tuple[float, float, float]
"""What is set aside for a call: dollars, tokens, and the call itself."""


class RunStopped(Exception):
    """A limit of the run is reached, or nobody is there to be asked. What was answered is kept, and can be resumed."""


@dataclass
class Purse:
    """Counts what is spent, across all processes a run took. ``clock`` is in seconds; the run's time starts now.

    Purses of several processes on the same ``cells`` keep the limits together. ``shared`` says that whoever made the
    cells has counted what was spent before, and ``started`` when the run did start.
    """

    limits: RunLimits
    clock: Callable[[], float]
    spent: dict[Role, Tally] = field(default_factory=dict)
    cells: Cells = field(default_factory=lambda: Cells.alone(PURSE_CELLS))
    shared: bool = False
    started: float | None = None

    def __post_init__(self) -> None:
        self._started = self.clock() if self.started is None else self.started

    def count(self, entry: Entry) -> None:
        """Add a call of the journal."""
        if entry.reply is None:
            return
        role, usage = entry.place.role, entry.reply.usage
        self.spent[role] = self.spent.get(role, Tally()).plus(usage, entry.usd)
        with self.cells.lock:
            self.cells.values[USD] += entry.usd or 0.0
            self.cells.values[TOKENS] += usage.total_tokens
            self.cells.values[CALLS] += 1

    def bill(self) -> Bill:
        """Give what this process has counted, by role."""
        return Bill(roles={role.value: tally for role, tally in sorted(self.spent.items())})

    async def reserve(self, worst: Worst) -> Held:
        """Set aside what a call can take at most, waiting for calls under way; RunStopped where that is too much."""
        if self.limits.usd is not None and worst.usd is None:
            raise RunStopped("the budget cannot be kept: the price of a model is not known")
        held = (worst.usd or 0.0, float(worst.tokens), 1.0)
        while not self._set_aside(held):  # noqa: ASYNC110 - others may be in other processes
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
        return held

    def release(self, held: Held) -> None:
        """Give back what was set aside, once the call is counted or lost."""
        with self.cells.lock:
            for kind, amount in enumerate(held):
                self.cells.values[KINDS + kind] -= amount

    def _set_aside(self, held: Held) -> bool:
        """Reserve amounts; False while calls under way may yet leave room for them, RunStopped when none will."""
        limits = self.limits
        if limits.seconds is not None and self.clock() - self._started >= limits.seconds:
            raise RunStopped(f"the run's limit of {limits.seconds} seconds is reached")
        most = {USD: limits.usd, TOKENS: limits.tokens, CALLS: limits.calls}
        room = {kind: limit + ROUNDING - held[kind] for kind, limit in most.items() if limit is not None}
        with self.cells.lock:
            cells = self.cells.values
            if all(cells[kind] + cells[KINDS + kind] <= left for kind, left in room.items()):
                for kind, amount in enumerate(held):
                    cells[KINDS + kind] += amount
                return True
            spent = {kind: cells[kind] for kind, left in room.items() if cells[kind] > left}
        for kind, amount in spent.items():
            raise RunStopped(self._reached(kind, amount, held[kind]))
        return False

    def _reached(self, kind: int, spent: float, wanted: float) -> str:
        limits, so_far = self.limits, "so far, and the next call can"
        if kind == USD:
            return f"the budget of ${limits.usd:g} is spent: ${spent:.4f} {so_far} cost ${wanted:.4f}"
        if kind == TOKENS:
            return f"the run's limit of {limits.tokens} tokens is reached: {spent:.0f} {so_far} take {wanted:.0f}"
        return f"the run's limit of {counted(limits.calls or 0, 'call')} is reached"
