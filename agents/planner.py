"""The planner: turns rule matches into session plans, balanced over rules, patients and arcs."""

import random
from collections import defaultdict, deque
from collections.abc import Iterable

from agents.physician import implicitness_on_offer
from state.base import SessionId
from state.knowledge import FlagAction, Rule, RuleMatch
from state.plan import PlannedTurn, SessionPlan, TurnKind
from tools.gold import GoldSource


def order_candidates(matches: Iterable[RuleMatch], seed: int) -> tuple[RuleMatch, ...]:
    """Order matches so that every prefix is spread over rules, then over patients.

    Rules take turns; within a rule the matches are shuffled by ``seed``, patients not yet used first.
    """
    rng = random.Random(seed)  # noqa: S311
    by_rule: dict[str, list[RuleMatch]] = defaultdict(list)
    for match in matches:
        by_rule[match.rule_id].append(match)
    queues: list[deque[RuleMatch]] = []
    for rule_id in sorted(by_rule):
        rng.shuffle(by_rule[rule_id])
        queues.append(deque(by_rule[rule_id]))
    rng.shuffle(queues)
    ordered: list[RuleMatch] = []
    used: set[int] = set()
    while queues:
        for queue in queues:
            fresh = next((match for match in queue if match.subject_id not in used), queue[0])
            queue.remove(fresh)
            used.add(fresh.subject_id)
            ordered.append(fresh)
        queues = [queue for queue in queues if queue]
    return tuple(ordered)


def session_id(match: RuleMatch, rule: Rule) -> SessionId:
    """Name a session by scenario, rule, patient, admission and tier: no two sessions of any set share it."""
    return SessionId(f"{rule.scenario}-{rule.id}-{match.subject_id}-{match.hadm_id}-t{rule.tier}")


def plan_session(source: GoldSource, seed: int, place: int) -> SessionPlan:
    """Arrange one match into four turns.

    Candidates take turns in asking for the trend, by their ``place`` in the order, where the window holds one.
    """
    rule, match = source.rule, source.match
    name = session_id(match, rule)
    rng = random.Random(f"{seed}:{name}")  # noqa: S311
    # The trend of a drug level names the drug, so that the order would no longer have to be found.
    trend_fits = len(source.trend) > 1 and not source.told_by_the_test
    middle = TurnKind.TREND_AND_ORDER if trend_fits and place % 2 == 0 else TurnKind.ORDER_BEARING
    write = TurnKind.RAISE_FLAG if isinstance(rule.action, FlagAction) else TurnKind.WRITE_ORDER
    kinds = (TurnKind.LAB_LATEST, middle, TurnKind.DECISION, write)
    return SessionPlan(
        session_id=name,
        scenario=rule.scenario,
        tier=rule.tier,
        match=match,
        turns=tuple(
            PlannedTurn(kind=kind, implicitness=rng.choice(implicitness_on_offer(kind, rule)))
            for kind in kinds
        ),
        wording_seed=rng.randrange(2**31),
    )
