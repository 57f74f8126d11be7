"""The tools of one session: calls by name, answered with a resource and the text a model reads."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from langchain_core.tools import StructuredTool
from pydantic import JsonValue, ValidationError

from state.base import Language, ResourceRef
from state.patient import Saying
from state.trajectory import WriteRecord
from tools.ehr.chart import Chart
from tools.ehr.overlay import Overlay
from tools.fhir.arguments import Arguments, SearchArguments
from tools.fhir.context import Context
from tools.fhir.dictionaries import Dictionaries
from tools.fhir.elements import Resource
from tools.fhir.handlers import searches, singles
from tools.fhir.labels import Labels
from tools.fhir.langchain import ModelTool
from tools.fhir.listing import matches, show_page
from tools.fhir.medication_requests import MedicationRequests
from tools.fhir.orders import Orders
from tools.fhir.outcome import IssueType, Refused, operation_outcome, shortened
from tools.fhir.registry import EXPOSED, TOOLS, ToolSpec, dotted_name, wire_name
from tools.fhir.render import Renderer
from tools.interview.arguments import InterviewArguments
from tools.interview.interview import Interview, Utterance
from tools.interview.resource import answered
from tools.vocabulary import Vocabulary

__all__ = ["TOOLS", "ToolResult", "Toolset", "dotted_name", "wire_name"]


@dataclass(frozen=True)
class ToolResult:
    """What a call gave. ``tool`` is dotted (as sent where there is no such tool); ``refs`` are the resources shown.

    ``ok`` is False where ``resource`` is an OperationOutcome. ``write`` is set by every call of a tool that writes,
    refused ones included, ``said`` by every answer of the patient.
    """

    tool: str
    resource: Resource
    text: str
    ok: bool
    refs: tuple[ResourceRef, ...] = ()
    write: WriteRecord | None = None
    said: Saying | None = None


class Toolset:
    """The tools on one chart. A model's fault is an OperationOutcome, never an exception and never another call."""

    def __init__(
        self,
        chart: Chart,
        vocabulary: Vocabulary,
        dictionaries: Dictionaries | None = None,
        language: Language = Language.EN,
        interview: Interview | None = None,
    ) -> None:
        """Make the tools of ``chart``; charts of one warehouse should share its ``dictionaries``.

        ``language`` is that of labels and notes; refusals, which name arguments, and the record itself stay as they
        are. Without an ``interview`` the patient can be asked and knows nothing.
        """
        self.chart = chart
        self.vocabulary = vocabulary
        self.language = language
        self.dictionaries = dictionaries or Dictionaries(chart.warehouse)
        self._interview = interview or Interview(None, vocabulary)
        labels = Labels.load(language)
        self._renderer = Renderer(labels, chart.as_of)
        context = Context(chart, vocabulary, self.dictionaries, labels)
        requests = MedicationRequests(context, Orders(context))
        self._singles = singles(context, requests)
        self._searches = searches(context, requests)

    def with_overlay(self, overlay: Overlay) -> "Toolset":
        """Give the same tools on the same record with other writes on it."""
        chart = self.chart.with_overlay(overlay)
        return Toolset(chart, self.vocabulary, self.dictionaries, self.language, self._interview)

    def call(self, name: str, arguments: object, said: Saying | None = None) -> ToolResult:
        """Run a tool by its dotted or wire name. ``arguments`` should be a mapping; anything else is refused.

        ``said`` is what the patient answered when this call was first made: it is said again as it was.
        """
        known = dotted_name(name)
        if known is None:
            refusal = Refused(
                IssueType.NOT_SUPPORTED,
                f"there is no tool {shortened(name)!r}; the tools are {', '.join(spec.wire_name for spec in EXPOSED)}",
            )
            return self._refused(name, arguments, refusal)
        spec = TOOLS[known]
        try:
            asked = self._validated(spec, arguments)
            if isinstance(asked, InterviewArguments):
                return self._interviewed(known, asked, said)
            resource, text = self._run(spec, asked)
        except Refused as refusal:
            return self._refused(known, arguments, refusal)
        shown = matches(resource) if resource["resourceType"] == "Bundle" else [resource]
        refs = tuple(ref for resource in shown for ref in _refs(resource))
        write = None
        if spec.writes:
            write = WriteRecord(tool=known, arguments=_plain(arguments), accepted=True, ref=refs[0])
        return ToolResult(known, resource, text, ok=True, refs=refs, write=write)

    def utterance(self, name: str, arguments: object) -> Utterance | None:
        """Give what the patient has to say to a call; None where it does not ask the patient, or will be refused."""
        known = dotted_name(name)
        if known is None or not issubclass(TOOLS[known].arguments, InterviewArguments):
            return None
        try:
            asked = self._validated(TOOLS[known], arguments)
        except Refused:
            return None
        if not isinstance(asked, InterviewArguments) or asked.session_id not in (None, self._interview.id):
            return None
        return self._interview.utterance(known, asked.topic)

    def as_langchain(self) -> list[StructuredTool]:
        """Give the exposed tools to bind to a model and to run its calls with; the artifact is the ToolResult."""
        return list(self._langchain)

    def schemas(self) -> list[dict[str, Any]]:
        """Give the exposed tools as OpenAI function schemas."""
        return [
            {
                "type": "function",
                "function": {
                    "name": spec.wire_name,
                    "description": spec.description,
                    "parameters": spec.arguments.model_json_schema(),
                },
            }
            for spec in EXPOSED
        ]

    @cached_property
    def _langchain(self) -> tuple[StructuredTool, ...]:
        return tuple(ModelTool.of(spec, self._content_and_artifact(spec)) for spec in EXPOSED)

    def _content_and_artifact(self, spec: ToolSpec) -> Callable[[object], tuple[str, ToolResult]]:
        def run(arguments: object) -> tuple[str, ToolResult]:
            result = self.call(spec.name, arguments)
            return result.text, result

        return run

    def _run(self, spec: ToolSpec, asked: Arguments) -> tuple[Resource, str]:
        if spec.name in self._singles:
            resource = self._singles[spec.name](asked)
            return resource, self._renderer.text(resource)
        if not isinstance(asked, SearchArguments):
            raise TypeError(f"{spec.name} is no search")
        kind, _, action = spec.name.partition(".")
        path = kind if action == "search" else f"{kind}/{asked.subject_id}/${action}"
        return show_page(path, self._searches[spec.name](asked), asked, self._renderer)

    def _interviewed(self, tool: str, asked: InterviewArguments, said: Saying | None) -> ToolResult:
        interview = self._interview
        if asked.session_id not in (None, interview.id):
            raise Refused(
                IssueType.NOT_FOUND,
                f"there is no interview {asked.session_id!r}: leave session_id out, or write {interview.id}",
            )
        if said is None:
            said = interview.ask(tool, asked.topic)
        else:
            interview.recall(said)
        resource = answered(self.chart, tool, asked.topic, said, interview.id)
        return ToolResult(
            tool,
            resource,
            self._renderer.text(resource),
            ok=True,
            refs=interview.refs(said),
            said=said,
        )

    def _validated(self, spec: ToolSpec, arguments: object) -> Arguments:
        allowed = f"allowed arguments: {', '.join(spec.allowed)}"
        if not isinstance(arguments, Mapping):
            raise Refused(
                IssueType.STRUCTURE,
                f"the arguments of {spec.name} must be one JSON object, nothing was run; {allowed}",
            )
        try:
            asked = spec.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            code, text = _explain(error)
            raise Refused(code, f"{spec.name}: {text}; {allowed}") from error
        if asked.subject_id != self.chart.subject_id:
            raise Refused(
                IssueType.FORBIDDEN,
                f"this session is about patient {self.chart.subject_id}, not {asked.subject_id}; nothing was run",
            )
        return asked

    def _refused(self, tool: str, arguments: object, refusal: Refused) -> ToolResult:
        outcome = operation_outcome(refusal.code, refusal.text)
        write = None
        if tool in TOOLS and TOOLS[tool].writes:
            write = WriteRecord(tool=tool, arguments=_plain(arguments), accepted=False, error=refusal.text)
        return ToolResult(tool, outcome, self._renderer.text(outcome), ok=False, write=write)


