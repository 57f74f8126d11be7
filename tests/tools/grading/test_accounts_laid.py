"""Denials and doses laid into a patient's mouth; rows written before any code read them."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from state.base import Language
from state.gold import PatientOnlyItem
from state.outcome import Verdict
from tools.grading import TurnEvidence, decide
from tools.vocabulary import Vocabulary

GROUPS: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("accounts_laid.yaml").read_text("utf-8")
)
ROWS = [
    (group["language"], group["facts"], *told, side)
    for group in GROUPS
    for side in ("right", "wrong")
    for told in ((row, {}) if isinstance(row, str) else (row["says"], row) for row in group[side])
]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.mark.parametrize(("language", "facts", "says", "marks", "side"), ROWS)
def test_what_the_patient_never_told_is_found(
    language: str, facts: list[Any], says: str, marks: dict[str, Any], side: str, vocabulary: Vocabulary
) -> None:
    item = PatientOnlyItem.model_validate(
        {"item_id": "only", "text": dict.fromkeys(Language, "-"), "facts": facts}
    )
    verdict = decide(item, TurnEvidence("", says, Language(language), frozenset(), (), 1), vocabulary)
    wanted = Verdict.MET if side == "right" or marks.get("unread") else Verdict.NOT_MET
    assert verdict.verdict is (Verdict.CANNOT_TELL if marks.get("open") else wanted), verdict.reason


def test_the_table_is_large_and_bilingual() -> None:
    for language in Language:
        for side in ("right", "wrong"):
            told = [row for group in GROUPS if group["language"] == language for row in group[side]]
            assert len(told) >= 30
            assert sum(isinstance(row, dict) for row in told) <= 3
