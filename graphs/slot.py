"""One candidate on its way into a slot, stage by stage: whatever a checker does not accept goes no further."""

import operator
from functools import partial
from typing import Annotated, Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from agents.checkers import check_gold
from agents.checks.bilingual import check_bilingual
from agents.checks.bilingual_reader import read_bilingual
from agents.checks.case import Case, ruled
from agents.checks.clinical import check_clinical
from agents.checks.clinical_reader import read_clinical
from agents.checks.observation import check_observation
from agents.checks.patient import check_patient
from agents.checks.plan import check_plan
from agents.checks.rubric import check_rubric
from agents.checks.wording import check_wording
from agents.checks.wording_reader import read_wording
from agents.dialogue import reading_faults
from agents.model_physician import ModelPhysician
from agents.physician import word_turns
from agents.planner import plan_session, reworded, session_id
from graphs.workshop import Workshop
from state.checking import Check, Ruling, Stage
from state.generation import Attempt, Proven, Tried
from state.gold import GoldSession, ToolCall
from state.knowledge import RuleMatch
from state.patient import PatientFacts
from state.plan import SessionPlan
from state.session import Session, Turn
from state.wordings import WordedTurn
from tools.gold import GoldSource, NoGold, derive_gold, drafts_of
from tools.interview.personas import deal_persona

MOST_REWORDINGS = 3
"""Times the questions of a session are worded again; whatever else is wrong, another candidate is tried instead."""

READERS = {
    Stage.CLINICAL_READING: read_clinical,
    Stage.WORDING_READING: read_wording,
    Stage.BILINGUAL_READING: read_bilingual,
}
Json = dict[str, Any]


class SlotState(TypedDict, total=False):
    """A slot and the candidate tried for it, by their numbers, and what has become of it so far, as JSON."""

    slot: int
    candidate: int
    rewordings: int
    plan: Json
    calls: list[list[Json]]
    gold: Json
    patient: Json
    session: Json
    worded: list[Json]
    attempts: Annotated[list[Json], operator.add]


