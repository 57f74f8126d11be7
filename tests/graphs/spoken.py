"""Sessions planned and said as generation does, without their gold being proved."""

from collections.abc import Iterator
from dataclasses import dataclass

from agents.physician import Said, say_plan
from agents.planner import plan_session, session_id
from graphs.workshop import Workshop
from state.base import Language
from state.plan import SessionPlan
from tools.gold import GoldSource, NoGold
from tools.interview.personas import deal_persona


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
            match, of = workshop.candidates[candidate], workshop.slots[slot]
            persona = deal_persona(slot, workshop.seed)
            patient = workshop.patient(match, session_id(match, workshop.rule(match), of), persona)
            source = workshop.source(match, patient)
            try:
                plan = plan_session(source, of, workshop.seed, persona)
            except NoGold:
                failed.append((slot, candidate))
                continue
            filled.append((slot, candidate))
            yield Spoken(plan, source, tuple(dict(said) for said in say_plan(plan, source, tuple(Language))))
