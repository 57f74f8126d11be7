"""Sessions as generation makes them, of a rule and an arc of one's choice."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.arcs import ARCS
from agents.physician import word_turns
from agents.planner import plan_session
from graphs.workshop import Workshop
from state.gold import GoldSession
from state.plan import SessionPlan, Slot
from state.session import Scenario, Session, TaskType
from tools.gold import GoldSource, NoGold, derive_gold, drafts_of
from tools.gold.pieces import Draft

LOOKUP, GATHER, REASON, WRITE = TaskType.LOOKUP, TaskType.GATHER, TaskType.REASON, TaskType.WRITE


@dataclass(frozen=True)
class Made:
    """A session with its plan, drafts and gold."""

    workshop: Workshop
    plan: SessionPlan
    drafts: tuple[Draft, ...]
    session: Session
    gold: GoldSession

    def source(self) -> GoldSource:
        """Open the chart anew, with nothing written in it."""
        return self.workshop.source(self.plan.match)


def slot_of(tasks: Sequence[TaskType], tier: int = 1) -> Slot:
    """Give the slot of an arc by its task types."""
    arc = next(arc for arc in ARCS if arc.tasks == tuple(tasks))
    return Slot(scenario=Scenario.MED_SAFETY, tier=tier, arc=arc.number)


def make(workshop: Workshop, rule_id: str, tasks: Sequence[TaskType], *, control: bool = False) -> Made:
    """Make a session of the first match of a rule that carries the arc."""
    slot = slot_of(tasks, workshop.rules[rule_id].tier)
    for match in workshop.candidates:
        if (match.rule_id, match.control) == (rule_id, control):
            source = workshop.source(match)
            try:
                plan = plan_session(source, slot, workshop.seed)
            except NoGold:
                continue
            drafts = drafts_of(plan, source)
            session = Session(
                session_id=plan.session_id,
                scenario=plan.scenario,
                tier=plan.tier,
                cohort=workshop.warehouse.cohort,
                subject_id=match.subject_id,
                hadm_id=match.hadm_id,
                as_of=match.as_of,
                turns=word_turns(plan, source, workshop.languages),
            )
            return Made(
                workshop, plan, drafts, session, derive_gold(plan, source, drafts, workshop.languages)
            )
    raise AssertionError(f"no match of {rule_id} carries {tasks}")
