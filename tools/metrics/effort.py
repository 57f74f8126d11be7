"""Tokens, cost and latency, from the records of a run."""

from collections.abc import Iterable, Sequence

import numpy as np

from state.metrics import Effort
from state.trajectory import SessionRecord, Usage

PERCENTILES = (50, 90, 95, 99)


def effort_of(records: Iterable[SessionRecord], *, program: bool) -> Effort:
    """Add up what the doctor's turns took. A ``program`` of the product costs nothing and is not timed."""
    turns = [turn for record in records for turn in record.turns]
    steps = [step for turn in turns for step in turn.steps]
    paid = [step.usd for step in steps if step.usd is not None]
    known = program or len(paid) == len(steps)
    return Effort(
        turns=len(turns),
        replies=len(steps),
        calls=sum(len(step.calls) for step in steps),
        usage=sum((step.usage for step in steps), Usage()),
        usd=sum(paid) if known else None,
        seconds={} if program else _percentiles([turn.seconds for turn in turns]),
        reply_seconds={} if program else _percentiles([step.seconds for step in steps]),
    )


def _percentiles(seconds: Sequence[float]) -> dict[str, float]:
    if not seconds:
        return {}
    return {str(p): round(float(np.percentile(seconds, p)), 3) for p in PERCENTILES}
