"""Reads of the record against those of gold: how many were of use, what was missed, what was read twice."""

import json
from collections.abc import Callable, Iterator, Sequence

from state.base import ResourceRef
from state.metrics import Figure
from state.trajectory import CallRecord
from tools.metrics.figure import pooled_figure
from tools.metrics.resample import Resampler
from tools.metrics.trace import GoldRead, SessionTrace, TurnTrace, is_write, tool_of

Counted = Iterator[tuple[float, float]]
"""What of a turn is counted, and of how much."""


def tool_use(traces: Sequence[SessionTrace], drawn: Resampler) -> dict[str, Figure]:
    """Compute precision, recall and the share of redundant reads."""
    planned = sum(len(trace.gold.turns) for trace in traces)
    reached = sum(len(trace.turns) for trace in traces)
    ended = sum(turn.ended for trace in traces for turn in trace.turns)

    def figure(count: Callable[[SessionTrace], Counted]) -> Figure:
        points = [(trace.session_id, *point) for trace in traces for point in count(trace)]
        return pooled_figure(points, planned, reached, ended, drawn)

    return {
        "tool_precision": figure(_useful),
        "tool_recall": figure(_found),
        "redundant_reads": figure(_redundant),
    }


def _reads(turn: TurnTrace) -> list[CallRecord]:
    return [call for call in turn.calls if not is_write(call)]


def _useful(trace: SessionTrace) -> Counted:
    """A read is of use when it shows something that a turn of its session rests on."""
    wanted = [read for turn in trace.turns for read in turn.reads]
    for turn in trace.turns:
        if turn.ended:
            reads = _reads(turn)
            yield float(sum(any(_serves(call, read) for read in wanted) for call in reads)), float(len(reads))


def _serves(call: CallRecord, read: GoldRead) -> bool:
    return bool(read.needed.intersection(call.refs)) if read.needed else _same_empty(call, read)


def _same_empty(call: CallRecord, read: GoldRead) -> bool:
    """A gold read that nothing rests on (it shows that there is nothing) is served by the same tool."""
    return call.ok and tool_of(call) == read.tool


def _found(trace: SessionTrace) -> Counted:
    """A gold read is found when all it is there for was shown by the end of its turn, by whatever calls."""
    done: list[CallRecord] = []
    for turn in trace.turns:
        done += _reads(turn)
        if turn.ended:
            shown = {ref for call in done for ref in call.refs}
            found = [
                read.needed <= shown if read.needed else any(_same_empty(call, read) for call in done)
                for read in turn.reads
            ]
            yield float(sum(found)), float(len(found))


def _redundant(trace: SessionTrace) -> Counted:
    """A read is redundant when it was made before, or shows nothing new; after a write all may be read again."""
    asked: set[str] = set()
    shown: set[ResourceRef] = set()
    for turn in trace.turns:
        again = reads = 0
        for call in turn.calls:
            if is_write(call):
                if call.ok:
                    asked, shown = set(), set()
                continue
            request = tool_of(call) + json.dumps(call.arguments, sort_keys=True)
            again += request in asked or (bool(call.refs) and shown.issuperset(call.refs))
            reads += 1
            asked.add(request)
            shown.update(call.refs)
        if turn.ended:
            yield float(again), float(reads)
