"""What is said of calls, tokens and money: before a run, at its end, and when something failed."""

from collections import Counter
from collections.abc import Iterable, Iterator

from rich.table import Table

from state.bill import Bill, Tally
from state.models import Price
from state.outcome import Errored, SessionResult
from tools.counted import counted

CAUSES_SHOWN = 5
CAUSE_CHARS = 160


def dollars(usd: float | None) -> str:
    """Write an amount; one that is not known is never written as nothing."""
    return "cost unknown" if usd is None else f"${usd:,.4f}"


def spending_table(bill: Bill, title: str) -> Table:
    """Lay out calls, tokens and cost by role."""
    table = Table(title=title)
    table.add_column("role")
    for column in ("calls", "tokens read", "of them cached", "tokens written", "of them reasoning", "cost"):
        table.add_column(column, justify="right")
    for role, tally in bill.roles.items():
        usage = tally.usage
        counts = (
            tally.calls,
            usage.input_tokens,
            usage.cached_input_tokens,
            usage.output_tokens,
            usage.reasoning_tokens,
        )
        table.add_row(
            role, *(f"{count:,}" for count in counts), "unknown" if tally.usd is None else dollars(tally.usd)
        )
    return table


def price_note(price: Price | None) -> str:
    """Say what a cost rests on."""
    if price is None:
        return "price not known: enter it in configs/models.yaml, or in a file for --models"
    return (
        f"price: ${price.input_usd:g} read and ${price.output_usd:g} written a million tokens, as of "
        f"{price.source.read} ({price.source.url})"
    )


def against_estimate(bill: Bill, expected: Bill) -> str:
    """Compare a bill with what was expected."""
    spent, thought = bill.total, expected.total
    return f"expected {_short(thought)}; {billed(bill)}" + (
        f", {spent.tokens / thought.tokens:.2f} times the tokens" if thought.tokens and spent.calls else ""
    )


def billed(bill: Bill) -> str:
    """Say what a run was billed."""
    return f"billed {_short(bill.total)}"


def _short(tally: Tally) -> str:
    if not tally.calls:
        return "no calls"
    return f"{counted(tally.calls, 'call')}, {tally.tokens:,} tokens, {dollars(tally.usd)}"


def causes(results: Iterable[SessionResult]) -> Iterator[str]:
    """Name what failed and how often, the most frequent first: a turn each, and only where something broke off."""
    found = Counter(
        (turn.outcome.who.value, turn.outcome.error)
        for result in results
        for turn in result.turns
        if isinstance(turn.outcome, Errored) and "was not reached" not in turn.outcome.error
    )
    for (who, error), count in found.most_common(CAUSES_SHOWN):
        short = error if len(error) <= CAUSE_CHARS else error[: CAUSE_CHARS - 1] + "…"
        yield f"{who}, {count} turn{'s' if count > 1 else ''}: {short}"
