"""Doctors that hold gold: the ceiling, and the same gold made wrong in one way.

They try the harness, not a model: gold reaches them at construction, never through a message.
"""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import JsonValue, SkipValidation

from agents.offline.model import OfflineDoctor, questions, since_question, tool_call
from state.base import Language
from state.gold import GoldSession, GoldTurn, ToolCall
from tools.fhir.toolset import wire_name
from tools.vocabulary import Vocabulary


class GoldDoctor(OfflineDoctor):
    """Replay the gold calls of each turn, then give the gold answer."""

    name: str = "offline/gold"
    gold: GoldSession
    language: Language

    def arguments(self, call: ToolCall) -> dict[str, JsonValue]:
        """Give the arguments to send for a gold call."""
        return dict(call.arguments)

    def reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """Send the next call of the turn, or its answer when all are sent."""
        turn = self.gold.turns[len(questions(messages)) - 1]
        sent = sum(isinstance(message, AIMessage) for message in since_question(messages))
        if sent < len(turn.calls):
            call = turn.calls[sent]
            request = tool_call(wire_name(call.tool), self.arguments(call), len(messages))
            return AIMessage(content="", tool_calls=[request])
        return AIMessage(content=self.answer(turn))

    def answer(self, turn: GoldTurn) -> str:
        """Give the answer of a turn."""
        return turn.answer[self.language]


class WrongPatientDoctor(GoldDoctor):
    """Do everything right, for the patient whose number is one higher."""

    name: str = "offline/wrong-patient"

    def arguments(self, call: ToolCall) -> dict[str, JsonValue]:
        """Change the patient of every call."""
        subject_id = call.arguments["subject_id"]
        if not isinstance(subject_id, int):
            raise TypeError(f"gold call {call.tool} has no numeric subject_id")
        return {**call.arguments, "subject_id": subject_id + 1}


class DoubleDoseDoctor(GoldDoctor):
    """Do everything right, and order twice the dose."""

    name: str = "offline/double-dose"
    vocabulary: SkipValidation[Vocabulary]

    def arguments(self, call: ToolCall) -> dict[str, JsonValue]:
        """Double the dose of an order."""
        dose = self.vocabulary.dose(str(call.arguments["dose"])) if "dose" in call.arguments else None
        if dose is None:
            return dict(call.arguments)
        return {**call.arguments, "dose": f"{dose.value * 2:g} {dose.unit}"}
