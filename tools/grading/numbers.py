"""The numbers of a sentence that may be claimed as results: not dates, doses, limits, ranges or differences."""

import itertools
import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from tools.grading.phrases import any_pattern, claim_words, load_words
from tools.grading.prefixes import ends_at
from tools.grading.times import REMEMBERED, masked
from tools.grading.units import other_unit_pattern, result_unit_pattern

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_NUMBER = re.compile(rf"(?<![A-Za-z0-9._/^*])(?<!\d,){_DIGITS}")
_THOUSANDS = re.compile(r"[kK](?![A-Za-z0-9/])")
_TEN_THOUSANDS = re.compile(r"\s?万(?![/元])")
_MARK = r"\s?(?:\((?:HH?|LL?)\)|HH?|LL?|[↑↓*]{1,2})"
_FLAG = rf"(?:{_MARK}(?<!\bL)(?=\s?(?:$|[^A-Za-z\s]))|\s?L(?=\s,|\s?\([^()]{{0,40}}\bref\b))"
"""High or low, as laboratories mark it; an L alone may be litres, but in a cell of a table or before the range."""
_LOW = re.compile(r"\s?L(?=\s?\(\s{4})")
_NO_VOLUME = re.compile(
    r"\b(?:Na|K|Cl|CO2|HCO3|Ca|Mg|Phos|Hgb|Hb|Hct|Plt|WBC|Alb|Glu(?:c(?:ose)?)?|sodium|potassium|chloride|bicarb\w*"
    r"|calcium|magnesium|phosph\w+|h[ae]emoglobin|h[ae]matocrit|platelets?|albumin|pH)[:\s]{1,2}$",
    re.IGNORECASE,
)
"""Before a number with an L and its time in brackets: low, and no litres."""
_CELL = r"\s,\s"
"""What ``tools.grading.text`` makes of the bar between two cells of a table."""
_FORMULA = re.compile(
    r"(?!10\s?[*^])\d[\d.,]*\s?(?:[×*·]|x(?=\s?[\d(]))(?!\s?10\s?[*^E\d])[^=≈→;\n]*?(?=[=≈→]|[,;]\s|\b(?:which|so|gives?|yields?|is|comes?)\b|[得为约，；。]|$)"
)
"""Factors of a worked formula, up to what it comes to."""
_OF_PH = re.compile(r"(?<![A-Za-z])pH(?![A-Za-z])[^\d,.;:()]{0,20}$")
"""The record counts a pH in units, as others count insulin."""
_SIGN = re.compile(r"(?:^|[\s(:=为是至到约])-$")
_SIGNED = re.compile(r"\(\s?[-+]\s?$")
"""Beside a result, a figure in brackets with its sign is how far it has moved: "3.9 → 3.2 (-0.7)"."""
_ASIDE = re.compile(r"[,;(]\s*(?:that is |i\.e\.,? |about |some )?$", re.IGNORECASE)
_ABOVE_ANOTHER = re.compile(
    r"\s*(?:points? )?(?:above|below|over|under|(?:higher|lower|more|less) than|up from|down from)\s+"
    r"(?:the |that of |its )?(?:yesterday|previous|prior|preceding|earlier|day before|last (?:one|result|value)"
    r"|admission|baseline|(?:upper |lower )?(?:limit|end|bound)|(?:reference|normal) range|range)",
    re.IGNORECASE,
)
"""A difference told as such: "128 mmol/L, 4 above yesterday's 124", "i.e. 1.7 above the upper limit"."""
_YEAR = range(1900, 2300)


@dataclass(frozen=True)
class Number:
    """A number as written. ``end`` is past its unit; ``decimals`` are its written decimal places.

    ``unit`` is the spelling of a result unit, or None. ``result`` is False for what cannot be a result.
    """

    start: int
    end: int
    value: float
    decimals: int
    unit: str | None
    result: bool


@lru_cache(maxsize=REMEMBERED)
def quiet(text: str) -> str:
    """Blank out dates, times, formulas and fixed phrases that hold digits, at the same length."""
    text = _FORMULA.sub(_blank, masked(text))
    return claim_words("decoys").sub(_blank, text)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


