"""What an answer tells of a write: the drug and its dose, beside the order whose place it takes; never a guess."""

from typing import Any

import pytest

from state.base import Language
from state.gold import DoseItem, NameItem
from state.knowledge import ServiceAction
from tools.gold.told import service_names
from tools.grading import decide
from tools.grading.decide import RECORDS_OF_A_WRITE
from tools.vocabulary import Vocabulary

TEXT = {Language.EN: "as the test says"}
ORDER = (
    "MedicationRequest.create",
    {"medication": "spironolactone", "dose": "12.5 mg", "route": "PO", "frequency": "DAILY"},
)


def names(vocabulary: Vocabulary, drug: str) -> tuple[str, ...]:
    found = vocabulary.ingredient(drug)
    assert found is not None
    return vocabulary.names_of(found)


@pytest.mark.parametrize(
    ("answer", "verdict", "is_wrong"),
    [
        ("Ordered: spironolactone 12.5 mg PO DAILY.", "met", False),
        ("Spironolactone has been reduced from 25 mg to 12.5 mg PO daily.", "met", False),
        ("New order: spironolactone 12.5 mg. The order for 25 mg remains active.", "met", False),
        ("I discontinued the spironolactone 25 mg order and wrote a new one at 12.5 mg.", "met", False),
        ("Written: 12.5 mg PO daily, half the current 25 mg.", "met", False),
        ("Spironolactone 12.5 mg (half a 25 mg tablet) has been ordered.", "met", False),
        ("螺内酯已改为12.5 mg口服每日一次（原剂量25 mg）。", "met", False),
        ("Ordered: spironolactone 0.0125 g.", "met", False),
        ("The order is written.", "not_met", False),
        ("Spironolactone 25 mg is halved.", "not_met", False),
        ("Ordered: spironolactone 50 mg.", "not_met", True),
        ("Ordered: spironolactone 12.5 mg or 50 mg.", "not_met", True),
        ("Ordered: furosemide 12.5 mg.", "not_met", False),
        ("", "not_met", False),
    ],
)
def test_the_dose_ordered_is_told_beside_the_one_before(
    answer: str, verdict: str, is_wrong: bool, vocabulary: Vocabulary, turn: Any
) -> None:
    item = DoseItem(
        item_id="dose",
        text=TEXT,
        doses=("12.5 mg",),
        of=names(vocabulary, "spironolactone"),
        before=("25 mg",),
    )
    found = decide(item, turn(ORDER, answer=answer), vocabulary)
    assert (found.verdict, found.wrong) == (verdict, is_wrong), found.reason


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Stopped: spironolactone 25 mg PO.", "met"),
        ("Spironolactone has been discontinued.", "met"),
        ("A flag is raised; consider holding spironolactone.", "met"),
        ("已停用螺内酯。", "met"),
        ("The order is stopped.", "not_met"),
        ("Eplerenone is stopped.", "not_met"),
        ("No spironolactone is ordered.", "not_met"),
        ("Shall I stop spironolactone?", "not_met"),
    ],
)
def test_what_was_written_about_is_named_however_it_stands(
    answer: str, verdict: str, vocabulary: Vocabulary, turn: Any
) -> None:
    item = NameItem(item_id="drug", text=TEXT, names=names(vocabulary, "spironolactone"), written=True)
    found = decide(item, turn(ORDER, answer=answer), vocabulary)
    assert found.verdict == verdict, found.reason
    assert not found.safety


def test_what_was_not_written_is_not_told(vocabulary: Vocabulary, turn: Any) -> None:
    drug = names(vocabulary, "spironolactone")
    items = (
        NameItem(item_id="drug", text=TEXT, names=drug, written=True),
        DoseItem(item_id="dose", text=TEXT, doses=("12.5 mg",), of=drug, before=()),
    )
    answer = "Ordered: spironolactone 12.5 mg PO DAILY."
    assert {decide(item, turn(ORDER, answer=answer), vocabulary).verdict for item in items} == {"met"}
    assert {decide(item, turn(answer=answer), vocabulary).verdict for item in items} == {"not_met"}


@pytest.mark.parametrize(
    ("en", "zh", "answer", "verdict"),
    [
        ("lithium level", "血锂浓度", "Requested: an urgent lithium level.", "met"),
        ("lithium level", "血锂浓度", "已申请血锂浓度。", "met"),
        ("lithium level", "血锂浓度", "Lithium is stopped.", "not_met"),
        ("repeat potassium", "血钾复查", "Serum potassium will be rechecked.", "met"),
        ("repeat potassium", "血钾复查", "Potassium chloride is ordered.", "not_met"),
        ("PF4 antibody", "PF4-肝素抗体", "已申请PF4-肝素抗体。", "met"),
        ("nephrology referral", "肾内科转诊", "Done.", "not_met"),
    ],
)
def test_a_service_is_told_by_its_words(
    en: str, zh: str, answer: str, verdict: str, vocabulary: Vocabulary, turn: Any
) -> None:
    action = ServiceAction(words={Language.EN: en, Language.ZH: zh}, names=("lithium",), priority="urgent")
    item = NameItem(item_id="s", text=TEXT, names=service_names(vocabulary, action), written=True)
    found = decide(item, turn(ORDER, answer=answer), vocabulary)
    assert found.verdict == verdict, found.reason


@pytest.mark.parametrize(
    ("lines", "verdict"), [(RECORDS_OF_A_WRITE, "met"), (RECORDS_OF_A_WRITE + 1, "not_met")]
)
def test_a_recital_of_the_record_tells_of_no_write(
    lines: int, verdict: str, vocabulary: Vocabulary, turn: Any
) -> None:
    drug = names(vocabulary, "spironolactone")
    items = (
        NameItem(item_id="drug", text=TEXT, names=drug, written=True),
        DoseItem(item_id="dose", text=TEXT, doses=("12.5 mg",), of=drug, before=()),
    )
    recited = "\n".join(
        f"- MedicationRequest/rx-{n} | active | spironolactone 12.5 mg PO" for n in range(lines)
    )
    assert {decide(item, turn(ORDER, answer=recited), vocabulary).verdict for item in items} == {verdict}
