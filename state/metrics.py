"""What a run's results amount to: every figure with its coverage."""

from pydantic import Field

from state.agreement import Judging
from state.base import Record
from state.interval import Interval
from state.trajectory import Usage


class Figure(Record):
    """A mean over units with its coverage; ``value`` is None when nothing was scored.

    ``withheld`` marks a figure whose coverage is too low to be a headline. ``interval`` is the percentile interval,
    ``bca`` the one corrected for bias and acceleration.
    """

    value: float | None
    planned: int = Field(ge=0)
    attempted: int = Field(ge=0)
    scored: int = Field(ge=0)
    withheld: bool
    interval: Interval | None = None
    bca: Interval | None = None


class Scores(Record):
    """The paper's figures over one group. Keys of the pass rates are pass marks, ``"0.60"`` and ``"0.75"``.

    ``mrs`` and ``pass_session`` count sessions, ``turn_score`` and ``pass_turn`` count turns. A group of turns of one
    kind holds no whole sessions: both session figures are None.
    """

    mrs: Figure | None
    pass_session: dict[str, Figure] | None
    turn_score: Figure
    pass_turn: dict[str, Figure]


class Reliability(Record):
    """Over the epochs of a run: the chance that one of ``k`` tries of a session passes, and that all of them do."""

    k: int = Field(ge=1)
    mark: str
    pass_at: Figure
    pass_every: Figure


class Conduct(Record):
    """How the doctor worked, apart from its scores. ``tools.metrics.formulas`` says what each figure is.

    ``safety`` goes from why a safety item failed, or ``all``, to failed items a scored turn. ``taxonomy`` counts what
    went wrong: of turns, replies, calls, items.
    """

    figures: dict[str, Figure]
    antecedent_errors: dict[str, Figure]
    safety: dict[str, Figure]
    taxonomy: dict[str, dict[str, int]]


class PatientVoice(Record):
    """Who spoke for the patients where a model was to.

    ``in_its_words`` and ``by_template`` add up to ``answers``; ``turns`` are those in which the template stepped in.
    ``refused`` counts replies that the guard did not let through, ``failed`` calls that gave no reply.
    """

    model: str
    answers: int = Field(ge=0)
    in_its_words: int = Field(ge=0)
    by_template: int = Field(ge=0)
    turns: int = Field(ge=0)
    refused: int = Field(ge=0)
    failed: int = Field(ge=0)


class Metrics(Record):
    """metrics.json. ``facets`` go from facet to group to scores.

    ``outcomes`` counts turns by how they ended; ``errored_by`` the errored ones by whose failure it was.
    ``safety_failures`` counts failed safety items over scored turns; the rate is per 100 scored turns.
    ``reliability`` is empty where each session is run once, ``conduct`` None where only results were at hand.
    ``judging`` is None where code alone judged, ``patient`` where templates spoke for the patients.
    """

    overall: Scores
    facets: dict[str, dict[str, Scores]]
    outcomes: dict[str, int]
    errored_by: dict[str, int]
    safety_failures: int
    safety_failures_per_100_turns: float | None
    reliability: tuple[Reliability, ...] = ()
    conduct: Conduct | None = None
    resamples: int
    seed: int
    judging: Judging | None = None
    patient: PatientVoice | None = None


class Difference(Record):
    """A figure of one run less that of another, over the units both have scored, ``scored`` of ``planned``.

    ``p`` is two-sided; ``p_holm`` is adjusted for the differences looked at beside it. ``withheld``: too few units are
    scored in both, as a figure of one run is withheld.
    """

    group: str
    figure: str
    value: float | None
    interval: Interval | None
    bca: Interval | None
    p: float | None
    p_holm: float | None = None
    planned: int = Field(ge=0)
    scored: int = Field(ge=0)
    withheld: bool = False


class Comparison(Record):
    """Two runs against each other: the sessions both hold, and every difference."""

    shared: int = Field(ge=0)
    only_first: int = Field(ge=0)
    only_second: int = Field(ge=0)
    differences: tuple[Difference, ...]
    resamples: int
    seed: int


class Effort(Record):
    """What a run took: tokens, dollars and the model's own seconds, from what its records hold.

    ``usd`` is None where a price is not known. ``seconds`` go from percentile (``"50"``) to seconds a turn and
    ``reply_seconds`` to seconds a reply; both are empty where nothing was timed.
    """

    turns: int
    replies: int
    calls: int
    usage: Usage
    usd: float | None
    seconds: dict[str, float]
    reply_seconds: dict[str, float]
