"""The clinical checker's twin: a contradiction counts that is quoted from answer and results, and nothing else does."""

from typing import Any

import pytest
from bad_openai import Reply, Script, fails
from readers import fills_in, material, reading

from agents.checks.case import Case, ruled
from agents.checks.clinical_reader import read_clinical
from state.base import Language
from state.checking import Check, Ruling, Stage
from state.session import TaskType

ANSWER = "THE ANSWER"


def ruling(case: Case, script: Script) -> tuple[Check, int]:
    with reading(script) as (reader, server):
        check = ruled(Stage.CLINICAL_READING, lambda one: read_clinical(one, reader), case)
    return check, len(server.requests)


def finds(verdict: str, answer: str = "", results: str = "") -> Reply:
    return fills_in(reason="scripted", answer=answer, results=results, verdict=verdict)


def looked_up(request: dict[str, Any]) -> str:
    return next(text for name, text in material(request).items() if name.startswith("looked up"))


def a_line(text: str) -> str:
    return max(text.splitlines(), key=len)


def test_every_answer_but_of_writes_is_read_beside_its_results(cases: list[Case]) -> None:
    case = next(case for case in cases if case.words.turns[-1].task_type is TaskType.WRITE)
    with reading(lambda _: finds("agrees")) as (reader, server):
        assert read_clinical(case, reader) == []
    assert len(server.requests) == len(case.words.turns) - 1
    for request, gold in zip(server.requests, case.answers.turns, strict=False):
        shown = material(request)
        assert shown[ANSWER] == gold.answer[Language.EN]
        assert shown["the rule"] == case.source.rule.reason[Language.EN]
        assert looked_up(request)
    first = case.observed[0][0].result.text
    assert all(first.rstrip() in r["messages"][1]["content"] for r in server.requests)


def test_a_contradiction_that_is_quoted_rejects(cases: list[Case]) -> None:
    check, calls = ruling(cases[0], lambda r: finds("contradicts", material(r)[ANSWER], a_line(looked_up(r))))
    assert check.ruling is Ruling.REJECT
    assert check.reasons[0].startswith("turn 0: a model finds ")
    assert calls == 1


@pytest.mark.parametrize(
    ("script", "calls"),
    [
        (lambda r: finds("contradicts", material(r)[ANSWER], "a result of nobody"), 2),
        (lambda r: finds("contradicts", "an answer of nobody", a_line(looked_up(r))), 2),
        (lambda r: finds("contradicts", material(r)[ANSWER]), 2),
        (lambda r: finds("contradicts", a_line(looked_up(r)), material(r)[ANSWER]), 2),
        (lambda _: finds("cannot_tell"), 1),
        (lambda _: finds("fine"), 2),
        (lambda _: fails(401), 1),
    ],
    ids=[
        "made-up result",
        "made-up answer",
        "no result",
        "the wrong way round",
        "cannot tell",
        "verdict",
        "key",
    ],
)
def test_what_shows_nothing_decides_nothing(cases: list[Case], script: Script, calls: int) -> None:
    check, asked = ruling(cases[0], script)
    assert check.ruling is Ruling.CANNOT_DECIDE
    assert asked == calls
