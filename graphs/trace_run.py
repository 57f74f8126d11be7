"""What a run left of its sessions, put together: tool results are shown again from recorded calls, gold is walked."""

from collections.abc import Iterator

from agents.conversation import run_calls, system_message
from graphs.ward import Ward
from state.base import ResourceRef
from state.gold import GoldTurn
from state.outcome import SessionResult
from state.session import Session
from state.trajectory import SessionRecord
from tools.fhir.toolset import TOOLS, Toolset
from tools.metrics.inquiry import is_patient_fact
from tools.metrics.trace import GoldRead, SessionTrace, TurnTrace

Place = tuple[str, int]
"""A session and the epoch it was run in."""


def trace_run(
    ward: Ward, results: dict[Place, SessionResult], records: dict[Place, SessionRecord]
) -> list[SessionTrace]:
    """Trace every planned session of a run in each epoch; one that was not attempted has no turns."""
    reads = {session.session_id: list(_gold_reads(ward, session)) for session in ward.planned}
    return [
        SessionTrace(
            session=session,
            epoch=epoch,
            gold=ward.benchmark.gold[session.session_id],
            turns=tuple(_turns(ward, session, results[place], records[place], reads[session.session_id]))
            if place in results
            else (),
        )
        for session in ward.planned
        for epoch in range(ward.settings.epochs)
        for place in [(session.session_id, epoch)]
    ]


def _turns(
    ward: Ward,
    session: Session,
    result: SessionResult,
    record: SessionRecord,
    reads: list[tuple[GoldRead, ...]],
) -> Iterator[TurnTrace]:
    toolset = ward.toolset(session)
    opening = system_message(toolset.chart, session.hadm_id, ward.settings.language).text
    gold = ward.benchmark.gold[session.session_id]
    for place, turn in enumerate(record.turns):
        yield TurnTrace(
            gold=gold.turns[place],
            reads=reads[place],
            result=result.turns[place],
            record=turn,
            before=record.turns[place - 1].overlay if place else (),
            told=turn.question if place else f"{opening}\n{turn.question}",
            shown=tuple(result.text for shown in run_calls(turn, toolset) for result in shown),
        )


def _gold_reads(ward: Ward, session: Session) -> Iterator[tuple[GoldRead, ...]]:
    """Walk gold's reads on a chart of its own, and keep of what they show what each turn's rubric rests on."""
    toolset = ward.toolset(session)
    for turn in ward.benchmark.gold[session.session_id].turns:
        yield tuple(
            GoldRead(call.tool, _needed(turn, call.tool, call.arguments, toolset))
            for call in turn.calls
            if not TOOLS[call.tool].writes
        )


def _needed(turn: GoldTurn, tool: str, arguments: object, toolset: Toolset) -> frozenset[ResourceRef]:
    evidence = {ref for item in turn.rubric for ref in item.evidence}
    if tool.startswith("patient."):
        # the patient is not asked again: a model that speaks for it may answer otherwise
        return frozenset(filter(is_patient_fact, evidence))
    return frozenset(evidence.intersection(toolset.call(tool, arguments).refs))
