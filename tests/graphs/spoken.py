"""Sessions planned and said as generation does, without their gold being proved."""

from collections.abc import Iterator
from dataclasses import dataclass

from agents.physician import Said, say_plan
from agents.planner import plan_session
from graphs.workshop import Workshop
from state.base import Language
from state.plan import SessionPlan
from tools.gold import GoldSource, NoGold


@dataclass(frozen=True)
class Spoken:
    """A planned session as it was said."""

    plan: SessionPlan
    source: GoldSource
    said: tuple[dict[Language, Said], ...]


def spoken_sessions(workshop: Workshop, wanted: int) -> Iterator[Spoken]:
    """Deal the first slots of a set, plan each and say it."""
    filled: list[tuple[int, int]] = []
    failed: list[tuple[int, int]] = []
    while len(filled) < wanted and (dealt := workshop.casting(wanted).deal(filled, failed)):
        for slot, candidate in dealt:
            source = workshop.source(workshop.candidates[candidate])
            try:
                plan = plan_session(source, workshop.slots[slot], workshop.seed)
            except NoGold:
                failed.append((slot, candidate))
                continue
            filled.append((slot, candidate))
            yield Spoken(plan, source, tuple(dict(said) for said in say_plan(plan, source, tuple(Language))))
