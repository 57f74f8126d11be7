"""A sample for people to label: the same number from every stratum where there are enough, drawn by a seed."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from state.audit import AuditItem


def draw(items: Iterable[AuditItem], wanted: int, seed: int) -> list[AuditItem]:
    """Draw ``wanted`` items over all strata, in random order; what a small stratum lacks goes to the others."""
    strata: dict[tuple[str, str, str, str], list[AuditItem]] = defaultdict(list)
    for item in sorted(items, key=lambda item: item.key):
        strata[item.stratum].append(item)
    rng = random.Random(seed)  # noqa: S311 - a sample
    drawn: list[AuditItem] = []
    by_size = sorted(strata.values(), key=lambda members: (len(members), members[0].stratum))
    for place, members in enumerate(by_size):
        share = -(-(wanted - len(drawn)) // (len(by_size) - place))
        drawn += rng.sample(members, min(share, len(members)))
    rng.shuffle(drawn)
    return drawn


def weights(population: Iterable[AuditItem], labelled: Sequence[AuditItem]) -> list[float]:
    """Say how many verdicts of the runs each labelled item stands for: its stratum's size over its sample's."""
    sizes = Counter(item.stratum for item in population)
    taken = Counter(item.stratum for item in labelled)
    return [sizes[item.stratum] / taken[item.stratum] for item in labelled]
