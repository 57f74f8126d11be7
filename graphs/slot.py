"""One candidate on its way into a slot: planner -> gold -> physician -> checker."""

import operator
from typing import Annotated, Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from agents.checkers import check_gold, check_wording
from agents.physician import word_turns
from agents.planner import plan_session
from graphs.workshop import Proven, Workshop
from state.generation import Attempt
from state.gold import GoldSession
from state.knowledge import RuleMatch
from state.plan import SessionPlan
from state.session import Session
from tools.gold import NoGold, derive_gold, drafts_of

Json = dict[str, Any]


class SlotState(TypedDict, total=False):
    """A slot and the candidate tried for it, by their numbers, and what has become of it so far, as JSON."""

    slot: int
    candidate: int
    plan: Json
    gold: Json
    session: Json
    attempts: Annotated[list[Json], operator.add]


class SlotNodes:
    """The nodes of the slot graph, on one workshop."""

    def __init__(self, workshop: Workshop) -> None:
        self.workshop = workshop

    def _match(self, state: SlotState) -> RuleMatch:
        return self.workshop.candidates[state["candidate"]]

    def _end(self, state: SlotState, stage: str, reasons: list[str]) -> SlotState:
        match, slot = self._match(state), self.workshop.slots[state["slot"]]
        attempt = Attempt(
            slot=state["slot"],
            scenario=slot.scenario,
            tier=slot.tier,
            arc=slot.arc,
            control=match.control,
            candidate=state["candidate"],
            rule_id=match.rule_id,
            subject_id=match.subject_id,
            hadm_id=match.hadm_id,
            accepted=not reasons,
            stage=stage,
            reasons=tuple(reasons),
        )
        return {"attempts": [attempt.model_dump(mode="json")]}

    def planner(self, state: SlotState) -> Command[Literal["gold", "__end__"]]:
        """Arrange the match into turns."""
        try:
            slot = self.workshop.slots[state["slot"]]
            plan = plan_session(self.workshop.source(self._match(state)), slot, self.workshop.seed)
        except NoGold as reason:
            return Command(goto="__end__", update=self._end(state, "plan", [str(reason)]))
        return Command(goto="gold", update={"plan": plan.model_dump(mode="json")})

    def gold(self, state: SlotState) -> Command[Literal["physician", "__end__"]]:
        """Derive calls, answers and rubric from the record."""
        plan = SessionPlan.model_validate(state["plan"])
        try:
            source = self.workshop.source(plan.match)
            gold = derive_gold(plan, source, drafts_of(plan, source), self.workshop.languages)
        except NoGold as reason:
            return Command(goto="__end__", update=self._end(state, "gold", [str(reason)]))
        return Command(goto="physician", update={"gold": gold.model_dump(mode="json")})

    def physician(self, state: SlotState) -> Command[Literal["checker", "__end__"]]:
        """Word the questions."""
        plan = SessionPlan.model_validate(state["plan"])
        source = self.workshop.source(plan.match)
        try:
            turns = word_turns(plan, source, self.workshop.languages)
        except NoGold as reason:
            return Command(goto="__end__", update=self._end(state, "wording", [str(reason)]))
        session = Session(
            session_id=plan.session_id,
            scenario=plan.scenario,
            tier=plan.tier,
            cohort=self.workshop.warehouse.cohort,
            subject_id=plan.match.subject_id,
            hadm_id=plan.match.hadm_id,
            as_of=plan.match.as_of,
            turns=turns,
        )
        return Command(goto="checker", update={"session": session.model_dump(mode="json")})

    def checker(self, state: SlotState) -> SlotState:
        """Prove the session: words keep the secrets, gold replays, and nothing less passes."""
        plan = SessionPlan.model_validate(state["plan"])
        session = Session.model_validate(state["session"])
        gold = GoldSession.model_validate(state["gold"])
        source = self.workshop.source(plan.match)
        if faults := check_wording(session, source):
            return self._end(state, "wording", faults)
        if faults := check_gold(session, gold, drafts_of(plan, source), source):
            return self._end(state, "replay", faults)
        self.workshop.finished[state["slot"]] = Proven(plan, session, gold)
        return self._end(state, "accepted", [])


def build_slot_graph(workshop: Workshop) -> StateGraph[SlotState, None, SlotState, SlotState]:
    """Build the graph that makes one session or says why not."""
    nodes = SlotNodes(workshop)
    return (
        StateGraph(SlotState)
        .add_node("planner", nodes.planner)
        .add_node("gold", nodes.gold)
        .add_node("physician", nodes.physician)
        .add_node("checker", nodes.checker)
        .add_edge(START, "planner")
        .add_edge("checker", END)
    )
