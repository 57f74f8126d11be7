"""What a run has spent and may still spend: calls, tokens, time and money, for all roles together."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from state.base import Record
from state.bill import Bill, Tally
from state.journal import Entry, Role
from state.trajectory import Usage

ROUNDING_USD = 1e-9
"""Sums of cents in floating point are off by less."""


class RunLimits(Record):
    """What a run may take before it stops and waits to be resumed; None is no limit."""

    usd: float | None = None
    tokens: int | None = None
    calls: int | None = None
    seconds: float | None = None


class RunStopped(Exception):
    """A limit of the run is reached. What was answered is kept; the run goes on when it is resumed with more."""


@dataclass
class Purse:
    """Counts what is spent, across all processes a run took. ``clock`` is in seconds; the run's time starts now."""

    limits: RunLimits
    clock: Callable[[], float]
    spent: dict[Role, Tally] = field(default_factory=dict)
    reserved_usd: float = 0.0
    _settled: asyncio.Condition = field(default_factory=asyncio.Condition)

    def __post_init__(self) -> None:
        self._started = self.clock()

    def count(self, entry: Entry) -> None:
        """Add a call of the journal."""
        usage = entry.reply.usage if entry.reply is not None else Usage()
        was = self.spent.get(entry.place.role, Tally())
        self.spent[entry.place.role] = was.plus(usage, entry.usd) if entry.reply is not None else was

    def bill(self) -> Bill:
        """Give what was spent, by role."""
        return Bill(roles={role.value: tally for role, tally in sorted(self.spent.items())})

    async def reserve(self, worst_usd: float | None) -> float:
        """Set aside what a call can cost at most, waiting for calls under way; RunStopped where that is too much."""
        self._check()
        if self.limits.usd is None:
            return 0.0
        if worst_usd is None:
            raise RunStopped("the budget cannot be kept: the price of a model is not known")
        async with self._settled:
            while self._usd() + self.reserved_usd + worst_usd > self.limits.usd + ROUNDING_USD:
                if self.reserved_usd <= ROUNDING_USD:
                    raise RunStopped(
                        f"the budget of ${self.limits.usd:g} is spent: ${self._usd():.4f} so far, "
                        f"and the next call can cost ${worst_usd:.4f}"
                    )
                await self._settled.wait()
            self.reserved_usd += worst_usd
        return worst_usd

    async def release(self, reserved: float) -> None:
        """Give back what was set aside, once the call is counted or lost."""
        if reserved:
            async with self._settled:
                self.reserved_usd -= reserved
                self._settled.notify_all()

    def _usd(self) -> float:
        return sum(tally.usd or 0.0 for tally in self.spent.values())

    def _check(self) -> None:
        limits, bill = self.limits, self.bill().total
        reached: Mapping[str, bool] = {
            f"{limits.calls} calls": limits.calls is not None and bill.calls >= limits.calls,
            f"{limits.tokens} tokens": limits.tokens is not None and bill.tokens >= limits.tokens,
            f"{limits.seconds} seconds": limits.seconds is not None
            and self.clock() - self._started >= limits.seconds,
        }
        for name, is_reached in reached.items():
            if is_reached:
                raise RunStopped(f"the run's limit of {name} is reached")
