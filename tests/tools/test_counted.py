"""Numbers with their nouns."""

import pytest

from tools.counted import counted, times


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 cells"), (1, "1 cell"), (2, "2 cells"), (1200, "1,200 cells")]
)
def test_one_is_one(number: int, said: str) -> None:
    assert counted(number, "cell") == said


@pytest.mark.parametrize(("number", "said"), [(0, "0 times"), (1, "once"), (2, "2 times")])
def test_once_is_once(number: int, said: str) -> None:
    assert times(number) == said
