"""What a session wrote is the same live, resumed and forked, through a real sqlite checkpointer."""

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from wards import OpenWard

from agents.gateway import Gateway
from agents.offline.model import OfflineDoctor, questions, since_question, tool_call
from graphs.session import build_session_graph
from graphs.ward import Ward
from state.trajectory import TurnRecord
from tools.fhir.state_diff import state_diff

Calls = list[list[tuple[str, dict[str, Any]]]]


class WritingDoctor(OfflineDoctor):
    """Make the calls of a turn in one message, then answer; at turn ``breaks`` the provider is down."""

    name: str = "offline/writing"
    calls: Calls
    breaks: int | None = None

    def reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        turn = len(questions(messages)) - 1
        if any(isinstance(message, AIMessage) for message in since_question(messages)):
            return AIMessage(content=f"Done with turn {turn}.")
        if turn == self.breaks:
            raise KeyboardInterrupt
        asked = [
            tool_call(name, arguments, 10 * turn + i) for i, (name, arguments) in enumerate(self.calls[turn])
        ]
        return AIMessage(content="", tool_calls=asked)


def calls_for(ward: Ward) -> Calls:
    """Write in every turn: create, stop an order of the record, fail to, stop what was created."""
    session = ward.planned[0]
    patient = {"subject_id": session.subject_id}
    order = patient | {"medication": "digoxin", "dose": "0.125 mg", "route": "PO", "frequency": "DAILY"}
    flag = patient | {"category": "safety", "code": "c", "detail": "d"}
    active = ward.toolset(session).call("MedicationRequest.search", patient | {"status": "active"})
    stop = patient | {"_id": active.refs[0], "status": "stopped", "reason": "potassium"}
    return [
        [("MedicationRequest_create", order), ("Flag_create", flag)],
        [("MedicationRequest_patch", stop | {"status": "on-hold"}), ("MedicationRequest_search", patient)],
        [("MedicationRequest_create", order | {"dose": "a bit"}), ("MedicationRequest_patch", stop)],
        [("MedicationRequest_patch", patient | {"_id": "new-1", "status": "stopped", "reason": "level 2.4"})],
    ]


async def run(
    ward: Ward, file: Path, config: RunnableConfig, given: dict[str, str] | None
) -> list[TurnRecord]:
    async with AsyncSqliteSaver.from_conn_string(str(file)) as saver:
        graph = build_session_graph(ward, Gateway()).compile(checkpointer=saver)
        end = await graph.ainvoke(given, config)  # type: ignore[arg-type]
        return [TurnRecord.model_validate(record) for record in end["records"]]


def without_time(records: list[TurnRecord]) -> list[TurnRecord]:
    return [record.model_copy(update={"seconds": 0.0}) for record in records]


@pytest.fixture
def whole(open_ward: OpenWard, tmp_path: Path) -> tuple[list[TurnRecord], Path]:
    """Run a session that writes in every turn, without a break."""
    ward = open_ward("offline/gold", limit=1)
    ward.make_doctor = lambda _: WritingDoctor(calls=calls_for(ward))
    session_id = ward.planned[0].session_id
    file = tmp_path / "whole.sqlite"
    config: RunnableConfig = {"configurable": {"thread_id": "t"}, "recursion_limit": 40}
    return asyncio.run(run(ward, file, config, {"session_id": session_id})), file


def test_each_turn_keeps_what_the_session_had_written(whole: tuple[list[TurnRecord], Path]) -> None:
    records, _ = whole
    told = [[f"{r['resourceType']}/{r['id']} {r['status']}" for r in record.overlay] for record in records]
    changed = records[1].writes[0].ref
    assert told == [
        ["MedicationRequest/new-1 active", "Flag/new-2 active"],
        ["MedicationRequest/new-1 active", "Flag/new-2 active", f"{changed} on-hold"],
        ["MedicationRequest/new-1 active", "Flag/new-2 active", f"{changed} stopped"],
        ["MedicationRequest/new-1 stopped", "Flag/new-2 active", f"{changed} stopped"],
    ]
    states = [(), *(record.overlay for record in records)]
    diffs = [state_diff(before, after) for before, after in pairwise(states)]
    assert [(len(diff.created), len(diff.changed)) for diff in diffs] == [(2, 0), (0, 1), (0, 1), (0, 1)]


