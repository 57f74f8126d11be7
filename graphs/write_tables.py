"""Putting tables where the user wants them: on the screen, or into a file."""

import json
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from state.base import InputError
from tools.cli import refuse_other_suffix
from tools.report.as_latex import as_latex
from tools.report.as_markdown import as_markdown
from tools.report.as_text import as_rich
from tools.report.as_xlsx import write_xlsx
from tools.report.cells import ReportTable
from tools.report.run_report import RunReport

FILE_WIDTH = 180
"""Columns of a table that goes into a file."""


class Format(StrEnum):
    """How a report is written."""

    TABLE = "table"
    MD = "md"
    LATEX = "latex"
    XLSX = "xlsx"
    HTML = "html"
    SVG = "svg"
    JSON = "json"


def put(
    form: Format,
    tables: Sequence[ReportTable],
    runs: Sequence[RunReport],
    data: Callable[[], dict[str, Any]],
    out: Path | None,
) -> None:
    """Write tables in a format; ``data`` gives the same as JSON."""
    if form is Format.XLSX:
        if out is None:
            raise InputError("--format xlsx is a file: name it with --out")
        refuse_other_suffix(out, "--out")
        write_xlsx(writable(out), tables, runs)
    elif form is Format.TABLE:
        _print(tables, out)
    else:
        text = {
            Format.MD: lambda: as_markdown(tables),
            Format.LATEX: lambda: as_latex(tables),
            Format.JSON: lambda: json.dumps(data(), indent=2, sort_keys=True, ensure_ascii=False),
        }[form]()
        if out is None:
            typer.echo(text)
        else:
            writable(out).write_text(text + "\n", "utf-8")
    if out is not None:
        typer.echo(f"written: {out}")


def writable(out: Path, option: str = "--out") -> Path:
    """Return the path of a file that can be written; an InputError naming its option where it cannot."""
    if out.is_dir() or not out.parent.is_dir():
        raise InputError(f"cannot write {out}: name a file in a directory that exists with {option}")
    return out


def _print(tables: Sequence[ReportTable], out: Path | None) -> None:
    if out is None:
        Console().print(as_rich(tables), highlight=False)
        return
    with writable(out).open("w", encoding="utf-8") as file:
        Console(file=file, width=FILE_WIDTH).print(as_rich(tables), highlight=False)
