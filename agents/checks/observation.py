"""The observation checker: what the gold calls show is there, of the right patient, and of the right time."""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from agents.checks.case import CannotDecide, Case, Observed, Resource, leaves
from agents.turn_sizes import TURNS_A_RESOURCE
from state.base import GatePolicy
from state.gold import ToolCall
from state.plan import TASK_TYPE
from state.session import TaskType
from tools.fhir.toolset import TOOLS

_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})?")
_PATIENT = re.compile(r"Patient/(\d+)")


def check_observation(case: Case) -> list[str]:
    """Reject calls that are refused, show nothing, show another patient or the future, or write out of place."""
    if len(case.calls) != len(case.plan.turns):
        raise CannotDecide(f"{len(case.calls)} turns have calls, {len(case.plan.turns)} are planned")
    return [
        *_other_match(case),
        *_misplaced(case),
        *_read_too_often(case),
        *(
            f"turn {index}: {fault}"
            for index, turn in enumerate(case.observed)
            for fault in _faults(turn, case)
        ),
    ]


def _other_match(case: Case) -> Iterable[str]:
    """Hold plan, session, gold and chart to one patient and one moment."""
    match, chart, session = case.plan.match, case.source.toolset.chart, case.session
    if (chart.subject_id, chart.as_of) != (match.subject_id, match.as_of):
        yield "the chart is of another patient or moment than the plan"
    if session is not None and (session.subject_id, session.hadm_id, session.as_of) != (
        match.subject_id,
        match.hadm_id,
        match.as_of,
    ):
        yield "the session is about another patient, admission or moment than its plan"
    if case.gold is not None and case.gold.bindings != match.model_dump(mode="json"):
        yield "the gold is bound to other values than its plan"


def _misplaced(case: Case) -> Iterable[str]:
    """Find calls for another patient, writes outside a turn that writes, and any but one in such a turn."""
    for index, (turn, calls) in enumerate(zip(case.plan.turns, case.calls, strict=True)):
        task = TASK_TYPE[turn.kind]
        writes = [at for at, call in enumerate(calls) if _writes(call)]
        if any(call.arguments.get("subject_id") != case.plan.match.subject_id for call in calls):
            yield f"turn {index} calls for another patient"
        if task is not TaskType.WRITE and writes:
            yield f"turn {index} writes, and is to {task}"
        if task is TaskType.WRITE and len(writes) != 1:
            yield f"turn {index} writes {len(writes)} times"
        if task is TaskType.WRITE and writes and writes[-1] != len(calls) - 1:
            yield f"turn {index} goes on after its write"
        if task in {TaskType.LOOKUP, TaskType.GATHER} and not calls:
            yield f"turn {index} looks nothing up"


def _writes(call: ToolCall) -> bool:
    return call.tool in TOOLS and TOOLS[call.tool].writes


def _read_too_often(case: Case) -> Iterable[str]:
    looking = (
        {call.tool.partition(".")[0] for call in calls}
        for turn, calls in zip(case.plan.turns, case.calls, strict=True)
        if TASK_TYPE[turn.kind] in {TaskType.LOOKUP, TaskType.GATHER}
    )
    for resource, turns in Counter(name for names in looking for name in names).items():
        if turns > TURNS_A_RESOURCE:
            yield f"{resource} is looked up in {turns} turns"


def _faults(turn: Iterable[Observed], case: Case) -> Iterable[str]:
    for observed in turn:
        tool = observed.call.tool
        if not observed.result.ok:
            yield f"{tool} is refused: {observed.result.text}"
            continue
        if not observed.resources:
            yield f"{tool} shows nothing"
        for resource in observed.resources:
            yield from (f"{tool}: {fault}" for fault in _strange(resource, case))


def _strange(resource: Resource, case: Case) -> Iterable[str]:
    subject = str(case.plan.match.subject_id)
    as_of = case.session.as_of if case.session is not None else case.plan.match.as_of
    if resource["resourceType"] == "Patient" and str(resource["id"]) != subject:
        yield f"Patient/{resource['id']} is another patient"
    for leaf in leaves(resource):
        if not isinstance(leaf, str):
            continue
        if (patient := _PATIENT.fullmatch(leaf)) and patient[1] != subject:
            yield f"{resource['id']} is of another patient"
        # The published gate shows the future on purpose: there is no right time to hold it to.
        strict = case.source.toolset.chart.policy is GatePolicy.STRICT
        if strict and _MOMENT.fullmatch(leaf) and datetime.fromisoformat(leaf).replace(tzinfo=None) > as_of:
            yield f"{resource['id']} shows {leaf}, after the session's moment"
