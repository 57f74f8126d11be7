"""Tables as a workbook: a sheet each, and one of all figures as plain numbers."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from state.metrics import Figure, Metrics, Scores
from tools.report.cells import Cell, ReportTable, text_of
from tools.report.run_report import RunReport

BOLD = Font(bold=True)
WIDEST = 60
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
NUMBERS = (
    "run", "model", "language", "asked", "key", "grading version", "scoring", "facet", "group", "figure", "value",
    "low", "high", "BCa low", "BCa high", "planned", "attempted", "scored", "withheld",
)  # fmt: skip


def write_xlsx(path: Path, tables: Iterable[ReportTable], runs: Iterable[RunReport]) -> None:
    """Write a workbook. No cell holds a formula, whatever a model is called."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for table in tables:
        sheet = book.create_sheet(_sheet_name(table.name, book.sheetnames))
        _put(sheet, [table.title], bold=True)
        if table.spans:
            _put(
                sheet,
                [name for name, width in table.spans for name in (name, *[""] * (width - 1))],
                bold=True,
            )
        _put(sheet, table.columns, bold=True)
        for row in table.rows:
            _put(sheet, [text_of(cell) if isinstance(cell, Figure) else cell for cell in row])
        for note in table.notes:
            _put(sheet, [note])
        _widen(sheet, table)
    numbers = book.create_sheet("figures")
    _put(numbers, NUMBERS, bold=True)
    for run in runs:
        for row in _numbers(run):
            _put(numbers, row)
    part = path.with_name(path.name + ".partial")
    book.save(part)
    part.replace(path)


def _put(sheet: Worksheet, cells: Iterable[Cell | bool], *, bold: bool = False) -> None:
    row = sheet.max_row + 1 if sheet.max_row > 1 or sheet["A1"].value is not None else 1
    for column, value in enumerate(cells, start=1):
        cell = sheet.cell(row, column)
        if isinstance(value, str):
            cell.value = _CONTROL.sub(" ", value)
            # openpyxl takes text that begins with = for a formula
            cell.data_type = "s"
        elif value is not None:
            cell.value = value  # type: ignore[assignment]
        if bold:
            cell.font = BOLD


def _widen(sheet: Worksheet, table: ReportTable) -> None:
    for place, name in enumerate(table.columns):
        longest = max([len(name), *(len(text_of(row[place])) for row in table.rows)])
        sheet.column_dimensions[get_column_letter(place + 1)].width = min(longest + 2, WIDEST)


def _sheet_name(name: str, taken: Iterable[str]) -> str:
    names = set(taken)
    return next(n for n in (name, *(f"{name} {i}" for i in range(2, 1000))) if n not in names)


def _numbers(run: RunReport) -> Iterator[tuple[Cell | bool, ...]]:
    manifest, settings = run.manifest, run.manifest.settings
    head = (
        manifest.run_id,
        settings.model,
        settings.language.value,
        "explicit" if settings.explicit else "implicit",
        manifest.comparison_key,
        manifest.grading_version,
        run.scoring.value,
    )
    for facet, group, name, figure in all_figures(run.metrics):
        low, high = (None, None) if figure.interval is None else (figure.interval.low, figure.interval.high)
        bca = (None, None) if figure.bca is None else (figure.bca.low, figure.bca.high)
        counts = (figure.planned, figure.attempted, figure.scored, figure.withheld)
        value = None if figure.withheld else figure.value
        if figure.withheld:
            low, high, bca = None, None, (None, None)
        yield (*head, facet, group, name, value, low, high, *bca, *counts)


def all_figures(metrics: Metrics) -> Iterator[tuple[str, str, str, Figure]]:
    """Yield every figure of a run with its facet, group and name."""
    yield from _of("all", "", metrics.overall)
    for facet, groups in metrics.facets.items():
        for group, scores in groups.items():
            yield from _of(facet, group, scores)
    for row in metrics.reliability:
        yield "reliability", row.mark, f"pass@{row.k}", row.pass_at
        yield "reliability", row.mark, f"pass^{row.k}", row.pass_every
    if metrics.conduct is not None:
        for name, figure in metrics.conduct.figures.items():
            yield "conduct", "", name, figure
        for kind, figure in metrics.conduct.antecedent_errors.items():
            yield "conduct", kind, "antecedent_errors", figure
        for kind, figure in metrics.conduct.safety.items():
            yield "safety a turn", kind, "safety", figure


def _of(facet: str, group: str, scores: Scores) -> Iterator[tuple[str, str, str, Figure]]:
    if scores.mrs is not None:
        yield facet, group, "mRS", scores.mrs
    yield facet, group, "mean turn score", scores.turn_score
    for mark, figure in scores.pass_turn.items():
        yield facet, group, f"Pass@Turn {mark}", figure
    for mark, figure in (scores.pass_session or {}).items():
        yield facet, group, f"Pass@Session {mark}", figure
