"""What a run's results amount to: every figure with its coverage."""

from pydantic import Field

from state.base import Record


class Interval(Record):
    """A two-sided 95 % interval."""

    low: float
    high: float


class Figure(Record):
    """A mean over units with its coverage; ``value`` is None when nothing was scored.

    ``withheld`` marks a figure whose coverage is too low to be a headline.
    """

    value: float | None
    planned: int = Field(ge=0)
    attempted: int = Field(ge=0)
    scored: int = Field(ge=0)
    withheld: bool
    interval: Interval | None = None


class Scores(Record):
    """The paper's figures over one group. Keys of the pass rates are pass marks, ``"0.60"`` and ``"0.75"``.

    ``mrs`` and ``pass_session`` count sessions, ``turn_score`` and ``pass_turn`` count turns. A group of turns of one
    kind holds no whole sessions: both session figures are None.
    """

    mrs: Figure | None
    pass_session: dict[str, Figure] | None
    turn_score: Figure
    pass_turn: dict[str, Figure]


class Metrics(Record):
    """metrics.json. ``facets`` go from facet to group to scores.

    ``outcomes`` counts turns by how they ended; ``errored_by`` the errored ones by whose failure it was.
    ``safety_failures`` counts failed safety items over scored turns; the rate is per 100 scored turns.
    """

    overall: Scores
    facets: dict[str, dict[str, Scores]]
    outcomes: dict[str, int]
    errored_by: dict[str, int]
    safety_failures: int
    safety_failures_per_100_turns: float | None
    resamples: int
    seed: int
