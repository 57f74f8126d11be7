"""Judging a turn: code first, then the judges on what code leaves undecided and on a share of the rest."""

import asyncio
from collections.abc import Sequence

from agents.gateway import Gateway
from agents.judge import poll, tally
from agents.judge_case import Case
from graphs.outcomes import turn_result
from graphs.ward import Ward
from state.base import Language
from state.gold import GoldTurn
from state.journal import Place, Role
from state.outcome import Ballot, Errored, ItemVerdict, JudgeFault, Party, TurnResult, Verdict
from state.session import Session
from state.trajectory import Termination, TurnRecord
from tools.grading import TurnEvidence, decide_items, rests_on_reading, score_turn, settle


def turn_evidence(session: Session, records: Sequence[TurnRecord], language: Language) -> TurnEvidence:
    """Gather what the last of ``records`` is judged on: all that was shown up to it, and what came before it."""
    *earlier, record = records
    calls = (call for turn in records for step in turn.steps for call in step.calls)
    return TurnEvidence(
        question=record.question,
        answer=record.answer,
        language=language,
        shown=frozenset(ref for call in calls for ref in call.refs),
        writes=record.writes,
        subject_id=session.subject_id,
        earlier=tuple(turn.answer for turn in earlier),
        before=earlier[-1].overlay if earlier else (),
        after=record.overlay,
    )


async def judge_turn(
    ward: Ward, gateway: Gateway, session: Session, records: Sequence[TurnRecord], epoch: int = 0
) -> TurnResult:
    """Give the last of ``records`` its verdicts and its score.

    A judge that cannot be reached on an item that code left undecided makes the turn an error of the judge; one that
    was only to cross-check does not.
    """
    record = records[-1]
    turn, gold = session.turns[record.index], ward.benchmark.gold[session.session_id].turns[record.index]
    if record.termination is Termination.MODEL_ERROR:
        return turn_result(turn, Errored(error=record.error or "unknown", who=Party.PROVIDER))
    evidence = turn_evidence(session, records, ward.settings.language)
    verdicts = decide_items(gold, evidence, ward.vocabulary)
    place = Place(role=Role.JUDGE, session_id=session.session_id, turn=record.index, epoch=epoch, step=0)
    ballots = await _ballots(ward, gateway, session, records, place, gold, evidence, verdicts)
    undecided = {verdict.item_id for verdict in verdicts if verdict.verdict is Verdict.CANNOT_TELL}
    for ballot in ballots:
        if ballot.fault is JudgeFault.FAILED and ballot.item_id in undecided:
            error = f"{ballot.judge} on {ballot.item_id}: {ballot.reason}"
            return turn_result(turn, Errored(error=error, who=Party.JUDGE), ballots=tuple(ballots))
    if ballots:
        verdicts = tuple(
            tally(item, [ballot for ballot in ballots if ballot.item_id == item.item_id])
            if item.item_id in undecided
            else verdict
            for item, verdict in zip(gold.rubric, verdicts, strict=True)
        )
    settled = settle(gold, verdicts, evidence)
    return turn_result(turn, score_turn(settled), settled, tuple(ballots))


async def _ballots(
    ward: Ward,
    gateway: Gateway,
    session: Session,
    records: Sequence[TurnRecord],
    place: Place,
    gold: GoldTurn,
    evidence: TurnEvidence,
    verdicts: Sequence[ItemVerdict],
) -> list[Ballot]:
    """Ask the judges; nobody is asked where code alone judges or nothing is to be asked."""
    panel = ward.panel
    asked = [
        (number, item, verdict.verdict)
        for number, (item, verdict) in enumerate(zip(gold.rubric, verdicts, strict=True))
        if verdict.verdict is Verdict.CANNOT_TELL
        or (
            panel.cross_checks(session.session_id, place.turn, item.item_id)
            and rests_on_reading(item, evidence)
        )
    ]
    if not panel.seats or not asked:
        return []
    shown = await asyncio.to_thread(ward.shown, session, records)
    known = [seat.served.context_tokens for seat in panel.seats if seat.served.context_tokens is not None]
    case = Case.of(records, shown, ward.settings.language, min(known, default=None))
    return await poll(panel, gateway, case, place, asked)
