"""A drug named in place of the one asked for: false unless the record has it, and never held against a right answer."""

import pytest
from judged import told

from state.base import Language
from state.gold import NameItem
from state.outcome import Verdict
from tools.grading import decide
from tools.vocabulary import Vocabulary

ASKED = "Which drug was given?"
ITEM = NameItem(
    item_id="name",
    text={Language.EN: "Names the drug given"},
    names=("spironolactone", "Aldactone", "螺内酯"),
    on_record=("furosemide", "lisinopril", "spironolactone"),
)


@pytest.mark.parametrize(
    ("answer", "verdict", "false"),
    [
        ("The drug given is spironolactone.", Verdict.MET, False),
        ("The drug given is spironolactone; furosemide and amlodipine are ordered too.", Verdict.MET, False),
        ("The drug given is amlodipine.", Verdict.NOT_MET, True),
        ("所给药物为氨氯地平。", Verdict.NOT_MET, True),
        ("The drug given is eplerenone.", Verdict.NOT_MET, True),
        ("The drug given is furosemide.", Verdict.NOT_MET, False),
        ("Furosemide and lisinopril are active.", Verdict.NOT_MET, False),
        ("No amlodipine is ordered.", Verdict.NOT_MET, False),
        ("I found no such drug; consider giving amlodipine.", Verdict.NOT_MET, False),
        ("Is it amlodipine?", Verdict.NOT_MET, False),
    ],
)
def test_only_a_stranger_or_one_alike_is_false(answer: str, verdict: Verdict, false: bool) -> None:
    found = decide(ITEM, told(answer, ASKED), Vocabulary.load())
    assert (found.verdict, found.wrong) == (verdict, false), found.reason


def test_where_the_record_is_not_known_only_one_alike_is_false() -> None:
    item = ITEM.model_copy(update={"on_record": ()})
    assert not decide(item, told("The drug given is amlodipine.", ASKED), Vocabulary.load()).wrong
    assert decide(item, told("The drug given is eplerenone.", ASKED), Vocabulary.load()).wrong


@pytest.mark.parametrize(
    ("answer", "verdict", "false"),
    [
        ("Regular insulin 10 units was given for the potassium.", Verdict.MET, False),
        ("The drug given is insulin.", Verdict.MET, False),
        ("The drug given is Insulin (Regular) for Hyperkalemia.", Verdict.MET, False),
        ("所给药物为普通胰岛素。", Verdict.MET, False),
        ("The drug given is insulin glargine.", Verdict.NOT_MET, True),
        ("The drug given is calcium gluconate.", Verdict.NOT_MET, True),
    ],
)
def test_a_product_for_another_end_goes_by_its_drug_s_names_too(
    answer: str, verdict: Verdict, false: bool
) -> None:
    vocabulary = Vocabulary.load()
    drug = vocabulary.ingredient("Insulin (Regular) for Hyperkalemia")
    assert drug is not None
    item = ITEM.model_copy(update={"names": vocabulary.names_of(drug), "on_record": (drug.id,)})
    found = decide(item, told(answer, ASKED), vocabulary)
    assert (found.verdict, found.wrong) == (verdict, false), found.reason
