"""Results told twice: the figure in brackets after a result is often the same in another unit."""

import re
from collections.abc import Iterable, Sequence

from tools.grading.numbers import Number
from tools.grading.units import convert, find_unit

_BRACKET = re.compile(
    r"\s?[(,]\s?(?:≈|~|=|约为?|即|相当于|合|about|approx(?:imately)?\.?|i\.e\.,?|that is,?|or)?\s?",
    re.IGNORECASE,
)
_ROUNDING = 0.015
"""Of the figure: what two places of a converted one leave off."""


def without_restated(text: str, results: Sequence[Number], analytes: Iterable[str]) -> list[Number]:
    """Leave out each result that only gives the one before it in another unit: "490 mg/dL (27.2 mmol/L)"."""
    kept: list[Number] = []
    analytes = sorted(analytes) or [""]
    for number in results:
        if not (kept and _restates(text, kept[-1], number, analytes)):
            kept.append(number)
    return kept


def _restates(text: str, before: Number, number: Number, analytes: Sequence[str]) -> bool:
    if number.unit is None or before.unit is None or not _BRACKET.fullmatch(text[before.end : number.start]):
        return False
    unit, wanted = find_unit(number.unit), find_unit(before.unit)
    if unit is None or wanted is None or unit == wanted:
        return False
    told = (convert(number.value, unit, wanted, analyte) for analyte in analytes)
    half_a_digit = 0.5 * 10.0**-number.decimals / abs(number.value) if number.value else 0.0
    slack = (_ROUNDING + half_a_digit) * abs(before.value)
    return any(value is not None and abs(value - before.value) <= slack for value in told)
