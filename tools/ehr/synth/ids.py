"""Identifiers in MIMIC-IV's ranges: each patient has a block of each kind, so patients never collide or shift."""

BLOCKS = {
    "subject": (10_000_000, 97),
    "hadm": (20_000_000, 90),
    "stay": (30_000_000, 50),
    "transfer": (35_000_000, 50),
    "pharmacy": (10_000_000, 800),
    "labevent": (1, 20_000),
    "specimen": (1, 2_000),
    "microevent": (1, 500),
    "micro_specimen": (1, 90),
    "input": (1, 60),
    "caregiver": (1_000, 9),
}
"""First number and numbers a patient."""

MOST_PATIENTS = 90_000
"""Beyond it blocks would leave MIMIC-IV's ranges."""


class Ids:
    """Counters of one patient."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._used = dict.fromkeys(BLOCKS, 0)

    def next(self, kind: str) -> int:
        """Give the next identifier of ``kind``; ``OverflowError`` when the patient's block is used up."""
        first, size = BLOCKS[kind]
        used = self._used[kind]
        if used >= size:
            raise OverflowError(f"patient {self._number} needs more than {size} {kind} numbers")
        self._used[kind] = used + 1
        return first + self._number * size + used
