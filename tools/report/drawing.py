"""A plot as lines, dots and words at places in pixels; what draws it knows nothing of figures."""

from dataclasses import dataclass
from math import ceil, floor, log10


@dataclass(frozen=True)
class Line:
    """A line; ``look`` names its class: grid, rule, interval, frontier, every or any."""

    x1: float
    y1: float
    x2: float
    y2: float
    look: str


@dataclass(frozen=True)
class Dot:
    """A mark, ``full`` or ``open``, and what it says when it is pointed at."""

    x: float
    y: float
    look: str
    says: str


@dataclass(frozen=True)
class Word:
    """A text; ``anchor`` is start, middle or end. An ``upright`` one is turned to run up a vertical axis."""

    x: float
    y: float
    text: str
    anchor: str = "middle"
    upright: bool = False


@dataclass(frozen=True)
class Drawing:
    """A plot. ``name`` is that of its file; ``title`` and ``text`` tell it to those who do not see it.

    ``legend`` says what its numbers stand for, where it stands alone.
    """

    name: str
    title: str
    text: str
    width: int
    height: int
    lines: tuple[Line, ...]
    dots: tuple[Dot, ...]
    words: tuple[Word, ...]
    legend: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scale:
    """Where values stand on an axis from ``low`` to ``high``; both must be above 0 on a ``log`` one."""

    low: float
    high: float
    log: bool = False

    def at(self, value: float) -> float:
        """Give the place of a value, 0 at the low end and 1 at the high one."""
        if self.log:
            return log10(value / self.low) / log10(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self, most: int = 7) -> list[float]:
        """Give round values to write at the axis."""
        if self.log:
            powers = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
            all_ = [step * 10.0**power for power in powers for step in (1, 2, 5)]
            inside = [tick for tick in all_ if self.low * 0.999 <= tick <= self.high * 1.001]
            return (
                inside
                if len(inside) <= most
                else [tick for tick in inside if log10(tick) % 1 < 1e-6 or log10(tick) % 1 > 1 - 1e-6]
            )
        step = round_step((self.high - self.low) / (most - 1))
        first = ceil(self.low / step - 1e-9)
        return [number * step for number in range(first, floor(self.high / step + 1e-9) + 1)]


def round_step(least: float) -> float:
    """Give the smallest of 1, 2 and 5 times a power of ten that is not below ``least``."""
    power = 10.0 ** floor(log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least * (1 - 1e-9))


@dataclass(frozen=True)
class Frame:
    """The plane of a plot in pixels, and its two scales."""

    left: float
    top: float
    right: float
    bottom: float
    x: Scale
    y: Scale

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Give the pixel of a pair of values."""
        return self.x_of(x), self.y_of(y)

    def x_of(self, value: float) -> float:
        """Give how far to the right a value stands."""
        return self.left + self.x.at(value) * (self.right - self.left)

    def y_of(self, value: float) -> float:
        """Give how far down a value stands."""
        return self.bottom - self.y.at(value) * (self.bottom - self.top)
