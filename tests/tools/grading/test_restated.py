"""Figures beside a result that are no other result: the same in another unit, how far it moved, what came before."""

import pytest
from judged import judge

from state.outcome import Verdict
from tools.vocabulary import Vocabulary

MET, NOT_MET, OPEN = Verdict.MET, Verdict.NOT_MET, Verdict.CANNOT_TELL
GLUCOSE = {
    "kind": "value",
    "analyte": "glucose",
    "value": 490,
    "unit": "mg/dL",
    "latest": True,
    "others": [183],
}
DRAWN = {"kind": "time", "analyte": "glucose", "time": "2166-08-23T11:25:00"}
ADMITTED = {"kind": "time", "names": ["admission", "admitted", "入院"], "time": "2162-02-25T22:42:00"}


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Glucose is 490 mg/dL (27.2 mmol/L).", MET),
        ("Glucose is 490 mg/dL (about 27 mmol/L).", MET),
        ("Glucose is 490 mg/dL (12.2 mmol/L).", NOT_MET),
        ("Glucose first 183 mg/dL (10.2 mmol/L), at last 490 mg/dL (27.2 mmol/L).", MET),
        ("血糖490 mg/dL（约27.2 mmol/L）。", MET),
        ("血糖490 mg/dL（约10.2 mmol/L）。", NOT_MET),
        ("Glucose is 490 mg/dL, i.e. 390 above the upper limit.", MET),
        ("| First | 183 mg/dL |\n| Latest | 490 mg/dL |\n| Change | +307 mg/dL |", MET),
        ("Glucose rose from 183 to 490 mg/dL (+307).", MET),
        ("血糖首次183，最近一次490 mg/dL，升幅为307 mg/dL。", MET),
        ("首次血糖183 mg/dL；最近已到490 mg/dL。", MET),
        ("首次血糖490 mg/dL；最近已到183 mg/dL。", NOT_MET),
        ("血糖490 mg/dL，前一日为183 mg/dL。", MET),
        ("血糖183 mg/dL，前一日为490 mg/dL。", NOT_MET),
    ],
)
def test_a_result_beside_its_other_forms(answer: str, verdict: Verdict, vocabulary: Vocabulary) -> None:
    found = judge({"question": "The latest glucose?", "item": dict(GLUCOSE)}, answer, vocabulary)
    assert found.verdict is verdict, found.reason


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Glucose was 490 mg/dL (2166-08-23 11:25), then 183 the next morning.", MET),
        ("Glucose 490 mg/dL at 11:25 on 23 August 2166, a minute before that potassium.", MET),
        ("Glucose 490 mg/dL; on 2166-08-23, 11:25 was when the potassium was drawn.", NOT_MET),
        ("Both come from the same 11:25 draw on 23 August 2166 as the potassium. Glucose was 490.", MET),
        ("The potassium was drawn at 11:25 on 23 August 2166, before the glucose at 14:00.", NOT_MET),
    ],
)
def test_a_time_beside_what_it_is_compared_with(
    answer: str, verdict: Verdict, vocabulary: Vocabulary
) -> None:
    found = judge({"question": "When was the glucose drawn?", "item": dict(DRAWN)}, answer, vocabulary)
    assert found.verdict is verdict, found.reason


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("It is a gastroenteropathy due to Norwalk agent. The last dose was given on 2193-12-12 08:08.", MET),
        ("It is due. The next dose is due on 2193-12-12 08:08.", NOT_MET),
    ],
)
def test_due_to_is_no_word_of_an_order(answer: str, verdict: Verdict, vocabulary: Vocabulary) -> None:
    given = {"kind": "time", "ingredient": "amiodarone", "time": "2193-12-12T08:08:00"}
    found = judge({"question": "When was the last dose given?", "item": given}, answer, vocabulary)
    assert found.verdict is verdict, found.reason


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("2162-02-25 22:42入院（14:49到急诊，23:53进MICU）。", MET),
        ("2162-02-25 14:49入院（22:42进MICU）。", NOT_MET),
        ("Admitted 2162-02-25 at 22:42 (arrived in the ED at 14:49).", MET),
        ("2月25日22:42入院，上一次住院编码于2161年9月13日。", MET),
        ("2161年2月25日22:42入院。", NOT_MET),
        ("2161年9月13日出院后，2月25日22:42又入院。", NOT_MET),
    ],
)
def test_an_admission_beside_the_times_on_its_way(
    answer: str, verdict: Verdict, vocabulary: Vocabulary
) -> None:
    found = judge({"question": "本次入院的具体时间？", "item": dict(ADMITTED)}, answer, vocabulary)
    assert found.verdict is verdict, found.reason