def _refs(resource: Resource) -> list[ResourceRef]:
    """List what a resource shows: itself, and the results a report spells out."""
    results = (result["reference"] for result in resource.get("result", []))
    return [ResourceRef(ref) for ref in (f"{resource['resourceType']}/{resource['id']}", *results)]


def _explain(error: ValidationError) -> tuple[IssueType, str]:
    """Word what is wrong with each argument; the code is that of the first."""
    codes = {"extra_forbidden": IssueType.NOT_SUPPORTED, "missing": IssueType.REQUIRED}
    said = []
    for problem in error.errors(include_url=False):
        name = shortened(".".join(str(part) for part in problem["loc"]))
        match problem["type"]:
            case "extra_forbidden":
                said.append(f"unknown argument {name!r}")
            case "missing":
                said.append(f"missing argument {name!r}")
            case _ if not name:
                said.append(problem["msg"].removeprefix("Value error, "))
            case _:
                said.append(f"argument {name!r} {problem['msg'].removeprefix('Value error, ')}")
    return codes.get(error.errors()[0]["type"], IssueType.VALUE), "; ".join(said)


def _plain(arguments: object) -> dict[str, JsonValue]:
    """Keep arguments as sent for the record; what is no object is kept as text."""
    if not isinstance(arguments, Mapping):
        return {"malformed": str(arguments).encode("utf-8", "replace").decode()}
    text = json.dumps(
        {str(name): value for name, value in arguments.items()}, default=str, ensure_ascii=False
    )
    kept: dict[str, JsonValue] = json.loads(text.encode("utf-8", "replace"))
    return kept
