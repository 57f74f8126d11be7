"""FHIR resources as the text a model reads: one renderer for every result, in the language of the session."""

from collections.abc import Sequence
from datetime import datetime

from tools.fhir.dates import shown
from tools.fhir.elements import Resource
from tools.fhir.labels import Labels
from tools.fhir.render_documents import DOCUMENT_LINES
from tools.fhir.render_lines import LINES, Write

SEPARATOR = " | "
WRITE: dict[str, Write] = {**LINES, **DOCUMENT_LINES}
"""How to write each resource type. A new type needs its line in one of both."""


class Renderer:
    """Writes resources as they are read at ``as_of``."""

    def __init__(self, labels: Labels, as_of: datetime) -> None:
        self.labels = labels
        self.as_of = as_of

    def text(self, resource: Resource) -> str:
        """Write one resource or an OperationOutcome."""
        if resource["resourceType"] == "OperationOutcome":
            return "\n".join(self._issues(resource))
        return self.line(resource)

    def line(self, resource: Resource) -> str:
        """Write one resource on one line: its reference first, then what it says."""
        kind = resource["resourceType"]
        parts = WRITE[kind](resource, self.labels, self.as_of)
        return SEPARATOR.join([f"{kind}/{resource['id']}", *(part for part in parts if part)])

    def page(self, phrase: str, told: Sequence[Resource], lines: Sequence[str], **values: object) -> str:
        """Write a searchset: its head by a phrase of the labels, what is told beside it, and ``lines`` as written."""
        head = self.labels.say(phrase, now=shown(self.as_of), **values)
        issues = (issue for outcome in told for issue in self._issues(outcome))
        return "\n".join([head, *issues, *(f"- {line}" for line in lines)])

    def _issues(self, outcome: Resource) -> list[str]:
        return [
            self.labels.say(
                "issue",
                severity=self.labels.word(issue["severity"]),
                code=issue["code"],
                text=issue["details"]["text"],
            )
            for issue in outcome["issue"]
        ]
