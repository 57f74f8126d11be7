"""Doctors that do no work. A benchmark that any of them passes is broken."""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from agents.offline.model import OfflineDoctor, questions, since_question, subject_id, tool_call
from tools.fhir.toolset import wire_name

READS = (
    "Patient.read",
    "Encounter.search",
    "Condition.search",
    "Observation.search",
    "MedicationRequest.search",
    "MedicationAdministration.search",
    "DiagnosticReport.search",
    "DocumentReference.search",
    "CarePlan.search",
)
MOST = 100
"""Rows asked for at once; a result that would be too long is a shorter page."""


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


class DumpDoctor(OfflineDoctor):
    """Read the whole record, and recite all of it as the answer to everything."""

    name: str = "offline/dump-everything"

    def reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """Call every read tool anew, then return all that they show."""
        shown = [message.text for message in since_question(messages) if isinstance(message, ToolMessage)]
        if shown:
            return AIMessage(content="\n\n".join(shown))
        patient = subject_id(messages)
        calls = [
            tool_call(
                wire_name(tool),
                {"subject_id": patient}
                if tool == "Patient.read"
                else {"subject_id": patient, "_count": MOST},
                place,
            )
            for place, tool in enumerate(READS, len(messages))
        ]
        return AIMessage(content="", tool_calls=calls)
