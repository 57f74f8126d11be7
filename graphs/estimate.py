"""What a run will take, before its first call: the gold path walked through the real tools, and its text counted."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage

from agents.conversation import system_message
from agents.gateway import BYTES_A_TOKEN, tokens_in
from agents.models import cost_usd
from agents.offline.scripted import GoldDoctor
from agents.patient import opening
from graphs.ward import Ward
from state.bill import Bill, Tally
from state.journal import Role
from state.models import ServedModel
from state.session import Session
from state.trajectory import Usage
from tools.interview.interview import Utterance

SAMPLE = 24
"""Sessions walked; a longer run is taken to be like them."""
JUDGE_PROMPT_TOKENS, VERDICT_TOKENS = 700, 80
"""About what a judge's own prompt and its verdict take."""


def estimate(ward: Ward) -> Bill:
    """Expect calls, tokens and dollars by role, for all planned sessions in all epochs.

    A model that goes other ways than gold, or thinks, takes more: this is where it starts. Judges are expected to
    cross-check, nothing to be left to them, and patients to be understood at once.
    """
    planned = ward.planned
    sample = planned[:: math.ceil(len(planned) / SAMPLE)]
    walks = [_walk(ward, session) for session in sample]
    share = ward.settings.epochs * len(planned) / len(sample)
    roles = {}
    if ward.examinee is not None:
        roles[Role.DOCTOR.value] = _tally(
            [call for walk in walks for call in walk.calls], share, ward.examinee
        )
    if ward.patient is not None:
        answers = [answer for walk in walks for answer in walk.answers]
        roles[Role.PATIENT.value] = _tally(answers, share, ward.patient)
    if ward.panel.seats:
        read = [tokens for walk in walks for tokens in walk.judged]
        each = [Usage(input_tokens=tokens, output_tokens=VERDICT_TOKENS) for tokens in read]
        roles[Role.JUDGE.value] = sum(
            (_tally(each, share * ward.panel.cross_check, seat.served) for seat in ward.panel.seats), Tally()
        )
    return Bill(roles=roles)


@dataclass
class _Walk:
    """What a session's calls read and write, its patient's too, and what a judge of each of its items would read."""

    calls: list[Usage] = field(default_factory=list)
    answers: list[Usage] = field(default_factory=list)
    judged: list[int] = field(default_factory=list)


def _tally(calls: Sequence[Usage], share: float, served: ServedModel) -> Tally:
    usage = Usage(
        input_tokens=round(share * sum(call.input_tokens for call in calls)),
        output_tokens=round(share * sum(call.output_tokens for call in calls)),
    )
    return Tally(calls=round(share * len(calls)), usage=usage, usd=cost_usd(usage, served))


def _walk(ward: Ward, session: Session) -> _Walk:
    """Walk a session on a chart of its own and count what each call would read and write."""
    toolset = ward.toolset(session)
    language = ward.settings.language
    gold = ward.benchmark.gold[session.session_id]
    doctor = GoldDoctor(gold=gold, language=language)
    messages: list[AnyMessage] = [system_message(toolset.chart, session.hadm_id, language)]
    walk = _Walk()
    for turn in session.turns:
        wording = turn.wording[language]
        messages.append(HumanMessage(wording.explicit if ward.settings.explicit else wording.implicit))
        while True:
            reply = doctor.reply(messages)
            written = tokens_in([reply.text, *(call["args"] for call in reply.tool_calls)])
            said = _tokens(messages)
            walk.calls.append(
                Usage(input_tokens=math.ceil(ward.wire_tools.tokens + said), output_tokens=math.ceil(written))
            )
            messages.append(reply)
            if not reply.tool_calls:
                break
            for call in reply.tool_calls:
                if (utterance := toolset.utterance(call["name"], call["args"])) is not None:
                    walk.answers.append(_answer(utterance))
                result = toolset.call(call["name"], call["args"])
                messages.append(ToolMessage(result.text, tool_call_id=call["id"] or "", artifact=result))
        read = math.ceil(_tokens(messages)) + JUDGE_PROMPT_TOKENS
        walk.judged += [read] * len(gold.turns[turn.index].rubric)
    return walk


def _answer(utterance: Utterance) -> Usage:
    """Count what a model would read and write to say an utterance."""
    return Usage(
        input_tokens=math.ceil(_tokens(opening(utterance))),
        output_tokens=math.ceil(tokens_in(utterance.plain)),
    )


def _tokens(messages: Sequence[AnyMessage]) -> float:
    return sum(len(message.text.encode()) for message in messages) / BYTES_A_TOKEN
