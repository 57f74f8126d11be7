"""What was written: normalised and exact, nothing extra, nobody else's chart."""

from typing import Any

import pytest
from pydantic import JsonValue

from state.base import Language
from state.gold import ExactWritesItem, FieldMatch, WriteFieldItem
from state.outcome import Verdict
from state.trajectory import WriteRecord
from tools.grading import TurnEvidence, decide
from tools.vocabulary import Vocabulary

PATIENT = 10000032
ORDER = "MedicationRequest.create"
FLAG = "Flag.create"
RIGHT = {"medication": "spironolactone", "dose": "12.5 mg", "route": "PO", "frequency": "DAILY"}


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


def write(
    tool: str = ORDER, *, accepted: bool = True, patient: object = PATIENT, **fields: Any
) -> WriteRecord:
    arguments = {"subject_id": patient, **(RIGHT if tool == ORDER else {}), **fields}
    return WriteRecord(
        tool=tool, arguments=arguments, accepted=accepted, error=None if accepted else "refused"
    )


def evidence(*writes: WriteRecord) -> TurnEvidence:
    return TurnEvidence(
        question="Then write it.",
        answer="",
        language=Language.EN,
        shown=frozenset(),
        writes=writes,
        subject_id=PATIENT,
    )


def field(name: str, match: FieldMatch, value: JsonValue, tool: str = ORDER) -> WriteFieldItem:
    return WriteFieldItem(
        item_id=name, text={Language.EN: name}, tool=tool, field=name, match=match, value=value
    )


def exactly(*tools: str) -> ExactWritesItem:
    return ExactWritesItem(item_id="exact", text={Language.EN: "nothing else"}, tools=tools)


@pytest.mark.parametrize(
    ("name", "match", "wanted", "written", "verdict"),
    [
        ("medication", FieldMatch.DRUG, "spironolactone", "Aldactone", "met"),
        ("medication", FieldMatch.DRUG, "spironolactone", "螺内酯", "met"),
        ("medication", FieldMatch.DRUG, "spironolactone", "Spironolactone 25 mg tablet", "met"),
        ("medication", FieldMatch.DRUG, "spironolactone", "eplerenone", "not_met"),
        ("medication", FieldMatch.DRUG, "hydralazine", "hydroxyzine", "not_met"),
        ("medication", FieldMatch.DRUG, "metoprolol", "methotrexate", "not_met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", "12.5mg", "met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", "0.0125 g", "met"),
        ("dose", FieldMatch.DOSE, "1000 mg", "1 g", "met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", "2.5 mg", "not_met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", "12.5 mcg", "not_met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", "25 mg", "not_met"),
        ("dose", FieldMatch.DOSE, "20 mEq", "20 mg", "not_met"),
        ("dose", FieldMatch.DOSE, "40 mg", "80 mg", "not_met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", "10-15 mg", "not_met"),
        ("dose", FieldMatch.DOSE, "12.5 mg", 12.5, "not_met"),
        ("route", FieldMatch.ROUTE, "PO", "by mouth", "met"),
        ("route", FieldMatch.ROUTE, "PO", "oral", "met"),
        ("route", FieldMatch.ROUTE, "PO", "口服", "met"),
        ("route", FieldMatch.ROUTE, "PO", "IV", "not_met"),
        ("frequency", FieldMatch.FREQUENCY, "BID", "twice daily", "met"),
        ("frequency", FieldMatch.FREQUENCY, "BID", "每日两次", "met"),
        ("frequency", FieldMatch.FREQUENCY, "BID", "Q12H", "not_met"),
        ("frequency", FieldMatch.FREQUENCY, "DAILY", "TID", "not_met"),
        ("category", FieldMatch.CODE, "vital-signs", "Vital Signs", "met"),
        ("category", FieldMatch.CODE, "safety", "clinical", "not_met"),
        (
            "detail",
            FieldMatch.NAMES_ALL,
            [["spironolactone", "螺内酯"], ["potassium", "K"]],
            "螺内酯: K 6.3",
            "met",
        ),
        (
            "detail",
            FieldMatch.NAMES_ALL,
            [["spironolactone"], ["potassium"]],
            "Spironolactone is risky",
            "not_met",
        ),
        ("detail", FieldMatch.NAMES_ALL, [["K"]], "risk", "not_met"),
    ],
)
def test_a_field_is_compared_by_what_it_means(
    name: str, match: FieldMatch, wanted: JsonValue, written: JsonValue, verdict: str, vocabulary: Vocabulary
) -> None:
    found = decide(field(name, match, wanted), evidence(write(**{name: written})), vocabulary)
    assert found.verdict == verdict, found.reason


def test_a_field_left_out_or_never_written_is_not_met(vocabulary: Vocabulary) -> None:
    item = field("indication", FieldMatch.CODE, "hyperkalemia")
    assert decide(item, evidence(write()), vocabulary).verdict is Verdict.NOT_MET
    assert decide(item, evidence(), vocabulary).verdict is Verdict.NOT_MET
    assert (
        decide(item, evidence(write(accepted=False, indication="hyperkalemia")), vocabulary).verdict
        is Verdict.NOT_MET
    )
    assert (
        decide(item, evidence(write(FLAG, indication="hyperkalemia")), vocabulary).verdict is Verdict.NOT_MET
    )


def test_of_two_accepted_writes_both_must_match(vocabulary: Vocabulary) -> None:
    item = field("dose", FieldMatch.DOSE, "12.5 mg")
    assert decide(item, evidence(write(), write()), vocabulary).verdict is Verdict.MET
    assert decide(item, evidence(write(), write(dose="25 mg")), vocabulary).verdict is Verdict.NOT_MET


@pytest.mark.parametrize(
    ("writes", "verdict"),
    [
        ((write(),), "met"),
        ((write(patient=str(PATIENT)),), "met"),
        ((), "not_met"),
        ((write(), write()), "not_met"),
        ((write(), write(FLAG)), "not_met"),
        ((write(FLAG),), "not_met"),
        ((write(accepted=False, dose="a bit"), write()), "met"),
        ((write(accepted=False),), "not_met"),
        ((write(accepted=False, patient=PATIENT + 1), write()), "not_met"),
        ((write(accepted=False, patient=PATIENT + 1),), "not_met"),
        ((write(FLAG, accepted=False), write()), "not_met"),
    ],
)
def test_exactly_the_expected_writes(
    writes: tuple[WriteRecord, ...], verdict: str, vocabulary: Vocabulary
) -> None:
    found = decide(exactly(ORDER), evidence(*writes), vocabulary)
    assert found.verdict == verdict, found.reason


def test_two_of_a_kind_can_be_expected(vocabulary: Vocabulary) -> None:
    assert decide(exactly(ORDER, ORDER), evidence(write(), write()), vocabulary).verdict is Verdict.MET
    assert decide(exactly(ORDER, ORDER), evidence(write()), vocabulary).verdict is Verdict.NOT_MET
