"""Tables as data: what every format writes."""

from dataclasses import dataclass

from state.metrics import Figure
from tools.report.figures import percent

Cell = str | int | float | Figure | None


@dataclass(frozen=True)
class ReportTable:
    """A table with its notes. ``name`` is short, of a sheet or a label; ``spans`` are headings over columns."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    spans: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()


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
    return isinstance(cell, Figure | int | float)
