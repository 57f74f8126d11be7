"""Arcs: which task types the four turns of a session have, and which slots a set of sessions is made of."""

import random
from itertools import product
from typing import Literal

from state.plan import Arc, Slot
from state.session import Scenario, TaskType

Tier = Literal[1, 2, 3]
FIRST = TaskType.LOOKUP
MIDDLE = (TaskType.LOOKUP, TaskType.GATHER, TaskType.REASON)
LAST = (TaskType.GATHER, TaskType.REASON, TaskType.WRITE)

ARCS: tuple[Arc, ...] = tuple(
    Arc(number=number, tasks=(FIRST, second, third, last))
    for number, (second, third, last) in enumerate(product(MIDDLE, MIDDLE, LAST), 1)
)
"""All 27: T0 looks up; T1 and T2 look up, gather or reason; T3 gathers, reasons or writes."""

TIERS: tuple[Tier, ...] = (1, 2, 3)
SESSIONS_A_TIER = 27
SESSIONS_A_SCENARIO = 81
"""Sessions of one scenario and tier in a full set: 4 scenarios x 3 tiers x 27 = 324."""


def eligible(arc: Arc, tier: Tier) -> bool:
    """Tell whether an arc carries a tier: tier 2 gathers or reasons in its middle, tier 3 reasons there."""
    middle = set(arc.tasks[1:3])
    if tier == 3:
        return TaskType.REASON in middle
    return tier == 1 or middle != {TaskType.LOOKUP}


def eligible_arcs(tier: Tier) -> tuple[Arc, ...]:
    """List the arcs of a tier: 27, 24 and 15."""
    return tuple(arc for arc in ARCS if eligible(arc, tier))


def all_slots(scenarios: tuple[Scenario, ...], seed: int) -> tuple[Slot, ...]:
    """List the slots of a full set, so that every prefix is spread over scenarios, tiers and arcs.

    A tier with fewer than 27 arcs uses some of them twice; which, ``seed`` decides.
    """
    rng = random.Random(f"slots:{seed}")  # noqa: S311
    columns = []
    for scenario, tier in product(scenarios, TIERS):
        arcs = list(eligible_arcs(tier))
        rng.shuffle(arcs)
        dealt = [arcs[k % len(arcs)] for k in range(SESSIONS_A_TIER)]
        columns.append([Slot(scenario=scenario, tier=tier, arc=arc.number) for arc in dealt])
    return tuple(slot for row in zip(*columns, strict=True) for slot in row)
