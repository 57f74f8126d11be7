"""What is marked in an answer: met items, what a tool or the question has shown, and what nothing has."""

from datetime import datetime

import pytest

from state.base import Language
from state.gold import DoseItem, NameItem, RangeItem, RubricItem, TimeItem, ValueItem
from tools.report.page_support import READ, Shown, parts_of

WORDS = {"item_id": "i", "text": {Language.EN: "wanted"}}
VALUE = ValueItem(**WORDS, names=("potassium",), value=5.9, unit="mmol/L", tolerance=0.05)


def marks(answer: str, *met: RubricItem, shown: str = "") -> list[tuple[str, str]]:
    seen = Shown()
    seen.add(shown, "a result")
    parts = parts_of(answer, met, seen)
    assert "".join(part.text for part in parts) == answer
    return [(part.text, str(part.support)) for part in parts if part.support is not None]


@pytest.mark.parametrize(
    ("item", "answer", "marked"),
    [
        (VALUE, "K 5.9, was 6.0", [("5.9", "item"), ("6.0", "none")]),
        (
            TimeItem(**WORDS, time=datetime(2150, 1, 2, 8, 5)),
            "at 2150-01-02 08:05",
            [("2150-01-02 08:05", "item")],
        ),
        (RangeItem(**WORDS, low=3.5, high=5.0), "(3.5-5.0)", [("3.5", "item"), ("5.0", "item")]),
        (NameItem(**WORDS, names=("digoxin",)), "stop Digoxin", [("Digoxin", "item")]),
        (DoseItem(**WORDS, doses=("25 mg",), of=("x",)), "take 25 mg", [("25 mg", "item")]),
    ],
)
def test_what_a_met_item_wants_is_marked(
    item: RubricItem, answer: str, marked: list[tuple[str, str]]
) -> None:
    assert marks(answer, item) == marked


@pytest.mark.parametrize(
    ("answer", "shown", "support"),
    [
        ("4.1", "Potassium: 4.1 mmol/L", "result"),
        ("4", "Potassium: 4.1 mmol/L", "result"),
        ("4.2", "Potassium: 4.1 mmol/L", "none"),
        ("266,000", "platelets 266000", "result"),
        ("777", "Observation/lab-777 and nothing else", "none"),
        ("8", "drawn 2150-08-08 08:08", "none"),
        ("on 8 Aug 2150 08:08", "drawn 2150-08-08 08:08", "result"),
        ("2150-08-08", "drawn 2150-08-08 08:08", "result"),
        ("2150-08-09", "drawn 2150-08-08 08:08", "none"),
    ],
)
def test_a_number_or_date_is_supported_only_by_what_was_shown(answer: str, shown: str, support: str) -> None:
    assert [kind for _, kind in marks(answer, shown=shown)] == [support]


def test_an_endless_answer_is_read_to_a_limit_and_kept_whole() -> None:
    assert len(marks("5.9 " * READ, VALUE)) <= READ // 4 + 1
