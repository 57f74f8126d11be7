"""The workbook of a review: a sheet of turns for people to correct, and one that says which set it is of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from openpyxl import Workbook, load_workbook
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.utils.exceptions import IllegalCharacterError, InvalidFileException
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from agents.dialogue import WAYS_OF_LEAVING_UNSAID
from graphs.review_rows import COLUMNS, EDITABLE, REVIEW
from state.base import InputError

TURNS, SET = "turns", "set"
LONGEST_CELL = 32_767
"""Characters a cell of an Excel workbook holds."""
WIDE, MIDDLE, NARROW = 48, 26, 12
NUMBERS = frozenset({"turn", "tier"})
"""Columns of numbers; every other is of text."""
_WIDTHS = {"session_id": MIDDLE, "scenario": 20, "as_of": 20, "reviewer": 20, "turn": 7, "tier": 7}
_HEAD = Font(bold=True)
_OPEN = PatternFill("solid", fgColor="FFF8E1")


@dataclass(frozen=True)
class Row:
    """A row of the sheet of turns: its number and its texts by column."""

    number: int
    cells: Mapping[str, str]

    def at(self, *columns: str) -> str:
        """Say where cells of the row stand."""
        places = ", ".join(f"{get_column_letter(COLUMNS.index(one) + 1)} ({one})" for one in columns)
        return f"sheet {TURNS}, row {self.number}, column {places}"


def write_workbook(path: Path, rows: Sequence[Mapping[str, str]], fingerprint: str) -> None:
    """Write the rows; every cell is text, also where it begins like a formula."""
    book = Workbook()
    sheet = book.create_sheet(TURNS, 0)
    for unused in book.worksheets[1:]:
        book.remove(unused)
    for column, name in enumerate(COLUMNS, start=1):
        _put(sheet, 1, column, name).font = _HEAD
        wide = WIDE if name in EDITABLE or name in ("facts", "comment") else NARROW
        sheet.column_dimensions[get_column_letter(column)].width = _WIDTHS.get(name, wide)
    for number, row in enumerate(rows, start=2):
        for column, name in enumerate(COLUMNS, start=1):
            cell = _put(sheet, number, column, row[name], as_number=name in NUMBERS)
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if name in EDITABLE or name in REVIEW:
                cell.fill = _OPEN
    sheet.freeze_panes = "C2"
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(COLUMNS))}{len(rows) + 1}"
    ballot = DataValidation(type="list", formula1='"yes,no"', allow_blank=True)
    sheet.add_data_validation(ballot)
    signed = get_column_letter(COLUMNS.index("signed_off") + 1)
    ballot.add(f"{signed}2:{signed}{len(rows) + 1}")
    about = book.create_sheet(SET)
    lines = (
        ("set", fingerprint),
        ("how", "Correct the coloured cells. Rows may be sorted, but none taken out or added."),
        ("reviewer", "Who changes a row, or signs it off, writes his or her name into it."),
        ("signed_off", "yes, where a physician holds the turn to be right as it stands now."),
        *(("implicitness", text) for text in WAYS_OF_LEAVING_UNSAID.values()),
    )
    for number, (name, text) in enumerate(lines, start=1):
        _put(about, number, 1, name).alignment = Alignment(vertical="top")
        _put(about, number, 2, text).alignment = Alignment(wrap_text=True, vertical="top")
    about.column_dimensions["A"].width, about.column_dimensions["B"].width = NARROW + 2, 2 * WIDE
    try:
        book.save(path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}; name another --xlsx") from error


def _put(sheet: Worksheet, row: int, column: int, text: str, *, as_number: bool = False) -> Any:
    """Write a cell as a number, or as text, marked so that Excel takes it for no formula when it is edited either."""
    if as_number and text.isdecimal():
        return sheet.cell(row, column, int(text))
    if len(text) > LONGEST_CELL:
        raise InputError(
            f"row {row}, column {COLUMNS[column - 1]} has {len(text):,} characters, more than a cell holds: "
            "review this set another way"
        )
    try:
        cell: Any = sheet.cell(row, column, text)
    except IllegalCharacterError as error:
        raise InputError(
            f"row {row}, column {COLUMNS[column - 1]} holds a control character: mend the set first"
        ) from error
    cell.data_type = "s"
    cell.quotePrefix = True
    return cell


def read_workbook(path: Path) -> tuple[str, list[Row]]:
    """Read a workbook back: the fingerprint of its set, and its rows."""
    if not path.is_file():
        raise InputError(f"{path} does not exist: export it first with python -m graphs.review export")
    try:
        book = load_workbook(path)
    except (BadZipFile, InvalidFileException, KeyError, ValueError) as error:
        raise InputError(f"{path} is no Excel workbook: save it as .xlsx") from error
    if TURNS not in book.sheetnames or SET not in book.sheetnames:
        raise InputError(f"{path} lacks the sheet {TURNS!r} or {SET!r}: export it again")
    sheet = book[TURNS]
    heads = [cell.value for cell in sheet[1]]
    if tuple(heads[: len(COLUMNS)]) != COLUMNS or any(heads[len(COLUMNS) :]):
        raise InputError(
            f"{path}, sheet {TURNS}, row 1: the columns must be {', '.join(COLUMNS)}, in this order"
        )
    return str(book[SET].cell(1, 2).value), list(_rows(sheet, path))


def _rows(sheet: Worksheet, path: Path) -> Iterator[Row]:
    for number in range(2, sheet.max_row + 1):
        cells = [sheet.cell(number, column) for column in range(1, len(COLUMNS) + 1)]
        if all(cell.value is None for cell in cells):
            continue
        row = Row(number, {name: _text(cell.value) for name, cell in zip(COLUMNS, cells, strict=True)})
        if formula := next(
            (name for name, cell in zip(COLUMNS, cells, strict=True) if cell.data_type == "f"), None
        ):
            raise InputError(f"{path}, {row.at(formula)} holds a formula: write the text itself")
        yield row


def _text(value: object) -> str:
    """Give what a cell holds as text; a spreadsheet may have made 1.0 of the number 1."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value).replace("\r\n", "\n").replace("_x000D_", "")
