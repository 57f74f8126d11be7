"""Which time each result of a sentence is told with."""

import re
from collections.abc import Sequence
from itertools import pairwise

from tools.grading.numbers import Number
from tools.grading.times import Moment

_LISTED = re.compile(r"[\s,;:/()&~、→>|-]*(?:and|then|to|和|与|及|再到)?[\s,(]*(?:on|at)?\s*", re.IGNORECASE)
_VERB = re.compile(r"\s*(?:为|是|was|is|=)\s*", re.IGNORECASE)
_APART = re.compile(r"[^\d;]{0,40}")
"""Between a list of times and the list of their results no other figure stands."""


def times_of(text: str, results: Sequence[Number], told: Sequence[Moment]) -> list[Moment | None]:
    """Give each number its moment.

    A time and its result may be parted by a verb alone; as many times as results, listed side by side, are paired in
    order. Else a time stands before its result where the
    sentence begins with times, and after it where it begins with a result; a date on its own that opens a sentence with
    times of day is the date of those.
    """
    paired = _told_as_its_result(text, results, told) | _in_order(text, results, told)
    left = [moment for moment in told if moment not in paired.values()]
    if any(moment.clocked for moment in told):
        left = [m for at, m in enumerate(left) if m.clocked or not _frames(left[at:], results)]
    lead = bool(left and results and left[0].start < results[0].start)
    found: list[Moment | None] = []
    taken: Moment | None = None
    for at, number in enumerate(results):
        low = results[at - 1].end if at else 0
        high = results[at + 1].start if at + 1 < len(results) else len(text)
        after = [m for m in left if number.end <= m.start and m.end <= high]
        before = [m for m in left if low <= m.start and m.end <= number.start]
        shared = before[-1:] if lead or not (before and before[-1] is taken) else []
        near = (before[-1:] or after[:1]) if lead else (after[:1] or shared)
        taken = after[0] if after and not lead else None
        found.append(paired.get(at) or (near[0] if near else None))
    return found


def _told_as_its_result(text: str, results: Sequence[Number], told: Sequence[Moment]) -> dict[int, Moment]:
    """Pair the times that a verb alone parts from their result: "10-26 was 1.5"."""
    starts = {number.start: at for at, number in enumerate(results)}
    verbs = ((moment, _VERB.match(text, moment.end)) for moment in told)
    return {starts[verb.end()]: moment for moment, verb in verbs if verb and verb.end() in starts}


def _frames(rest: Sequence[Moment], results: Sequence[Number]) -> bool:
    """Tell whether a date is that of the time of day that comes next, with no result or one between."""
    if len(rest) < 2 or not rest[1].clocked or rest[1].day != rest[0].day:
        return False
    return sum(rest[0].end <= number.start and number.end <= rest[1].start for number in results) <= 1


def _in_order(text: str, results: Sequence[Number], told: Sequence[Moment]) -> dict[int, Moment]:
    lists = [*_runs(text, list(results)), *_runs(text, list(told))]
    paired: dict[int, Moment] = {}
    for left, right in pairwise(sorted(lists, key=lambda run: run[0].start)):
        if len(left) != len(right) or len(left) < 2 or type(left[0]) is type(right[0]):
            continue
        if not _APART.fullmatch(text[left[-1].end : right[0].start]):
            continue
        times, numbers = (left, right) if isinstance(left[0], Moment) else (right, left)
        for number, moment in zip(numbers, times, strict=True):
            if isinstance(number, Number) and isinstance(moment, Moment):
                paired.setdefault(list(results).index(number), moment)
    return paired


def _runs(text: str, found: list[Number] | list[Moment]) -> list[list[Number | Moment]]:
    runs: list[list[Number | Moment]] = []
    for one in found:
        if runs and _LISTED.fullmatch(text[runs[-1][-1].end : one.start]):
            runs[-1].append(one)
        else:
            runs.append([one])
    return runs
