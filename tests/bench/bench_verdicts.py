"""Count how the rules judge reads answers whose verdicts are known: precision, recall and what it leaves open.

Run with ``PYTHONPATH=.:tests/tools/grading python tests/bench/bench_verdicts.py``. One row an item kind and language.
Precision: of the verdicts given as met (not met), the share that is. Recall: of the answers that meet (do not meet) the
item, the share so read; what is left undecided lowers it. Rows whose right verdict is "cannot tell" stand in a column
of their own: code must leave them open.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from judged import judge
from rich.console import Console
from rich.table import Table

from state.outcome import Verdict
from tools.vocabulary import Vocabulary

TABLES = Path(__file__).parent.parent / "tools" / "grading"
HAN = re.compile(r"[一-鿿]")
FIRST_SIGHT = {"right": Verdict.MET, "wrong": Verdict.NOT_MET}


def known() -> Iterator[tuple[dict[str, Any], Verdict, str]]:
    """Give each answer with its group and the verdict a careful reader gives it."""
    for file in sorted(TABLES.glob("adversarial_*.yaml")):
        for group in yaml.safe_load(file.read_text("utf-8")):
            for cases in group["cases"].values():
                yield from ((group, Verdict(verdict), answer) for verdict, answer, *_ in cases)
    for file in sorted(TABLES.glob("first_sight_*.yaml")):
        for group in yaml.safe_load(file.read_text("utf-8")):
            for side, verdict in FIRST_SIGHT.items():
                yield from ((group, verdict, answer) for answer in group[side])


def share(part: int, whole: int) -> str:
    """Write a share in percent, with its counts; a dash where nothing was there to count."""
    return f"{100 * part / whole:.1f} ({part}/{whole})" if whole else "-"


def main() -> None:
    """Measure and print."""
    vocabulary = Vocabulary.load()
    seen: Counter[tuple[tuple[str, str], Verdict, Verdict]] = Counter()
    for group, truth, answer in known():
        language = "zh" if HAN.search(answer) else "en"
        seen[(group["item"]["kind"], language), truth, judge(group, answer, vocabulary).verdict] += 1
    table = Table(
        "item", "language", "answers", "precision met", "recall met", "precision not met", "recall not met"
    )
    table.add_column("rightly left open")
    rows = sorted({row for row, _, _ in seen})
    for row in [*rows, ("all", "en"), ("all", "zh")]:

        def count(truth: Verdict | None, found: Verdict | None, row: tuple[str, str] = row) -> int:
            return sum(
                number
                for ((kind, language), true, read), number in seen.items()
                if language == row[1]
                and row[0] in (kind, "all")
                and truth in (None, true)
                and found in (None, read)
            )

        cells = [*row, str(count(None, None))]
        for side in (Verdict.MET, Verdict.NOT_MET):
            right = count(side, side)
            cells += [share(right, count(None, side)), share(right, count(side, None))]
        table.add_row(
            *cells, share(count(Verdict.CANNOT_TELL, Verdict.CANNOT_TELL), count(Verdict.CANNOT_TELL, None))
        )
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
