"""Personas dealt over a set: each level of each trait as often as any other, whatever the size of the set."""

import random

from state.patient import Persona
from state.patient_values import Completeness, Level


def deal_persona(slot: int, seed: int) -> Persona:
    """Give the persona of the patient in a slot. Any three slots in a row, from one that 3 divides, have all levels."""

    def level(trait: str) -> int:
        order = [0, 1, 2]
        random.Random(f"persona:{seed}:{trait}:{slot // 3}").shuffle(order)  # noqa: S311
        return order[slot % 3]

    levels, telling = list(Level), list(Completeness)
    return Persona(
        literacy=levels[level("literacy")],
        anxiety=levels[level("anxiety")],
        completeness=telling[level("completeness")],
        self_diagnosis=levels[level("self_diagnosis")],
    )
