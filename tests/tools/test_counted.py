"""Numbers with their nouns."""

import pytest

from tools.counted import counted


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 cells"), (1, "1 cell"), (2, "2 cells"), (1200, "1,200 cells")]
)
def test_one_is_one(number: int, said: str) -> None:
    assert counted(number, "cell") == said
