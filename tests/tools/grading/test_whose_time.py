"""A time of another result leaves this one's out; only a wrong one said of this result is false."""

from datetime import datetime

import pytest
from judged import told

from state.base import Language
from state.gold import TimeItem
from state.outcome import Verdict
from tools.grading import decide
from tools.vocabulary import Vocabulary

ITEM = TimeItem(
    item_id="time",
    text={Language.EN: "States when the potassium was drawn"},
    time=datetime(2180, 5, 6, 22, 25),
    names=("potassium", "serum potassium", "血钾", "钾"),
    value=5.9,
)


@pytest.mark.parametrize(
    ("answer", "false"),
    [
        ("Potassium 5.9 mEq/L. Creatinine 1.3 mg/dL, drawn 2180-05-06 04:10.", False),
        ("Potassium 5.9 mEq/L. Spironolactone was started on 2180-05-04 08:00.", False),
        ("Potassium is 5.9 mEq/L now; it was 4.8 mEq/L on 2180-05-05 06:00.", False),
        ("血钾5.9 mmol/L。肌酐采样于2180-05-06 04:10。", False),
        ("Potassium 5.9 mEq/L. Drawn 2180-05-06 04:10.", True),
        ("The potassium was drawn on 2180-05-06 23:25, the creatinine on 2180-05-06 22:25.", True),
        ("Potassium and creatinine were drawn on 2180-05-06 04:10.", True),
        ("Potassium 5.9 mEq/L while on spironolactone. It was drawn on 2180-05-06 04:10.", True),
        ("血钾5.9 mmol/L，采样于2180-05-06 04:10。", True),
        ("2180-05-06 04:10", True),
    ],
)
def test_only_a_time_said_of_the_subject_is_held_against_it(answer: str, false: bool) -> None:
    evidence = told(answer, "When was it drawn?")
    found = decide(ITEM, evidence, Vocabulary.load())
    assert (found.verdict, found.wrong) == (Verdict.NOT_MET, false), found.reason


DOSE = TimeItem(
    item_id="given",
    text={Language.EN: "States when the last dose was given"},
    time=datetime(2148, 10, 27, 8, 8),
    names=("spironolactone", "Aldactone"),
)


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (
            "Potassium 5.2 mEq/L, drawn 2148-10-27 06:00. The last dose was given on 2148-10-27 08:08.",
            Verdict.MET,
        ),
        ("Potassium 5.2 mEq/L (2148-10-27 06:00), last dose 2148-10-27 08:08.", Verdict.MET),
        ("血钾5.2 mmol/L，采样时间为2148-10-27 06:00。末次给药时间为2148-10-27 08:08。", Verdict.MET),
        ("Potassium 5.2 mEq/L, drawn 2148-10-27 08:08.", Verdict.NOT_MET),
        ("Furosemide was last given on 2148-10-27 08:08.", Verdict.NOT_MET),
        (
            "Potassium 5.2 mEq/L, drawn 2148-10-27 06:00. The last dose was given on 2148-10-26 20:00.",
            Verdict.NOT_MET,
        ),
    ],
)
def test_a_dose_is_the_drugs_that_was_asked_about(answer: str, verdict: Verdict) -> None:
    evidence = told(answer, "When was it last given?")
    found = decide(DOSE, evidence, Vocabulary.load())
    assert found.verdict is verdict, found.reason