def test_writes_and_refusals_are_recorded_and_a_write_is_no_evidence(
    whole: tuple[list[TurnRecord], Path],
) -> None:
    records, _ = whole
    assert [[write.accepted for write in record.writes] for record in records] == [
        [True, True],
        [True],
        [False, True],
        [True],
    ]
    assert "dose 'a bit'" in str(records[2].writes[0].error)
    shown = [[call.refs for step in record.steps for call in step.calls] for record in records]
    assert shown[0] == [(), ()]
    assert shown[1][0] == ()
    assert records[1].writes[0].ref in shown[1][1]
    assert "MedicationRequest/new-1" in shown[1][1]


@pytest.mark.parametrize("breaks", [1, 2, 3])
def test_a_session_cut_off_resumes_with_its_writes(
    open_ward: OpenWard, tmp_path: Path, whole: tuple[list[TurnRecord], Path], breaks: int
) -> None:
    cut = open_ward("offline/gold", limit=1)
    cut.make_doctor = lambda _: WritingDoctor(calls=calls_for(cut), breaks=breaks)
    session_id = cut.planned[0].session_id
    file = tmp_path / "cut.sqlite"
    config: RunnableConfig = {"configurable": {"thread_id": "t"}, "recursion_limit": 40}
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(run(cut, file, config, {"session_id": session_id}))
    again = open_ward("offline/gold", limit=1)
    again.make_doctor = lambda _: WritingDoctor(calls=calls_for(again))
    assert without_time(asyncio.run(run(again, file, config, None))) == without_time(whole[0])


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_a_fork_begins_with_the_writes_before_its_turn(
    open_ward: OpenWard, whole: tuple[list[TurnRecord], Path], turn: int
) -> None:
    records, file = whole
    other = open_ward("offline/gold", limit=1)
    flag = {"subject_id": other.planned[0].subject_id, "category": "clinical", "code": "fork", "detail": "f"}
    other.make_doctor = lambda _: WritingDoctor(calls=[[("Flag_create", flag)]] * 4)

    async def fork() -> list[TurnRecord]:
        config: RunnableConfig = {"configurable": {"thread_id": "t"}, "recursion_limit": 40}
        async with AsyncSqliteSaver.from_conn_string(str(file)) as saver:
            graph = build_session_graph(other, Gateway()).compile(checkpointer=saver)
            history = [
                state
                async for state in graph.aget_state_history(config)
                if state.next == ("doctor",) and len(state.values["records"]) == turn
            ]
            end = await graph.ainvoke(None, {**history[0].config, "recursion_limit": 40})
            return [TurnRecord.model_validate(record) for record in end["records"]]

    forked = asyncio.run(fork())
    assert forked[:turn] == records[:turn]
    kept, fresh = forked[turn].overlay[:-1], forked[turn].overlay[-1]
    assert kept == records[turn - 1].overlay
    assert (
        fresh["id"],
        state_diff(records[turn - 1].overlay, forked[turn].overlay).created[0].fields["code"],
    ) == (
        "new-3",
        "fork",
    )
    assert len(forked) == 4


def test_a_record_that_no_longer_says_what_its_calls_write_is_not_gone_on_from(
    open_ward: OpenWard, whole: tuple[list[TurnRecord], Path]
) -> None:
    ward = open_ward("offline/gold", limit=1)
    spoiled = whole[0][0].model_copy(update={"overlay": whole[0][0].overlay[:1]})
    with pytest.raises(RuntimeError, match="no longer write what its record says"):
        asyncio.run(ward.admit(ward.planned[0].session_id, [spoiled]))
