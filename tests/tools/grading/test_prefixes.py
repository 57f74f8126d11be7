"""What is found before a place of a text is what a search in the text up to it finds, in time that does not grow."""

import itertools

import pytest

from tools.grading.advice_words import pattern
from tools.grading.names import Span
from tools.grading.prefixes import LONGEST_MATCH, ends_at, last_match, longest, occurs_before

PATTERNS = [
    *(
        pattern(*path)
        for path in (("negation", "before"), ("condition",), ("condition_over",), ("except_when",))
    ),
    *(pattern(name, of="remarks") for name in ("topics", "facts", "courtesies", "findings", "downplays")),
]
PIECES = [
    "if the potassium falls, ",
    "do not hold lisinopril unless she is dizzy and ",
    "在血钾下降之前不停用，",
    "no fever, no cough, without any ",
    "否认咳嗽、呕吐，",
    "the plan stands for today; ",
]
TEXTS = [
    "".join(itertools.islice(itertools.cycle(PIECES[at:] + PIECES[:at]), 14)) for at in range(len(PIECES))
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_match_before_a_place_is_that_of_the_text_up_to_it(text: str) -> None:
    assert len(text) > 4 * LONGEST_MATCH
    for sought in PATTERNS:
        for end in range(0, len(text), 7):
            found = [match.end() for match in sought.finditer(text[:end])]
            assert last_match(sought, text, end) == (found[-1] if found else None)
            assert occurs_before(sought, text, end) is bool(found)


def test_what_closes_before_a_place_is_found() -> None:
    closing = pattern("negation", "aside", after=r"\s*$")
    text = "x" * 500 + " instead of "
    assert ends_at(closing, text, len(text)) is (closing.search(text) is not None)


def test_of_overlapping_stretches_the_longest_is_kept() -> None:
    found = [Span(0, 3), Span(2, 9), Span(9, 12), Span(8, 10), Span(20, 21)]
    assert longest(found, 30) == [Span(2, 9), Span(9, 12), Span(20, 21)]
