"""A time that a verb alone parts from a result is that result's, whatever the sentence begins with."""

import pytest

from tools.grading.numbers import numbers, quiet
from tools.grading.pairing import times_of
from tools.grading.times import moments

Told = tuple[float, int | None]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It is 1.8, and 2180-10-26 06:00 was 1.5", [(1.8, None), (1.5, 6)]),
        ("It is 1.8, and 2180-10-26 06:00 is 1.5", [(1.8, None), (1.5, 6)]),
        ("1.8 now; 2180-10-26 06:00 = 1.5", [(1.8, None), (1.5, 6)]),
        ("目前1.8,10月26日6:00为1.5", [(1.8, None), (1.5, 6)]),
        ("目前1.8,10月26日6:00是1.5", [(1.8, None), (1.5, 6)]),
        ("1.8 (2180-10-27 18:00), 2180-10-26 06:00 was 1.5", [(1.8, 18), (1.5, 6)]),
        ("1.5 at 06:00 1.8 at 18:00", [(1.5, 6), (1.8, 18)]),
        ("1.5 at 06:00, and it was 1.8 at 18:00", [(1.5, 6), (1.8, 18)]),
        ("1.5 at 06:00, was 1.8 at 18:00", [(1.5, 6), (1.8, 18)]),
        ("2180-10-26 06:00 was 1.5, then 1.8 at 18:00", [(1.5, 6), (1.8, 18)]),
        (
            "It is 1.8, was 2.0 on 2180-10-25 18:00, and 2180-10-26 06:00 was 1.5",
            [(1.8, None), (2.0, 18), (1.5, 6)],
        ),
    ],
)
def test_a_verb_ties_a_time_to_its_result(text: str, told: list[Told]) -> None:
    found = [number for number in numbers(quiet(text)) if number.result]
    times = times_of(text, found, [moment for moment in moments(text) if moment.clocked])
    assert [(n.value, t and t.hour) for n, t in zip(found, times, strict=True)] == told
