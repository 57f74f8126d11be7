"""What a run has spent and may still spend: calls, tokens, time and money, for all roles together."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from agents.cells import Cells
from state.base import Record
from state.bill import Bill, Tally
from state.journal import Entry, Role
from tools.counted import counted

ROUNDING_USD = 1e-9
"""Sums of cents in floating point are off by less."""
USD, RESERVED, TOKENS, CALLS = range(4)
"""Cells of a purse: dollars spent and set aside, tokens and calls."""
PURSE_CELLS = 4
LOOK_AGAIN_SECONDS = 0.02
"""How often a call that the budget may still allow looks whether those under way have cost less than they could."""


class RunLimits(Record):
    """What a run may take before it stops and waits to be resumed; None is no limit."""

    usd: float | None = None
    tokens: int | None = None
    calls: int | None = None
    seconds: float | None = None


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

    async def reserve(self, worst_usd: float | None) -> float:
        """Set aside what a call can cost at most, waiting for calls under way; RunStopped where that is too much."""
        self._check()
        if self.limits.usd is None:
            return 0.0
        if worst_usd is None:
            raise RunStopped("the budget cannot be kept: the price of a model is not known")
        while not self._set_aside(worst_usd, self.limits.usd):  # noqa: ASYNC110 - others may be in other processes
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
        return worst_usd

    def release(self, reserved: float) -> None:
        """Give back what was set aside, once the call is counted or lost."""
        if reserved:
            with self.cells.lock:
                self.cells.values[RESERVED] -= reserved

    def _set_aside(self, worst_usd: float, most_usd: float) -> bool:
        """Reserve an amount; False while calls under way may yet leave room for it, RunStopped when none will."""
        with self.cells.lock:
            cells = self.cells.values
            if cells[USD] + cells[RESERVED] + worst_usd <= most_usd + ROUNDING_USD:
                cells[RESERVED] += worst_usd
                return True
            if cells[RESERVED] > ROUNDING_USD:
                return False
            spent = cells[USD]
        raise RunStopped(
            f"the budget of ${most_usd:g} is spent: ${spent:.4f} so far, and the next call can cost ${worst_usd:.4f}"
        )

    def _check(self) -> None:
        limits, cells = self.limits, self.cells.values
        reached: Mapping[str, bool] = {
            counted(limits.calls or 0, "call"): limits.calls is not None and cells[CALLS] >= limits.calls,
            f"{limits.tokens} tokens": limits.tokens is not None and cells[TOKENS] >= limits.tokens,
            f"{limits.seconds} seconds": limits.seconds is not None
            and self.clock() - self._started >= limits.seconds,
        }
        for name, is_reached in reached.items():
            if is_reached:
                raise RunStopped(f"the run's limit of {name} is reached")
