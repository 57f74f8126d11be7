"""What the sections of ``bench_chart.py`` share: the demo's warehouse, the clock, and how tables are printed."""

import sys
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from chart_calls import Stopwatch
from rich.console import Console
from rich.table import Table

from tools.ehr.ingest import ingest
from tools.vocabulary import Vocabulary

WIDTH = 120


@dataclass
class Bench:
    """What to measure with. Files are made in ``scratch`` when first needed.

    ``patients`` are those of the large warehouse, ``distinct`` of them drawn and the rest copies; ``large`` is one
    already made.
    """

    demo: Path
    scratch: Path
    timed: Stopwatch
    repeats: int
    patients: int
    distinct: int
    large: Path | None
    vocabulary: Vocabulary = field(default_factory=Vocabulary.load)
    console: Console = field(default_factory=lambda: Console(width=WIDTH))

    @cached_property
    def warehouse(self) -> Path:
        """Ingest the demo and add made-up notes."""
        sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))  # the tests' helpers are no package
        from made_up_notes import with_notes

        plain, noted = self.scratch / "plain.duckdb", self.scratch / "noted.duckdb"
        ingest(self.demo, plain)
        with_notes(plain, noted)
        return noted

    def show(self, title: str, columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
        """Print a table."""
        table = Table(title=title, title_justify="left", title_style="bold")
        for place, column in enumerate(columns):
            table.add_column(column, justify="right" if place else "left", no_wrap=place == 0)
        for row in rows:
            table.add_row(*row)
        self.console.print(table)


def against(value: float, sign: str, target: float, unit: str) -> str:
    """Write a target and whether the figure meets it."""
    met = {"<": value < target, "<=": value <= target, ">=": value >= target}[sign]
    return f"{sign} {target:g}{unit} {'met' if met else 'MISSED'}"
