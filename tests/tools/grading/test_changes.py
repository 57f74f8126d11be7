"""By how much a result rose or fell: the right amount is asked for, a wrong one beside right values is false."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from judged import told

from state.base import ResourceRef
from state.gold import JudgementItem
from tools.gold import conclusions
from tools.gold.source import Result
from tools.grading import decide
from tools.vocabulary import Vocabulary

GROUPS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("changes.yaml").read_text("utf-8"))
WHEN = datetime(2180, 5, 6)
ASKED = "Has it risen or fallen, and by how much?"
CASES = [
    pytest.param(group, kind, row, id=f"{group['analyte']}-{kind}-{row[1][:50]!r}")
    for group in GROUPS
    for kind, rows in group["cases"].items()
    for row in rows
]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


def change(group: dict[str, Any], vocabulary: Vocabulary) -> JudgementItem:
    analyte = vocabulary.analyte_by_id(group["analyte"])
    assert analyte is not None
    first, latest = (
        Result(ResourceRef(f"Observation/lab-{n}"), group[which], group["unit"], WHEN)
        for n, which in enumerate(("first", "latest"))
    )
    return conclusions.direction("i", (*analyte.names.values(), *analyte.synonyms), first, latest)


@pytest.mark.parametrize(("group", "kind", "row"), CASES)
def test_verdict(group: dict[str, Any], kind: str, row: list[str], vocabulary: Vocabulary) -> None:
    verdict, answer, *undecided = row
    found = decide(change(group, vocabulary), told(answer, ASKED, "Observation/lab-1"), vocabulary)
    assert found.verdict == ("cannot_tell" if undecided else verdict), found.reason
    assert found.wrong is (kind == "another amount"), found.reason


def test_the_item_says_what_it_wants_in_both_languages(vocabulary: Vocabulary) -> None:
    item = change(GROUPS[0], vocabulary)
    assert item.change is not None
    assert (item.change.by, item.change.percent, item.change.rises) == (1.1, 22.916667, True)
    assert all("1.1 mEq/L" in text for text in item.text.values())
