"""Tables on the screen."""

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tools.report.cells import ReportTable, is_number, text_of


def as_rich(tables: Iterable[ReportTable]) -> RenderableType:
    """Lay tables out for a terminal, one below the other."""
    shown: list[RenderableType] = []
    for table in tables:
        laid = Table(title=Text(table.title), title_justify="left")
        for place, name in enumerate(table.columns):
            numbers = any(is_number(row[place]) for row in table.rows)
            laid.add_column(Text(name), justify="right" if numbers else "left", overflow="fold")
        for row in table.rows:
            laid.add_row(*(Text(_wrapped(text_of(cell))) for cell in row))
        shown += [laid, *(Text(note) for note in table.notes), Text("")]
    return Group(*shown)


def _wrapped(text: str) -> str:
    """Set an interval below its value: columns stay narrow enough for a terminal."""
    return text.replace(" % [", " %\n[", 1)
