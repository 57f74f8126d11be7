"""The 27 arcs, and the slots of a full set."""

from collections import Counter

import pytest

from agents.arcs import ARCS, SESSIONS_A_SCENARIO, SESSIONS_A_TIER, TIERS, all_slots, eligible_arcs
from state.session import Scenario, TaskType


def test_there_are_27_arcs_that_open_with_a_lookup_and_never_write_before_the_end() -> None:
    assert len({arc.tasks for arc in ARCS}) == 27
    assert [arc.number for arc in ARCS] == list(range(1, 28))
    for arc in ARCS:
        assert arc.tasks[0] is TaskType.LOOKUP
        assert TaskType.WRITE not in arc.tasks[:3]
        assert arc.tasks[3] is not TaskType.LOOKUP


@pytest.mark.parametrize(("tier", "arcs"), [(1, 27), (2, 24), (3, 15)])
def test_a_tier_needs_gathering_or_reasoning_in_the_middle(tier, arcs) -> None:
    assert len(eligible_arcs(tier)) == arcs


def test_a_full_set_has_324_slots_that_use_every_eligible_arc_evenly() -> None:
    slots = all_slots(tuple(Scenario), seed=7)
    assert len(slots) == 324 == SESSIONS_A_SCENARIO * len(Scenario)
    for scenario in Scenario:
        for tier in TIERS:
            uses = Counter(s.arc for s in slots if (s.scenario, s.tier) == (scenario, tier))
            assert uses.total() == SESSIONS_A_TIER
            assert set(uses) == {arc.number for arc in eligible_arcs(tier)}
            assert max(uses.values()) - min(uses.values()) <= 1


def test_every_prefix_is_spread_and_the_seed_decides() -> None:
    slots = all_slots(tuple(Scenario), seed=7)
    assert {(s.scenario, s.tier) for s in slots[:12]} == {(s, t) for s in Scenario for t in TIERS}
    assert slots == all_slots(tuple(Scenario), seed=7)
    assert slots != all_slots(tuple(Scenario), seed=8)
