"""What the patient of a session can be asked, and whether the session asks at all."""

import random
from collections.abc import Sequence

from agents.arcs import ARCS
from state.plan import Slot, TurnKind
from state.session import Scenario, TaskType
from tools.gold.patient_topics import SAID

Choice = tuple[TurnKind, tuple[str, ...]]

SHARE_ASKED = 0.25
"""Share of the sessions that need not ask the patient, and may, which do."""
COUNTED = range(4, 7)
"""Rubric items of a gathering turn that asks the patient, gates apart."""
MOST_ASKED = 3
"""Things a turn asks for, of the patient and the record together."""
CALLS = range(2, 5)
"""Calls of a turn that gathers."""

DRUG, PROBE, COMPLAINT, PERTINENT, HOME, PAIN = (
    f"{SAID}{name}" for name in ("drug", "probe", "complaint", "pertinent", "home", "pain")
)
_HOME: Sequence[tuple[str, ...]] = ((HOME, DRUG), (HOME, PROBE), (HOME, PERTINENT))
_DRUG: Sequence[tuple[str, ...]] = (
    (DRUG, PERTINENT),
    (DRUG, COMPLAINT),
    (DRUG, PROBE),
    (DRUG, PROBE, PERTINENT),
    (DRUG, PROBE, COMPLAINT),
)
_STORY: Sequence[tuple[str, ...]] = (
    (COMPLAINT, PERTINENT),
    (COMPLAINT, PROBE),
    (COMPLAINT, PERTINENT, PAIN),
    (COMPLAINT, PERTINENT, PROBE),
    (COMPLAINT, PAIN),
    (PERTINENT, PROBE),
)


def must_ask(slot: Slot) -> bool:
    """Tell whether a slot is no such slot without asking the patient: tier 3."""
    return slot.tier == 3


def may_ask(slot: Slot, rng: random.Random) -> bool:
    """Tell whether a session asks where it can: at discharge always, else now and then."""
    return slot.scenario is Scenario.DISCHARGE_PLANNING or rng.random() < SHARE_ASKED


def turns_to_ask_in(slot: Slot, rng: random.Random) -> list[int]:
    """List the turns that can ask the patient: those that gather, early ones first, then those that reason.

    Early ones come before any turn that reasons; alike ones stand in a seeded order.
    """
    tasks = next(arc for arc in ARCS if arc.number == slot.arc).tasks
    reasons = [at for at, one in enumerate(tasks) if one is TaskType.REASON]
    gathers = [at for at, one in enumerate(tasks) if one is TaskType.GATHER]
    for places in (gathers, reasons):
        rng.shuffle(places)
    late = min(reasons, default=len(tasks))
    return sorted(gathers, key=lambda at: at > late) + reasons


def interviews(
    scenario: Scenario, shown: Sequence[str], measured: Sequence[str], rng: random.Random
) -> list[Choice]:
    """List what a gathering turn can ask, the nearest to the session's story first.

    ``shown`` are topics of the record, ``measured`` those that are no drug; one of them is asked for beside the patient
    now and then, and beside a drug none that would name it.
    """
    first = list(_HOME if scenario is Scenario.DISCHARGE_PLANNING else _DRUG)
    then = list(_DRUG if scenario is Scenario.DISCHARGE_PLANNING else _STORY)
    last = list(_STORY if scenario is Scenario.DISCHARGE_PLANNING else _HOME)
    for choices in (first, then, last):
        choices += [
            (*topics, name)
            for topics in choices
            for name in (measured if DRUG in topics else shown)[:1]
            if len(topics) < MOST_ASKED
        ]
        rng.shuffle(choices)
    return [(TurnKind.INTERVIEW, topics) for topics in dict.fromkeys((*first, *then, *last))]


def interviews_to_conclude(lab: str, rng: random.Random) -> list[Choice]:
    """List what a reasoning turn can ask, one thing, before it concludes from ``lab``."""
    bearing_on_it = [PERTINENT, PROBE]
    rng.shuffle(bearing_on_it)
    return [(TurnKind.CONCLUDE_ASKED, (lab, topic)) for topic in (DRUG, *bearing_on_it, COMPLAINT)]
