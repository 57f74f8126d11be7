"""A doctor whose conclusions code cannot place, and judges on loopback that behave as the test says."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from bad_openai import Reply, says
from langchain_core.messages import AIMessage, BaseMessage

from agents.offline.model import questions
from agents.offline.scripted import GoldDoctor
from state.gold import JudgementItem

Judge = Callable[[dict[str, Any]], Reply]
ASKS = "You check one point"
POINT = re.compile(r"(?:THE POINT|要点)\]")


class TornDoctor(GoldDoctor):
    """Answer as gold does, and beside each conclusion name another one: code cannot tell which it means."""

    name: str = "offline/torn"

    def reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """Send the calls of gold, then both conclusions."""
        reply = super().reply(messages)
        turn = self.gold.turns[len(questions(messages)) - 1]
        others = [item.others[0][0] for item in turn.rubric if isinstance(item, JudgementItem)]
        if reply.tool_calls or not others:
            return reply
        return AIMessage(f"{reply.text} Seen in another way, {others[0]}.")


def point_of(request: dict[str, Any]) -> str:
    """Return the item a judge is asked about."""
    return POINT.split(case_of(request))[1].split("\n[")[0].strip()


def case_of(request: dict[str, Any]) -> str:
    """Return all that a judge is shown."""
    return str(request["messages"][1]["content"])


def answer_of(request: dict[str, Any]) -> str:
    """Return the answer a judge is to judge."""
    return re.split(r"(?:THE LAST ANSWER|最后一次回答)\]\n", case_of(request))[1].split("\n[")[0]


def verdict(verdict: str, quote: str, *, otherwise: bool = False, reason: str = "scripted") -> Reply:
    """Report as a judge does in JSON mode."""
    fields = {"reason": reason, "quote": quote, "verdict": verdict, "says_otherwise": otherwise}
    return says(json.dumps(fields, ensure_ascii=False))


def lenient(request: dict[str, Any]) -> Reply:
    """Find everything met, and quote the whole answer."""
    return verdict("met", answer_of(request))


def severe(request: dict[str, Any]) -> Reply:
    """Find nothing met."""
    return verdict("not_met", "")
