"""The wording checker's twin: a reading is held against what is meant, and what a model cannot show does not count."""

from typing import Any

import pytest
from bad_openai import Reply, Script, fails, says
from readers import fills_in, material, reading

from agents.checks.case import Case, ruled
from agents.checks.wording_reader import read_wording
from state.base import Language
from state.checking import Check, Ruling, Stage
from state.session import Implicitness

LAST = "THE LAST QUESTION"


def ruling(case: Case, script: Script) -> tuple[Check, int]:
    with reading(script) as (reader, server):
        check = ruled(Stage.WORDING_READING, lambda one: read_wording(one, reader), case)
    return check, len(server.requests)


def in_full(case: Case) -> dict[str, str]:
    """Map each question as it is said to the question in full."""
    return {w.implicit: w.explicit for turn in case.words.turns for w in turn.wording.values()}


def first_of(request: dict[str, Any]) -> str:
    return material(request)["question 1"]


def understands(case: Case, change: Any = lambda text, _: text) -> Script:
    """Read every question as it is meant, but for ``change``."""

    def script(request: dict[str, Any]) -> Reply:
        full = in_full(case)[material(request)[LAST]]
        return fills_in(readings=[change(full, request)], quote=first_of(request))

    return script


def unsaid(case: Case) -> int:
    return sum(turn.implicitness is not Implicitness.EXPLICIT for turn in case.words.turns) * len(Language)


def test_a_question_read_as_it_is_meant_is_accepted(cases: list[Case]) -> None:
    for case in cases:
        check, calls = ruling(case, understands(case))
        assert check.ruling is Ruling.ACCEPT, check.reasons
        assert calls == unsaid(case)


def test_what_a_question_says_itself_may_be_said_in_other_words(cases: list[Case]) -> None:
    """Only what is left unsaid has to be found: a quotation that names it will do."""
    case = next(case for case in cases if not case.source.match.orders)

    def script(request: dict[str, Any]) -> Reply:
        numbers = "72" if "72" in material(request)[LAST] else ""
        return fills_in(readings=[f"Well, about that. {numbers}"], quote=first_of(request))

    check, _ = ruling(case, script)
    assert check.ruling is Ruling.ACCEPT, check.reasons


def test_a_reader_is_shown_the_dialogue_and_nothing_else(cases: list[Case]) -> None:
    case = cases[0]
    with reading(understands(case)) as (reader, server):
        read_wording(case, reader)
    said = [turn.wording[Language.EN].implicit for turn in case.words.turns]
    shown = list(material(server.requests[-2]).values())
    assert shown == said[: len(shown)]
    sent = "\n".join(message["content"] for request in server.requests for message in request["messages"])
    for turn in case.answers.turns:
        assert turn.answer[Language.EN] not in sent
    assert case.plan.session_id not in sent


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda text, _: f"{text} And the sodium?", "a model reads sodium in it"),
        (lambda text, _: f"{text} I mean warfarin or heparin.", "a model reads "),
        (lambda text, _: f"{text} Over the last 48 hours.", "other numbers"),
        (lambda text, _: f"{text} As of 2180-05-07.", "other "),
    ],
)
def test_another_reading_is_rejected(cases: list[Case], change: Any, fault: str) -> None:
    case = next(case for case in cases if case.source.match.lab.analyte != "sodium")
    check, calls = ruling(case, understands(case, change))
    assert check.ruling is Ruling.REJECT
    assert fault in check.reasons[0]
    assert calls == 1


def test_a_reading_without_what_is_left_unsaid_is_rejected(cases: list[Case]) -> None:
    def loses(request: dict[str, Any]) -> Reply:
        question = first_of(request)
        return fills_in(readings=[material(request)[LAST]], quote=question[:6])

    rejected = [check for case in cases if (check := ruling(case, loses)[0]).ruling is Ruling.REJECT]
    assert rejected
    assert all("a model does not read" in check.reasons[0] for check in rejected)


def test_two_readings_are_rejected(cases: list[Case]) -> None:
    def two(request: dict[str, Any]) -> Reply:
        return fills_in(readings=["Is it the potassium?", "Is it the sodium?"], quote=first_of(request))

    check, _ = ruling(cases[0], two)
    assert check.ruling is Ruling.REJECT
    assert "more than one reading: 'Is it the potassium?'" in check.reasons[0]


def test_a_made_up_quotation_is_told_and_then_decides_nothing(cases: list[Case]) -> None:
    case = cases[0]

    def makes_up(request: dict[str, Any]) -> Reply:
        return fills_in(readings=[in_full(case)[material(request)[LAST]]], quote="words nobody said")

    with reading(makes_up) as (reader, server):
        check = ruled(Stage.WORDING_READING, lambda one: read_wording(one, reader), case)
    assert check.ruling is Ruling.CANNOT_DECIDE
    assert "the quotation is not in an earlier question" in check.reasons[0]
    assert len(server.requests) == 2
    assert "the quotation is not in an earlier question" in server.requests[1]["messages"][-1]["content"]


def test_a_quotation_mended_counts(cases: list[Case]) -> None:
    case = cases[0]

    def mends(request: dict[str, Any]) -> Reply:
        good = understands(case)(request)
        return good if len(request["messages"]) > 2 else fills_in(readings=["x"], quote="nobody said this")

    check, calls = ruling(case, mends)
    assert check.ruling is Ruling.ACCEPT
    assert calls == 2 * unsaid(case)


@pytest.mark.parametrize(
    "script",
    [
        lambda _: fills_in(readings=[], quote=""),
        lambda _: says(""),
        lambda _: says("I am not sure what they mean."),
        lambda _: says('{"readings": "one", "quote": ""}'),
        lambda _: says('{"readings": [', finish_reason="length"),
        lambda _: fails(400, code="content_filter"),
        lambda _: fails(401),
        lambda _: fails(400, code="context_length_exceeded"),
    ],
    ids=["no reading", "empty", "prose", "schema", "cut off", "filtered", "no key", "overflow"],
)
def test_a_reader_that_fails_or_cannot_tell_passes_nothing(cases: list[Case], script: Script) -> None:
    check, calls = ruling(cases[0], script)
    assert check.ruling is Ruling.CANNOT_DECIDE
    assert calls <= 2
