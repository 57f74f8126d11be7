"""Running the sessions of a run: many at a time, each on its own checkpoint thread, each kept as soon as it is done."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
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

COLLECT_AFTER = (50_000, 20, 50)
"""Thresholds of the garbage collector while sessions run; Python's own are 700, 10, 10."""

CompiledSession = CompiledStateGraph[SessionState, None, SessionState, SessionState]
Told = tuple[SessionResult, SessionRecord]
"""What became of a session, and what was said and done in it."""


@asynccontextmanager
async def rare_collections() -> AsyncIterator[None]:
    """Look for cycles of garbage seldom: looking through all that stays took a sixth of the processor's time.

    What the process had frozen before stays so, and is then all that is.
    """
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.collect()
    if not frozen:
        gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if not frozen:
            gc.unfreeze()


@dataclass(frozen=True)
class SessionRunner:
    """Runs sessions of a ward through one gateway, with checkpoints in one file."""

    ward: Ward
    graph: CompiledSession
    saver: AsyncSqliteSaver

    @classmethod
    @asynccontextmanager
    async def on(cls, ward: Ward, gateway: Gateway, checkpoints: Path) -> "AsyncIterator[SessionRunner]":
        """Open the checkpoints; the gateway is closed at the end."""
        async with (
            rare_collections(),
            gateway as calls,
            AsyncSqliteSaver.from_conn_string(str(checkpoints)) as saver,
        ):
            await saver.setup()
            # WAL with NORMAL loses at most the last checkpoints to a power cut, and nothing to a killed process.
            await saver.conn.execute("PRAGMA synchronous=NORMAL")
            graph = build_session_graph(ward, calls).compile(checkpointer=saver, name="session")
            yield cls(ward, graph, saver)

    async def run(self, session: Session, epoch: int) -> Told:
        """Run one session; a fault of the harness is an Errored result, not a lost session. RunStopped goes through.

        Only its end is checkpointed: a session that was cut off starts anew, and the journal answers what was asked
        before.
        """
        config = session_config(session, epoch)
        try:
            thread = await self.graph.aget_state(config)
            if "result" in thread.values and is_whole(SessionResult.model_validate(thread.values["result"])):
                return read_end(session, thread.values, epoch)
            await self.saver.adelete_thread(thread_of(session.session_id, epoch))
            start: SessionState = {"session_id": session.session_id, "epoch": epoch}
            end = await self.graph.ainvoke(start, config, durability="exit")
        except (RunStopped, JournalMiss):
            self.ward.discharge(session.session_id, epoch)
            raise
        except Exception as failure:  # noqa: BLE001 - the session runner: one session's fault must not end the run
            broken = Errored(error=f"{type(failure).__name__}: {failure}", who=Party.HARNESS)
            turns = [turn_result(turn, broken) for turn in session.turns]
            result = session_result(session, self.ward.settings, turns, epoch)
            return result, SessionRecord(session_id=session.session_id, epoch=epoch, turns=())
        return read_end(session, end, epoch)


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
    slots, writing = asyncio.Semaphore(concurrency), asyncio.Lock()
    stopped: list[str] = []
    calls = gateway or Gateway(journal=folder.journal(), key_of=ward.key)
    async with SessionRunner.on(ward, calls, folder.checkpoints()) as runner:

        async def run_one(session: Session, epoch: int) -> None:
            async with slots:
                if stopped:
                    return
                try:
                    told = await runner.run(session, epoch)
                except RunStopped as reason:
                    stopped.append(str(reason))
                    return
                async with writing:  # and other sessions go on while the disk writes
                    await asyncio.to_thread(folder.append, *told)
            on_done()

        async with asyncio.TaskGroup() as group:
            for session, epoch in unfinished(ward, folder, on_done):
                group.create_task(run_one(session, epoch))
    return stopped[0] if stopped else None


def unfinished(
    ward: Ward, folder: RunFolder, on_done: Callable[[], None] = lambda: None
) -> list[tuple[Session, int]]:
    """List the sessions that the folder does not hold yet, each with its epoch; ``on_done`` hears of the others."""
    finished = folder.finished()
    planned = [(session, epoch) for epoch in range(ward.settings.epochs) for session in ward.planned]
    waiting = [(session, epoch) for session, epoch in planned if (session.session_id, epoch) not in finished]
    for _ in range(len(planned) - len(waiting)):
        on_done()
    return waiting


def session_config(session: Session, epoch: int = 0) -> RunnableConfig:
    """Give what a session's graph runs under: its thread, its limit of supersteps, its name in traces."""
    return {
        "configurable": {"thread_id": thread_of(session.session_id, epoch)},
        "recursion_limit": SUPERSTEPS_A_TURN * len(session.turns) + SUPERSTEPS_BESIDE,
        "run_name": session.session_id,
        "tags": [session.scenario.value, f"tier-{session.tier}"],
    }


def read_end(session: Session, values: dict[str, Any], epoch: int = 0) -> Told:
    """Read result and trajectory from the end of a session's graph."""
    records = tuple(TurnRecord.model_validate(record) for record in values["records"])
    result = SessionResult.model_validate(values["result"])
    return result, SessionRecord(session_id=session.session_id, epoch=epoch, turns=records)
