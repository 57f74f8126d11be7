"""pass@k and pass^k of a run against k, a plane for each pass mark."""

from collections.abc import Iterator, Sequence

from state.metrics import Figure, Reliability
from tools.report.drawing import Dot, Drawing, Frame, Line, Scale, Word
from tools.report.figures import percent

WIDTH, HEIGHT = 680, 320
LEFT, RIGHT, TOP, BOTTOM, BETWEEN = 64, 16, 32, 52, 40
ASIDE = 3
"""Pixels by which the two curves stand apart, so that their intervals can be told from each other."""
MOST_TICKS = 10


def draw_reliability(rows: Sequence[Reliability], label: str, name: str) -> Drawing:
    """Draw how chances change with k: pass^k full and solid, pass@k open and dashed; what is withheld is left out."""
    marks = list(dict.fromkeys(row.mark for row in rows))
    wide = (WIDTH - LEFT - RIGHT - BETWEEN * (len(marks) - 1)) / len(marks)
    most = max(row.k for row in rows)
    lines, dots, words = list[Line](), list[Dot](), list[Word]()
    for place, mark in enumerate(marks):
        left = LEFT + place * (wide + BETWEEN)
        scale = Scale(0.5, most + 0.5)
        frame = Frame(left, TOP, left + wide, HEIGHT - BOTTOM, scale, Scale(0, 1))
        lines += _axes(frame)
        words += _words(frame, mark, most, first=place == 0)
        of = [row for row in rows if row.mark == mark]
        for aside, look, curve in (
            (-ASIDE, "every", [(row.k, row.pass_every) for row in of]),
            (ASIDE, "any", [(row.k, row.pass_at) for row in of]),
        ):
            more, spots = _curve(frame, curve, look, aside, mark)
            lines += more
            dots += spots
    return Drawing(
        name=name,
        title=f"Reliability: {label}",
        text="; ".join(dot.says for dot in dots) or "nothing to draw",
        width=WIDTH,
        height=HEIGHT,
        lines=tuple(lines),
        dots=tuple(dots),
        words=tuple(words),
    )


def _axes(frame: Frame) -> Iterator[Line]:
    for tick in frame.y.ticks():
        yield Line(frame.left, frame.y_of(tick), frame.right, frame.y_of(tick), "grid")
    yield Line(frame.left, frame.bottom, frame.right, frame.bottom, "rule")
    yield Line(frame.left, frame.top, frame.left, frame.bottom, "rule")


def _words(frame: Frame, mark: str, most: int, *, first: bool) -> Iterator[Word]:
    middle = (frame.left + frame.right) / 2
    yield Word(middle, frame.top - 12, f"pass mark {mark}")
    yield Word(middle, frame.bottom + 42, "k, tries of a session")
    every = -(-most // MOST_TICKS)
    for k in range(1, most + 1, every):
        yield Word(frame.x_of(k), frame.bottom + 18, str(k))
    for tick in frame.y.ticks():
        yield Word(frame.left - 8, frame.y_of(tick) + 4, f"{100 * tick:.0f}", "end")
    if first:
        yield Word(18, (frame.top + frame.bottom) / 2, "sessions, %", upright=True)


def _curve(
    frame: Frame, curve: Sequence[tuple[int, Figure]], look: str, aside: int, mark: str
) -> tuple[list[Line], list[Dot]]:
    lines, dots = list[Line](), list[Dot]()
    before: tuple[float, float] | None = None
    for k, figure in curve:
        if figure.withheld or figure.value is None:
            before = None
            continue
        x, y = frame.x_of(k) + aside, frame.y_of(figure.value)
        if before is not None:
            lines.append(Line(*before, x, y, look))
        if figure.interval is not None:
            lines.append(
                Line(x, frame.y_of(figure.interval.low), x, frame.y_of(figure.interval.high), "interval")
            )
        sign = "^" if look == "every" else "@"
        dots.append(
            Dot(x, y, "full" if look == "every" else "open", f"pass{sign}{k} at {mark}: {percent(figure)}")
        )
        before = x, y
    return lines, dots