@lru_cache(maxsize=REMEMBERED)
def numbers(text: str) -> tuple[Number, ...]:
    """Read the numbers of a sentence that ``quiet`` prepared."""
    found: list[Number] = []
    for match in _NUMBER.finditer(text):
        if not found or match.start() >= found[-1].end:
            found.append(_read(text, match))
    in_range = {
        at + side
        for at, (left, right) in enumerate(itertools.pairwise(found))
        if _is_range(text, left, right)
        for side in (0, 1)
    }
    return tuple(
        replace(number, result=number.result and at not in in_range) for at, number in enumerate(found)
    )


def _read(text: str, match: re.Match[str]) -> Number:
    written, end, unit, result = match.group(), match.end(), None, True
    before, after = text[: match.start()], text[match.end() :]
    if of_result := _result_unit().match(after) or _flagged().match(after):
        unit, end = next(filter(None, of_result.groups())), end + of_result.end()
    elif flag := re.match(_FLAG, after) or (_NO_VOLUME.search(before) and _LOW.match(after)):
        end += flag.end()
    elif many := _TEN_THOUSANDS.match(after):
        unit, end = "万/uL", end + many.end()
    elif thousands := _THOUSANDS.match(after):
        unit, end = "K/uL", end + thousands.end()
    elif of_other := _other_unit().match(after):
        end, result = end + of_other.end(), bool("." in written and _OF_PH.search(before))
    elif re.match(r"[A-Za-z_/]|\.\d", after):
        result = False
    value = float(written.replace(",", ""))
    if (
        unit is None
        and "." not in written
        and "," not in written
        and len(written) == 4
        and int(value) in _YEAR
    ):
        result = False
    turned = any(ends_at(words, text, match.start()) for words in (_limit_before(), _change_before()))
    if turned or _limit_after().match(text[end:]):
        result = False
    if _ASIDE.search(before) and _ABOVE_ANOTHER.match(text[end:]):
        result = False
    if _SIGNED.search(before) and _NUMBER.search(before):
        result = False
    if _SIGN.search(before):
        value = -value
    decimals = len(written.partition(".")[2])
    return Number(match.start(), end, value, decimals, unit, result)


def _is_range(text: str, left: Number, right: Number) -> bool:
    between = text[left.end : right.start]
    if re.fullmatch(r"\s{0,2}[-~](?!>)\s{0,2}", between):
        return True
    before = text[: left.start]
    if re.fullmatch(r"\s{1,2}and\s{1,2}", between, re.IGNORECASE):
        return bool(re.search(r"\bbetween\s+$", before, re.IGNORECASE))
    if not re.fullmatch(r"\s{0,2}(?:to|至|到)\s{0,2}", between, re.IGNORECASE):
        return False
    return bool(claim_words("reference").search(before)) or not claim_words("movement").search(before)


@cache
def _result_unit() -> re.Pattern[str]:
    return re.compile(rf"\s{{0,2}}-?({result_unit_pattern()})(?![A-Za-z0-9])", re.IGNORECASE)


@cache
def _flagged() -> re.Pattern[str]:
    """Give the pattern of a unit after a flag, or in the next cell of a table."""
    unit = rf"(?i:({result_unit_pattern()}))"
    return re.compile(rf"(?:{_MARK}\s?{unit}(?![A-Za-z0-9])|(?:{_FLAG})?{_CELL}{unit}(?=\s?(?:,|$)))")


@cache
def _other_unit() -> re.Pattern[str]:
    # "5.9 Mg 2.1" goes on with magnesium: a capital M is the element, not the unit.
    return re.compile(rf"\s{{0,2}}-?(?!Mg\b|K\b|Na\b|Ca\b)(?i:{other_unit_pattern()})")


@cache
def _limit_before() -> re.Pattern[str]:
    return re.compile(
        any_pattern(load_words("claims")["limit_before"]) + r"\s*(?:the\s+|a\s+)?[:=]?\s*$", re.IGNORECASE
    )


@cache
def _limit_after() -> re.Pattern[str]:
    return re.compile(r"\s{0,2}" + any_pattern(load_words("claims")["limit_after"]), re.IGNORECASE)


@cache
def _change_before() -> re.Pattern[str]:
    return re.compile(any_pattern(load_words("claims")["change_before"]) + r"\s*[-+]?\s*$", re.IGNORECASE)
