"""Orders and flags put to real gold: the right ones pass whole in any words, the wrong ones pass no turn."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import pytest
import yaml
from made import GATHER, LOOKUP, PERSONA, REASON, WRITE, slot_of
from pydantic import Field, TypeAdapter
from wards import OpenWorkshop

from agents.checkers import PASS_MARK, replay
from agents.planner import plan_session
from graphs.embedded import SEED
from state.base import Language, ResourceRef
from state.gold import GoldTurn
from state.knowledge import ServiceAction, StopAction
from state.outcome import Scored
from tools.ehr.overlay import Overlay
from tools.gold import GoldSource, derive_gold, drafts_of
from tools.gold.turns import Story
from tools.gold.writes import write_draft
from tools.grading import TurnEvidence, decide_turn, score_turn

GROUPS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "write_attacks.yaml").read_text("utf-8")
)
CASES = [
    pytest.param(at, *(*case, None)[:4], id=f"{group['rule']}-{at}-{case[1]}")
    for at, group in enumerate(GROUPS)
    for case in group["cases"]
]
ACTIONS: TypeAdapter[StopAction | ServiceAction] = TypeAdapter(
    Annotated[StopAction | ServiceAction, Field(discriminator="tool")]
)
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
    others: list[ResourceRef]


@pytest.fixture(scope="module")
def asked(med_safety: OpenWorkshop) -> Callable[[int], Asked]:
    """Give the last turn of a session of a group's rule, on a patient with other drugs enough."""
    workshop = med_safety()

    @cache
    def make(group: int) -> Asked:
        rule, ingredient = GROUPS[group]["rule"], GROUPS[group]["ingredient"]
        source = next(
            source
            for match in workshop.candidates
            if match.rule_id == rule and not match.control and match.orders[0].ingredient == ingredient
            if len(others_of(source := workshop.source(match))) >= ENOUGH_OTHERS
        )
        plan = plan_session(source, slot_of((LOOKUP, GATHER, REASON, WRITE)), SEED, PERSONA)
        gold = derive_gold(plan, source, drafts_of(plan, source), workshop.languages)
        shown = {ref for turn in gold.turns[:-1] for ref in replay(turn.calls, source.toolset).shown}
        bound = {order.ref for order in source.match.orders}
        others = sorted(ref for ref in shown - bound if ref.startswith("MedicationRequest/"))
        turn = gold.turns[-1]
        if "action" in GROUPS[group]:
            turn = acting(source, ACTIONS.validate_python(GROUPS[group]["action"]))
        return Asked(source, turn, frozenset(shown), words_of(source), others)

    return make


def others_of(source: GoldSource) -> list[str]:
    """Name the other active drugs."""
    order = source.rule.trigger.order
    return [names[0] for names in source.other_drugs(order.ingredients if order else ())]


def acting(source: GoldSource, action: StopAction | ServiceAction) -> GoldTurn:
    """Give the gold of a turn that the rule would end in if it recommended this."""
    other = replace(source, rule=source.rule.model_copy(update={"action": action}))
    drafted = write_draft(other, Story(other).key, "t3")
    return GoldTurn(
        index=3, calls=drafted.calls, answer={Language.EN: drafted.answer(Language.EN)}, rubric=drafted.rubric
    )


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
    order = source.match.orders[0].ref
    refs = {"$order": order, "$bare": order.partition("/")[2]}
    refs |= {"$other": asked.others[0], "$other2": asked.others[1]}
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
        if kind == "stop":
            arguments |= {"status": "stopped", "reason": "as the result says"}
        elif gold.tool == TOOLS[kind]:
            arguments |= gold.arguments
        for name, value in changes.items():
            filled = value.format(**asked.words) if isinstance(value, str) else value
            arguments[name] = refs.get(value, filled) if isinstance(value, str) else filled
        results.append(tools.call(TOOLS[kind], arguments))
    return TurnEvidence(
        question="Then do so.",
        answer=asked.turn.answer[Language.EN],
        language=Language.EN,
        shown=asked.shown - hidden,
        writes=tuple(result.write for result in results if result.write is not None),
        subject_id=source.match.subject_id,
        after=tuple(tools.chart.overlay.snapshot()),
    )


@pytest.mark.parametrize(("group", "wanted", "label", "calls", "unseen"), CASES)
def test_a_write_turn(
    asked: Callable[[int], Asked], group: int, wanted: str, label: str, calls: list[Any], unseen: str | None
) -> None:
    made = asked(group)
    verdicts = decide_turn(made.turn, evidence(made, calls, unseen), made.source.vocabulary)
    outcome = score_turn(verdicts)
    assert isinstance(outcome, Scored)
    right = {"pass": outcome.score == 1.0, "part": outcome.score < 1.0, "fail": outcome.score < PASS_MARK}
    assert right[wanted], [verdict for verdict in verdicts if verdict.verdict != "met"]
    (rests_on,) = [verdict for verdict in verdicts if verdict.safety]
    assert (rests_on.verdict == "not_met") is (wanted == "fail"), rests_on.reason


def test_gold_of_every_group_passes_and_rests_on_the_real_tools(asked: Callable[[int], Asked]) -> None:
    for group in range(len(GROUPS)):
        made = asked(group)
        (call,) = made.turn.calls
        result = made.source.toolset.with_overlay(Overlay()).call(call.tool, call.arguments)
        assert result.ok, result.text


def test_the_table_is_large_and_even() -> None:
    wanted = [case.values[1] for case in CASES]
    assert len(wanted) >= 250
    assert wanted.count("pass") >= 90
    assert wanted.count("fail") >= 150
