"""What every command line does with bad input and with Ctrl-C."""

import errno
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, cast

import typer
from typer.core import TyperCommand, TyperGroup

from state.base import InputError
from tools.interrupt import INTERRUPTED, ctrl_c_as_itself, end_at_once, raise_again
from tools.refusals import sentence_of

BAD_INPUT = 2
WORKBOOK = ".xlsx"
OF_THE_MACHINE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT})
"""Errors of a disk that no program can mend: no rights, or no room."""
_USAGE_ERROR = cast("type[Exception]", typer.BadParameter.__bases__[0])
"""What is raised for any option that cannot be taken; typer names only some of its children."""


def refuse_other_suffix(path: Path, option: str) -> None:
    """Raise InputError for a workbook that other programs would not know by its name."""
    if path.suffix.lower() != WORKBOOK:
        raise InputError(f"{option} {path}: a workbook is written, so name it {path.with_suffix(WORKBOOK)}")


def aside(line: str) -> None:
    """Say something on stderr, above the progress where there is one."""
    typer.echo(line, err=True)


@contextmanager
def exits_on_bad_input() -> Iterator[None]:
    """Print an ``InputError`` as one line on stderr and exit 2; exit 130 on Ctrl-C. Decorates commands.

    Likewise where the machine has no room for a file, or gives no right to it.
    """
    try:
        with ctrl_c_as_itself():
            yield
    except InputError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(BAD_INPUT) from error
    except OSError as error:
        if error.errno not in OF_THE_MACHINE:
            raise
        where = f"{error.filename}: " if error.filename else ""
        typer.echo(
            f"error: {where}{error.strerror}; mend that, or name another place, and try again", err=True
        )
        raise typer.Exit(BAD_INPUT) from error
    except KeyboardInterrupt as error:
        typer.echo("interrupted", err=True)
        raise typer.Exit(INTERRUPTED) from error


def _ended(main: Callable[..., Any], arguments: dict[str, Any]) -> NoReturn:
    """Run a command and exit with its code; options that cannot be taken are an error of one sentence."""
    try:
        code = main(**arguments | {"standalone_mode": False})
    except _USAGE_ERROR as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            typer.echo(str(error))
        else:
            typer.echo(f"error: {sentence_of(error)}", err=True)
        sys.exit(BAD_INPUT)
    sys.exit(code if isinstance(code, int) else 0)


class _Command(TyperCommand):
    def main(self, *args: Any, **arguments: Any) -> NoReturn:
        _ended(super().main, dict(zip(("args", "prog_name"), args, strict=False)) | arguments)


class _Group(TyperGroup):
    def main(self, *args: Any, **arguments: Any) -> NoReturn:
        _ended(super().main, dict(zip(("args", "prog_name"), args, strict=False)) | arguments)


class CommandLine(typer.Typer):
    """A command line whose errors are one sentence, exit code 2, and which answers Ctrl-C itself while it runs."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(cls=_Group, add_completion=False, pretty_exceptions_enable=False, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """Add a command; takes what typer takes."""
        return super().command(name, cls=_Command, **settings)

    def __call__(self, *args: Any, **arguments: Any) -> Any:
        """Run it on the arguments of the process."""
        raise_again()
        try:
            return super().__call__(*args, **arguments)
        finally:
            end_at_once()
