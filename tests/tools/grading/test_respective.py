"""Two lists told side by side are paired by what joins them, and only where both are understood."""

import re

import pytest

from tools.grading.names import Span
from tools.grading.respective import paired


def _read(text: str, *before: str) -> tuple[list[str | None], tuple[str | None, ...]]:
    """Pair the capital letters of a text with its numbers; ``before`` are the names of a list told earlier."""
    names = [Span(m.start(), m.end()) for m in re.finditer(r"\b[A-Z]\b|[A-Z](?=[、和与的分])", text)]
    values = [Span(m.start(), m.end()) for m in re.finditer(r"\d+", text)]
    words: list[str] = [*(text[name.start : name.end] for name in names), *before]
    lists = paired(text, names, values, range(len(names), len(words)))

    def said(at: int | None) -> str | None:
        return None if at is None else words[at]

    return [said(lists.owners.get(at)) for at in range(len(values))], tuple(map(said, lists.names))


@pytest.mark.parametrize(
    ("text", "owners"),
    [
        ("A, B and C are 1, 2 and 3, respectively.", ["A", "B", "C"]),
        ("A、B和C的剂量分别为1、2和3", ["A", "B", "C"]),
        ("A, urate and C are 1, 2 and 3, respectively.", ["A", None, "C"]),
        ("A and B are, respectively, 1 and 2.", ["A", "B"]),
        ("A与B分别是1和2, 9 in all", ["A", "B", None]),
        ("A、B、C分别为1和2", [None, None]),
        ("A and B are 1 and 2.", [None, None]),
        ("昨天和今天的A分别为1和2", [None, None]),
        ("D is low, A and B are 1 and 2, respectively", ["A", "B"]),
    ],
)
def test_lists(text: str, owners: list[str | None]) -> None:
    assert _read(text)[0] == owners


def test_a_further_list_goes_on_with_the_names_before_it() -> None:
    assert _read("A, B are 1, 2, respectively; at home 3 and 4, respectively")[0] == ["A", "B", "A", "B"]
    assert _read("在家分别为3和4", "A", "B") == (["A", "B"], ("A", "B"))
    assert _read("在家分别为3和4", "A", "B", "C")[0] == [None, None]
