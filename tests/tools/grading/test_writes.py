"""What was written: normalised and exact, nothing extra, nobody else's chart."""

from typing import Any

import pytest
from pydantic import ValidationError

from state.base import Language, ResourceRef
from state.gold import ExactWritesItem, FieldMatch, WriteFieldItem
from state.outcome import Verdict
from tools.grading import TurnEvidence, decide
from tools.grading.writes import REFUSED_TRIES
from tools.vocabulary import Vocabulary

ORDER = "MedicationRequest.create"
STOP = "MedicationRequest.patch"
FLAG = "Flag.create"
SERVICE = "ServiceRequest.create"
RIGHT = {"medication": "spironolactone", "dose": "12.5 mg", "route": "PO", "frequency": "DAILY"}
FIRST = ResourceRef("MedicationRequest/new-1")


def order(**changes: Any) -> tuple[str, dict[str, Any]]:
    return ORDER, RIGHT | changes


def stop(**changes: Any) -> tuple[str, dict[str, Any]]:
    return STOP, {"_id": FIRST, "status": "stopped", "reason": "potassium 5.9"} | changes


def flag(**changes: Any) -> tuple[str, dict[str, Any]]:
    return FLAG, {"category": "safety", "code": "Hyperkalemia", "detail": "potassium 5.9"} | changes


def service(**changes: Any) -> tuple[str, dict[str, Any]]:
    return SERVICE, {"service_type": "repeat potassium", "priority": "urgent"} | changes


def field(name: str, match: FieldMatch, *values: str, tool: str = ORDER) -> WriteFieldItem:
    return WriteFieldItem(
        item_id=name, text={Language.EN: name}, tool=tool, field=name, match=match, values=values
    )


def exactly(*tools: str, may_end: tuple[ResourceRef, ...] = ()) -> ExactWritesItem:
    return ExactWritesItem(item_id="exact", text={Language.EN: "nothing else"}, tools=tools, may_end=may_end)


@pytest.mark.parametrize(
    ("name", "match", "wanted", "written", "verdict"),
    [
        ("medication", FieldMatch.DRUG, "spironolactone", "Aldactone", "met"),
        ("medication", FieldMatch.DRUG, "spironolactone", "螺内酯", "met"),
        ("medication", FieldMatch.DRUG, "spironolactone", "Spironolactone tablet", "met"),
        ("medication", FieldMatch.DRUG, "spironolactone", "eplerenone", "not_met"),
        ("medication", FieldMatch.DRUG, "hydralazine", "hydroxyzine", "not_met"),
        ("medication", FieldMatch.DRUG, "metoprolol", "methotrexate", "not_met"),
        ("medication", FieldMatch.DRUG, "insulin", "insulin glargine", "not_met"),
        ("medication", FieldMatch.DRUG, "insulin glargine", "Lantus", "met"),
        ("medication", FieldMatch.DRUG, "potassium chloride", "KCl", "met"),
        ("medication", FieldMatch.DRUG, "potassium chloride", "KPhos", "not_met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", "12.5mg", "met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", "0.0125 g", "met"),
        ("dose", FieldMatch.DOSE, "1000 mg", "1 g", "met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", "12.5毫克", "met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", "2.5 mg", "not_met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", "12.5 mcg", "not_met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", "25 mg", "not_met"),
        ("dose", FieldMatch.DOSE, "20 mEq", "20 mg", "not_met"),
        ("dose", FieldMatch.DOSE, "20 mEq", "20 mmol", "not_met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", "12.5-25 mg", "not_met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", "10-12.5 mg", "not_met"),
        ("dose", FieldMatch.DOSE, "5-10 mg", "5 to 10 mg", "met"),
        ("dose", FieldMatch.DOSE, "5-10 mg", "5 mg", "not_met"),
        ("dose", FieldMatch.DOSE, "half", "12.5 mg", "not_met"),
        ("route", FieldMatch.ROUTE, "PO", "by mouth", "met"),
        ("route", FieldMatch.ROUTE, "PO/NG", "oral", "met"),
        ("route", FieldMatch.ROUTE, "PO", "口服", "met"),
        ("route", FieldMatch.ROUTE, "PO", "IV", "not_met"),
        ("route", FieldMatch.ROUTE, "IV", "IV drip", "not_met"),
        ("route", FieldMatch.ROUTE, "IV", "静脉滴注", "met"),
        ("route", FieldMatch.ROUTE, "IV", "静滴", "met"),
        ("route", FieldMatch.ROUTE, "IV", "静脉点滴", "met"),
        ("route", FieldMatch.ROUTE, "IV", "静脉输注", "met"),
        ("route", FieldMatch.ROUTE, "IV", "静脉滴注（ivgtt）", "met"),
        ("route", FieldMatch.ROUTE, "IV", "ivgtt", "met"),
        ("route", FieldMatch.ROUTE, "IV", "静脉给药", "met"),
        ("route", FieldMatch.ROUTE, "IV", "静脉泵入", "not_met"),
        ("route", FieldMatch.ROUTE, "IV", "静脉推注", "not_met"),
        ("route", FieldMatch.ROUTE, "IV", "continuous infusion", "not_met"),
        ("route", FieldMatch.ROUTE, "IV", "肌内注射", "not_met"),
        ("route", FieldMatch.ROUTE, "PO", "静脉滴注", "not_met"),
        ("route", FieldMatch.ROUTE, "IV DRIP", "静脉滴注", "met"),
        ("route", FieldMatch.ROUTE, "IV DRIP", "静脉推注", "not_met"),
        ("route", FieldMatch.ROUTE, "IV BOLUS", "静脉滴注", "not_met"),
        ("frequency", FieldMatch.FREQUENCY, "BID", "twice daily", "met"),
        ("frequency", FieldMatch.FREQUENCY, "BID", "每日两次", "met"),
        ("frequency", FieldMatch.FREQUENCY, "BID", "Q12H", "met"),
        ("frequency", FieldMatch.FREQUENCY, "Q8H", "TID", "met"),
        ("frequency", FieldMatch.FREQUENCY, "BID", "Q8H", "not_met"),
        ("frequency", FieldMatch.FREQUENCY, "BID", "Q4H", "not_met"),
        ("frequency", FieldMatch.FREQUENCY, "BID", "BID PRN", "not_met"),
        ("frequency", FieldMatch.FREQUENCY, "Q6H PRN", "QID PRN", "met"),
        ("frequency", FieldMatch.FREQUENCY, "BID", "BID with meals", "not_met"),
        ("frequency", FieldMatch.FREQUENCY, "DAILY", "QHS", "not_met"),
        ("frequency", FieldMatch.FREQUENCY, "DAILY", "TID", "not_met"),
    ],
)
def test_a_field_of_an_order_is_compared_by_what_it_means(
    name: str, match: FieldMatch, wanted: str, written: str, verdict: str, vocabulary: Vocabulary, turn: Any
) -> None:
    given = turn(order(**{name: written}))
    assert given.changes.created, given.writes
    found = decide(field(name, match, wanted), given, vocabulary)
    assert found.verdict == verdict, found.reason


