"""Running the sessions of a run: many at a time, each on its own checkpoint thread, each kept as soon as it is done."""

import asyncio
from collections.abc import Callable
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph.state import CompiledStateGraph

from agents.gateway import Gateway, JournalMiss
from agents.purse import RunStopped
from graphs.outcomes import is_whole, session_result, turn_result
from graphs.run_folder import RunFolder
from graphs.session import SessionState, build_session_graph
from graphs.ward import Ward, thread_of
from state.outcome import Errored, Party, SessionResult
from state.session import Session
from state.trajectory import SessionRecord, TurnRecord

SUPERSTEPS_A_TURN = 3
SUPERSTEPS_BESIDE = 6
"""Opening, judging and scoring, with room to spare: reaching the limit is a fault of the harness."""

CompiledSession = CompiledStateGraph[SessionState, None, SessionState, SessionState]


async def run_sessions(
    ward: Ward,
    folder: RunFolder,
    concurrency: int,
    on_done: Callable[[], None] = lambda: None,
    gateway: Gateway | None = None,
) -> str | None:
    """Run every planned session that the folder does not hold yet, at most ``concurrency`` at a time.

    Returns why the run stopped before its end, None when it did not. The gateway is closed at the end.
    """
    finished = folder.finished()
    slots = asyncio.Semaphore(concurrency)
    stopped: list[str] = []
    async with (
        gateway or Gateway(journal=folder.journal(), key_of=ward.key) as calls,
        AsyncSqliteSaver.from_conn_string(str(folder.checkpoints)) as saver,
    ):
        await saver.setup()
        # WAL with NORMAL loses at most the last checkpoints to a power cut, and nothing to a killed process.
        await saver.conn.execute("PRAGMA synchronous=NORMAL")
        graph = build_session_graph(ward, calls).compile(checkpointer=saver, name="session")

        async def run_one(session: Session, epoch: int) -> None:
            if (session.session_id, epoch) not in finished:
                async with slots:
                    if stopped:
                        return
                    try:
                        folder.append(*await _run(graph, saver, ward, session, epoch))
                    except RunStopped as reason:
                        stopped.append(str(reason))
                        return
            on_done()

        async with asyncio.TaskGroup() as group:
            for epoch in range(ward.settings.epochs):
                for session in ward.planned:
                    group.create_task(run_one(session, epoch))
    return stopped[0] if stopped else None


async def _run(
    graph: CompiledSession, saver: AsyncSqliteSaver, ward: Ward, session: Session, epoch: int
) -> tuple[SessionResult, SessionRecord]:
    """Run one session; a fault of the harness is an Errored result, not a lost session.

    Only its end is checkpointed: a session that was cut off starts anew, and the journal answers what was asked before.
    """
    config = session_config(session, epoch)
    try:
        thread = await graph.aget_state(config)
        if "result" in thread.values and is_whole(SessionResult.model_validate(thread.values["result"])):
            return read_end(session, thread.values, epoch)
        await saver.adelete_thread(thread_of(session.session_id, epoch))
        start: SessionState = {"session_id": session.session_id, "epoch": epoch}
        end = await graph.ainvoke(start, config, durability="exit")
    except (RunStopped, JournalMiss):
        ward.discharge(session.session_id, epoch)
        raise
    except Exception as failure:  # noqa: BLE001 - the session runner: one session's fault must not end the run
        broken = Errored(error=f"{type(failure).__name__}: {failure}", who=Party.HARNESS)
        turns = [turn_result(turn, broken) for turn in session.turns]
        nothing = SessionRecord(session_id=session.session_id, epoch=epoch, turns=())
        return session_result(session, ward.settings, turns, epoch), nothing
    return read_end(session, end, epoch)


def session_config(session: Session, epoch: int = 0) -> RunnableConfig:
    """Give what a session's graph runs under: its thread, its limit of supersteps, its name in traces."""
    return {
        "configurable": {"thread_id": thread_of(session.session_id, epoch)},
        "recursion_limit": SUPERSTEPS_A_TURN * len(session.turns) + SUPERSTEPS_BESIDE,
        "run_name": session.session_id,
        "tags": [session.scenario.value, f"tier-{session.tier}"],
    }


def read_end(session: Session, values: dict[str, Any], epoch: int = 0) -> tuple[SessionResult, SessionRecord]:
    """Read result and trajectory from the end of a session's graph."""
    records = tuple(TurnRecord.model_validate(record) for record in values["records"])
    result = SessionResult.model_validate(values["result"])
    return result, SessionRecord(session_id=session.session_id, epoch=epoch, turns=records)
