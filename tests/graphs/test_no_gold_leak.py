"""No string of gold that the tools did not show reaches a doctor: whole trajectories are walked."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from pydantic import Field
from wards import OpenWard, Run

from agents.checkers import leaked_gold
from agents.offline.baseline import BaselineDoctor
from graphs.ward import Ward
from state.base import Language
from state.gold import GoldSession
from state.outcome import Errored, Party


class ListeningDoctor(BaselineDoctor):
    """Answer as the baseline does, and keep every message that was sent."""

    heard: list[BaseMessage] = Field(default_factory=list)

    def reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        self.heard.extend(messages)
        return super().reply(messages)


def gold_strings(gold: GoldSession) -> set[str]:
    """Collect every text of gold that is long enough to be told from chance."""
    calls = [call for turn in gold.turns for call in turn.calls]
    texts = {
        *(text for turn in gold.turns for text in turn.answer.values()),
        *(text for turn in gold.turns for item in turn.rubric for text in item.text.values()),
        *(str(value) for call in calls if call.tool.endswith(".create") for value in call.arguments.values()),
    }
    return {text for text in texts if len(text) > 12}


def listening(ward: Ward) -> dict[str, ListeningDoctor]:
    """Put a listening doctor on every session of a ward."""
    doctors = {name: ListeningDoctor(vocabulary=ward.vocabulary) for name in ward.benchmark.gold}
    ward.make_doctor = lambda gold: doctors[gold.session_id]
    return doctors


def test_no_gold_reaches_a_doctor(open_ward: OpenWard, run: Run) -> None:
    ward = open_ward("offline/baseline")
    doctors = listening(ward)
    run(ward)
    for name, doctor in doctors.items():
        own = [m.text for m in doctor.heard if isinstance(m, AIMessage)]
        sent = [m.text for m in doctor.heard if not isinstance(m, AIMessage)]
        shown = [m.text for m in doctor.heard if isinstance(m, ToolMessage)]
        assert shown
        wordings = (w for turn in ward.benchmark.session(name).turns for w in turn.wording.values())
        questions = [text for wording in wordings for text in (wording.explicit, wording.implicit)]
        for secret in gold_strings(ward.benchmark.gold[name]):
            # What the physician asks for by name, such as a service, is no secret.
            if any(secret in asked for asked in questions):
                continue
            told = any(secret in text for text in sent)
            assert not told or any(secret in text for text in (*shown, *own)), (name, secret)


def test_the_tool_list_is_the_same_in_every_turn_and_session(open_ward: OpenWard) -> None:
    ward = open_ward("offline/baseline")

    async def tool_lists() -> set[str]:
        lists = set()
        for session in ward.benchmark.sessions:
            live = await ward.admit(session.session_id, [])
            lists.add(
                repr([(tool.name, tool.description, tool.args) for tool in live.toolset.as_langchain()])
            )
        return lists

    assert len(asyncio.run(tool_lists())) == 1


def test_a_leak_is_an_error_of_the_harness(open_ward: OpenWard, run: Run) -> None:
    """Plant a gold answer in a question: the session must end as the harness's fault, with no score."""
    ward = open_ward("offline/baseline", limit=1)
    (session,) = ward.planned
    secret = ward.benchmark.gold[session.session_id].turns[0].answer[Language.EN]
    wording = session.turns[0].wording[Language.EN]
    told = wording.model_copy(update={"implicit": f"{wording.implicit} {secret}"})
    turn = session.turns[0].model_copy(update={"wording": {Language.EN: told}})
    planted = session.model_copy(update={"turns": (turn, *session.turns[1:])})
    ward.benchmark = replace(ward.benchmark, sessions=(planted,))
    (result,) = run(ward).results()
    for turn_result in result.turns:
        assert isinstance(turn_result.outcome, Errored)
        assert turn_result.outcome.who is Party.HARNESS


def test_leaked_gold_finds_a_planted_item(open_ward: OpenWard) -> None:
    gold = next(iter(open_ward("offline/gold").benchmark.gold.values()))
    item = next(iter(gold.turns[0].rubric[0].text.values()))
    assert leaked_gold(gold, ["nothing here", f"before {item} after"]) == [item]
    assert leaked_gold(gold, ["nothing here"]) == []
