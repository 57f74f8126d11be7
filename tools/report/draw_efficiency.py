"""Runs as points of score against cost or latency, with the frontier marked."""

from collections.abc import Iterator, Sequence
from math import floor

from tools.report.drawing import Dot, Drawing, Frame, Line, Scale, Word, round_step
from tools.report.efficiency import MEASURES, Measure, Place, frontier, places
from tools.report.figures import percent
from tools.report.run_report import RunReport

WIDTH, HEIGHT = 680, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 16, 52
WIDE = 10
"""How many times the least the most may be before the axis is logarithmic."""
BESIDE = ((7, -8, "start"), (-7, -8, "end"), (7, 17, "start"), (-7, 17, "end"))
"""Where the number of a point may stand: off the interval and the frontier, which run straight up and across."""
CLOSE = 13
"""Pixels that two numbers keep between them."""


def draw_efficiency(runs: Sequence[RunReport]) -> Iterator[Drawing]:
    """Draw a plot for each measure and comparison key under which a run has a point: other keys do not compare."""
    keys = list(dict.fromkeys(run.manifest.comparison_key for run in runs))
    for measure in MEASURES:
        found = places(runs, measure)
        for number, key in enumerate(keys, start=1):
            of = [place for place in found if place.key == key and place.point is not None]
            if of:
                yield _draw(of, measure, measure.name if len(keys) == 1 else f"{measure.name}-{number}", key)


def _draw(found: Sequence[Place], measure: Measure, name: str, key: str) -> Drawing:
    known = [(place, point) for place in found if (point := place.point) is not None]
    frame = Frame(
        LEFT,
        TOP,
        WIDTH - RIGHT,
        HEIGHT - BOTTOM,
        amounts([amount for _, (amount, _) in known]),
        scores(found),
    )
    best = frontier(found)
    lines, dots, words = list(_axes(frame)), list[Dot](), list[Word]()
    words += _axis_words(frame, measure)
    lines += _steps(frame, sorted(point for place, point in known if place.number in best))
    taken: list[tuple[float, float]] = [frame.place(*point) for _, point in known]
    for place, point in known:
        x, y = frame.place(*point)
        interval = None if place.score is None else place.score.interval
        if interval is not None:
            lines.append(Line(x, frame.y_of(interval.low), x, frame.y_of(interval.high), "interval"))
        dots.append(Dot(x, y, "full" if place.number in best else "open", _says(place, measure, best)))
        words.append(_number(place.number, x, y, taken))
    asked = "explicit" if found[0].run.manifest.settings.explicit else "implicit"
    language = found[0].run.manifest.settings.language
    return Drawing(
        name=name,
        title=f"Score against {measure.name}: {language}, {asked}, comparison key {key}",
        text="; ".join(dot.says for dot in dots),
        width=WIDTH,
        height=HEIGHT,
        lines=tuple(lines),
        dots=tuple(dots),
        words=tuple(words),
        legend=tuple(f"{place.number} {place.run.manifest.settings.model}" for place, _ in known),
    )


def amounts(values: Sequence[float]) -> Scale:
    """Choose an axis of amounts: from 0, or logarithmic where they lie far apart and none is 0."""
    low, high = min(values), max(values)
    if low > 0 and high / low > WIDE:
        return Scale(low / 1.5, high * 1.5, log=True)
    return Scale(0, 1.08 * high if high > 0 else 1)


def scores(found: Sequence[Place]) -> Scale:
    """Choose an axis of scores that holds every interval, within 0 and 1, with some room."""
    values = [value for place in found if place.score is not None for value in _reach(place)]
    low, high = min(values), max(values)
    step = round_step(max(high - low, 0.1) / 5)
    low = max(floor((low - step / 2) / step) * step, 0)
    return Scale(low, min(-floor(-(high + step / 2) / step) * step, 1))


def _reach(place: Place) -> Iterator[float]:
    score = place.score
    if score is not None and score.value is not None:
        yield score.value
        if score.interval is not None:
            yield from (score.interval.low, score.interval.high)


def _axes(frame: Frame) -> Iterator[Line]:
    for tick in frame.x.ticks():
        yield Line(frame.x_of(tick), frame.top, frame.x_of(tick), frame.bottom, "grid")
    for tick in frame.y.ticks():
        yield Line(frame.left, frame.y_of(tick), frame.right, frame.y_of(tick), "grid")
    yield Line(frame.left, frame.bottom, frame.right, frame.bottom, "rule")
    yield Line(frame.left, frame.top, frame.left, frame.bottom, "rule")


def _axis_words(frame: Frame, measure: Measure) -> Iterator[Word]:
    middle = (frame.left + frame.right) / 2
    for tick in frame.x.ticks():
        yield Word(frame.x_of(tick), frame.bottom + 18, f"{tick:.6g}")
    scale = ", logarithmic" if frame.x.log else ""
    yield Word(middle, frame.bottom + 42, measure.axis + scale)
    for tick in frame.y.ticks():
        yield Word(frame.left - 8, frame.y_of(tick) + 4, f"{100 * tick:.0f}", "end")
    yield Word(18, (frame.top + frame.bottom) / 2, "mRS, %", upright=True)


def _steps(frame: Frame, best: Sequence[tuple[float, float]]) -> Iterator[Line]:
    """Draw the frontier in steps: what is to be had for an amount is the best score up to it."""
    for place, (amount, score) in enumerate(best):
        x, y = frame.place(amount, score)
        last = place + 1 == len(best)
        end = frame.right if last else frame.x_of(best[place + 1][0])
        yield Line(x, y, end, y, "frontier")
        if not last:
            yield Line(end, y, end, frame.y_of(best[place + 1][1]), "frontier")


def _says(place: Place, measure: Measure, best: set[int]) -> str:
    amount = "" if place.amount is None else measure.write(place.amount)
    on = ", on the frontier" if place.number in best else ""
    return f"{place.number} {place.run.label}: mRS {percent(place.score)}, {amount}{on}"


def _number(number: int, x: float, y: float, taken: list[tuple[float, float]]) -> Word:
    """Set a number beside its point, where neither a point nor another number is, if there is such a place."""
    places_ = [(x + dx, y + dy, anchor, (x + dx * 1.3, y + dy - 4)) for dx, dy, anchor in BESIDE]
    free = [
        place
        for place in places_
        if all(
            abs(place[3][0] - tx) > CLOSE or abs(place[3][1] - ty) > CLOSE or (tx, ty) == (x, y)
            for tx, ty in taken
        )
    ]
    at_x, at_y, anchor, middle = (free or places_)[0]
    taken.append(middle)
    return Word(at_x, at_y, str(number), anchor)
