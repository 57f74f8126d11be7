"""Whether what was written is what was asked for, by the difference of the record before and after."""

from collections.abc import Sequence

from state.gold import RubricItem
from state.metrics import Figure
from state.outcome import Verdict
from tools.metrics.figure import pooled_figure
from tools.metrics.resample import Resampler
from tools.metrics.trace import SessionTrace, TurnTrace, each_turn, wants_write

WRITE_KINDS = frozenset({"write_field", "write_text", "write_avoid", "exact_writes"})


def is_of_writes(item: RubricItem) -> bool:
    """Tell whether an item is decided by what was written."""
    return item.kind in WRITE_KINDS


def write_accuracy(traces: Sequence[SessionTrace], drawn: Resampler) -> Figure:
    """Give the share of turns that ask for a write in which all that was written is right, and nothing beside it is."""
    reached = [(name, turn) for name, turn in each_turn(traces) if wants_write(turn.gold)]
    decided = [
        (name, right) for name, turn in reached if turn.ended and (right := _written_right(turn)) is not None
    ]
    points = [(name, float(right), 1.0) for name, right in decided]
    planned = sum(wants_write(turn) for trace in traces for turn in trace.gold.turns)
    return pooled_figure(points, planned, len(reached), len(decided), drawn)


def _written_right(turn: TurnTrace) -> bool | None:
    """Tell whether every item of the write is met; None where a judge could not tell."""
    of_write = {item.item_id for item in turn.gold.rubric if is_of_writes(item)}
    verdicts = [verdict.verdict for verdict in turn.result.verdicts if verdict.item_id in of_write]
    if Verdict.CANNOT_TELL in verdicts or len(verdicts) != len(of_write):
        return None
    return all(verdict is Verdict.MET for verdict in verdicts)


def unasked_writes(traces: Sequence[SessionTrace], drawn: Resampler) -> Figure:
    """Give the share of turns that ask for no write in which the record was changed."""
    reached = [(name, turn) for name, turn in each_turn(traces) if not wants_write(turn.gold)]
    ended = [(name, turn) for name, turn in reached if turn.ended]
    points = [(name, float(turn.wrote), 1.0) for name, turn in ended]
    planned = sum(not wants_write(turn) for trace in traces for turn in trace.gold.turns)
    return pooled_figure(points, planned, len(reached), len(ended), drawn)
