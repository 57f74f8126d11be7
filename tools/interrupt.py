"""Ctrl-C under DuckDB, which turns it into an error of its own."""

from collections.abc import Iterator
from contextlib import contextmanager

DUCKDB_CTRL_C = "Query interrupted"
"""What DuckDB's RuntimeError says when a Ctrl-C ends a statement."""


@contextmanager
def ctrl_c_as_itself() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` where DuckDB raises ``RuntimeError`` for a Ctrl-C."""
    try:
        yield
    except RuntimeError as error:
        if str(error) == DUCKDB_CTRL_C:
            raise KeyboardInterrupt from error
        raise