@pytest.mark.parametrize(
    ("name", "match", "wanted", "written", "verdict"),
    [
        ("service_type", FieldMatch.SERVICE, "repeat potassium", "serum potassium level", "met"),
        ("service_type", FieldMatch.SERVICE, "repeat potassium", "复查血钾", "met"),
        ("service_type", FieldMatch.SERVICE, "repeat potassium", "urine potassium", "not_met"),
        ("service_type", FieldMatch.SERVICE, "repeat potassium", "blood test", "not_met"),
        ("service_type", FieldMatch.SERVICE, "CT abdomen", "CT head", "not_met"),
        ("service_type", FieldMatch.SERVICE, "something nice", "CT head", "not_met"),
        ("priority", FieldMatch.CODE, "urgent", "urgent", "met"),
        ("priority", FieldMatch.CODE, "urgent", "routine", "not_met"),
    ],
)
def test_a_service_is_compared_by_what_is_asked_for(
    name: str, match: FieldMatch, wanted: str, written: str, verdict: str, vocabulary: Vocabulary, turn: Any
) -> None:
    found = decide(field(name, match, wanted, tool=SERVICE), turn(service(**{name: written})), vocabulary)
    assert found.verdict == verdict, found.reason


@pytest.mark.parametrize(
    ("wanted", "written", "verdict"),
    [
        ("2999-01-06", "2999-01-06", "met"),
        ("2999-01-06", "2999-01-06T08:00", "met"),
        ("2999-01-06", "2999-01-07", "not_met"),
        ("2999-01-06T08:00", "2999-01-06T08:00", "met"),
        ("2999-01-06T08:00", "2999-01-06", "not_met"),
        ("2999-01-06T08:00", "2999-01-06T08:01", "not_met"),
    ],
)
def test_a_target_date_is_that_day_or_minute(
    wanted: str, written: str, verdict: str, vocabulary: Vocabulary, turn: Any
) -> None:
    item = field("target_date", FieldMatch.DATE, wanted, tool=SERVICE)
    assert decide(item, turn(service(target_date=written)), vocabulary).verdict == verdict
    assert decide(item, turn(service()), vocabulary).verdict is Verdict.NOT_MET


