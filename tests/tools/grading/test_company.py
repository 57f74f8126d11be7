"""What stands beside a conclusion, point by point: understood where it leaves the conclusion alone."""

import pytest
from judged import told

from state.outcome import Verdict
from tools.clinical.judgements import load_judgements
from tools.gold import conclusions
from tools.grading.company import only_reports
from tools.grading.judgements import decide_judgement
from tools.vocabulary import Vocabulary


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.mark.parametrize(
    ("text", "reports"),
    [
        ("Potassium is 5.9 mEq/L, up from 4.8.", True),
        ("Recheck the potassium in six hours.", True),
        ("No bleeding is reported.", True),
        ("血钾5.9 mmol/L，肌酐升高。", True),
        ("6小时后复查血钾。", True),
        ("Leave it as it is.", False),
        ("The dose is right.", False),
        ("Give 5 mg tonight.", False),
        ("He may have his tablet.", False),
        ("今晚照给。", False),
    ],
)
def test_a_report_says_nothing_of_what_to_do(text: str, reports: bool, vocabulary: Vocabulary) -> None:
    assert only_reports(text, vocabulary) is reports


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The infusion rate should be raised.", Verdict.MET),
        (
            "The PTT of 41 sec is low. The infusion rate should be raised, and recheck the PTT in six hours.",
            Verdict.MET,
        ),
        ("The infusion rate should be raised, from 14 to 16 units/kg/h.", Verdict.MET),
        ("The infusion rate should be raised, from 18 to 14 units/kg/h.", Verdict.CANNOT_TELL),
        ("The infusion rate should be raised for an hour.", Verdict.CANNOT_TELL),
        ("The infusion rate should be raised, with a bolus of 5000 units.", Verdict.CANNOT_TELL),
        ('"The infusion rate should be raised" is what the protocol says.', Verdict.CANNOT_TELL),
        ("Turn the pump up a notch.", Verdict.CANNOT_TELL),
        ("The infusion rate should be lowered.", Verdict.NOT_MET),
        ("The PTT is 41 sec.", Verdict.NOT_MET),
        ("泵速应当上调。", Verdict.MET),
        ("泵速应当上调，由16 U/kg/h调至12 U/kg/h。", Verdict.CANNOT_TELL),
    ],
)
def test_a_conclusion_is_believed_where_all_beside_it_is_understood(
    text: str, verdict: Verdict, vocabulary: Vocabulary
) -> None:
    item = conclusions.judgement(load_judgements()["anticoagulant_rate"], "raise", "i", ())
    found = decide_judgement(item, told(text), vocabulary)
    assert found.verdict is verdict, found.reason
