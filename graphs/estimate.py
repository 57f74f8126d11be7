"""What a run will take, before its first call: the gold path walked through the real tools, and its text counted."""

import math

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage

from agents.conversation import system_message
from agents.gateway import BYTES_A_TOKEN, tokens_in
from agents.models import cost_usd
from agents.offline.scripted import GoldDoctor
from graphs.ward import Ward
from state.bill import Bill, Tally
from state.journal import Role
from state.models import ServedModel
from state.session import Session
from state.trajectory import Usage
from tools.ehr.chart import Chart
from tools.fhir.toolset import Toolset

SAMPLE = 24
"""Sessions walked; a longer run is taken to be like them."""


def estimate(ward: Ward, served: ServedModel) -> Bill:
    """Expect calls, tokens and dollars by role, for all planned sessions in all epochs.

    A model that goes other ways than gold, or thinks, takes more: this is where it starts.
    """
    planned = ward.planned
    sample = planned[:: math.ceil(len(planned) / SAMPLE)]
    walked = [usage for session in sample for usage in _calls(ward, session)]
    share = ward.settings.epochs * len(planned) / len(sample)
    usage = Usage(
        input_tokens=round(share * sum(call.input_tokens for call in walked)),
        output_tokens=round(share * sum(call.output_tokens for call in walked)),
    )
    tally = Tally(calls=round(share * len(walked)), usage=usage, usd=cost_usd(usage, served))
    return Bill(roles={Role.DOCTOR.value: tally})


def _calls(ward: Ward, session: Session) -> list[Usage]:
    """Walk a session on a chart of its own and count what each call would read and write."""
    chart = Chart(ward.warehouse, session.subject_id, session.as_of, session.hadm_id)
    toolset = Toolset(chart, ward.vocabulary, ward.dictionaries)
    language = ward.settings.language
    doctor = GoldDoctor(gold=ward.benchmark.gold[session.session_id], language=language)
    messages: list[AnyMessage] = [system_message(chart, session.hadm_id, language)]
    calls = []
    for turn in session.turns:
        wording = turn.wording[language]
        messages.append(HumanMessage(wording.explicit if ward.settings.explicit else wording.implicit))
        while True:
            reply = doctor.reply(messages)
            written = tokens_in([reply.text, *(call["args"] for call in reply.tool_calls)])
            read = ward.wire_tools.tokens + sum(len(m.text.encode()) for m in messages) / BYTES_A_TOKEN
            calls.append(Usage(input_tokens=math.ceil(read), output_tokens=math.ceil(written)))
            messages.append(reply)
            if not reply.tool_calls:
                break
            for call in reply.tool_calls:
                result = toolset.call(call["name"], call["args"])
                messages.append(ToolMessage(result.text, tool_call_id=call["id"] or "", artifact=result))
    return calls