def test_a_field_may_have_one_of_several_values(vocabulary: Vocabulary, turn: Any) -> None:
    item = field("medication", FieldMatch.DRUG, "spironolactone", "eplerenone")
    assert decide(item, turn(order(medication="Inspra")), vocabulary).verdict is Verdict.MET
    assert decide(item, turn(order(medication="lisinopril")), vocabulary).verdict is Verdict.NOT_MET


@pytest.mark.parametrize(
    ("medication", "verdict"), [("KCl", "met"), ("K-Phos", "not_met"), ("spironolactone", "not_met")]
)
def test_mmol_are_meq_where_the_salt_says_so(
    medication: str, verdict: str, vocabulary: Vocabulary, turn: Any
) -> None:
    item = field("dose", FieldMatch.DOSE, "20 mEq")
    found = decide(item, turn(order(medication=medication, dose="20 mmol")), vocabulary)
    assert found.verdict == verdict, found.reason


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "met"),
        ({"duration_days": 999}, "not_met"),
        ({"duration_days": "两周"}, "not_met"),
        ({"duration_days": 1}, "not_met"),
        ({"frequency": "ONCE", "duration_days": 1}, "met"),
        ({"frequency": "ONCE", "duration_days": 2}, "not_met"),
        ({"indication": "heart failure"}, "met"),
    ],
)
def test_a_duration_nobody_asked_for_fails(
    changes: dict[str, Any], verdict: str, vocabulary: Vocabulary, turn: Any
) -> None:
    found = decide(field("duration_days", FieldMatch.ABSENT), turn(order(**changes)), vocabulary)
    assert found.verdict == verdict, found.reason


def test_a_field_left_out_or_never_written_is_not_met(vocabulary: Vocabulary, turn: Any) -> None:
    item = field("indication", FieldMatch.CODE, "hyperkalemia")
    assert decide(item, turn(order(indication="Hyperkalemia")), vocabulary).verdict is Verdict.MET
    for given in (turn(order()), turn(), turn(order(indication="hyperkalemia", dose="a bit")), turn(flag())):
        assert decide(item, given, vocabulary).verdict is Verdict.NOT_MET
    assert decide(field("duration_days", FieldMatch.ABSENT), turn(), vocabulary).verdict is Verdict.NOT_MET


def test_a_write_of_an_earlier_turn_is_not_one_of_this(vocabulary: Vocabulary, turn: Any) -> None:
    given: TurnEvidence = turn(earlier=(order(),))
    assert decide(field("dose", FieldMatch.DOSE, "12.5 mg"), given, vocabulary).verdict is Verdict.NOT_MET
    assert decide(exactly(ORDER), given, vocabulary).verdict is Verdict.NOT_MET
    assert decide(exactly(), given, vocabulary).verdict is Verdict.MET


def test_of_two_accepted_writes_both_must_match(vocabulary: Vocabulary, turn: Any) -> None:
    item = field("dose", FieldMatch.DOSE, "12.5 mg")
    assert decide(item, turn(order(), order()), vocabulary).verdict is Verdict.MET
    assert decide(item, turn(order(), order(dose="25 mg")), vocabulary).verdict is Verdict.NOT_MET


def test_values_are_given_but_for_a_field_to_be_left_out() -> None:
    with pytest.raises(ValidationError, match="values are given"):
        field("dose", FieldMatch.DOSE)
    with pytest.raises(ValidationError, match="values are given"):
        field("duration_days", FieldMatch.ABSENT, "3")


BAD = order(dose="a bit")


@pytest.mark.parametrize(
    ("calls", "verdict"),
    [
        ([order()], "met"),
        ([], "not_met"),
        ([order(), order()], "not_met"),
        ([order(), flag()], "not_met"),
        ([flag()], "not_met"),
        ([BAD, order()], "met"),
        ([BAD] * REFUSED_TRIES + [order()], "met"),
        ([BAD] * (REFUSED_TRIES + 1) + [order()], "not_met"),
        ([order(medication=f"drug {n}") for n in range(9)] + [order()], "not_met"),
        ([BAD], "not_met"),
        ([order(subject_id=1), order()], "not_met"),
        ([order(subject_id="1"), order()], "not_met"),
        ([order(subject_id=1)], "not_met"),
        ([flag(detail=""), order()], "not_met"),
        ([stop(_id="rx-0"), order()], "not_met"),
        ([order(), stop()], "not_met"),
        ([order(dose="25 mg"), stop(), order()], "not_met"),
    ],
)
def test_exactly_the_expected_writes(
    calls: list[Any], verdict: str, vocabulary: Vocabulary, turn: Any
) -> None:
    found = decide(exactly(ORDER), turn(*calls), vocabulary)
    assert found.verdict == verdict, found.reason


