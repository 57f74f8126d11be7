"""LOINC codes of MIMIC-IV's laboratory items: ``configs/vocabulary/loinc.yaml``, where their sources are named."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from state.base import InputError


class LoincMap:
    """Which code an item bears, and which items bear a code.

    An item with two codes, and a code with two names, raise ``InputError``.
    """

    def __init__(self, families: Iterable[Mapping[str, Any]]) -> None:
        self._of_item: dict[int, str] = {}
        self._names: dict[str, str] = {}
        items: dict[str, list[int]] = defaultdict(list)
        for family in families:
            for itemid, (code, _, name, _) in family["items"].items():
                if itemid in self._of_item:
                    raise InputError(f"loinc.yaml: item {itemid} stands there twice; keep one")
                if self._names.setdefault(code, name) != name:
                    raise InputError(f"loinc.yaml: {code} is {self._names[code]!r} and {name!r}; keep one")
                self._of_item[itemid] = code
                items[code].append(itemid)
        self._items = {code: tuple(of_code) for code, of_code in items.items()}

    def of_item(self, itemid: int) -> str | None:
        """Give the code of an item; None where none is certain."""
        return self._of_item.get(itemid)

    def name(self, code: str) -> str:
        """Give LOINC's long common name of a code; a code of no item is a ``KeyError``."""
        return self._names[code]

    def items(self, code: str) -> tuple[int, ...]:
        """List the items that bear a code."""
        return self._items.get(code, ())
