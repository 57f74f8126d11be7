"""Sessions as generation makes them, of a rule and an arc of one's choice."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.arcs import ARCS
from agents.physician import word_turns
from agents.planner import plan_session, session_id
from graphs.workshop import Workshop
from state.gold import GoldSession
from state.patient import PatientFacts, Persona
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
    patient: PatientFacts | None = None

    def source(self) -> GoldSource:
        """Open the chart anew, with nothing written in it."""
        return self.workshop.source(self.plan.match, self.patient)


PERSONA = Persona(completeness="critical_withheld")
"""Of the patients who are asked: one that tells what matters only to a question for it."""


def slot_of(tasks: Sequence[TaskType], tier: int = 1, scenario: Scenario = Scenario.MED_SAFETY) -> Slot:
    """Give the slot of an arc by its task types."""
    arc = next(arc for arc in ARCS if arc.tasks == tuple(tasks))
    return Slot(scenario=scenario, tier=tier, arc=arc.number)


def make(
    workshop: Workshop, rule_id: str, tasks: Sequence[TaskType], *, control: bool = False, asks: bool = False
) -> Made:
    """Make a session of the first match of a rule that carries the arc; ``asks``: one that asks its patient."""
    rule = workshop.rules[rule_id]
    slot = slot_of(tasks, rule.tier, rule.scenario)
    for match in workshop.candidates:
        if (match.rule_id, match.control) == (rule_id, control):
            name = session_id(match, workshop.rule(match), slot)
            patient = workshop.patient(match, name, PERSONA) if asks or slot.tier == 3 else None
            source = workshop.source(match, patient)
            try:
                plan = plan_session(source, slot, workshop.seed, PERSONA)
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
            if asks and not any(turn.source.asks_the_patient for turn in session.turns):
                continue
            gold = derive_gold(plan, source, drafts, workshop.languages)
            return Made(workshop, plan, drafts, session, gold, patient)
    raise AssertionError(f"no match of {rule_id} carries {tasks}")