def test_two_of_a_kind_can_be_expected(vocabulary: Vocabulary, turn: Any) -> None:
    assert decide(exactly(ORDER, ORDER), turn(order(), order()), vocabulary).verdict is Verdict.MET
    assert decide(exactly(ORDER, ORDER), turn(order()), vocabulary).verdict is Verdict.NOT_MET


@pytest.mark.parametrize(
    ("calls", "verdict"),
    [
        ([order()], "met"),
        ([order(), stop()], "met"),
        ([stop(status="on-hold"), order()], "met"),
        ([stop(status="on-hold"), stop(), order()], "met"),
        ([stop(_id="rx-0"), stop(), order()], "met"),
        ([stop(_id="MedicationRequest/new-2"), order()], "not_met"),
        ([stop()], "not_met"),
        ([order(), stop(), stop(_id="MedicationRequest/new-3")], "not_met"),
        ([stop(), order(), flag()], "not_met"),
    ],
)
def test_the_order_that_is_replaced_may_be_ended_and_no_other(
    calls: list[Any], verdict: str, vocabulary: Vocabulary, turn: Any
) -> None:
    standing = (order(dose="25 mg"), order(medication="furosemide", dose="40 mg"))
    found = decide(exactly(ORDER, may_end=(FIRST,)), turn(*calls, earlier=standing), vocabulary)
    assert found.verdict == verdict, found.reason


@pytest.mark.parametrize(
    ("calls", "which", "status", "nothing_else"),
    [
        ([stop()], "met", "met", "met"),
        ([stop(_id=None, medication="Aldactone")], "met", "met", "met"),
        ([stop(status="on-hold")], "met", "not_met", "met"),
        ([stop(status="on-hold"), stop()], "met", "met", "met"),
        ([stop(_id="MedicationRequest/new-2")], "not_met", "met", "met"),
        ([stop(), stop(_id="MedicationRequest/new-2")], "not_met", "met", "not_met"),
        ([stop(), order()], "met", "met", "not_met"),
        ([stop(_id="MedicationRequest/new-12")], "not_met", "not_met", "not_met"),
        ([], "not_met", "not_met", "not_met"),
    ],
)
def test_a_stop_is_of_the_right_order(
    calls: list[Any], which: str, status: str, nothing_else: str, vocabulary: Vocabulary, turn: Any
) -> None:
    standing = (order(dose="25 mg"), order(medication="furosemide", dose="40 mg"))
    given = turn(*calls, earlier=standing)
    items = (
        field("_id", FieldMatch.REFERENCE, FIRST, tool=STOP),
        field("status", FieldMatch.CODE, "stopped", tool=STOP),
        exactly(STOP),
    )
    assert [decide(item, given, vocabulary).verdict for item in items] == [which, status, nothing_else]


def test_a_write_rests_on_what_was_looked_up(vocabulary: Vocabulary, turn: Any) -> None:
    item = field("dose", FieldMatch.DOSE, "12.5 mg").model_copy(update={"evidence": (FIRST,)})
    assert decide(item, turn(order()), vocabulary).verdict is Verdict.NOT_MET
    assert decide(item, turn(order(), shown=(FIRST,)), vocabulary).verdict is Verdict.MET


@pytest.mark.parametrize(
    ("calls", "shown", "reasons"),
    [
        ([order()], (FIRST,), []),
        ([order(dose="25 mg")], (FIRST,), ["dose is 25 mg"]),
        ([order(dose="25 mg", route="IV")], (FIRST,), ["dose is 25 mg", "route is 'IV'"]),
        ([order(duration_days=3)], (FIRST,), ["adds duration_days 3"]),
        ([order(dose="25 mg"), order()], (FIRST,), ["wrote 2 MedicationRequest.create", "dose is 25 mg"]),
        ([order()], (), [FIRST]),
        ([flag()], (FIRST,), ["wrote 1 Flag.create", "no MedicationRequest.create was accepted"]),
        ([], (FIRST,), ["wrote nothing", "no MedicationRequest.create was accepted"]),
    ],
)
def test_the_writes_are_right_only_with_every_part_that_can_harm(
    calls: list[Any], shown: tuple[str, ...], reasons: list[str], vocabulary: Vocabulary, turn: Any
) -> None:
    parts = (
        field("dose", FieldMatch.DOSE, "12.5 mg").model_copy(update={"evidence": (FIRST,)}),
        field("route", FieldMatch.ROUTE, "PO"),
        field("duration_days", FieldMatch.ABSENT),
    )
    item = exactly(ORDER).model_copy(update={"conditions": parts, "safety": True})
    found = decide(item, turn(*calls, shown=shown), vocabulary)
    assert (found.verdict is Verdict.MET) is (not reasons), found.reason
    assert all(reason in found.reason for reason in reasons), found.reason
    assert found.safety
