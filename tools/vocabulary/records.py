"""Entries of the vocabulary."""

from dataclasses import dataclass, replace
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

    ``synonyms`` are all accepted words: names, salts, brands, MIMIC-IV drug strings, ``symbols``. ``valence`` is the
    mEq in one mmol, where one salt alone goes by the name. ``form_of``: the ingredients of which it is a product for
    another end, whose names it goes by too.
    """

    id: str
    names: dict[Language, str]
    synonyms: tuple[str, ...]
    classes: tuple[str, ...]
    symbols: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    form_of: tuple[str, ...] = ()
    valence: int | None = None

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
            form_of=tuple(entry.get("form_of", ())),
            valence=entry.get("valence"),
        )


@dataclass(frozen=True)
class Dose:
    """An amount, or a range up to ``high``. Masses are in mg and volumes in mL; mEq, mmol and units are kept."""

    value: float
    unit: str
    high: float | None = None

    def in_meq(self, drug: Ingredient | None) -> Self:
        """Give mmol of a drug of known valence in mEq; any other amount as it is."""
        if self.unit != "mmol" or drug is None or drug.valence is None:
            return self
        high = None if self.high is None else self.high * drug.valence
        return replace(self, value=self.value * drug.valence, unit="mEq", high=high)


def _names(entry: dict[str, Any]) -> dict[Language, str]:
    return {Language.EN: entry["en"], Language.ZH: entry["zh"]}


def _all_words(entry: dict[str, Any]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys((entry["en"], entry["zh"], *entry.get("synonyms", ()), *entry.get("symbols", ())))
    )
