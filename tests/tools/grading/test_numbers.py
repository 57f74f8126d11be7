"""A minus before a number is read as one, also where Chinese leaves no space before it."""

import pytest

from tools.grading.numbers import numbers, quiet


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The pCO2 gap is -2.5 mm Hg.", [-2.5]),
        ("pCO2与预计值之差为-2.5 mm Hg。", [-2.5]),
        ("差值是-3。", [-3.0]),
        ("差值约-3。", [-3.0]),
        ("参考范围3.5-5.0 mEq/L。", [3.5, 5.0]),
        ("血钾为2.5 mEq/L。", [2.5]),
    ],
)
def test_a_minus_is_read(text: str, values: list[float]) -> None:
    assert [number.value for number in numbers(quiet(text))] == values
