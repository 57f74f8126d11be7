"""The observation checker catches calls that show nothing, another patient or the future, and misplaced writes."""

from datetime import timedelta

import pytest
from planting import Planter, arguments_of, calls_of
from seeded import caught

from agents.checks.case import Case
from agents.checks.observation import check_observation
from state.checking import Stage
from state.gold import ToolCall
from state.plan import TASK_TYPE
from state.session import TaskType


def _write(case: Case) -> tuple[int, tuple[ToolCall, ...]] | None:
    last = len(case.plan.turns) - 1
    return (last, case.calls[last]) if TASK_TYPE[case.plan.turns[last].kind] is TaskType.WRITE else None


def _flag(case: Case) -> ToolCall:
    subject = case.plan.match.subject_id
    return ToolCall(
        tool="Flag.create",
        arguments={"subject_id": subject, "category": "clinical", "code": "x", "detail": "y"},
    )


def _session_of(**changes: object) -> Planter:
    return lambda case: case.having(session=case.words.model_copy(update=changes))


def _two_writes(case: Case) -> Case | None:
    found = _write(case)
    return None if found is None else calls_of(case, found[0], (*found[1], found[1][-1]))


def _no_write(case: Case) -> Case | None:
    found = _write(case)
    return None if found is None else calls_of(case, found[0], ())


def _reads_after_write(case: Case) -> Case | None:
    found = _write(case)
    return None if found is None else calls_of(case, found[0], (*found[1], case.calls[0][0]))


def _reads_instead(case: Case) -> Case | None:
    found = _write(case)
    return None if found is None else calls_of(case, found[0], case.calls[0])


def _same_resource_everywhere(case: Case) -> Case | None:
    looking = [
        at
        for at, turn in enumerate(case.plan.turns)
        if TASK_TYPE[turn.kind] in (TaskType.LOOKUP, TaskType.GATHER)
    ]
    if len(looking) < 3:
        return None
    return case.having(
        calls=tuple(case.calls[0] if at in looking else calls for at, calls in enumerate(case.calls))
    )


def _before(case: Case) -> Case:
    """Set the session before its own result was known: what the calls show lies in its future."""
    return case.having(
        session=case.words.model_copy(update={"as_of": case.plan.match.lab.charttime - timedelta(hours=1)})
    )


def _bound_otherwise(case: Case) -> Case:
    lab = {**case.answers.bindings["lab"], "value": case.plan.match.lab.value * 10}
    return case.having(
        gold=case.answers.model_copy(update={"bindings": {**case.answers.bindings, "lab": lab}})
    )


FAULTS: dict[str, Planter] = {
    "a call for another patient": lambda case: arguments_of(case, 0, subject_id=1),
    "a call for no patient": lambda case: calls_of(
        case,
        0,
        (ToolCall(tool="Observation.search", arguments={"category": "laboratory", "code": "Sodium"}),),
    ),
    "a session of another patient": lambda case: _session_of(subject_id=case.plan.match.subject_id + 1)(case),
    "a session of another admission": lambda case: _session_of(hadm_id=case.plan.match.hadm_id + 1)(case),
    "a session of a later moment": lambda case: _session_of(as_of=case.plan.match.as_of + timedelta(days=1))(
        case
    ),
    "results of the session's future": _before,
    "gold bound to another result": _bound_otherwise,
    "a test that was never done": lambda case: arguments_of(case, 0, code="Lipase", category="vital-signs"),
    "results of a time without any": lambda case: arguments_of(case, 0, date_from="2999-01-01T00:00:00"),
    "an argument no tool has": lambda case: arguments_of(case, 0, flavour="x"),
    "a tool that is none": lambda case: calls_of(
        case, 0, (case.calls[0][0].model_copy(update={"tool": "Observation.guess"}),)
    ),
    "a lookup without a call": lambda case: calls_of(case, 0, ()),
    "a write in a lookup": lambda case: calls_of(case, 0, (*case.calls[0], _flag(case))),
    "two writes in a write turn": _two_writes,
    "no write in a write turn": _no_write,
    "a read after the write": _reads_after_write,
    "a read in place of the write": _reads_instead,
    "one type of resource in three turns": _same_resource_everywhere,
}


def test_sound_observations_are_accepted(cases: list[Case]) -> None:
    assert [fault for case in cases for fault in check_observation(case)] == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str, cases: list[Case]) -> None:
    caught(Stage.OBSERVATION, fault, FAULTS[fault], check_observation, cases)
