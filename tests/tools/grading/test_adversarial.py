"""Answers with known verdicts, English and Chinese: everything code claims to decide, it decides right.

A row is the true verdict, the answer, and ``undecided`` where code leaves it to a judge.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from judged import judge

from tools.vocabulary import Vocabulary

FILES = sorted(Path(__file__).parent.glob("adversarial_*.yaml"))
GROUPS: list[dict[str, Any]] = [group for file in FILES for group in yaml.safe_load(file.read_text("utf-8"))]
ONE_OF_EACH = list(
    {(group["item"]["kind"], group["item"].get("decision")): group for group in GROUPS}.values()
)
CASES = [
    pytest.param(
        group,
        "cannot_tell" if undecided else verdict,
        answer,
        id=f"{group['item']['kind']}-{kind}-{answer[:60]!r}",
    )
    for group in GROUPS
    for kind, cases in group["cases"].items()
    for verdict, answer, *undecided in cases
]


VOCABULARY = Vocabulary.load()
WORDS = [
    "potassium",
    "5.9",
    "mEq/L",
    "hold",
    "not",
    "continue",
    "or",
    "if",
    "spironolactone",
    "血钾",
    "停用",
    "或",
]
MARKS = [
    "5.9-",
    "?",
    "2180-05-06",
    "22:25",
    "25mg",
    "**",
    "|",
    ";",
    "from",
    "to",
    "->",
    "10^9/L",
    "respectively",
]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return VOCABULARY


@pytest.mark.parametrize(("group", "verdict", "answer"), CASES)
def test_verdict(group: dict[str, Any], verdict: str, answer: str, vocabulary: Vocabulary) -> None:
    found = judge(group, answer, vocabulary)
    assert (found.verdict, found.decided_by) == (verdict, "code"), found.reason


@pytest.mark.parametrize(
    "dress",
    [
        pytest.param(
            lambda said: f"I have reviewed the chart. {said}\nPlease let me know if you need more.",
            id="courtesy",
        ),
        pytest.param(lambda said: f"- **{said.replace(' ', '  ')}**\n如有疑问请随时联系。", id="markup"),
    ],
)
def test_courtesies_and_markup_change_no_verdict(dress: Callable[[str], str], vocabulary: Vocabulary) -> None:
    spoken = [
        case.values for case in CASES if str(case.values[2]).strip() not in ("", case.values[0]["question"])
    ]
    changed = [
        (answer, found.reason)
        for group, verdict, answer in spoken
        if (found := judge(group, dress(answer), vocabulary)).verdict != verdict
    ]
    assert changed == []


@settings(deadline=None, max_examples=60)
@given(pieces=st.lists(st.sampled_from(WORDS + MARKS) | st.text(max_size=12), max_size=25))
def test_no_text_breaks_a_grader(pieces: list[str]) -> None:
    for group in ONE_OF_EACH:
        found = judge(group, " ".join(pieces), VOCABULARY)
        assert found.reason


@pytest.mark.parametrize(
    "piece",
    ["hold or reduce ", "potassium 5.9 ", "not ", "停用螺内酯", "(", "1-", '"', "2180-05-06 ", "1", "\n"],
)
def test_an_endless_answer_is_read_in_linear_time(piece: str) -> None:
    """A sentence of any length: the square of its length would take minutes."""
    for group in ONE_OF_EACH:
        assert judge(group, piece * (10_000 // len(piece)), VOCABULARY).reason


def test_the_table_is_large_and_bilingual() -> None:
    answers = [case.values[2] for case in CASES]
    chinese = sum(any("\u4e00" <= char <= "\u9fff" for char in str(answer)) for answer in answers)
    assert len(answers) >= 450
    assert chinese >= 100
