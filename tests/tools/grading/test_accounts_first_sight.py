"""Answers of a patient's words written blind: what is right is met or left open, what is made wrong is not met."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import TypeAdapter

from state.base import Language
from state.gold import RubricItem
from state.outcome import Verdict
from tools.grading import TurnEvidence, decide
from tools.vocabulary import Vocabulary

ITEM: TypeAdapter[RubricItem] = TypeAdapter(RubricItem)
TEXTS = dict.fromkeys(Language, "-")


def rows() -> list[Any]:
    found = []
    written = Path(__file__).with_name("accounts_first_sight.yaml").read_text("utf-8")
    for number, group in enumerate(yaml.safe_load(written)):
        items = [
            ITEM.validate_python({"item_id": name, "text": TEXTS, **item})
            for name, item in group["items"].items()
        ]
        for at, answer in enumerate(group["answers"]):
            name = f"{number}-{group['language']}-{at}"
            found.append(pytest.param(Language(group["language"]), items, answer, id=name))
    return found


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.mark.parametrize(("language", "items", "answer"), rows())
def test_an_account_written_blind_is_read(
    language: Language, items: list[RubricItem], answer: dict[str, Any], vocabulary: Vocabulary
) -> None:
    evidence = TurnEvidence("", answer["says"], language, frozenset(), (), 1)
    got: dict[str, object] = {}
    wanted: dict[str, object] = {}
    for item in items:
        if item.item_id in answer.get("unread", ()):
            continue
        verdict = decide(item, evidence, vocabulary).verdict
        if item.item_id in answer.get("wrong", ()):
            got[item.item_id], wanted[item.item_id] = verdict is Verdict.MET, False
        else:
            opened = item.item_id in answer.get("open", ())
            wanted[item.item_id] = Verdict.CANNOT_TELL if opened else Verdict.MET
            got[item.item_id] = verdict
    assert got == wanted
