"""What scores cost: runs by score against dollars and against seconds, and which of them no other run beats."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from state.metrics import Figure
from tools.report.cells import Cell, ReportTable
from tools.report.figures import coverage, percent
from tools.report.run_report import RunReport

PROGRAM = "none: a program"
UNKNOWN = "unknown"
COUNTED = (
    "USD: the doctor's calls alone, judges and patients not counted; seconds: the model's own, waits and retries not "
    "counted; sessions: planned / attempted / scored"
)
FRONTIER = "frontier: no run of the same comparison key scores as much for less, or more for as much, by point values"


@dataclass(frozen=True)
class Measure:
    """What a score is set against; ``of`` gives it, None where it is not known."""

    name: str
    axis: str
    of: Callable[[RunReport], float | None]
    write: Callable[[float], str]


def usd_a_session(run: RunReport) -> float | None:
    """Give what the doctor's calls of a session cost on average, in dollars.

    None where a price is not known, no reply was had, or no model was asked.
    """
    if run.effort.usd is None or run.manifest.offline or not run.effort.replies:
        return None
    return run.effort.usd / len(run.results)


def seconds_a_turn(run: RunReport) -> float | None:
    """Give the model's own median time of a turn, without waits and retries; None where it was not timed."""
    return run.effort.seconds.get("50")


COST = Measure("cost", "USD a session, the doctor's calls", usd_a_session, lambda value: f"${value:,.4f}")
LATENCY = Measure("latency", "seconds a turn, median", seconds_a_turn, lambda value: f"{value:,.2f} s")
MEASURES = (COST, LATENCY)


@dataclass(frozen=True)
class Place:
    """A run with its number in tables and plots, its score and an amount; either may be missing."""

    number: int
    run: RunReport
    amount: float | None

    @property
    def key(self) -> str:
        """Give the comparison key of the run: only places of one key compare."""
        return self.run.manifest.comparison_key

    @property
    def score(self) -> Figure | None:
        """Give the run's mRS."""
        return self.run.metrics.overall.mrs

    @property
    def point(self) -> tuple[float, float] | None:
        """Give amount and score where both may be shown."""
        score = self.score
        if self.amount is None or score is None or score.withheld or score.value is None:
            return None
        return self.amount, score.value


def places(runs: Sequence[RunReport], measure: Measure) -> list[Place]:
    """Number runs in their order."""
    return [Place(number, run, measure.of(run)) for number, run in enumerate(runs, start=1)]


def frontier(found: Sequence[Place]) -> set[int]:
    """Give the numbers of the runs that none of their comparison key beats (Pareto), of those that have a point."""
    kept = set[int]()
    for one in found:
        mine = one.point
        if mine is None:
            continue
        rivals = [point for other in found if other.key == one.key and (point := other.point) is not None]
        if not any(beats(point, mine) for point in rivals):
            kept.add(one.number)
    return kept


def beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Tell whether an amount and a score are no worse than another pair, and one of them better."""
    return one[0] <= other[0] and one[1] >= other[1] and one != other


def efficiency_table(runs: Sequence[RunReport]) -> ReportTable:
    """Lay out runs by score, cost and latency; a run whose cost is not known says so and is on no frontier."""
    found = {measure.name: places(runs, measure) for measure in MEASURES}
    best = {name: frontier(of) for name, of in found.items()}
    rows: list[tuple[Cell, ...]] = []
    for number, run in enumerate(runs, start=1):
        mrs = run.metrics.overall.mrs
        amounts = [
            (_amount(found[m.name][number - 1], m), "yes" if number in best[m.name] else "") for m in MEASURES
        ]
        key, counts = run.manifest.comparison_key, "" if mrs is None else coverage(mrs)
        rows.append((str(number), run.label, mrs, counts, *(cell for pair in amounts for cell in pair), key))
    return ReportTable(
        name="efficiency",
        title=f"Score beside cost and latency ({'; '.join(dict.fromkeys(run.mark for run in runs))})",
        columns=(
            "no.",
            "run",
            "mRS",
            "sessions",
            "USD a session",
            "cost frontier",
            "s a turn, median",
            "latency frontier",
            "key",
        ),
        rows=tuple(rows),
        notes=(
            COUNTED,
            FRONTIER,
        ),
        labels=2,
    )


def _amount(place: Place, measure: Measure) -> Cell:
    if place.amount is not None:
        return place.amount if measure is not COST else f"{place.amount:,.4f}"
    return PROGRAM if place.run.manifest.offline else UNKNOWN


def not_drawn(found: Sequence[Place]) -> list[str]:
    """Say which runs have no point, and why."""
    told = []
    for place in found:
        if place.point is not None:
            continue
        if place.amount is not None:
            why = "no score" if place.score is None else f"mRS {percent(place.score)}"
        else:
            why = "a program of the product" if place.run.manifest.offline else UNKNOWN
        told.append(f"{place.number} {place.run.label}: {why}")
    return told
