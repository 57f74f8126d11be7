"""Doctors that do no work. A benchmark that any of them passes is broken."""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage

from agents.offline.model import OfflineDoctor, questions


class EmptyDoctor(OfflineDoctor):
    """Say nothing."""

    name: str = "offline/empty"

    def reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """Return an empty message."""
        return AIMessage(content="")


class RefusingDoctor(OfflineDoctor):
    """Decline every question."""

    name: str = "offline/refuse"

    def reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """Return a refusal."""
        return AIMessage(content="I am sorry, but I cannot help with that. Please ask a qualified clinician.")


class EchoDoctor(OfflineDoctor):
    """Give the question back."""

    name: str = "offline/echo"

    def reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """Return the physician's last question."""
        return AIMessage(content=questions(messages)[-1])
