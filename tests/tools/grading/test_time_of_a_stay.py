"""When a stay began is not taken for the time of an order that is told beside it."""

from datetime import datetime

import pytest

from state.base import Language
from state.outcome import Verdict
from tools.gold import items
from tools.grading.decide import decide
from tools.grading.evidence import TurnEvidence
from tools.vocabulary import Vocabulary

BEGAN = items.time("t0-admitted", "admission", datetime(2186, 10, 1, 16, 16), (), items.ADMISSION_NAMES)


@pytest.mark.parametrize(
    ("answer", "met"),
    [
        (
            "Atorvastatin 40 mg PO is ordered daily. She was admitted on 2186-10-01 at 16:16 through the ED.",
            True,
        ),
        ("Also ordered: atorvastatin 40 mg. The admission began on 2186-10-01 16:16.", True),
        ("Admit 10/1 16:16 via ER", True),
        ("已开阿托伐他汀40 mg。2186-10-01 16:16入院，急诊来的。", True),
        ("Atorvastatin 40 mg PO is ordered daily. She was admitted on 2186-10-01 at 18:16.", False),
        ("Atorvastatin was ordered on 2186-10-01 at 16:16.", False),
    ],
)
def test_a_stay_is_told_beside_an_order(answer: str, met: bool, vocabulary: Vocabulary) -> None:
    evidence = TurnEvidence(
        question="When did she come in, and from where?",
        answer=answer,
        language=Language.EN,
        shown=frozenset(),
        writes=(),
        subject_id=1,
    )
    assert (decide(BEGAN, evidence, vocabulary).verdict is Verdict.MET) is met
