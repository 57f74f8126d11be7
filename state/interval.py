"""An interval of a figure."""

from state.base import Record


class Interval(Record):
    """A two-sided 95 % interval, of resampled sessions."""

    low: float
    high: float
