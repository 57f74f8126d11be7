"""Matches are cast for slots evenly over what they conclude, over rules and over patients."""

from collections import Counter
from datetime import datetime

from agents.arcs import ARCS, all_slots
from agents.casting import SMALL_SET, USES_OF_A_MATCH, Casting, shuffled
from state.knowledge import BoundLab, BoundOrder, RuleMatch
from state.session import Scenario, TaskType
from tools.clinical.rules import load_rules

NOW = datetime(2150, 1, 2, 8)
RULES = {rule.id: rule for rule in load_rules(Scenario.MED_SAFETY)}
HOLD, HOLD_TOO, REDUCE = "ras_inhibitor_hyperkalemia", "warfarin_high_inr", "metformin_egfr_30_to_44"


def match(rule_id: str, subject_id: int, *, control: bool = False) -> RuleMatch:
    lab = BoundLab(
        ref="Observation/lab-1",
        analyte="potassium",
        label="Potassium",
        value=6.1,
        unit="mEq/L",
        charttime=NOW,
        storetime=NOW,
    )
    order = BoundOrder(
        ref="MedicationRequest/rx-1",
        ingredient="lisinopril",
        drug="Lisinopril",
        dose_value=10,
        dose_unit="mg",
        route="PO",
        frequency="DAILY",
        starttime=NOW,
    )
    return RuleMatch(
        rule_id=rule_id,
        control=control,
        subject_id=subject_id,
        hadm_id=subject_id * 10,
        as_of=NOW,
        lab=lab,
        orders=(order,),
    )


MATCHES = shuffled(
    [match(HOLD, n) for n in range(1, 9)]
    + [match(HOLD_TOO, n) for n in range(1, 9)]
    + [match(HOLD, n, control=True) for n in range(20, 28)]
    + [match(REDUCE, n) for n in range(40, 48)],
    seed=3,
)
SLOTS = tuple(s for s in all_slots((Scenario.MED_SAFETY,), seed=3) if s.tier < 3)[:24]


def cast() -> list[tuple[int, int]]:
    return Casting(SLOTS, MATCHES, RULES).deal([], [])


def test_a_slot_gets_a_match_of_its_tier_and_no_control_is_to_be_written() -> None:
    for slot, candidate in cast():
        found = MATCHES[candidate]
        assert RULES[found.rule_id].tier == SLOTS[slot].tier
        if ARCS[SLOTS[slot].arc - 1].tasks[-1] is TaskType.WRITE:
            assert not found.control


def test_conclusions_take_turns() -> None:
    """Where nothing is to be written, holding and continuing are as often right."""
    free = tuple(s for s in SLOTS if s.tier == 1 and ARCS[s.arc - 1].tasks[-1] is not TaskType.WRITE)
    dealt = Casting(free, MATCHES, RULES).deal([], [])
    held = sum(not MATCHES[candidate].control for _, candidate in dealt)
    assert abs(2 * held - len(dealt)) <= 1


def test_no_match_is_cast_more_than_twice_while_others_are_left() -> None:
    used = Counter(candidate for _, candidate in cast())
    assert max(used.values()) == USES_OF_A_MATCH
    some = Casting(SLOTS[:4], MATCHES, RULES).deal([], [])
    assert len({MATCHES[candidate].subject_id for _, candidate in some}) == 4


def test_a_small_set_leaves_a_slot_empty_rather_than_tell_a_match_a_third_time() -> None:
    """One match alone fits: two sessions of a small set rest on it, and as many of a large one as there are arcs."""
    alone = (match(HOLD, 1),)
    few = tuple(s for s in SLOTS if s.tier == 1)
    assert len(few) > USES_OF_A_MATCH
    assert len(Casting(few, alone, RULES).deal([], [])) == USES_OF_A_MATCH
    again = Casting(few, alone, RULES).deal([(1, 0), (2, 0)], [])
    assert again == []
    many = tuple(s for s in all_slots((Scenario.MED_SAFETY,), seed=3) for _ in range(2))
    assert len(all_slots(tuple(Scenario), seed=3)) == 3 * SMALL_SET
    assert len(Casting(many[:SMALL_SET], alone, RULES).deal([], [])) == USES_OF_A_MATCH
    assert len(Casting(many[: SMALL_SET + 1], alone, RULES).deal([], [])) > USES_OF_A_MATCH


def test_no_match_of_a_small_set_carries_a_second_session_while_another_is_left() -> None:
    """Eight patients of one rule and one of another, whose answer would be due: each is cast once first."""
    found = shuffled([match(HOLD, n) for n in range(1, 9)] + [match(HOLD, 20, control=True)], seed=3)
    few = tuple(s for s in SLOTS if s.tier == 1 and ARCS[s.arc - 1].tasks[-1] is not TaskType.WRITE)[:9]
    dealt = Casting(few, found, RULES).deal([], [])
    assert len({candidate for _, candidate in dealt}) == len(dealt)


def test_what_failed_is_not_tried_again_and_what_is_filled_is_left() -> None:
    first = cast()
    again = Casting(SLOTS, MATCHES, RULES).deal(first[1:], first[:1])
    assert [slot for slot, _ in again] == [first[0][0]]
    assert again[0] != first[0]


def test_a_match_never_tells_the_same_arc_twice() -> None:
    few = MATCHES[:2]
    dealt = Casting(SLOTS, few, RULES).deal([], [])
    told = [(SLOTS[slot].arc, candidate) for slot, candidate in dealt]
    assert len(set(told)) == len(told)


def test_the_order_is_the_seed_s() -> None:
    ids = [(m.rule_id, m.control, m.subject_id) for m in MATCHES]
    assert sorted(ids) == sorted((m.rule_id, m.control, m.subject_id) for m in shuffled(MATCHES, 4))
    assert [(m.rule_id, m.control, m.subject_id) for m in shuffled(MATCHES, 4)] != ids
