"""Entries of the vocabulary."""

from dataclasses import dataclass

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
    loinc: str | None
    unit: str
    itemids: tuple[int, ...]
    specimen: str
    units: tuple[str, ...]
    symbols: tuple[str, ...] = ()


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


@dataclass(frozen=True)
class Dose:
    """An amount. Masses are in mg and volumes in mL; mEq, mmol and units are kept."""

    value: float
    unit: str
