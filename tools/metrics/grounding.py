"""Numbers of an answer that nothing the doctor was shown or told holds."""

import re
import unicodedata
from collections.abc import Sequence

from state.metrics import Figure
from tools.metrics.figure import pooled_figure
from tools.metrics.resample import Resampler
from tools.metrics.trace import SessionTrace

_NUMBER = re.compile(r"(?<![A-Za-z0-9_])(?<!\d[.,])\d+(?:,\d{3})*(?:\.\d+)?")
_ENUMERATION = re.compile(r"^\s*\d{1,2}[.)、](?=\s|\D)", re.MULTILINE)


def numbers_in(text: str) -> set[float]:
    """Read the numbers of a text: parts of dates and times too, but not "B12" or the 2 of a list."""
    plain = _ENUMERATION.sub("", unicodedata.normalize("NFKC", text))
    return {float(found.replace(",", "")) for found in _NUMBER.findall(plain)}


def grounding(traces: Sequence[SessionTrace], drawn: Resampler) -> Figure:
    """Give the share of numbers in answers that a tool result, a question or the introduction showed before.

    A number counts once an answer. One that was computed or rounded counts as not shown.
    """
    points: list[tuple[str, float, float]] = []
    reached = ended = 0
    for trace in traces:
        known: set[float] = set()
        for turn in trace.turns:
            known |= numbers_in(turn.told).union(*map(numbers_in, turn.shown))
            reached += 1
            if turn.ended:
                ended += 1
                stated = numbers_in(turn.record.answer)
                points.append((trace.session_id, float(len(stated & known)), float(len(stated))))
    planned = sum(len(trace.gold.turns) for trace in traces)
    return pooled_figure(points, planned, reached, ended, drawn)
