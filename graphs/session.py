"""One session as a graph: open the chart, ask and answer turn by turn, check, judge every turn, score."""

from typing import Annotated, Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send
from typing_extensions import TypedDict

from agents.checkers import leaked_gold
from agents.conversation import record_turn, results_by_step
from agents.gateway import Call, Gateway
from agents.offline.model import ask_program
from agents.patient import ModelPatient
from graphs.doctor import Ask, DoctorContext, Speak, build_doctor_graph
from graphs.judging import judge_turn
from graphs.outcomes import not_reached, session_result, turn_result
from graphs.ward import LiveSession, Ward
from state.journal import Place, Role
from state.models import ServedModel
from state.outcome import Errored, Party, TurnResult
from state.trajectory import Termination, TurnRecord

Json = dict[str, Any]
SessionGraph = StateGraph["SessionState", None, "SessionState", "SessionState"]


def by_index(old: list[Json], new: list[Json]) -> list[Json]:
    """Merge turn entries by their index: a repeated branch replaces its entry and never doubles it."""
    merged = {entry["index"]: entry for entry in (*old, *new)}
    return [merged[index] for index in sorted(merged)]


class SessionState(TypedDict, total=False):
    """All that a session can be rebuilt from, as JSON: dumps of TurnRecord, TurnResult and SessionResult."""

    session_id: str
    epoch: int
    question: str
    records: Annotated[list[Json], by_index]
    fault: str
    results: Annotated[list[Json], by_index]
    result: Json


class JudgeInput(TypedDict):
    """What the judge of one turn is given: the records of the session up to it."""

    session_id: str
    epoch: int
    records: list[Json]


def _records(state: SessionState) -> list[TurnRecord]:
    return [TurnRecord.model_validate(record) for record in state.get("records", [])]


class SessionNodes:
    """The nodes of the session graph, on one ward; models are called through one gateway."""

    def __init__(self, ward: Ward, gateway: Gateway) -> None:
        self.ward = ward
        self.gateway = gateway
        self.doctor_graph = build_doctor_graph()

    async def open_chart(self, state: SessionState) -> SessionState:
        """Open the patient's chart at as_of."""
        self.ward.keep(await self.ward.admit(state["session_id"], [], state.get("epoch", 0)))
        return {"records": [], "results": []}

    async def physician(self, state: SessionState) -> SessionState:
        """Ask the next question, as it is said or spelled out in full."""
        turn = self.ward.benchmark.session(state["session_id"]).turns[len(state["records"])]
        wording = turn.wording[self.ward.settings.language]
        return {"question": wording.explicit if self.ward.settings.explicit else wording.implicit}

    async def doctor(self, state: SessionState) -> SessionState:
        """Let the doctor under test answer, and record what it did."""
        ward, question = self.ward, state["question"]
        live = await ward.admit(state["session_id"], _records(state), state.get("epoch", 0))
        context = DoctorContext(
            self._asking(live), live.toolset, ward.settings.turn_limits, self._speaking(live)
        )
        end = await self.doctor_graph.ainvoke(
            {"messages": [*live.messages, HumanMessage(question)]}, context=context
        )
        replies = end.get("replies", [])
        results = results_by_step(replies, end.get("results", []))
        record = record_turn(
            live.turns_done,
            question,
            replies,
            results,
            end["termination"],
            end.get("error"),
            overlay=live.toolset.chart.overlay.snapshot(),
        )
        live.take_in(record, results)
        ward.keep(live)
        return {"records": [record.model_dump(mode="json")]}

    def _asking(self, live: LiveSession) -> Ask:
        """Give the way to ask this session's doctor: straight for a program, through the gateway for a model."""
        doctor = self.ward.make_doctor(self.ward.benchmark.gold[live.session.session_id])

        async def ask(messages: list[AnyMessage], step: int, seconds_left: float) -> AIMessage:
            if isinstance(doctor, ServedModel):
                place = Place(
                    role=Role.DOCTOR,
                    session_id=live.session.session_id,
                    turn=live.turns_done,
                    epoch=live.epoch,
                    step=step,
                )
                return await self.gateway.ask(
                    Call(doctor, place, messages, self.ward.wire_tools, seconds_left)
                )
            return await ask_program(doctor, messages, live.toolset.as_langchain(), seconds_left)

        return ask

    def _speaking(self, live: LiveSession) -> Speak | None:
        """Give the voice of this session's patient; None for the templates."""
        served = self.ward.patient
        if served is None:
            return None
        return ModelPatient(served, self.gateway, live.session.session_id, live.epoch)

    async def checker(self, state: SessionState) -> Command[Literal["physician", "judge"]]:
        """Check the turn for faults of the harness; go on to the next turn, or to the judges."""
        session = self.ward.benchmark.session(state["session_id"])
        records = _records(state)
        live = await self.ward.admit(session.session_id, records, state.get("epoch", 0))
        self.ward.keep(live)
        sent = [message.text for message in live.messages if not isinstance(message, AIMessage)]
        if leaks := leaked_gold(self.ward.benchmark.gold[session.session_id], sent):
            return Command(goto=self._judges(state), update={"fault": f"gold reached the doctor: {leaks[0]}"})
        broke_off = records[-1].termination is Termination.MODEL_ERROR
        if broke_off or len(records) == len(session.turns):
            return Command(goto=self._judges(state))
        return Command(goto="physician")

    def _judges(self, state: SessionState) -> list[Send]:
        session_id, epoch, records = state["session_id"], state.get("epoch", 0), state["records"]
        return [
            Send("judge", JudgeInput(session_id=session_id, epoch=epoch, records=records[: end + 1]))
            for end in range(len(records))
        ]

    async def judge(self, state: JudgeInput) -> SessionState:
        """Give every rubric item of one turn its verdict."""
        records = [TurnRecord.model_validate(record) for record in state["records"]]
        session = self.ward.benchmark.session(state["session_id"])
        result = await judge_turn(self.ward, self.gateway, session, records, state["epoch"])
        return {"results": [result.model_dump(mode="json")]}

    async def score(self, state: SessionState) -> SessionState:
        """Put the session's result together; turns that were never reached stay errors, not zeros."""
        session = self.ward.benchmark.session(state["session_id"])
        done = {result["index"]: TurnResult.model_validate(result) for result in state["results"]}
        fault = state.get("fault")
        turns = [
            turn_result(turn, Errored(error=fault, who=Party.HARNESS))
            if fault is not None
            else done.get(turn.index) or not_reached(turn)
            for turn in session.turns
        ]
        epoch = state.get("epoch", 0)
        self.ward.discharge(session.session_id, epoch)
        return {"result": session_result(session, self.ward.settings, turns, epoch).model_dump(mode="json")}


def build_session_graph(ward: Ward, gateway: Gateway) -> SessionGraph:
    """Build the graph of one session; the caller compiles it with the checkpointer it wants."""
    nodes = SessionNodes(ward, gateway)
    return (
        StateGraph(SessionState)
        .add_node("open_chart", nodes.open_chart)
        .add_node("physician", nodes.physician)
        .add_node("doctor", nodes.doctor)
        .add_node("checker", nodes.checker)
        .add_node("judge", nodes.judge, input_schema=JudgeInput)
        .add_node("score", nodes.score)
        .add_edge(START, "open_chart")
        .add_edge("open_chart", "physician")
        .add_edge("physician", "doctor")
        .add_edge("doctor", "checker")
        .add_edge("judge", "score")
        .add_edge("score", END)
    )
