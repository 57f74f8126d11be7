"""Judging a finished run again: its answers as they stand, other judges, and no call of the doctor."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from agents.gateway import Gateway, JournalMiss
from agents.purse import RunStopped
from graphs.close_run import by_place
from graphs.judging import judge_turn
from graphs.outcomes import not_reached, session_result, turn_result
from graphs.run_folder import RunFolder
from graphs.ward import Ward
from state.base import InputError
from state.manifest import Regrade, RunManifest, RunSettings
from state.outcome import Errored, Party, SessionResult
from state.session import Session
from state.trajectory import SessionRecord

AS_IT_WAS = (
    "offline",
    "cohort",
    "gate",
    "planned",
    "benchmark",
    "warehouse",
    "vocabulary",
    "patient_words",
    "tools",
    "labels",
)
"""What may not have changed since a run whose answers are judged again: they were given to all of this."""


def regraded(of: RunManifest, path: Path, now: RunManifest) -> RunManifest:
    """Give the manifest of a run judged again: what its doctor saw as it was, what judges it as it is now."""
    if of.fork is not None:
        raise InputError(f"{of.run_id} is a fork of one session: judge a whole run again")
    if changed := [name for name in AS_IT_WAS if getattr(of, name) != getattr(now, name)]:
        raise InputError(
            f"{of.run_id} cannot be judged again: {', '.join(changed)} changed since; judge it with what it was run "
            "with, or run it anew"
        )
    return now.model_copy(
        update={
            "prompts": of.prompts,
            "parameters": of.parameters,
            "patient_prompts": of.patient_prompts,
            "patient_parameters": of.patient_parameters,
            "regrade": Regrade(run_id=of.run_id, path=str(path.resolve())),
            "run_id": f"{now.run_id}-regrade",
        }
    )


def judged_by(settings: RunSettings, asked: RunSettings) -> RunSettings:
    """Give a run's settings with the judges now asked for."""
    judging = ("judge", "own_judge", "judge_base_url", "judge_key_variable", "cross_check")
    changes = {name: getattr(asked, name) for name in judging}
    if asked.models is not None:
        changes["models"] = asked.models
    if (
        asked.model_copy(update={name: getattr(RunSettings(), name) for name in (*judging, "models")})
        != RunSettings()
    ):
        raise InputError("--judge-only keeps the run's own settings: beside it only options of the judge")
    return settings.model_copy(update=changes)


async def regrade(
    ward: Ward,
    source: RunFolder,
    folder: RunFolder,
    concurrency: int,
    on_done: Callable[[], None],
    gateway: Gateway,
) -> str | None:
    """Judge every session of ``source`` that ``folder`` does not hold yet; return why it stopped before the end."""
    finished = folder.finished()
    results, records = by_place(source)
    slots = asyncio.Semaphore(concurrency)
    stopped: list[str] = []

    async def one(session: Session, epoch: int) -> None:
        place = (session.session_id, epoch)
        async with slots:
            if place in results and place not in finished and not stopped:
                try:
                    result = await _again(ward, gateway, session, records[place], results[place])
                except RunStopped as reason:
                    stopped.append(str(reason))
                    return
                folder.append(result, records[place])
        on_done()

    async with gateway, asyncio.TaskGroup() as group:
        for epoch in range(ward.settings.epochs):
            for session in ward.planned:
                group.create_task(one(session, epoch))
    return stopped[0] if stopped else None


async def _again(
    ward: Ward, gateway: Gateway, session: Session, record: SessionRecord, was: SessionResult
) -> SessionResult:
    """Judge the turns of one session; a session that the harness had broken stays broken."""
    faults = [turn.outcome for turn in was.turns if isinstance(turn.outcome, Errored)]
    if any(fault.who is Party.HARNESS for fault in faults):
        return was
    turns = []
    for turn in session.turns:
        if turn.index >= len(record.turns):
            turns.append(not_reached(turn))
            continue
        try:
            turns.append(await judge_turn(ward, gateway, session, record.turns[: turn.index + 1], was.epoch))
        except (RunStopped, JournalMiss):
            raise
        except Exception as failure:  # noqa: BLE001 - as in a run: one turn's fault must not end it
            error = f"{type(failure).__name__}: {failure}"
            turns.append(turn_result(turn, Errored(error=error, who=Party.HARNESS)))
    return session_result(session, ward.settings, turns, was.epoch)
