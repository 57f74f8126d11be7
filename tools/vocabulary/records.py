"""Entries of the vocabulary."""

from dataclasses import dataclass
from typing import Any, Self

from state.base import Language


@dataclass(frozen=True)
class Analyte:
    """A laboratory analyte of one specimen: serum and whole-blood potassium are two.

    ``synonyms`` are all accepted words, names and ``symbols`` included; a symbol (``K``, ``Cr``) counts in free text in
    this exact case only. ``units`` are spellings with factor 1, ``unit`` the one of MIMIC-IV ("" where it gives none).
    ``itemids`` are MIMIC-IV ``d_labitems`` rows.
    """

    id: str
    names: dict[Language, str]
    synonyms: tuple[str, ...]
    unit: str
    itemids: tuple[int, ...]
    specimen: str
    units: tuple[str, ...]
    symbols: tuple[str, ...] = ()

    @classmethod
    def read(cls, entry: dict[str, Any]) -> Self:
        """Build an analyte from its entry in analytes.yaml."""
        return cls(
            id=entry["id"],
            names=_names(entry),
            synonyms=_all_words(entry),
            unit=entry["units"][0],
            itemids=tuple(entry["itemids"]),
            specimen=entry["specimen"],
            units=tuple(entry["units"]),
            symbols=tuple(entry.get("symbols", ())),
        )


@dataclass(frozen=True)
class Ingredient:
    """A drug ingredient, or a combination product with the ids of its ``components``.

    ``synonyms`` are all accepted words: names, salts, brands, MIMIC-IV drug strings, ``symbols``.
    """

    id: str
    names: dict[Language, str]
    synonyms: tuple[str, ...]
    classes: tuple[str, ...]
    symbols: tuple[str, ...] = ()
    components: tuple[str, ...] = ()

    @classmethod
    def read(cls, entry: dict[str, Any]) -> Self:
        """Build an ingredient from its entry in drugs.yaml."""
        return cls(
            id=entry["id"],
            names=_names(entry),
            synonyms=_all_words(entry),
            classes=tuple(entry["classes"]),
            symbols=tuple(entry.get("symbols", ())),
            components=tuple(entry.get("components", ())),
        )


@dataclass(frozen=True)
class Dose:
    """An amount. Masses are in mg and volumes in mL; mEq, mmol and units are kept."""

    value: float
    unit: str


def _names(entry: dict[str, Any]) -> dict[Language, str]:
    return {Language.EN: entry["en"], Language.ZH: entry["zh"]}


def _all_words(entry: dict[str, Any]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys((entry["en"], entry["zh"], *entry.get("synonyms", ()), *entry.get("symbols", ())))
    )
