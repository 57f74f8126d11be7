"""Lengths of time are said and read again alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.base import Language
from state.patient import Span
from state.patient_values import Level, SpanUnit
from tools.interview.spans import find_spans, same_length, say_hanzi, say_span

SPANS = st.builds(Span, count=st.integers(1, 99), unit=st.sampled_from(list(SpanUnit)))


@given(span=SPANS, language=st.sampled_from(list(Language)), literacy=st.sampled_from(list(Level)))
def test_what_is_said_is_read_again(span: Span, language: Language, literacy: Level) -> None:
    said = say_span(span, language, literacy)
    ((_, end, read),) = find_spans(f"{said}.", language)
    assert (read, end) == (span, len(said))


@pytest.mark.parametrize(
    ("number", "said"),
    [(1, "一"), (2, "两"), (10, "十"), (12, "十二"), (20, "二十"), (32, "三十二"), (99, "九十九")],
)
def test_chinese_numerals(number: int, said: str) -> None:
    assert say_hanzi(number) == said


@pytest.mark.parametrize(
    ("text", "language", "count", "unit"),
    [
        ("for an hour", "en", 1, "hour"),
        ("about a week", "en", 1, "week"),
        ("14 days", "en", 14, "day"),
        ("twelve months", "en", 12, "month"),
        ("两个礼拜", "zh", 2, "week"),
        ("3个月", "zh", 3, "month"),
        ("十一天", "zh", 11, "day"),
        ("二十五年", "zh", 25, "year"),
    ],
)
def test_other_ways_to_say_it(text: str, language: str, count: int, unit: str) -> None:
    ((_, _, read),) = find_spans(text, Language(language))
    assert read == Span(count=count, unit=unit)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ((14, "day"), (2, "week"), True),
        ((24, "hour"), (1, "day"), True),
        ((12, "month"), (1, "year"), True),
        ((15, "day"), (2, "week"), False),
        ((30, "day"), (1, "month"), False),
        ((4, "week"), (1, "month"), False),
    ],
)
def test_equal_lengths(one: tuple[int, str], other: tuple[int, str], same: bool) -> None:
    spans = [Span(count=count, unit=unit) for count, unit in (one, other)]
    assert same_length(*spans) is same
