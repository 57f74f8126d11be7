"""Whole answers to turns, in words the grader was not written for: each item is decided rightly or left open."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from judged import judge

from state.outcome import Verdict
from tools.vocabulary import Vocabulary

TURNS: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("answers_in_sessions.yaml").read_text("utf-8")
)
ROWS = [
    (turn["question"], item, answer, right)
    for turn in TURNS
    for told, wrong in (
        *((answer, ()) for answer in turn["right"]),
        *((one["answer"], one["items"]) for one in turn["wrong"]),
    )
    for answer in (told,)
    for item_id, item in turn["items"].items()
    for right in (item_id not in wrong,)
]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.mark.parametrize(("question", "item", "answer", "right"), ROWS)
def test_an_item_is_decided_rightly(
    question: str, item: dict[str, Any], answer: str, right: bool, vocabulary: Vocabulary
) -> None:
    found = judge({"question": question, "item": dict(item)}, answer, vocabulary)
    assert found.verdict in (Verdict.MET if right else Verdict.NOT_MET, Verdict.CANNOT_TELL), found.reason
