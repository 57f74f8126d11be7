"""Values over a stay: curves through the knots a story, a reason or the patient's usual set."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw
from tools.ehr.synth.person import Person
from tools.ehr.synth.plan import Exposure
from tools.ehr.synth.records import Range
from tools.ehr.synth.stay import Stay
from tools.ehr.synth.story import Course, Variant, of_variant

RECOVERY_DAYS = 0.9
"""Half-time of the return after the index result, once the cause is seen to."""

ILLNESS_DAYS = 2.5
"""Half-time of the return of what was off on arrival."""

SHARED_SEVERITY = 0.6
"""Share of a value's place in its range that all courses of a story have in common."""

SAME_MOMENT = 1e-9


@dataclass(frozen=True)
class Curve:
    """A value through ``knots`` (day, value), exact at each; before the first and after the last it stays there.

    With ``recovery`` (half-time in days) it returns to ``rest`` after the last knot. ``spikes`` are off at their own
    moment alone. ``within`` bounds every value that is no knot, ``held`` those after the last one.
    """

    knots: tuple[tuple[float, float], ...]
    wobble: float = 0
    steep: float = 1
    recovery: float | None = None
    rest: float = 0
    spikes: tuple[tuple[float, float], ...] = ()
    within: Range | None = None
    held: Range | None = None

    def value(self, day: float, draw: Draw) -> float:
        """Give the value on ``day``."""
        for at, value in (*self.spikes, *self.knots[1:]):
            if abs(day - at) < SAME_MOMENT:
                return value
        value = self._level(day) + draw.about(0, self.wobble)
        bounds = self.held if self.held and day > self.knots[-1][0] else self.within
        return value if bounds is None else min(max(value, bounds[0]), bounds[1])

    def _level(self, day: float) -> float:
        first_day, first = self.knots[0]
        if day <= first_day:
            return first
        for (left, low), (right, high) in zip(self.knots, self.knots[1:], strict=False):
            if day < right:
                share: float = ((day - left) / (right - left)) ** self.steep
                return low + share * (high - low)
        last_day, last = self.knots[-1]
        if self.recovery is None:
            return last
        left_over: float = 0.5 ** ((day - last_day) / self.recovery)
        return self.rest + left_over * (last - self.rest)


def steady(mean: float, wobble: float, within: Range | None = None) -> Curve:
    """Stay about ``mean``."""
    bounds = (min(within[0], mean), max(within[1], mean)) if within else None
    return Curve(((0, mean),), wobble, within=bounds)


def arrived_off(value: float, usual: float, wobble: float) -> Curve:
    """Be off on arrival and return to ``usual`` as the illness passes."""
    span = (min(value, usual), max(value, usual))
    return Curve(((0, value),), wobble, recovery=ILLNESS_DAYS, rest=usual, within=span)


