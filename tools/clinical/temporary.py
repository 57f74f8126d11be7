"""Temporary tables of few rows, and what is put into them."""

from collections.abc import Iterable, Sequence

import duckdb

from tools.vocabulary import Vocabulary


def create(cursor: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Sequence[object]]) -> None:
    """Make a temporary table of few rows."""
    cursor.execute(f"CREATE TEMP TABLE {table}")
    filled = list(rows)
    if filled:
        marks = ", ".join("?" for _ in filled[0])
        cursor.executemany(f"INSERT INTO {table.split()[0]} VALUES ({marks})", filled)


def map_drugs(
    cursor: duckdb.DuckDBPyConnection,
    table: str,
    column: str,
    names: Iterable[tuple[str, ...]],
    wanted: set[str],
    vocabulary: Vocabulary,
) -> None:
    """Make a temporary table of the names whose ingredient is one of ``wanted``, with that ingredient."""
    found = ((name, vocabulary.ingredient(name)) for (name,) in names)
    rows = ((name, ingredient.id) for name, ingredient in found if ingredient and ingredient.id in wanted)
    create(cursor, f"{table} ({column} VARCHAR, ingredient VARCHAR)", rows)


def distinct(cursor: duckdb.DuckDBPyConnection, table: str, columns: str) -> list[tuple[str, ...]]:
    """List what columns of a table hold, rows with a gap left out."""
    present = " AND ".join(f"{column} IS NOT NULL" for column in columns.split(", "))
    return cursor.execute(f"SELECT DISTINCT {columns} FROM {table} WHERE {present} ORDER BY ALL").fetchall()