class SlotNodes:
    """The nodes of the slot graph, on one workshop."""

    def __init__(self, workshop: Workshop) -> None:
        self.workshop = workshop
        self._sources: dict[tuple[int, int], GoldSource] = {}

    def recall(self, state: SlotState) -> Command[Any]:
        """Take a candidate as it ended before the process died, or in another process, where there is one."""
        place = (state["slot"], state["candidate"])
        tried = self.workshop.tried.get(place)
        if tried is None and self.workshop.elsewhere is not None:
            tried = self.workshop.elsewhere(*place)
            self.workshop.keep(tried)
        if tried is None:
            return Command(goto="planner")
        if tried.proven is not None:
            self.workshop.finished[state["slot"]] = tried.proven
        return Command(goto=END, update={"attempts": [tried.attempt.model_dump(mode="json")]})

    def planner(self, state: SlotState) -> Command[Any]:
        """Cast the patient, and arrange the match into turns."""
        workshop, match, slot = self.workshop, self._match(state), self.workshop.slots[state["slot"]]
        persona = deal_persona(state["slot"], workshop.seed)
        patient = workshop.patient(match, session_id(match, workshop.rule(match), slot), persona)
        known: SlotState = {"patient": patient.model_dump(mode="json"), "rewordings": 0}
        try:
            plan = plan_session(self._source({**state, **known}), slot, workshop.seed, persona)
        except NoGold as reason:
            return self._turned_away(state, _rejected(Stage.PLANNER, str(reason)))
        return Command(goto="plan_check", update={**known, "plan": plan.model_dump(mode="json")})

    def plan_check(self, state: SlotState) -> Command[Any]:
        """Hold the plan against its arc and rule."""
        return self._checked(state, ruled(Stage.PLAN, check_plan, self._case(state)), "execute")

    def execute(self, state: SlotState) -> Command[Any]:
        """Find the calls that answer each turn; the checkers after it see what they show."""
        case = self._case(state)
        try:
            calls = [[call.model_dump() for call in d.calls] for d in drafts_of(case.plan, case.source)]
        except NoGold as reason:
            return self._turned_away(state, _rejected(Stage.GOLD, str(reason)))
        return Command(goto="observation_check", update={"calls": calls})

    def observation_check(self, state: SlotState) -> Command[Any]:
        """Look at what the calls show."""
        return self._checked(state, ruled(Stage.OBSERVATION, check_observation, self._case(state)), "gold")

    def gold(self, state: SlotState) -> Command[Any]:
        """Derive answers and rubric from the record."""
        case = self._case(state)
        try:
            drafts = drafts_of(case.plan, case.source)
            gold = derive_gold(case.plan, case.source, drafts, self.workshop.languages)
        except NoGold as reason:
            return self._turned_away(state, _rejected(Stage.GOLD, str(reason)))
        return Command(goto="clinical_check", update={"gold": gold.model_dump(mode="json")})

    def clinical_check(self, state: SlotState) -> Command[Any]:
        """Hold every statement of gold against the results and the rule."""
        return self._checked(state, ruled(Stage.CLINICAL, check_clinical, self._case(state)), "rubric_check")

    def rubric_check(self, state: SlotState) -> Command[Any]:
        """Look for what a turn asks and its rubric leaves out."""
        return self._checked(state, ruled(Stage.RUBRIC, check_rubric, self._case(state)), "patient_check")

    def patient_check(self, state: SlotState) -> Command[Any]:
        """Hold what the patient knows, and would say, against the record."""
        return self._checked(state, ruled(Stage.PATIENT, check_patient, self._case(state)), "physician")

    def physician(self, state: SlotState) -> Command[Any]:
        """Word the questions."""
        case, plan = self._case(state), SessionPlan.model_validate(state["plan"])
        try:
            turns, worded = self._words(case)
        except NoGold as reason:
            return self._turned_away(state, _rejected(Stage.WORDING, str(reason)))
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
        words: SlotState = {
            "session": session.model_dump(mode="json"),
            "worded": [note.model_dump(mode="json") for note in worded],
        }
        return Command(goto="wording_check", update=words)

    def _words(self, case: Case) -> tuple[tuple[Turn, ...], tuple[WordedTurn, ...]]:
        """Have a model word the turns where one is to, else templates."""
        workshop = self.workshop
        if workshop.calls is None or workshop.calls.physician is None:
            return word_turns(case.plan, case.source, workshop.languages), ()
        if workshop.ask is None:
            raise RuntimeError("the gateway of this workshop is not open")
        return ModelPhysician(workshop.calls.physician, workshop.ask).word(case, workshop.languages)

    def wording_check(self, state: SlotState) -> Command[Any]:
        """Look for words that give an answer away, or leave nothing unsaid."""
        return self._worded(state, ruled(Stage.WORDING, check_wording, self._case(state)), "bilingual_check")

    def bilingual_check(self, state: SlotState) -> Command[Any]:
        """Hold the two languages against each other."""
        return self._worded(state, ruled(Stage.BILINGUAL, check_bilingual, self._case(state)), "verify")

    def verify(self, state: SlotState) -> Command[Any]:
        """Prove the session: gold replays on a chart without writes, and nothing less passes."""
        case, source = self._case(state), self._fresh_source(state)
        drafts = drafts_of(case.plan, case.source)

        def replays(one: Case) -> list[str]:
            return check_gold(one.words, one.answers, drafts, source)

        onward = END if self.workshop.reader is None else "readers"
        return self._checked(state, ruled(Stage.VERIFY, replays, case), onward)

    def readers(self, state: SlotState) -> Command[Any]:
        """Have a model read what code has accepted: answers beside results, questions, both languages."""
        case, reader = self._case(state), self.workshop.reader
        if reader is None:
            raise RuntimeError("no model is to read in this workshop")
        for stage, reads in READERS.items():
            check = ruled(stage, partial(reads, reader=reader), case)
            if not check.passed:
                break
        onward = self._checked if check.stage is Stage.CLINICAL_READING else self._worded
        return onward(state, check, END)

    def _match(self, state: SlotState) -> RuleMatch:
        return self.workshop.candidates[state["candidate"]]

    def _fresh_source(self, state: SlotState) -> GoldSource:
        """Open the chart of a candidate, with nothing written in it and nothing told by its patient."""
        return self.workshop.source(self._match(state), PatientFacts.model_validate(state["patient"]))

    def _source(self, state: SlotState) -> GoldSource:
        """Open the chart of a candidate, once for all stages that only read it."""
        key = (state["slot"], state["candidate"])
        if key not in self._sources:
            self._sources[key] = self._fresh_source(state)
        return self._sources[key]

    def _case(self, state: SlotState) -> Case:
        """Put together what the stages so far have found."""
        return Case(
            source=self._source(state),
            plan=SessionPlan.model_validate(state["plan"]),
            calls=tuple(tuple(map(ToolCall.model_validate, calls)) for calls in state.get("calls", [])),
            session=Session.model_validate(state["session"]) if "session" in state else None,
            gold=GoldSession.model_validate(state["gold"]) if "gold" in state else None,
            patient=PatientFacts.model_validate(state["patient"]) if "patient" in state else None,
            titles=self.workshop.titles,
            resolver=reading_faults,
        )

    def _checked(self, state: SlotState, check: Check, onward: str) -> Command[Any]:
        """Go on where a checker accepts, end where it does not; the last stage makes the session part of the set."""
        if not check.passed:
            return self._turned_away(state, check)
        return Command(goto=onward) if onward != END else self._accepted(state, check)

    def _worded(self, state: SlotState, check: Check, onward: str) -> Command[Any]:
        """Go on like ``_checked``, but have questions that fail worded again."""
        tries = state.get("rewordings", 0) + 1
        if check.passed or check.ruling is Ruling.CANNOT_DECIDE or tries > MOST_REWORDINGS:
            return self._checked(state, check, onward)
        plan = reworded(SessionPlan.model_validate(state["plan"]), tries)
        return Command(goto="physician", update={"plan": plan.model_dump(mode="json"), "rewordings": tries})

    def _accepted(self, state: SlotState, check: Check) -> Command[Any]:
        case = self._case(state)
        worded = tuple(map(WordedTurn.model_validate, state.get("worded", [])))
        proven = Proven(
            plan=case.plan, session=case.words, gold=case.answers, patient=case.patient, worded=worded
        )
        self.workshop.finished[state["slot"]] = proven
        return self._ended(state, check, proven)

    def _turned_away(self, state: SlotState, check: Check) -> Command[Any]:
        return self._ended(state, check, None)

    def _ended(self, state: SlotState, check: Check, proven: Proven | None) -> Command[Any]:
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
            accepted=check.passed,
            stage=check.stage,
            ruling=check.ruling,
            rewordings=state.get("rewordings", 0),
            reasons=check.reasons,
        )
        self._sources.pop((state["slot"], state["candidate"]), None)
        self.workshop.keep(Tried(attempt=attempt, proven=proven))
        return Command(goto=END, update={"attempts": [attempt.model_dump(mode="json")]})


