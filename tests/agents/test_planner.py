"""Candidates are spread over rules and patients, the same way for a seed."""

from collections import Counter
from datetime import datetime

from agents.planner import order_candidates
from state.knowledge import BoundLab, BoundOrder, RuleMatch

NOW = datetime(2150, 1, 2, 8)


def match(rule_id: str, subject_id: int) -> RuleMatch:
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
        rule_id=rule_id, subject_id=subject_id, hadm_id=subject_id * 10, as_of=NOW, lab=lab, orders=(order,)
    )


MATCHES = [match("a", n) for n in range(1, 9)] + [match("b", n) for n in range(1, 4)] + [match("c", 12)]


def test_rules_take_turns_in_every_prefix() -> None:
    ordered = order_candidates(MATCHES, seed=3)
    assert {m.rule_id for m in ordered[:3]} == {"a", "b", "c"}
    assert Counter(m.rule_id for m in ordered[:5]) == Counter(a=2, b=2, c=1)


def test_patients_are_not_repeated_while_others_are_left() -> None:
    ordered = order_candidates(MATCHES, seed=3)
    first = [m.subject_id for m in ordered[:4]]
    assert len(set(first)) == len(first)


def test_nothing_is_lost_and_the_seed_decides() -> None:
    def key(m: RuleMatch) -> tuple[str, int]:
        return m.rule_id, m.subject_id

    ordered = order_candidates(MATCHES, seed=3)
    assert sorted(map(key, ordered)) == sorted(map(key, MATCHES))
    assert ordered == order_candidates(MATCHES, seed=3)
    assert any(order_candidates(MATCHES, seed=seed) != ordered for seed in range(4, 9))
