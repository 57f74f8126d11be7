"""The planner: turns rule matches into session plans, balanced over rules, patients and arcs."""

import hashlib
import random
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from enum import StrEnum

from agents.physician import implicitness_on_offer
from state.base import SessionId
from state.knowledge import FlagAction, Rule, RuleMatch
from state.plan import PlannedTurn, SessionPlan, TurnKind
from tools.gold import GoldSource


class End(StrEnum):
    """What comes of a session's decision: a flag, nothing at all (a control), or a change of orders."""

    FLAG = "flag"
    NOTHING = "nothing"
    CHANGE = "change"


ENDS = (End.FLAG, End.NOTHING, End.CHANGE)
"""How candidates in turn are to end, as long as there are such: whoever always holds must often be wrong."""


def end_of(match: RuleMatch, rule: Rule) -> End:
    """Tell what comes of a match."""
    if match.control:
        return End.NOTHING
    return End.FLAG if isinstance(rule.action, FlagAction) else End.CHANGE


LAST_TURN = {
    End.FLAG: TurnKind.RAISE_FLAG,
    End.NOTHING: TurnKind.TREND_AND_ORDER,
    End.CHANGE: TurnKind.WRITE_ORDER,
}
"""Where nothing is to be changed there is nothing to write, and the trend comes last."""


def order_candidates(
    matches: Iterable[RuleMatch], rules: Mapping[str, Rule], seed: int
) -> tuple[RuleMatch, ...]:
    """Order matches so that every prefix is spread over what sessions end in, then over rules, then over patients.

    Rules take turns; within one the matches are shuffled by ``seed``, patients not yet used first. Controls beyond the
    number of all others are left out: whoever always goes on must often be wrong too.
    """
    rng = random.Random(seed)  # noqa: S311
    by_rule: dict[tuple[End, str], list[RuleMatch]] = defaultdict(list)
    for match in matches:
        by_rule[end_of(match, rules[match.rule_id]), match.rule_id].append(match)
    rounds: dict[End, deque[deque[RuleMatch]]] = {end: deque() for end in ENDS}
    for end, rule_id in sorted(by_rule):
        rng.shuffle(by_rule[end, rule_id])
        rounds[end].append(deque(by_rule[end, rule_id]))
    for waiting in rounds.values():
        rng.shuffle(waiting)
    ordered: list[RuleMatch] = []
    used: set[int] = set()
    while any(rounds.values()):
        wanted = ENDS[len(ordered) % len(ENDS)]
        waiting = rounds[wanted] or next(filter(None, rounds.values()))
        queue = waiting.popleft()
        fresh = next((match for match in queue if match.subject_id not in used), queue[0])
        queue.remove(fresh)
        used.add(fresh.subject_id)
        ordered.append(fresh)
        if queue:
            waiting.append(queue)
    spare = sum(match.control for match in ordered) - sum(not match.control for match in ordered)
    return tuple(ordered[: len(ordered) - max(spare, 0)])


def session_id(match: RuleMatch, rule: Rule) -> SessionId:
    """Name a session by its scenario and a digest of its match.

    No two sessions of any set share it, and it says neither whose record it is nor what is looked for in it.
    """
    told = (match.rule_id, match.control, match.subject_id, match.hadm_id, match.as_of, rule.tier)
    digest = hashlib.blake2b("|".join(map(str, told)).encode(), digest_size=6).hexdigest()
    return SessionId(f"{rule.scenario}-{digest}")


def plan_session(source: GoldSource, seed: int, place: int) -> SessionPlan:
    """Arrange one match into four turns.

    Candidates take turns in asking for the trend, by their ``place`` in the order, where the window holds one.
    """
    rule, match = source.rule, source.match
    name = session_id(match, rule)
    rng = random.Random(f"{seed}:{name}")  # noqa: S311
    # The trend of a drug level names the drug, so that the order would no longer have to be found.
    trend_fits = len(source.trend) > 1 and not source.told_by_the_test
    last = LAST_TURN[end_of(match, rule)]
    trend_fits &= last is not TurnKind.TREND_AND_ORDER and place % 2 == 0
    middle = TurnKind.TREND_AND_ORDER if trend_fits else TurnKind.ORDER_BEARING
    kinds = (TurnKind.LAB_LATEST, middle, TurnKind.DECISION, last)
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