def _rejected(stage: Stage, reason: str) -> Check:
    return Check(stage=stage, ruling=Ruling.REJECT, reasons=(reason,))


def build_slot_graph(workshop: Workshop) -> StateGraph[SlotState, None, SlotState, SlotState]:
    """Build the graph that makes one session or says why not."""
    nodes = SlotNodes(workshop)
    return (
        StateGraph(SlotState)
        .add_node("recall", nodes.recall, destinations=("planner", END))
        .add_node("planner", nodes.planner, destinations=("plan_check", END))
        .add_node("plan_check", nodes.plan_check, destinations=("execute", END))
        .add_node("execute", nodes.execute, destinations=("observation_check", END))
        .add_node("observation_check", nodes.observation_check, destinations=("gold", END))
        .add_node("gold", nodes.gold, destinations=("clinical_check", END))
        .add_node("clinical_check", nodes.clinical_check, destinations=("rubric_check", END))
        .add_node("rubric_check", nodes.rubric_check, destinations=("patient_check", END))
        .add_node("patient_check", nodes.patient_check, destinations=("physician", END))
        .add_node("physician", nodes.physician, destinations=("wording_check", END))
        .add_node("wording_check", nodes.wording_check, destinations=("bilingual_check", "physician", END))
        .add_node("bilingual_check", nodes.bilingual_check, destinations=("verify", "physician", END))
        .add_node("verify", nodes.verify, destinations=("readers", END))
        .add_node("readers", nodes.readers, destinations=("physician", END))
        .add_edge(START, "recall")
    )