@dataclass(frozen=True)
class Telling:
    """What a course needs to become a curve. ``creatinine`` gives the value (mg/dL) at an eGFR."""

    stay: Stay
    exposure: Exposure
    index_day: float
    severity: float
    creatinine: Callable[[float], float]

    def curve(
        self, draw: Draw, course: Course, usual: float | None, wobble: float, upper: float | None
    ) -> Curve | None:
        """Build the curve of ``course``; None where this variant does not move it.

        ``usual`` is None for a value that is derived from others unless a story moves it.
        """
        variant = self.exposure.variant
        begin = self.stay.day(self.stay.samplings[0].charttime)
        start_range = course.start_of(variant)
        start = usual
        if start_range is not None:
            start = self._scaled(course, None, self._within(draw, start_range), upper)
        if course.shape == "recover":
            if start_range is None or start is None or usual is None:
                return None
            return arrived_off(start, usual, wobble)
        points = [
            (begin + point.hours / 24, self._scaled(course, start, self._within(draw, bounds), upper))
            for point in course.points
            if (bounds := of_variant(point, variant)) is not None
        ]
        reach = of_variant(course, variant)
        if reach is not None:
            value = self._scaled(course, start, self._within(draw, reach), upper)
            points.append((self.index_day + course.offset_hours / 24, value))
        if not points:
            return None if start is None or start_range is None else steady(start, wobble)
        points.sort()
        held = None
        if reach is not None:
            ends = sorted(self._scaled(course, start, bound, upper) for bound in reach)
            held = (ends[0], ends[1])
        first = (begin, points[0][1] if start is None else start)
        curve = _through(course, variant, first, points, wobble, held)
        if course.after is None:
            return curve
        rest = self._scaled(course, start, self._within(draw, course.after), upper)
        return _moving_on(curve, rest)

    def _within(self, draw: Draw, bounds: Range) -> float:
        share = SHARED_SEVERITY * self.severity + (1 - SHARED_SEVERITY) * draw.between((0, 1))
        return bounds[0] + share * (bounds[1] - bounds[0])

    def _scaled(self, course: Course, start: float | None, value: float, upper: float | None) -> float:
        """Bring a number of the story to the analyte's unit; ``start`` None: it is the start itself."""
        match course.scale:
            case "egfr":
                return self.creatinine(value)
            case "uln" if upper is not None:
                return value * upper
            case "uln":
                raise ValueError(f"{self.exposure.story.id}: scale uln needs an upper limit")
            case "times":
                return value if start is None else start * value
            case "plus":
                return value if start is None else start + value
            case _:
                return value


def _through(
    course: Course,
    variant: Variant,
    start: tuple[float, float],
    points: list[tuple[float, float]],
    wobble: float,
    held: Range | None,
) -> Curve:
    values = [start[1], *(value for _, value in points)]
    span = (min(values), max(values))
    match course.shape:
        case "spike":
            return Curve((start,), wobble, spikes=tuple(points))
        case "flat":
            level = (start[0], points[-1][1])
            return Curve((level,), wobble, spikes=tuple(points), within=held, held=held)
        case "settle":
            return Curve((start, *points), wobble, within=span, held=held or span)
        case _:
            steep = 4 if variant is Variant.STOPPED else 2
            return Curve((start, *points), wobble, steep, recovery=RECOVERY_DAYS, rest=start[1], within=span)


def _moving_on(curve: Curve, rest: float) -> Curve:
    """Let a curve go to ``rest`` after its last knot."""
    low, high = curve.within or (rest, rest)
    return replace(
        curve, recovery=RECOVERY_DAYS, rest=rest, within=(min(low, rest), max(high, rest)), held=None
    )


def usual_curves(catalog: Catalog, person: Person) -> dict[str, Curve]:
    """Give the patient's own level of everything measured, steady."""
    return {
        name: steady(mean, catalog.measure(name).wobble, catalog.measure(name).within)
        for name, mean in person.usual.items()
    }


def stay_curves(catalog: Catalog, draw: Draw, person: Person, stay: Stay) -> dict[str, Curve]:
    """Draw the curve of every result, vital sign and output: usual, off on arrival, or told by the story."""
    curves = usual_curves(catalog, person)
    for name, bounds in stay.plan.reason.usual.items():
        wobble = catalog.measure(name).wobble
        curves[name] = arrived_off(draw.between(bounds), person.usual[name], wobble)
    return curves | _told(catalog, draw, person, stay)


def _told(catalog: Catalog, draw: Draw, person: Person, stay: Stay) -> dict[str, Curve]:
    exposure, index = stay.exposure, stay.index
    if exposure is None or index is None:
        return {}
    telling = Telling(
        stay,
        exposure,
        stay.day(index.charttime),
        draw.between((0, 1)),
        lambda egfr: person.creatinine(egfr, stay.admittime),
    )
    curves = {}
    for name, course in exposure.story.courses.items():
        analyte = catalog.analytes.get(name)
        limits = analyte.limits(person.sex) if analyte else None
        upper = limits[1] if limits else None
        wobble = catalog.measure(name).wobble
        curve = telling.curve(draw, course, person.usual.get(name), wobble, upper)
        if curve is not None:
            curves[name] = curve
    return curves
