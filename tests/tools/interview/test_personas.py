"""Personas are dealt evenly over a set of any size, and the same for a seed."""

from collections import Counter

import pytest

from tools.interview.personas import deal_persona

TRAITS = ("literacy", "anxiety", "completeness", "self_diagnosis")


@pytest.mark.parametrize("size", [12, 60, 324])
@pytest.mark.parametrize("trait", TRAITS)
def test_each_level_comes_up_as_often_as_any_other(size: int, trait: str) -> None:
    counts = Counter(getattr(deal_persona(slot, 7), trait) for slot in range(size))
    assert set(counts.values()) == {size // 3}


def test_traits_are_dealt_apart_from_each_other() -> None:
    personas = {repr(deal_persona(slot, 7)) for slot in range(324)}
    assert len(personas) > 70
    assert deal_persona(5, 7) == deal_persona(5, 7)
    assert [deal_persona(slot, 7) for slot in range(12)] != [deal_persona(slot, 8) for slot in range(12)]
