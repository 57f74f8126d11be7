"""Ctrl-C, which ends a command with a line: while its modules load, and under DuckDB, which makes an error of it."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""Exit code of a command that Ctrl-C ended, as shells have it: 128 and the number of SIGINT."""
DUCKDB_CTRL_C = "Query interrupted"
"""What DuckDB's RuntimeError says when a Ctrl-C ends a statement."""


def _end(*_: object) -> None:
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


def end_at_once() -> None:
    """Have a Ctrl-C end the process with a line: nothing is under way yet, or any more, that could be closed."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def end_at_once_while_loading() -> None:
    """Do so while ``python -m`` still locates a command: its modules take seconds to load."""
    if sys.argv[:1] == ["-m"]:
        end_at_once()


def raise_again() -> None:
    """Have a Ctrl-C raise ``KeyboardInterrupt``, for commands that close what they opened."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def ctrl_c_as_itself() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` where DuckDB raises ``RuntimeError`` for a Ctrl-C."""
    try:
        yield
    except RuntimeError as error:
        if str(error) == DUCKDB_CTRL_C:
            raise KeyboardInterrupt from error
        raise
