"""Phrasings: what is a choice, what is text, and that every way is reached."""

import random

import pytest

from state.base import InputError
from tools.phrasing import read_phrasing

PARTS = {"who": "[the team|we]", "greeting": "[Hello, |]<who>"}


def test_every_way_is_given_once_and_counted():
    phrasing = read_phrasing("<who> [stop|hold [it|them]] now", PARTS)
    ways = list(phrasing.ways())
    assert ways == [
        "the team stop now",
        "the team hold it now",
        "the team hold them now",
        "we stop now",
        "we hold it now",
        "we hold them now",
    ]
    assert phrasing.count == len(ways)


def test_what_is_filled_later_is_text():
    phrasing = read_phrasing("{{ verb | lower }} {% if a %}[x|y]{% endif %}", {})
    assert list(phrasing.ways()) == [
        "{{ verb | lower }} {% if a %}x{% endif %}",
        "{{ verb | lower }} {% if a %}y{% endif %}",
    ]


def test_a_part_may_hold_parts_and_an_option_may_be_empty():
    assert list(read_phrasing("<greeting>!", PARTS).ways()) == [
        "Hello, the team!",
        "Hello, we!",
        "the team!",
        "we!",
    ]


def test_picks_are_ways_and_the_same_seed_picks_the_same():
    phrasing = read_phrasing("[a|b|c] [d|e] [f|g]", {})
    picks = [phrasing.pick(random.Random(seed)) for seed in range(200)]  # noqa: S311
    assert set(picks) == set(phrasing.ways())
    assert picks == [phrasing.pick(random.Random(seed)) for seed in range(200)]  # noqa: S311


@pytest.mark.parametrize("text", ["[a|b", "a|b", "a]", "[a|[b]", "<nobody> goes"])
def test_what_does_not_pair_is_refused(text: str):
    with pytest.raises(InputError):
        read_phrasing(text, PARTS)
