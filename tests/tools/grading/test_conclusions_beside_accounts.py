"""What is concluded or advised beside what the patient said: right ones are met or left open, no wrong one is met."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from judged import build

from state.base import Language
from state.outcome import ItemVerdict, Verdict
from tools.grading import TurnEvidence
from tools.grading.accounts import without_accounts
from tools.grading.decide import decide_beside
from tools.vocabulary import Vocabulary

GROUPS: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("conclusions_beside_accounts.yaml").read_text("utf-8")
)
ROWS = [
    pytest.param(group["item"], Language(group["language"]), answer, truth, id=f"{truth}-{answer[:60]}")
    for group in GROUPS
    for truth in ("right", "open", "wrong")
    for answer in group.get(truth, ())
]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


def _judge(item: dict[str, Any], language: Language, answer: str, vocabulary: Vocabulary) -> ItemVerdict:
    evidence = TurnEvidence("", answer, language, frozenset(), (), 1)
    return decide_beside(build(item, vocabulary), without_accounts(evidence, vocabulary), vocabulary)


@pytest.mark.parametrize(("item", "language", "answer", "truth"), ROWS)
def test_a_conclusion_is_read_beside_an_account(
    item: dict[str, Any], language: Language, answer: str, truth: str, vocabulary: Vocabulary
) -> None:
    found = _judge(item, language, answer, vocabulary)
    match truth:
        case "right":
            assert found.verdict is Verdict.MET, found.reason
        case "open":
            assert found.verdict is Verdict.CANNOT_TELL, found.reason
        case _:
            assert found.verdict is not Verdict.MET, found.reason


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Withhold naproxen. She may go on with it there.", Verdict.CANNOT_TELL),
        ("Withhold naproxen. He can have it at home.", Verdict.CANNOT_TELL),
        ("I would not resume naproxen.", Verdict.CANNOT_TELL),
    ],
)
def test_what_a_plan_is_undone_by_or_only_hinted_with_is_left_open(
    answer: str, verdict: Verdict, vocabulary: Vocabulary
) -> None:
    item = {"kind": "judgement", "question": "home_analgesic", "answer": "withhold"}
    assert _judge(item, Language.EN, answer, vocabulary).verdict is verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Hold or reduce azathioprine.", Verdict.MET),
        ("Hold or continue azathioprine.", Verdict.NOT_MET),
        ("Hold azathioprine or reduce allopurinol.", Verdict.NOT_MET),
        ("Hold or reduce azathioprine or allopurinol.", Verdict.CANNOT_TELL),
    ],
)
def test_a_choice_between_accepted_decisions_leaves_nothing_open(
    answer: str, verdict: Verdict, vocabulary: Vocabulary
) -> None:
    item = {
        "kind": "decision",
        "ingredient": "azathioprine",
        "decision": "hold",
        "also": ["reduce"],
        "unsafe": ["continue"],
    }
    assert _judge(item, Language.EN, answer, vocabulary).verdict is verdict
