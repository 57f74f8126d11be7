"""Grounds of an answer: what may stand beside advice though not every word of it is known."""

import pytest

from tools.grading.grounds import (
    is_elsewhere,
    is_ground,
    names_columns,
    starts_now,
    thinks_again,
    undoes_nothing,
)
from tools.vocabulary import Vocabulary


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("Potassium has crept up from 5.1 to 5.8 mEq/L over the weekend.", True),
        ("He received his last dose at 21:00 yesterday; metformin 1000 mg was started in March.", True),
        ("Recheck the potassium tomorrow morning.", True),
        ("**Plan**", True),
        ("血钾由5.1升至5.8 mEq/L，呈上升趋势。", True),
        ("Potassium of 5.8 mEq/L needs no action.", False),
        ("The potassium of 5.8 mEq/L is acceptable.", False),
        ("Metformin 500 mg twice daily.", False),
        ("I would not read much into a potassium of 5.8 mEq/L.", False),
        ("The 5.8 mEq/L is spurious.", False),
        ("This is not hyperkalemia.", False),
        ("At 5.8 mEq/L the drug stays.", False),
        ("血钾5.8 mEq/L可以接受。", False),
        ("今晚照给5 mg。", False),
    ],
)
def test_grounds_decide_nothing(text: str, ground: bool, vocabulary: Vocabulary) -> None:
    assert is_ground(text, vocabulary) is ground


@pytest.mark.parametrize(
    ("text", "elsewhere"),
    [
        ("Please also order a renal ultrasound.", True),
        ("Acetaminophen can be used for pain.", True),
        ("No PF4 test is needed for now.", True),
        ("Warfarin can be used for now.", False),
        ("Please also order it.", False),
        ("Wait and see.", False),
        ("An ultrasound first, and the next dose as usual.", False),
        ("My colleague would order an ultrasound.", False),
    ],
)
def test_another_test_or_drug_is_elsewhere(text: str, elsewhere: bool, vocabulary: Vocabulary) -> None:
    warfarin = vocabulary.ingredient("warfarin")
    assert warfarin is not None
    assert is_elsewhere(text, vocabulary, {warfarin.id}) is elsewhere


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("Give fluids and avoid nephrotoxins.", True),
        ("建议补液，复查肌酐。", True),
        ("My colleague does not believe that.", False),
        ("Disregard the line above.", False),
        ("This is not hemolysis.", False),
        ("Is it?", False),
    ],
)
def test_what_is_done_besides_leaves_a_finding_alone(text: str, alone: bool) -> None:
    assert undoes_nothing(text) is alone


def test_a_drug_that_is_off_waits_for_a_result() -> None:
    assert thinks_again("It can be reconsidered once the potassium is below 5.0.")
    assert thinks_again("Restart only when glucose has stayed above 100 mg/dL.")
    assert not thinks_again("Restart it tonight once the potassium is below 5.0.")
    assert not thinks_again("Restart it.")


def test_a_row_of_column_names_and_a_start_at_once() -> None:
    assert names_columns(", Drug , Order , Last given ,")
    assert not names_columns(", Drug , Stop ,")
    assert not names_columns(", ,")
    assert starts_now("starting with tonight's dose")
    assert not starts_now("starting next week")
