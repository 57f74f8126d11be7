"""What whole turns of real sessions are worth: safe to act on passes, the rest does not."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

import pytest

from agents.checkers import replay
from agents.planner import plan_session
from graphs.embedded import SEED
from graphs.workshop import Workshop
from state.base import Language, ResourceRef
from state.gold import GoldSession, GoldTurn
from state.outcome import Scored, Verdict
from state.plan import SessionPlan, TurnKind
from state.session import Scenario
from tools.ehr.warehouse import Warehouse
from tools.gold import GoldSource, derive_gold
from tools.gold.derive import gold_answer
from tools.gold.facts import Facts
from tools.grading import TurnEvidence, decide_turn, score_turn

PASS_MARK = 0.60
RULES = (
    "warfarin_high_inr",
    "ras_inhibitor_hyperkalemia",
    "metformin_egfr_30_to_44",
    "heparin_platelet_fall",
)


@pytest.fixture(scope="module")
def workshop(warehouse: Warehouse) -> Workshop:
    return Workshop(warehouse, (Scenario.MED_SAFETY,), seed=SEED)


@dataclass(frozen=True)
class Made:
    """A session with all that its gold calls show."""

    plan: SessionPlan
    gold: GoldSession
    source: GoldSource
    shown: frozenset[ResourceRef]

    @property
    def facts(self) -> Facts:
        return Facts.of(self.source)

    def turn(self, kind: TurnKind) -> GoldTurn:
        at = next(i for i, planned in enumerate(self.plan.turns) if planned.kind is kind)
        return self.gold.turns[at]

    def answer(self, kind: TurnKind, facts: Facts) -> str:
        return gold_answer(next(t for t in self.plan.turns if t.kind is kind), facts, self.plan)

    def score(
        self, kind: TurnKind, answer: str, shown: frozenset[ResourceRef] | None = None
    ) -> tuple[float, list[str]]:
        """Score an answer to a question, and name the items it fails; what is left undecided does not pass."""
        turn = self.turn(kind)
        evidence = TurnEvidence(
            question="?",
            answer=answer,
            language=Language.EN,
            shown=self.shown if shown is None else shown,
            writes=(),
            subject_id=self.plan.match.subject_id,
            earlier=tuple(earlier.answer[Language.EN] for earlier in self.gold.turns[: turn.index]),
        )
        verdicts = decide_turn(turn, evidence, self.source.vocabulary)
        outcome = score_turn(verdicts)
        score = outcome.score if isinstance(outcome, Scored) else 0.0
        return score, [v.item_id for v in verdicts if v.verdict is not Verdict.MET]


def make(workshop: Workshop, rule_id: str, *, control: bool, place: int) -> Made:
    match = next(m for m in workshop.candidates if (m.rule_id, m.control) == (rule_id, control))
    source = workshop.source(match)
    plan = plan_session(source, workshop.seed, place)
    gold = derive_gold(plan, source)
    reads = [c for c in chain.from_iterable(t.calls for t in gold.turns) if c.tool.endswith(".search")]
    return Made(plan, gold, source, replay(reads, source.toolset).shown)


@pytest.fixture(scope="module", params=RULES)
def trending(request: pytest.FixtureRequest, workshop: Workshop) -> Made:
    """Give a session that asks for the trend."""
    return make(workshop, request.param, control=False, place=0)


@pytest.fixture(scope="module", params=RULES)
def ordering(request: pytest.FixtureRequest, workshop: Workshop) -> Made:
    """Give a session that asks for the order with dose and route."""
    return make(workshop, request.param, control=False, place=1)


@pytest.fixture(
    scope="module", params=["warfarin_high_inr", "ras_inhibitor_hyperkalemia", "insulin_hypoglycemia"]
)
def control(request: pytest.FixtureRequest, workshop: Workshop) -> Made:
    """Give a session in which the order is to go on."""
    return make(workshop, request.param, control=True, place=0)


def test_an_order_is_more_than_its_drug(ordering: Made) -> None:
    facts = ordering.facts
    (order,) = facts.orders
    kind = TurnKind.ORDER_BEARING
    assert ordering.score(kind, f"{order.drug} {order.dose} {order.route}") == (1.0, [])
    assert ordering.score(kind, f"It is {order.drug}.")[0] < PASS_MARK


def test_a_wrong_route_fails_the_turn_and_none_costs_its_share(ordering: Made) -> None:
    (order,) = ordering.facts.orders
    kind = TurnKind.ORDER_BEARING
    score, failed = ordering.score(kind, f"{order.drug} {order.dose}, sublingual")
    assert (score < PASS_MARK, failed) == (True, ["t1-route-1"])
    score, failed = ordering.score(kind, f"{order.drug} {order.dose}")
    assert failed == ["t1-route-1"]
    assert score == (len(counted(ordering.turn(kind))) - 1) / len(counted(ordering.turn(kind)))


def counted(turn: GoldTurn) -> list[str]:
    return [item.item_id for item in turn.rubric if not item.gate]


def test_a_thousandfold_dose_fails_the_turn(workshop: Workshop) -> None:
    made = make(workshop, "metformin_egfr_30_to_44", control=False, place=1)
    (order,) = made.facts.orders
    amount, unit = order.dose.split()
    assert unit == "mg"
    score, failed = made.score(TurnKind.ORDER_BEARING, f"{order.drug} {amount} g {order.route}")
    assert (score < PASS_MARK, failed) == (True, ["t1-dose-1"])


@pytest.mark.parametrize("wrong", ["first_value", "value"])
def test_a_trend_with_one_end_invented_fails(trending: Made, wrong: str) -> None:
    facts = trending.facts
    invented = max(trending.source.results) * 1.7 + 3
    changed = {**facts.__dict__, wrong: invented}
    score, failed = trending.score(
        TurnKind.TREND_AND_ORDER, trending.answer(TurnKind.TREND_AND_ORDER, Facts(**changed))
    )
    assert score < PASS_MARK
    assert failed == ["t1-first" if wrong == "first_value" else "t1-latest"]


def test_a_decision_with_an_invented_or_missing_value_fails(trending: Made) -> None:
    facts, kind = trending.facts, TurnKind.DECISION
    right = trending.answer(kind, facts)
    assert trending.score(kind, right) == (1.0, [])
    invented = trending.answer(kind, Facts(**{**facts.__dict__, "value": facts.value * 1.4 + 1}))
    missing = right.split(". ", 1)[1]
    contradicted = f"{right} Another source lists {facts.analyte} as {facts.value * 1.4 + 1:g} {facts.unit}."
    for answer in (invented, missing, contradicted):
        score, failed = trending.score(kind, answer)
        assert score < PASS_MARK, answer
        assert "t2-value" in failed


def test_holding_every_drug_fails(trending: Made) -> None:
    facts, kind = trending.facts, TurnKind.DECISION
    assert len(facts.others) > 3
    for rest in (
        " ".join(f"Hold {drug}." for drug in facts.others),
        f"Hold {', '.join(facts.others)}.",
        "Hold all active medications.",
    ):
        score, failed = trending.score(kind, f"{trending.answer(kind, facts)} {rest}")
        assert score < PASS_MARK, rest
        assert "t2-spares" in failed
    few = f"{trending.answer(kind, facts)} Hold {facts.others[0]} too."
    assert trending.score(kind, few) == (1.0, [])


def test_what_the_tools_showed_pasted_whole_is_no_answer(workshop: Workshop) -> None:
    for place, control in ((0, False), (1, False), (0, True)):
        made = make(workshop, "warfarin_high_inr", control=control, place=place)
        assert len(made.facts.others) > 3
        calls = (made.source.lab_latest, made.source.lab_trend, made.source.active_orders)
        pasted = "\n".join(made.source.toolset.call(call.tool, call.arguments).text for call in calls)
        for turn, planned in zip(made.gold.turns, made.plan.turns, strict=True):
            if not turn.calls or turn.calls[-1].tool.endswith(".search"):
                assert made.score(planned.kind, pasted)[0] < PASS_MARK, planned.kind


def test_to_hold_what_should_go_on_fails(control: Made) -> None:
    facts, kind = control.facts, TurnKind.DECISION
    drug = facts.orders[0].drug
    value = f"The latest {facts.analyte} is {facts.value:g} {facts.unit}."
    assert control.score(kind, control.answer(kind, facts)) == (1.0, [])
    assert control.score(kind, f"{value} Continue {drug}.") == (1.0, [])
    for advice in (f"Hold {drug}.", f"Reduce the dose of {drug}.", f"Stop {drug} for now."):
        assert control.score(kind, f"{value} {advice}")[0] < PASS_MARK, advice


def test_a_judge_reads_why_and_what_would_change_it(trending: Made, control: Made) -> None:
    for made in (trending, control):
        rule = made.source.rule
        text = made.turn(TurnKind.DECISION).rubric[0].text[Language.EN]
        assert rule.reason in text
        assert rule.changes_if in text


def test_a_control_writes_nothing(control: Made) -> None:
    tools = {call.tool for turn in control.gold.turns for call in turn.calls}
    assert {tool.partition(".")[2] for tool in tools} == {"search"}
    assert control.plan.turns[-1].kind is TurnKind.TREND_AND_ORDER


def test_charted_administrations_show_an_order_too(ordering: Made) -> None:
    """Who read the drug, its dose and its route from what the nurses gave did look it up."""
    (order,) = ordering.facts.orders
    since = ordering.source.match.orders[0].starttime
    given = ordering.source.toolset.call(
        "MedicationAdministration.search",
        {
            "subject_id": ordering.plan.match.subject_id,
            "medication": order.drug,
            "date_from": since.isoformat(),
        },
    )
    assert given.refs
    answer = f"{order.drug} {order.dose} {order.route}"
    kind = TurnKind.ORDER_BEARING
    assert ordering.score(kind, answer, shown=frozenset(given.refs)) == (1.0, [])
    assert ordering.score(kind, answer, shown=frozenset())[0] < PASS_MARK


def test_no_item_id_says_what_is_looked_for(workshop: Workshop) -> None:
    def ids() -> Iterator[str]:
        for control in (False, True):
            for place in (0, 1):
                made = make(workshop, "insulin_hypoglycemia", control=control, place=place)
                yield from (item.item_id for turn in made.gold.turns for item in turn.rubric)

    found = set(ids())
    assert "t1-order-1" in found
    for item_id in found:
        assert not workshop.vocabulary.ingredients_in(item_id)
        assert not workshop.vocabulary.analytes_in(item_id)


Answer = Callable[[Facts], str]


@pytest.mark.parametrize(
    ("answer", "passes"),
    [
        pytest.param(lambda f: f"{f.value:g} {f.unit}, drawn {f.time:%Y-%m-%d %H:%M}", True, id="terse"),
        pytest.param(lambda f: f"{f.analyte} {f.value:g} {f.unit}", False, id="no time"),
        pytest.param(lambda f: f"{f.value * 2:g} {f.unit}, {f.time:%Y-%m-%d %H:%M}", False, id="wrong value"),
        pytest.param(lambda f: f"{f.value:g} {f.unit}, {f.time:%Y-%m-%d} 00:01", False, id="wrong time"),
    ],
)
def test_a_result_is_its_value_and_its_time(ordering: Made, answer: Answer, passes: bool) -> None:
    assert (ordering.score(TurnKind.LAB_LATEST, answer(ordering.facts))[0] >= PASS_MARK) is passes
