"""Reference ranges with known verdicts, English and Chinese; a number that is no limit states no range."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from judged import told

from state.outcome import Verdict
from tools.gold import items
from tools.grading.evidence import Finding
from tools.grading.ranges import decide_range

GROUPS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("ranges.yaml").read_text("utf-8"))
CASES = [
    pytest.param(group["range"], row, id=f"{group['range']}-{row[1][:50]!r}")
    for group in GROUPS
    for row in group["cases"]
]
LABELS = items.both("Potassium", "血钾")


def found(low: float | None, high: float | None, text: str) -> Finding:
    evidence = told(text, "What is the latest potassium?")
    return decide_range(items.reference_range("i", LABELS, low, high, ()), evidence)


@pytest.mark.parametrize(("limits", "row"), CASES)
def test_verdict(limits: list[float | None], row: list[str]) -> None:
    """A row is the true verdict, the text, and ``undecided`` where code leaves it to the judge."""
    verdict, text, *undecided = row
    finding = found(limits[0], limits[1], text)
    assert finding.verdict == ("cannot_tell" if undecided else verdict), finding.reason


@pytest.mark.parametrize(("low", "high"), [(3.3, 5.1), (None, 0.01), (60.0, None), (0.0, 40.0)])
@pytest.mark.parametrize("off", [-0.01, 0.01, 1.0])
def test_a_limit_off_by_little_is_not_the_range(low: float | None, high: float | None, off: float) -> None:
    def stated(low: float | None, high: float | None) -> str:
        if low is None:
            return f"Reference: up to {high:g}."
        return f"Reference: at least {low:g}." if high is None else f"Reference: {low:g} - {high:g}."

    assert found(low, high, stated(low, high)).verdict is Verdict.MET
    if high is not None:
        assert found(low, high, stated(low, high + off)).verdict is Verdict.NOT_MET
    if low is not None:
        assert found(low, high, stated(low + abs(off), high)).verdict is Verdict.NOT_MET


def test_an_endless_answer_is_read_in_linear_time() -> None:
    for piece in ("3.3-", "3.3 to ", "from 3.3 ", "参考3.3至", "not "):
        assert found(3.3, 5.1, piece * (10_000 // len(piece))).reason


def test_the_table_is_large() -> None:
    assert len(CASES) >= 100
    assert sum(len(row) == 3 for group in GROUPS for row in group["cases"]) <= 8
