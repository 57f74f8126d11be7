"""Tables on the screen: where one is wider than the screen, its columns go into several blocks, one below the other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from tools.report.cells import ReportTable, is_numeric, text_of
from tools.report.wrapping import narrowest, widest, wrapped

BETWEEN = 3
"""Columns that a rule and the space on its sides take; a table has one rule more than columns."""


@dataclass(frozen=True)
class Screen:
    """Tables one below the other, each laid out for the width at hand."""

    tables: tuple[ReportTable, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Give what is to be printed."""
        for number, table in enumerate(self.tables):
            if number:
                yield Text("")
            yield _lines(table.title, options.max_width, "italic")
            yield from _Grid(table).blocks(options.max_width)
            for note in table.notes:
                yield _lines(note, options.max_width)


def as_rich(tables: Iterable[ReportTable]) -> Screen:
    """Lay tables out for a terminal, one below the other."""
    return Screen(tuple(tables))


def _lines(text: str, width: int, style: str = "") -> Text:
    return Text("\n".join(wrapped(text, width)), style=style)


class _Grid:
    """The texts of a table, and how wide its columns may be."""

    def __init__(self, table: ReportTable) -> None:
        self.table = table
        self.numeric = [is_numeric(table, place) for place in range(len(table.columns))]
        self.texts = [[text_of(cell) for cell in row] for row in table.rows]
        by_column = [[name, *(row[place] for row in self.texts)] for place, name in enumerate(table.columns)]
        self.least = [max(1, *map(narrowest, texts)) for texts in by_column]
        self.most = [max(map(widest, texts)) for texts in by_column]

    def blocks(self, width: int) -> Iterator[Table]:
        """Give the whole table, or as many blocks as it takes; each begins with the columns that name the row."""
        labels, values = range(self.table.labels), range(self.table.labels, len(self.table.columns))
        block: list[int] = []
        for place in values:
            if block and _taken([self.least[p] for p in (*labels, *block, place)]) > width:
                yield self._block([*labels, *block], width)
                block = []
            block.append(place)
        yield self._block([*labels, *block], width)

    def _block(self, places: Sequence[int], width: int) -> Table:
        widths = self._widths(places, width)
        laid = Table()
        for place, wide in zip(places, widths, strict=True):
            head = Text("\n".join(wrapped(self.table.columns[place], wide)))
            justify = "right" if self.numeric[place] else "left"
            laid.add_column(head, width=wide, no_wrap=True, justify=justify)  # type: ignore[arg-type]
        before = None
        for row in self.texts:
            cells = [Text("\n".join(wrapped(row[p], wide))) for p, wide in zip(places, widths, strict=True)]
            if self.table.sections and row[0] == before:
                cells[0] = Text("")
            elif self.table.sections and before is not None:
                laid.add_section()
            before = row[0]
            laid.add_row(*cells)
        return laid

    def _widths(self, places: Sequence[int], width: int) -> list[int]:
        """Give each column the least it needs; the rest goes to words first, then to numbers it sets on one line."""
        widths = {place: self.least[place] for place in places}
        left = width - _taken(list(widths.values()))
        while left < 0 and max(widths.values()) > 1:
            widest_ = max(places, key=lambda place: (not self.numeric[place], widths[place]))
            widths[widest_] -= 1
            left += 1
        wanted = {place: self.most[place] - widths[place] for place in places}
        for place in sorted(places, key=lambda place: (self.numeric[place], wanted[place])):
            if wanted[place] > 0 and (wanted[place] <= left or not self.numeric[place]):
                widths[place] += min(left, wanted[place])
                left -= min(left, wanted[place])
        return [widths[place] for place in places]


def _taken(widths: Sequence[int]) -> int:
    return sum(widths) + BETWEEN * len(widths) + 1
