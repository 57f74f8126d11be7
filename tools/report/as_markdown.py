"""Tables as GitHub's Markdown."""

import html
import re
from collections.abc import Iterable, Sequence

from tools.report.cells import ReportTable, is_numeric, text_of

_SPECIAL = re.compile(r"([\\`*_\[\]|~#])")


def as_markdown(tables: Iterable[ReportTable]) -> str:
    """Write tables one below the other; what a cell holds stays text."""
    return "\n".join(_table(table) for table in tables)


def _table(table: ReportTable) -> str:
    columns = table.columns
    if table.spans:
        over = [name for name, width in table.spans for _ in range(width)]
        columns = tuple(f"{above} {name}".strip() for above, name in zip(over, columns, strict=True))
    numbers = [is_numeric(table, place) for place in range(len(columns))]
    lines = [
        f"### {escaped(table.title)}",
        "",
        _line([escaped(name) for name in columns]),
        _line(["---:" if number else "---" for number in numbers]),
        *(_line([escaped(text_of(cell)) for cell in row]) for row in table.rows),
        "",
        *(f"- {escaped(note)}" for note in table.notes),
        "",
    ]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """Keep text from being read as Markdown or HTML."""
    return _SPECIAL.sub(r"\\\1", html.escape(" ".join(text.split()), quote=False))
