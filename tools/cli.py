"""What every command line does with bad input and with Ctrl-C."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from state.base import InputError
from tools.interrupt import ctrl_c_as_itself

BAD_INPUT = 2
WORKBOOK = ".xlsx"
INTERRUPTED = 130


def refuse_other_suffix(path: Path, option: str) -> None:
    """Raise InputError for a workbook that other programs would not know by its name."""
    if path.suffix.lower() != WORKBOOK:
        raise InputError(f"{option} {path}: a workbook is written, so name it {path.with_suffix(WORKBOOK)}")


@contextmanager
def exits_on_bad_input() -> Iterator[None]:
    """Print an ``InputError`` as one line on stderr and exit 2; exit 130 on Ctrl-C. Decorates commands."""
    try:
        with ctrl_c_as_itself():
            yield
    except InputError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(BAD_INPUT) from error
    except KeyboardInterrupt as error:
        typer.echo("interrupted", err=True)
        raise typer.Exit(INTERRUPTED) from error
