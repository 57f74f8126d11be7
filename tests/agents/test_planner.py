"""Candidates are spread over rules and patients, the same way for a seed."""

import re
from collections import Counter
from datetime import datetime

from agents.planner import order_candidates, session_id
from state.knowledge import BoundLab, BoundOrder, RuleMatch
from tools.clinical.rules import load_rules

NOW = datetime(2150, 1, 2, 8)


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


RULES = {rule.id: rule for rule in load_rules()}
FLAG, FLAG_TOO, ORDER = "ras_inhibitor_hyperkalemia", "warfarin_high_inr", "metformin_egfr_30_to_44"
FLAGS = [match(FLAG, n) for n in range(1, 9)] + [match(FLAG_TOO, n) for n in range(1, 4)]
ORDERS = [match(ORDER, 12), match(ORDER, 13)]
CONTROLS = [match(FLAG, n, control=True) for n in range(20, 23)] + [match(ORDER, 30, control=True)]
MATCHES = [*FLAGS, *ORDERS, *CONTROLS]


def test_rules_take_turns_in_every_prefix() -> None:
    ordered = order_candidates(FLAGS, RULES, seed=3)
    assert {m.rule_id for m in ordered[:2]} == {FLAG, FLAG_TOO}
    assert Counter(m.rule_id for m in ordered[:6]) == {FLAG: 3, FLAG_TOO: 3}


def test_one_candidate_in_three_is_a_control_and_one_writes_an_order_while_there_are_any() -> None:
    ordered = order_candidates(MATCHES, RULES, seed=3)
    assert [m.control for m in ordered] == [False, True, False] * 4 + [False] * 5
    assert [m.rule_id == ORDER for m in ordered if not m.control] == [False, True] * 2 + [False] * 9
    assert {m.rule_id for m in ordered if m.control} == {FLAG, ORDER}


def test_controls_are_never_more_than_the_others() -> None:
    many = [match(FLAG, n, control=True) for n in range(40, 60)]
    ordered = order_candidates([*FLAGS[:3], *many], RULES, seed=3)
    assert [m.control for m in ordered] == [False, True, False, False, True, True]


def test_patients_are_not_repeated_while_others_are_left() -> None:
    ordered = order_candidates(MATCHES, RULES, seed=3)
    first = [m.subject_id for m in ordered[:4]]
    assert len(set(first)) == len(first)


def test_nothing_is_lost_and_the_seed_decides() -> None:
    def key(m: RuleMatch) -> tuple[str, bool, int]:
        return m.rule_id, m.control, m.subject_id

    ordered = order_candidates(MATCHES, RULES, seed=3)
    assert sorted(map(key, ordered)) == sorted(map(key, MATCHES))
    assert ordered == order_candidates(MATCHES, RULES, seed=3)
    assert any(order_candidates(MATCHES, RULES, seed=seed) != ordered for seed in range(4, 9))


def test_a_session_id_says_neither_who_nor_what() -> None:
    plain, near = match(FLAG, 10012853), match(FLAG, 10012853, control=True)
    name = session_id(plain, RULES[FLAG])
    assert re.fullmatch(r"med_safety-[0-9a-f]{12}", name)
    assert "10012853" not in name
    assert name == session_id(plain, RULES[FLAG])
    assert name != session_id(near, RULES[FLAG])
    assert name != session_id(match(FLAG, 10012854), RULES[FLAG])
