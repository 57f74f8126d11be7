"""What a run cost, and what it was expected to."""

from pydantic import Field

from state.base import Record
from state.trajectory import Usage


class Tally(Record):
    """Calls, tokens and dollars of one role. ``usd`` is None when a price is not known, never 0 for it."""

    calls: int = Field(default=0, ge=0)
    usage: Usage = Usage()
    usd: float | None = 0.0

    def plus(self, usage: Usage, usd: float | None) -> "Tally":
        """Add one call."""
        paid = None if usd is None or self.usd is None else self.usd + usd
        return Tally(calls=self.calls + 1, usage=self.usage + usage, usd=paid)

    def __add__(self, other: "Tally") -> "Tally":
        paid = None if other.usd is None or self.usd is None else self.usd + other.usd
        return Tally(calls=self.calls + other.calls, usage=self.usage + other.usage, usd=paid)

    @property
    def tokens(self) -> int:
        """Count all tokens."""
        return self.usage.total_tokens


class Bill(Record):
    """Tallies by role."""

    roles: dict[str, Tally]

    @property
    def total(self) -> Tally:
        """Add all roles up."""
        return sum(self.roles.values(), Tally())
