"""Sessions as generation makes them, of a rule and an arc of one's choice."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.arcs import ARCS
from agents.physician import word_turns
from agents.planner import plan_session, session_id
from graphs.workshop import Workshop
from state.gold import GoldSession
from state.patient import PatientFacts, Persona
from state.plan import SessionPlan, Slot, TurnKind
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


SEEDS_TRIED = 12
PERSONA = Persona(completeness="critical_withheld")
"""Of the patients who are asked: one that tells what matters only to a question for it."""


def slot_of(tasks: Sequence[TaskType], tier: int = 1, scenario: Scenario = Scenario.MED_SAFETY) -> Slot:
    """Give the slot of an arc by its task types."""
    arc = next(arc for arc in ARCS if arc.tasks == tuple(tasks))
    return Slot(scenario=scenario, tier=tier, arc=arc.number)


def make(
    workshop: Workshop,
    rule_id: str,
    tasks: Sequence[TaskType],
    *,
    control: bool = False,
    asks: bool = False,
    kind: TurnKind | None = None,
) -> Made:
    """Make a session of the first match of a rule that carries the arc.

    ``asks``: one that asks its patient; ``kind``: one with such a turn after its opening.
    """
    rule = workshop.rules[rule_id]
    slot = slot_of(tasks, rule.tier, rule.scenario)
    for match in workshop.candidates:
        if (match.rule_id, match.control) == (rule_id, control):
            name = session_id(match, workshop.rule(match), slot)
            patient = workshop.patient(match, name, PERSONA) if asks or slot.tier == 3 else None
            source = workshop.source(match, patient)
            plan = _planned(source, slot, workshop.seed, kind)
            if plan is None:
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


def _planned(source: GoldSource, slot: Slot, seed: int, kind: TurnKind | None) -> SessionPlan | None:
    """Plan by the seed, or where a kind of turn is wanted, by the first after it that has one."""
    for tried in range(seed, seed + (1 if kind is None else SEEDS_TRIED)):
        try:
            plan = plan_session(source, slot, tried, PERSONA)
        except NoGold:
            return None
        if kind is None or any(turn.kind is kind for turn in plan.turns[1:]):
            return plan
    return None
