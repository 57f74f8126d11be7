"""A checker that cannot read a session, or cannot decide, lets nothing pass; a fault of its own is not hidden."""

import pytest
from pydantic import ValidationError

from agents.checks.case import CannotDecide, Case, ruled
from agents.checks.clinical import check_clinical
from agents.checks.plan import check_plan
from agents.checks.wording import check_wording
from state.checking import Check, Ruling, Stage


def test_what_a_checker_cannot_find_in_a_session_is_no_pass(cases: list[Case]) -> None:
    def breaks(_: Case) -> list[str]:
        raise KeyError("surprise")

    check = ruled(Stage.PLAN, breaks, cases[0])
    assert (check.passed, check.ruling) == (False, Ruling.CANNOT_DECIDE)
    assert "surprise" in check.reasons[0]


def test_a_fault_of_the_checker_itself_is_not_hidden(cases: list[Case]) -> None:
    def is_wrong(_: Case) -> list[str]:
        raise AttributeError("no such thing")

    with pytest.raises(AttributeError):
        ruled(Stage.PLAN, is_wrong, cases[0])


def test_a_checker_that_cannot_decide_lets_nothing_pass(cases: list[Case]) -> None:
    def doubts(_: Case) -> list[str]:
        raise CannotDecide("it may be either")

    assert ruled(Stage.PLAN, doubts, cases[0]).ruling is Ruling.CANNOT_DECIDE


def test_what_is_not_there_yet_cannot_be_checked(cases: list[Case]) -> None:
    bare = Case(source=cases[0].source, plan=cases[0].plan)
    assert ruled(Stage.PLAN, check_plan, bare).passed
    assert ruled(Stage.CLINICAL, check_clinical, bare).ruling is Ruling.CANNOT_DECIDE
    assert ruled(Stage.WORDING, check_wording, bare).ruling is Ruling.CANNOT_DECIDE


def test_only_a_ruling_without_reasons_accepts() -> None:
    with pytest.raises(ValidationError):
        Check(stage=Stage.PLAN, ruling=Ruling.ACCEPT, reasons=("but",))
    with pytest.raises(ValidationError):
        Check(stage=Stage.PLAN, ruling=Ruling.REJECT)


def test_a_resolver_that_finds_two_readings_rejects(cases: list[Case]) -> None:
    two = [
        case.having(resolver=lambda _case, _index, _language: ["it may be the drug or the test"])
        for case in cases
    ]
    assert all(ruled(Stage.WORDING, check_wording, case).ruling is Ruling.REJECT for case in two)
