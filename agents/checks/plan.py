"""The plan checker: cardinality, schema, relevance. Reads the plan and the rule it is made from, and no record."""

from collections.abc import Iterable, Mapping

from pydantic import ValidationError

from agents.arcs import ARCS, eligible
from agents.checks.case import CannotDecide, Case
from agents.interviews import COMPLAINT, DRUG, HOME, PAIN, PERTINENT, PROBE
from agents.news import asks_for, tells
from agents.planner import session_id
from state.plan import (
    ASKS_THE_PATIENT,
    CONCLUDING,
    KEY_LAB,
    ORDER,
    TASK_TYPE,
    PlannedTurn,
    SessionPlan,
    Slot,
    TurnKind,
)
from state.session import Implicitness, TaskType
from tools.gold.around_topics import AROUND
from tools.gold.companions import companions_of
from tools.gold.topics import BESIDE

TOPICS: Mapping[TurnKind, tuple[int, int]] = {
    TurnKind.LOOK_UP: (1, 1),
    TurnKind.PREVIOUS: (1, 1),
    TurnKind.ORDER_START: (1, 1),
    TurnKind.GATHER: (2, 4),
    TurnKind.TREND: (2, 4),
    TurnKind.DIRECTION: (1, 1),
    TurnKind.CONCLUDE: (1, 4),
    TurnKind.RECONSIDER: (1, 3),
    TurnKind.WRITE: (1, 2),
    TurnKind.INTERVIEW: (2, 3),
    TurnKind.CONCLUDE_ASKED: (2, 3),
}
"""How many topics a question may have, least and most."""
ABOUT_THE_KEY = frozenset(
    {
        TurnKind.PREVIOUS,
        TurnKind.TREND,
        TurnKind.DIRECTION,
        TurnKind.CONCLUDE,
        TurnKind.RECONSIDER,
        TurnKind.WRITE,
        TurnKind.CONCLUDE_ASKED,
    }
)
SAYINGS = frozenset({DRUG, PROBE, COMPLAINT, PERTINENT, HOME, PAIN})
"""Topics that the patient is asked about."""


def check_plan(case: Case) -> list[str]:
    """Reject a plan that is not whole, does not carry its arc and tier, or asks what its rule is not about."""
    plan, rule, match = case.plan, case.source.rule, case.source.match
    try:
        SessionPlan.model_validate(plan.model_dump())
    except ValidationError as error:
        return [f"the plan is no plan: {error.errors()[0]['msg']}"]
    if unknown := {turn.kind for turn in plan.turns} - set(TOPICS):
        raise CannotDecide(f"no checker knows the question {min(unknown)}")
    faults: list[str] = []
    if plan.match != match or match.rule_id != rule.id:
        faults.append("the plan is of another match")
    if (plan.scenario, plan.tier) != (rule.scenario, rule.tier):
        faults.append(
            f"the plan says {plan.scenario} tier {plan.tier}, its rule {rule.scenario} tier {rule.tier}"
        )
    named = session_id(match, rule, Slot(scenario=plan.scenario, tier=plan.tier, arc=plan.arc))
    if plan.session_id != named:
        faults.append("the session id is not that of its match, tier and arc")
    return [*faults, *_arc_faults(plan), *_turn_faults(case)]


def _arc_faults(plan: SessionPlan) -> Iterable[str]:
    arc = ARCS[plan.arc - 1]
    tasks = tuple(TASK_TYPE[turn.kind] for turn in plan.turns)
    if tasks != arc.tasks:
        yield f"the turns are {'-'.join(tasks)}, arc {plan.arc} is {'-'.join(arc.tasks)}"
    if not eligible(arc, plan.tier):
        yield f"arc {plan.arc} does not carry tier {plan.tier}"
    if sum(task is TaskType.WRITE for task in tasks) > 1:
        yield "more than one turn writes"
    if sum(turn.kind in ASKS_THE_PATIENT for turn in plan.turns) > 1:
        yield "more than one turn asks the patient"
    if sum(turn.kind in CONCLUDING for turn in plan.turns) > 1:
        yield "more than one turn asks for the conclusion"
    if plan.match.control and TaskType.WRITE in tasks:
        yield "a turn writes where nothing is to be changed"


def _turn_faults(case: Case) -> Iterable[str]:
    known: set[str] = set()
    asked: set[tuple[TurnKind, tuple[str, ...]]] = set()
    for index, turn in enumerate(case.plan.turns):
        where = f"turn {index}"
        if (turn.implicitness is Implicitness.EXPLICIT) != (index == 0):
            said = (
                "says everything in full"
                if index
                else "leaves something unsaid, and nothing is said before it"
            )
            yield f"{where} {said}"
        least, most = TOPICS[turn.kind]
        if not least <= len(turn.topics) <= most:
            yield f"{where} has {len(turn.topics)} topics, a {turn.kind} {least} to {most}"
        if len(set(turn.topics)) < len(turn.topics):
            yield f"{where} has a topic twice"
        if (turn.kind, turn.topics) in asked:
            yield f"{where} asks what was asked before"
        asked.add((turn.kind, turn.topics))
        if again := sorted(asks_for(turn) & known):
            yield f"{where} asks for {', '.join(again)}, which an earlier turn tells"
        known |= tells(turn, case.source.match)
        yield from (f"{where}: {fault}" for fault in _irrelevant(turn, case))
        if index == 0 and (turn.kind, turn.topics) != (TurnKind.LOOK_UP, (KEY_LAB,)):
            yield "turn 0 does not open with the key result"


def _irrelevant(turn: PlannedTurn, case: Case) -> Iterable[str]:
    match = case.source.match
    found = {bound.name for bound in match.also if not bound.absent and bound.kind != "figure"}
    beside = {f"{BESIDE}{analyte}" for analyte in companions_of(match.lab.analyte)}
    order = {ORDER} if match.orders else set()
    for topic in turn.topics:
        if topic not in {KEY_LAB, *order, *found, *beside, *AROUND, *SAYINGS}:
            yield f"{topic} is no topic of the match"
    if (turn.kind in ASKS_THE_PATIENT) is SAYINGS.isdisjoint(turn.topics):
        yield "the patient is asked in a turn that is not to, or not asked in one that is"
    if turn.kind in ABOUT_THE_KEY and turn.topics[0] != KEY_LAB:
        yield f"a {turn.kind} is about the key result first"
    if turn.kind is TurnKind.ORDER_START and turn.topics != (ORDER,):
        yield "the start is asked of what is no order"
