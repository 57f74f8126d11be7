"""Axes: where values stand, and which values are written."""

import pytest

from tools.report.drawing import Frame, Scale, round_step


@pytest.mark.parametrize(
    ("scale", "value", "at"),
    [
        (Scale(0, 10), 5, 0.5),
        (Scale(-1, 1), -1, 0.0),
        (Scale(0.01, 1, log=True), 0.1, 0.5),
        (Scale(0.01, 1, log=True), 1, 1.0),
    ],
)
def test_a_value_stands_between_the_ends(scale: Scale, value: float, at: float) -> None:
    assert scale.at(value) == pytest.approx(at)


@pytest.mark.parametrize(
    ("scale", "ticks"),
    [
        (Scale(0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (Scale(0.55, 0.8), [0.55, 0.6, 0.65, 0.7, 0.75, 0.8]),
        (Scale(0, 0.0432), [0, 0.01, 0.02, 0.03, 0.04]),
        (Scale(0.0133, 1.35, log=True), [0.02, 0.05, 0.1, 0.2, 0.5, 1]),
        (Scale(0.0002, 3, log=True), [0.001, 0.01, 0.1, 1]),
    ],
)
def test_round_values_within_the_ends_are_written(scale: Scale, ticks: list[float]) -> None:
    assert scale.ticks() == pytest.approx(ticks)


@pytest.mark.parametrize(("least", "step"), [(0.1, 0.1), (0.11, 0.2), (0.3, 0.5), (6, 10), (1.0, 1.0)])
def test_steps_are_round(least: float, step: float) -> None:
    assert round_step(least) == pytest.approx(step)


def test_up_is_more() -> None:
    frame = Frame(10, 20, 110, 220, Scale(0, 1), Scale(0, 1))
    assert frame.place(0, 0) == (10, 220)
    assert frame.place(1, 1) == (110, 20)
