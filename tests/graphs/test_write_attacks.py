"""Orders and flags put to real gold: the right ones pass whole in any words, the wrong ones pass no turn."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from made import GATHER, LOOKUP, REASON, WRITE, slot_of

from agents.checkers import PASS_MARK, replay
from agents.planner import plan_session
from graphs.embedded import SEED
from graphs.workshop import Workshop
from state.base import Language, ResourceRef
from state.gold import GoldTurn
from state.outcome import Scored
from state.session import Scenario
from tools.ehr.overlay import Overlay
from tools.ehr.warehouse import Warehouse
from tools.gold import GoldSource, derive_gold, drafts_of
from tools.gold.turns import Story
from tools.grading import TurnEvidence, decide_turn, score_turn

GROUPS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "write_attacks.yaml").read_text("utf-8")
)
CASES = [
    pytest.param(group["rule"], *case, id=f"{group['rule']}-{case[1]}")
    for group in GROUPS
    for case in group["cases"]
]
INGREDIENT = {group["rule"]: group["ingredient"] for group in GROUPS}
TOOLS = {
    "order": "MedicationRequest.create",
    "flag": "Flag.create",
    "stop": "MedicationRequest.patch",
    "service": "ServiceRequest.create",
}
ENOUGH_OTHERS = 5


@dataclass(frozen=True)
class Asked:
    """A session's last turn: its gold, all that was looked up before it, and words to fill cases with."""

    source: GoldSource
    turn: GoldTurn
    shown: frozenset[ResourceRef]
    words: dict[str, str]
    other: ResourceRef


@pytest.fixture(scope="module")
def asked(warehouse: Warehouse) -> Callable[[str], Asked]:
    """Give the last turn of a session of a rule, on a patient with other drugs enough."""
    workshop = Workshop(warehouse, (Scenario.MED_SAFETY,), seed=SEED)

    @cache
    def make(rule: str) -> Asked:
        source = next(
            source
            for match in workshop.candidates
            if match.rule_id == rule and not match.control and match.orders[0].ingredient == INGREDIENT[rule]
            if len(others_of(source := workshop.source(match))) >= ENOUGH_OTHERS
        )
        slot = slot_of((LOOKUP, GATHER, REASON, WRITE), source.rule.tier)
        plan = plan_session(source, slot, SEED)
        gold = derive_gold(plan, source, drafts_of(plan, source), workshop.languages)
        shown = {ref for turn in gold.turns[:-1] for ref in replay(turn.calls, source.toolset).shown}
        bound = {order.ref for order in source.match.orders}
        other = min(ref for ref in shown - bound if ref.startswith("MedicationRequest/"))
        return Asked(source, gold.turns[-1], frozenset(shown), words_of(source), other)

    return make


def others_of(source: GoldSource) -> list[str]:
    """Name the other active drugs."""
    order = source.rule.trigger.order
    return [names[0] for names in source.other_drugs(order.ingredients if order else ())]


def words_of(source: GoldSource) -> dict[str, str]:
    latest, order = Story(source).key.latest, source.match.orders[0]
    egfr = source.match.lab.derived_value
    others = others_of(source)
    half = (order.dose_value or 0) / 2
    doses = {"dose": half, "twice": half * 2, "half": half / 2, "tenth": half / 10, "hundredth": half / 100}
    return {
        **{name: f"{dose:g}" for name, dose in doses.items()},
        "grams": f"{half / 1000:g}",
        "value": f"{latest.value:g}",
        "time": f"{latest.time:%Y-%m-%d %H:%M}",
        "egfr": f"{egfr:.0f}" if egfr is not None else "",
        "three": ", ".join(others[:3]),
        "others": ", ".join(others[:ENOUGH_OTHERS]),
        "endless": "x" * 2_001,
    }


def evidence(asked: Asked, calls: list[dict[str, dict[str, Any]]], unseen: str | None) -> TurnEvidence:
    """Run the calls where the last turn begins."""
    source, gold = asked.source, asked.turn.calls[-1]
    tools = source.toolset.with_overlay(Overlay())
    refs = {"$order": source.match.orders[0].ref, "$other": asked.other}
    hidden = {
        None: frozenset(),
        "blind": asked.shown,
        "nolab": frozenset({source.match.lab.ref}),
        "noorder": frozenset(order.ref for order in source.match.orders),
    }[unseen]
    results = []
    for call in calls:
        ((kind, changes),) = call.items()
        arguments: dict[str, Any] = {"subject_id": source.match.subject_id}
        if gold.tool == TOOLS[kind]:
            arguments |= gold.arguments
        for name, value in changes.items():
            arguments[name] = (
                refs.get(value) or value.format(**asked.words) if isinstance(value, str) else value
            )
        results.append(tools.call(TOOLS[kind], arguments))
    return TurnEvidence(
        question="Then do so.",
        answer="Done.",
        language=Language.EN,
        shown=asked.shown - hidden,
        writes=tuple(result.write for result in results if result.write is not None),
        subject_id=source.match.subject_id,
        after=tuple(tools.chart.overlay.snapshot()),
    )


@pytest.mark.parametrize(
    ("rule", "wanted", "label", "calls", "unseen"),
    [pytest.param(*(*case.values, None)[:5], id=case.id) for case in CASES],
)
def test_a_write_turn(
    asked: Callable[[str], Asked], rule: str, wanted: str, label: str, calls: list[Any], unseen: str | None
) -> None:
    made = asked(rule)
    verdicts = decide_turn(made.turn, evidence(made, calls, unseen), made.source.vocabulary)
    outcome = score_turn(verdicts)
    assert isinstance(outcome, Scored)
    if wanted == "pass":
        assert outcome.score == 1.0, [v for v in verdicts if v.verdict != "met"]
    else:
        assert outcome.score < PASS_MARK


def test_the_table_is_large_and_even() -> None:
    wanted = [case.values[1] for case in CASES]
    assert len(wanted) >= 200
    assert wanted.count("pass") >= 70
    assert wanted.count("fail") >= 120
