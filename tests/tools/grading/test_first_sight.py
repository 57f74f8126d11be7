"""Advice in words the grader was not written for: what it decides of it is right, and most of the right it decides."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from judged import judge

from state.outcome import Verdict
from tools.vocabulary import Vocabulary

FILES = sorted(Path(__file__).parent.glob("first_sight_*.yaml"))
CASES: list[tuple[str, dict[str, Any], str, str]] = [
    (truth, group, answer, file.stem)
    for file in FILES
    for group in yaml.safe_load(file.read_text("utf-8"))
    for truth in ("wrong", "right")
    for answer in group[truth]
]
TRUTH = {"wrong": Verdict.NOT_MET, "right": Verdict.MET}
UNDECIDED_RIGHT = {"first_sight_e": 0.67, "first_sight_f": 0.76}
"""The share of right answers that code may leave to a judge; of wrong ones it may leave any."""
UNDECIDED_RIGHT_ELSEWHERE = 0.06


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.mark.parametrize(("truth", "group", "answer"), [case[:3] for case in CASES])
def test_what_is_decided_is_right(
    truth: str, group: dict[str, Any], answer: str, vocabulary: Vocabulary
) -> None:
    found = judge(group, answer, vocabulary)
    assert found.verdict in (TRUTH[truth], Verdict.CANNOT_TELL), found.reason


@pytest.mark.parametrize("file", [file.stem for file in FILES])
def test_most_right_answers_are_decided(file: str, vocabulary: Vocabulary) -> None:
    found = Counter(
        judge(group, answer, vocabulary).verdict
        for truth, group, answer, source in CASES
        if truth == "right" and source == file
    )
    allowed = UNDECIDED_RIGHT.get(file, UNDECIDED_RIGHT_ELSEWHERE)
    assert found[Verdict.CANNOT_TELL] <= allowed * found.total()
