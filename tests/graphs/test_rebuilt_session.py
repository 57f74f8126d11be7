"""A session rebuilt from its records is the session as it was: same messages, same writes."""

import asyncio

from wards import OpenWard, Run

from graphs.ward import LiveSession
from state.trajectory import TurnRecord


def said(live: LiveSession) -> list[tuple[str, str]]:
    return [(message.type, message.text) for message in live.messages]


def test_the_conversation_is_rebuilt_word_for_word(open_ward: OpenWard, run: Run) -> None:
    ward, again = open_ward("offline/gold", limit=1), open_ward("offline/gold")
    (session,) = ward.planned
    kept: list[LiveSession] = []
    discharge = ward.discharge

    def keep_a_copy(session_id: str, epoch: int = 0) -> None:
        kept.append(ward._live[session_id])
        discharge(session_id, epoch)

    ward.discharge = keep_a_copy  # type: ignore[method-assign]
    (record,) = run(ward).records()
    rebuilt = asyncio.run(again.admit(session.session_id, list(record.turns)))
    assert said(rebuilt) == said(kept[0])
    assert rebuilt.toolset.chart.overlay.snapshot() == kept[0].toolset.chart.overlay.snapshot()
    assert rebuilt.toolset.chart.overlay.refs


def test_a_turn_that_breaks_off_leaves_no_write_behind(open_ward: OpenWard) -> None:
    ward = open_ward("offline/gold")
    session = ward.benchmark.sessions[0]
    gold = ward.benchmark.gold[session.session_id]
    write = gold.turns[-1].calls[-1]

    async def broken_turn() -> int:
        ward.keep(await ward.admit(session.session_id, []))
        live = await ward.admit(session.session_id, [])
        assert live.toolset.call(write.tool, write.arguments).ok
        again = await ward.admit(session.session_id, [])
        return len(again.toolset.chart.overlay.refs)

    assert asyncio.run(broken_turn()) == 0


def test_records_of_more_turns_than_held_are_caught_up(open_ward: OpenWard) -> None:
    ward = open_ward("offline/gold")
    session = ward.benchmark.sessions[0]
    record = TurnRecord(index=0, question="q", steps=(), answer="a", termination="answered", seconds=0)

    async def catch_up() -> list[tuple[str, str]]:
        ward.keep(await ward.admit(session.session_id, []))
        return said(await ward.admit(session.session_id, [record]))

    assert asyncio.run(catch_up())[1:] == [("human", "q"), ("ai", "a")]
