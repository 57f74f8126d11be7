"""Plots of the page as numbers: where a mark stands, in per cent of the width, so that they fit any screen."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from state.metrics import Figure

BINS = 10


@dataclass(frozen=True)
class Mark:
    """A score and its interval, in per cent of the axis."""

    at: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Bar:
    """Sessions of one tier in one bin of scores; ``bottom`` and ``top`` are shares of the highest bin."""

    bin: int
    tier: int
    sessions: int
    bottom: float
    top: float


def mark(figure: Figure | None) -> Mark | None:
    """Place a figure; None where there is none to show, as for one of thin coverage."""
    if figure is None or figure.withheld or figure.value is None:
        return None
    interval = figure.interval
    if interval is None:
        return Mark(100 * figure.value, None, None)
    return Mark(100 * figure.value, 100 * interval.low, 100 * interval.high)


def histogram(scores: Iterable[tuple[int, float]]) -> Sequence[Bar]:
    """Stack sessions, given as tier and score in [0, 1], in ten bins of equal width; a full score is in the last."""
    counts: dict[tuple[int, int], int] = {}
    for tier, score in scores:
        place = (min(int(BINS * score + 1e-9), BINS - 1), tier)
        counts[place] = counts.get(place, 0) + 1
    totals = [sum(count for (bin_, _), count in counts.items() if bin_ == number) for number in range(BINS)]
    highest, bars, heights = max(totals), list[Bar](), [0] * BINS
    for (number, tier), count in sorted(counts.items()):
        bottom = heights[number]
        heights[number] += count
        bars.append(Bar(number, tier, count, bottom / highest, heights[number] / highest))
    return bars
