"""Two runs of the same sessions against each other, unit by unit."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

from state.metrics import Comparison, Difference
from state.outcome import SessionResult
from tools.metrics.figure import HEADLINE_COVERAGE
from tools.metrics.planned import finished_turns
from tools.metrics.resample import Resampler
from tools.metrics.scores import PASS_MARKS, Run, all_pass, passes, sessions_of, whole_scores
from tools.metrics.sign_flips import flip_p, holm, mean_sum
from tools.metrics.summary import resampler

GROUPED_BY = ("scenario", "tier", "task_type", "implicitness")
Epochs = Sequence[Run]
"""One session, run once or more."""


@dataclass(frozen=True)
class _Measure:
    """A figure as the values of one session by its units: turns by their place, or the session itself."""

    name: str
    values: Callable[[Epochs], Mapping[int, float]]
    of_turns: bool


def compare(first: Sequence[SessionResult], second: Sequence[SessionResult]) -> Comparison:
    """Subtract the second run from the first in every figure, over the units that both have scored.

    A unit run in several epochs counts with its mean. Sessions are the clusters of intervals and of p values, which are
    adjusted within the headline figures and within the groups.
    """
    one, other = _by_session(first), _by_session(second)
    shared = sorted(one.keys() & other.keys())
    pairs = [(one[name], other[name]) for name in shared]
    drawn = resampler()
    headline = [_difference("all", measure, pairs, lambda _: True, drawn) for measure in _HEADLINE]
    grouped = [
        _difference(f"{facet} {group}", measure, pairs, partial(_in_group, facet, group), drawn)
        for facet in GROUPED_BY
        for group in _groups(pairs, facet)
        for measure in _GROUPED
    ]
    return Comparison(
        shared=len(shared),
        only_first=len(one.keys() - other.keys()),
        only_second=len(other.keys() - one.keys()),
        differences=(*_adjusted(headline), *_adjusted(grouped)),
        resamples=drawn.resamples,
        seed=drawn.seed,
    )


def _by_session(results: Sequence[SessionResult]) -> dict[str, Epochs]:
    return {epochs[0][0].session_id: epochs for epochs in sessions_of(finished_turns(results))}


def _turn_values(value: Callable[[float], float], epochs: Epochs) -> dict[int, float]:
    found: dict[int, list[float]] = defaultdict(list)
    for run in epochs:
        for place, turn in enumerate(run):
            if turn.score is not None:
                found[place].append(value(turn.score))
    return {place: fmean(values) for place, values in found.items()}


def _session_value(value: Callable[[Sequence[float]], float], epochs: Epochs) -> dict[int, float]:
    whole = [value(scores) for run in epochs if (scores := whole_scores(run)) is not None]
    return {0: fmean(whole)} if whole else {}


_TURN_SCORE = _Measure("mean turn score", partial(_turn_values, float), of_turns=True)
_PASS_TURN = [
    _Measure(f"Pass@Turn {mark:.2f}", partial(_turn_values, partial(passes, mark)), of_turns=True)
    for mark in PASS_MARKS
]
_PASS_SESSION = [
    _Measure(f"Pass@Session {mark:.2f}", partial(_session_value, partial(all_pass, mark)), of_turns=False)
    for mark in PASS_MARKS
]
_HEADLINE = (_Measure("mRS", partial(_session_value, fmean), of_turns=False), *_PASS_TURN, *_PASS_SESSION)
_GROUPED = (_TURN_SCORE, _PASS_TURN[0])


def _groups(pairs: Sequence[tuple[Epochs, Epochs]], facet: str) -> list[str]:
    return sorted({turn.facets[facet] for epochs, _ in pairs for turn in epochs[0]})


def _in_group(facet: str, group: str, facets: Mapping[str, str]) -> bool:
    return facets[facet] == group


def _difference(
    group: str,
    measure: _Measure,
    pairs: Sequence[tuple[Epochs, Epochs]],
    counts: Callable[[Mapping[str, str]], bool],
    drawn: Resampler,
) -> Difference:
    """Subtract over the units of one group."""
    values, planned = [], 0
    for one, other in pairs:
        turns = one[0] if measure.of_turns else one[0][:1]
        units = [place for place, turn in enumerate(turns) if counts(turn.facets)]
        mine, others = measure.values(one), measure.values(other)
        values.append([mine[unit] - others[unit] for unit in units if unit in mine and unit in others])
        planned += len(units)
    sums, sizes = mean_sum(values)
    interval, corrected = drawn.intervals(sums, sizes)
    scored = int(sizes.sum())
    return Difference(
        group=group,
        figure=measure.name,
        value=float(sums.sum() / scored) if scored else None,
        interval=interval,
        bca=corrected,
        p=flip_p([float(total) for total in sums[sizes > 0]], drawn.seed, drawn.resamples),
        planned=planned,
        scored=scored,
        withheld=scored < HEADLINE_COVERAGE * planned,
    )


def _adjusted(family: Sequence[Difference]) -> list[Difference]:
    """Adjust the p values of one family."""
    adjusted = iter(holm([row.p for row in family if row.p is not None]))
    return [row if row.p is None else row.model_copy(update={"p_holm": next(adjusted)}) for row in family]
