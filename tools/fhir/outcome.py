"""Refusals as OperationOutcome resources."""

from enum import StrEnum

from tools.fhir.elements import Resource


class IssueType(StrEnum):
    """Codes used of FHIR R4's value set issue-type."""

    STRUCTURE = "structure"
    REQUIRED = "required"
    VALUE = "value"
    CODE_INVALID = "code-invalid"
    MULTIPLE_MATCHES = "multiple-matches"
    NOT_FOUND = "not-found"
    NOT_SUPPORTED = "not-supported"
    FORBIDDEN = "forbidden"
    BUSINESS_RULE = "business-rule"
    INFORMATIONAL = "informational"
    INCOMPLETE = "incomplete"


class Refused(Exception):
    """A call that cannot be answered as asked; the toolset turns it into an OperationOutcome."""

    def __init__(self, code: IssueType, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def shortened(name: str, most: int = 80) -> str:
    """Cut what a caller invented to a length that a sentence can hold."""
    return name if len(name) <= most else f"{name[:most]}..."


def operation_outcome(code: IssueType, text: str, severity: str = "error") -> Resource:
    """Build an OperationOutcome of one issue."""
    return {
        "resourceType": "OperationOutcome",
        "issue": [{"severity": severity, "code": code.value, "details": {"text": text}}],
    }


def not_loaded(*tables: str) -> Refused:
    """Say that tables a search rests on are not in this warehouse."""
    named = " and ".join(tables)
    verb = "were" if len(tables) > 1 else "was"
    return Refused(
        IssueType.NOT_SUPPORTED,
        f"{named} {verb} not loaded into this warehouse: whether the patient has such records cannot be told",
    )
