"""The shape every generator gives its rows in: table and columns."""

from typing import TypeAlias

Row: TypeAlias = tuple[str, dict[str, object]]
