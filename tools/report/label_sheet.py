"""The sheet that people label: items without verdicts, and their labels read back."""

import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from zipfile import BadZipFile

from openpyxl import Workbook, load_workbook
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from state.audit import AuditItem
from state.base import InputError
from state.outcome import Verdict

COLUMNS = {
    "id": 14,
    "language": 9,
    "conversation so far": 60,
    "question": 40,
    "answer": 60,
    "said by the patient": 50,
    "written into the record": 40,
    "point": 50,
    "label": 14,
    "comment": 30,
}
"""Columns and their widths in characters."""
LABELS = {verdict.value.replace("_", " "): verdict for verdict in Verdict}
LONGEST = 32_000
"""Characters of a cell; a spreadsheet holds 32,767."""
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that no XML file may hold."""


def write_sheet(path: Path, items: Sequence[AuditItem]) -> None:
    """Write items to label; a file that is there may hold somebody's labels and is never written over."""
    if path.exists():
        raise InputError(f"{path} exists already and may hold labels: choose another name for --export")
    book = Workbook()
    sheet = book.active
    if not isinstance(sheet, Worksheet):
        raise TypeError("a new workbook has no sheet")
    sheet.title = "labels"
    sheet.append(list(COLUMNS))
    for column, width in enumerate(COLUMNS.values(), start=1):
        sheet.cell(1, column).font = Font(bold=True)
        sheet.column_dimensions[get_column_letter(column)].width = width
    for place, item in enumerate(items, start=2):
        for column, text in enumerate(_row(item), start=1):
            cell = sheet.cell(place, column)
            cell.value = _writable(text)
            cell.data_type = "s"  # text of a model is text, also where it begins like a formula
            cell.alignment = Alignment(wrap_text=True, vertical="top")
    choice = DataValidation(type="list", formula1=f'"{",".join(LABELS)}"', allow_blank=True)
    choice.error, choice.showErrorMessage = f"one of: {', '.join(LABELS)}", True
    sheet.add_data_validation(choice)
    label = get_column_letter(list(COLUMNS).index("label") + 1)
    choice.add(f"{label}2:{label}{len(items) + 1}")
    sheet.freeze_panes = "B2"
    how = book.create_sheet("how to label")
    how.column_dimensions["A"].width = 110
    for line in (files("configs") / "report" / "how_to_label.md").read_text("utf-8").splitlines():
        how.append([line])
    path.parent.mkdir(parents=True, exist_ok=True)
    book.save(path)


def read_labels(path: Path) -> dict[str, Verdict]:
    """Read one person's labels by the key of the item; empty ones are left out, any other word is an InputError."""
    if not path.is_file():
        raise InputError(f"{path} does not exist: label a sheet of --export first")
    try:
        with path.open("rb") as file:
            book = load_workbook(file, data_only=True)
    except (InvalidFileException, BadZipFile, KeyError, ValueError) as error:
        raise InputError(f"{path} is no xlsx workbook: save the labelled sheet as .xlsx") from error
    if "labels" not in book.sheetnames:
        raise InputError(f'{path} has no sheet "labels": keep the sheet of --export as it is')
    rows = book["labels"].iter_rows(values_only=True)
    head = [str(name) for name in next(rows, ())]
    if missing := [name for name in ("id", "label") if name not in head]:
        raise InputError(f'{path}: sheet "labels" has no column {missing[0]!r}: keep the columns of --export')
    labels: dict[str, Verdict] = {}
    for number, row in enumerate(rows, start=2):
        key, said = row[head.index("id")], row[head.index("label")]
        word = " ".join(str(said if said is not None else "").lower().replace("_", " ").split())
        if key is None or not word:
            continue
        if word not in LABELS:
            raise InputError(f"{path} row {number}: {said!r} is no label: use {', '.join(LABELS)}")
        if str(key) in labels:
            raise InputError(f"{path} row {number}: id {key} stands there twice: label each item once")
        labels[str(key)] = LABELS[word]
    if not labels:
        raise InputError(f'{path} holds no label: fill the column "label" with {", ".join(LABELS)}')
    return labels


def _row(item: AuditItem) -> tuple[str, ...]:
    """Give the cells of an item in the order of ``COLUMNS``: nothing of any verdict."""
    earlier = "\n\n".join(f"? {question}\n> {answer}" for question, answer in item.earlier)
    heard, written = "\n".join(item.heard), "\n".join(item.written)
    shown = (earlier, item.question, item.answer, heard, written, item.point)
    return item.key, item.language.value, *shown, "", ""


def _writable(text: str) -> str:
    """Make a text fit a cell, and say what was cut."""
    text = _UNWRITABLE.sub("\ufffd", text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} [{len(text) - LONGEST} characters cut]"
