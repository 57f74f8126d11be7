"""Tables as data: what every format writes."""

import re
from dataclasses import dataclass

from state.metrics import Figure
from tools.report.figures import percent

Cell = str | int | float | Figure | None
_NUMBERS = re.compile(r"([-+<]? ?\d[\d.,]*( %)?)?( ?\[[^\]]*\])?( / \d[\d,]*)*( sessions| turns)?")


@dataclass(frozen=True)
class ReportTable:
    """A table with its notes. ``name`` is short, of a sheet or a label; ``spans`` are headings over columns.

    The first ``labels`` columns name a row. With ``sections`` rows that share the first of them belong together;
    ``prose`` is read row by row.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    spans: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()
    labels: int = 1
    sections: bool = False
    prose: bool = False


def text_of(cell: Cell) -> str:
    """Write a cell."""
    match cell:
        case None:
            return ""
        case Figure():
            return percent(cell)
        case float():
            return f"{cell:,.3f}"
        case int():
            return f"{cell:,}"
        case _:
            return cell


def is_number(cell: Cell) -> bool:
    """Tell whether a cell is set to the right."""
    return isinstance(cell, Figure | int | float) or (
        isinstance(cell, str) and bool(cell and _NUMBERS.fullmatch(cell))
    )


def is_numeric(table: ReportTable, place: int) -> bool:
    """Tell whether a column is set to the right; one that names rows is not."""
    return place >= table.labels and any(is_number(row[place]) for row in table.rows)
