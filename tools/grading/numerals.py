"""Numbers in words as digits: 一百五十九微摩尔每升, 二一八〇年五月六日, eleven mEq/L, seven point eight.

Only what can be nothing but a figure is rewritten: a number before a unit of results or doses, a decimal, a date, a
time of day. 一次, 第三天 and "one of the drugs" stay as they are.
"""

import re
from functools import cache

from tools.grading.units import result_unit_pattern

_DIGITS = {character: at for at, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_PLACES = {"十": 10, "百": 100, "千": 1000}
_DIGIT = "[零〇一二两三四五六七八九]"
_WHOLE = "[零〇一二两三四五六七八九十百千万]"
_RUN = rf"(?<!{_WHOLE})({_WHOLE}{{1,12}})"
"""A number from where it begins; a longer one is none, and would take time with the square of its length."""
_DECIMAL = re.compile(rf"(?:{_RUN}|(?<!\d)(\d{{1,9}}))点({_DIGIT}{{1,6}})(?![十百千分刻\d])")
_EARLY_MINUTE = re.compile(r"(?<!\d)(\d{1,2})点[零〇](\d)(?![\d.])")
"""A minute below ten: 6点零5分, 早上6点零7; no result is told with both, as 6点零7."""
_CLOCK = re.compile(
    rf"{_RUN}(?=[点时]\s?(?:{_WHOLE}{{1,3}}|\d{{1,2}})\s?分|[点时]{_DIGIT}?十|[点时][整半钟])"
)
_MINUTE = re.compile(rf"(?<=[\d][点时])\s?({_WHOLE}{{1,3}})(?=分)")
_OF_DAY = re.compile(rf"(?<=[上下中]午|凌晨|清晨|早[上晨]|晚上|傍晚|夜间|[日天号][早晚]){_RUN}(?=[点时])")
_AFTER_CLOCK = re.compile(rf"(?<=\d[点时])({_WHOLE}{{2,3}})(?!{_WHOLE})(?!分)")
_YEAR = re.compile(rf"(?<!{_WHOLE})([零〇一二三四五六七八九]{{4}})(?=\s?年)")
_MONTH = re.compile(rf"{_RUN}(?=月\s?(?:{_WHOLE}{{1,3}}|\d{{1,2}})[日号])")
_FIRST_MONTH = re.compile(rf"元月(?=\s?(?:{_WHOLE}|\d))")
_DAY = re.compile(rf"(?<=\d月)({_WHOLE}{{1,3}})(?=[日号])")
_PERCENT = re.compile(r"百分之\s?(\d[\d.]*)")
_OF_PERCENT = re.compile(rf"(?<=百分之)({_WHOLE}{{1,12}})(?!{_WHOLE})")
_PER = re.compile(r"(?<=[克尔位个量十百千万])每(?=(?:分|毫|微)?升|公斤|千克)")
_COUNTED = re.compile(r"(?<=\d)\s?个(?=(?:国际)?单位)")
"""36个单位."""
_UNITS_ZH = r"毫克|微克|纳克|皮克|克(?![a-z拉])|毫升|毫当量|毫摩|微摩|纳摩|国际单位|单位|秒|×|x\s?10"
_ALONE = re.compile(rf"(?<![第\d])(?<!{_WHOLE})(?={_WHOLE}{{0,12}}[十百千万])(?!十)({_WHOLE}{{2,12}})(?!\w)")
"""A number of two places and more with nothing after it: 血小板四十三，"""

_NAMES = r"s?Cr|H[bg]b?|HCT|WBC|PLT|INR|pH|A?PTT?|Na|Cl|Mg|BUN|AL[TP]|AST|LDH|CRP|PCT|Lac|Glu|c?Tn[TI]|BNP"
_GLUED = re.compile(rf"(?<![A-Za-z0-9-])((?i:{_NAMES})(?=\d)|K(?=\d(?:\.\d)?(?![\d.]))|Ca(?=\d{{1,2}}\.\d))")
"""A test's short name with its figure straight after it: Hb7.8, K5.9; but not K74.60, a diagnosis, nor CA125."""
_FRACTION = re.compile(
    rf"(?<![A-Za-z0-9-])({_NAMES})/({_NAMES})\s?(?:为|是|of|is|=|:)?\s?(\d[\d.]*)/(\d[\d.]*)(?![\d/])",
    re.IGNORECASE,
)
"""Two tests and their figures as fractions: BUN/Cr 64/3.2."""

_SMALL = (
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    (
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ),
)
_ONES = {word: at for at, word in enumerate((*_SMALL[0], *_SMALL[1]))}
_TENS = {
    word: 10 * at
    for at, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2
    )
}
_WORD = "|".join(sorted((*_ONES, *_TENS, "hundred", "thousand"), key=len, reverse=True))
_ENGLISH = re.compile(
    rf"\b((?:{_WORD})(?:(?:[\s-]+and)?[\s-]+(?:{_WORD}))*)(?:\s+point((?:\s+(?:{'|'.join(_ONES)}))+))?\b",
    re.IGNORECASE,
)
_UNITS_EN = r"mg|mgs|mcg|ug|µg|g|grams?|milligrams?|micrograms?|units?|iu|meq|mmol|mls?|milliliters?|milliequivalents?"

_HOUR = re.compile(
    r"(?:(?<=\bat )|(?<=\baround )|(?<=\babout )|(?=\S{1,9}\so'clock\b))(?<![\d.:/-])\b"
    rf"({'|'.join(list(_ONES)[1:13])}|\d{{1,2}})(?:\s(thirty))?"
    r"(?=\s(?:in the (?:morning|afternoon|evening)|at night|o'clock)\b)",
    re.IGNORECASE,
)
"""An hour that only a word makes one: six in the morning."""


def in_digits(text: str) -> str:
    """Rewrite numbers in words as digits, 每升 as /升, and Hb7.8 as Hb 7.8; the rest stays."""
    if re.search(_WHOLE, text) or "每" in text or "元月" in text or "个" in text:
        text = _chinese(text)
    text = _HOUR.sub(_hour, text)
    text = _FRACTION.sub(r"\1 \3, \2 \4", _GLUED.sub(r"\1 ", text))
    return _ENGLISH.sub(_english, text) if re.search(rf"\b(?:{_WORD})\b", text, re.IGNORECASE) else text


def _chinese(text: str) -> str:
    text = _COUNTED.sub("", _FIRST_MONTH.sub("1月", _PER.sub("/", text)))
    text = _YEAR.sub(lambda found: "".join(str(_DIGITS[one]) for one in found.group(1)), text)
    for pattern in (_MONTH, _DAY, _CLOCK, _MINUTE, _OF_DAY, _AFTER_CLOCK):
        text = pattern.sub(_whole_or_as_it_is, text)
    text = _EARLY_MINUTE.sub(r"\1点0\2", text)
    text = _DECIMAL.sub(_decimal, text)
    for pattern in (_OF_PERCENT, _before_unit(), _ALONE):
        text = pattern.sub(_whole_or_as_it_is, text)
    return _PERCENT.sub(r"\1%", text)


@cache
def _before_unit() -> re.Pattern[str]:
    return re.compile(
        rf"(?<!第){_RUN}(?=\s?(?:{_UNITS_ZH}|{result_unit_pattern()}(?![A-Za-z])))", re.IGNORECASE
    )


def _whole_or_as_it_is(found: re.Match[str]) -> str:
    value = _whole(found.group(1))
    return found.group() if value is None else str(value)


def _hour(found: re.Match[str]) -> str:
    said = found.group(1).lower()
    return f"{_ONES.get(said, said)}:{'30' if found.group(2) else '00'}"


def _decimal(found: re.Match[str]) -> str:
    whole = int(found.group(2)) if found.group(2) else _whole(found.group(1))
    places = "".join(str(_DIGITS[one]) for one in found.group(3))
    return found.group() if whole is None else f"{whole}.{places}"


def _whole(written: str) -> int | None:
    """Read 一百五十九, 一五九, 四万三千, 一万二, 十二; None for what is no number."""
    high, mark, low = written.rpartition("万")
    if mark:
        above, below = _whole(high), _whole(low) if low else 0
        if above is None or below is None:
            return None
        return above * 10_000 + below * (1000 if low in _DIGITS else 1)
    if not any(place in written for place in _PLACES):
        return int("".join(str(_DIGITS[one]) for one in written)) if written else None
    total, digit, least = 0, 0, 10_000
    for one in written:
        if one in _DIGITS:
            digit = _DIGITS[one]
            continue
        if _PLACES[one] >= least:
            return None
        least = _PLACES[one]
        total, digit = total + (digit or 1) * least, 0
    short = least > 10 and digit and written[-2] in _PLACES
    return total + digit * (least // 10 if short else 1)


def _english(found: re.Match[str]) -> str:
    after = found.string[found.end() :]
    decimals = found.group(2)
    words = re.findall(r"[a-z]+", found.group(1).lower())
    unit = re.match(
        rf"[\s-]{{0,2}}(?:{_UNITS_EN}|{result_unit_pattern()})(?![A-Za-z0-9])", after, re.IGNORECASE
    )
    if not (decimals or unit or len(words) > 1):
        return found.group()
    total, part = 0, 0
    for word in words:
        if word == "thousand":
            total, part = total + (part or 1) * 1000, 0
        elif word == "hundred":
            part = (part or 1) * 100
        elif word != "and":
            part += _ONES.get(word, _TENS.get(word, 0))
    places = "".join(str(_ONES[word]) for word in (decimals or "").lower().split())
    return f"{total + part}.{places}" if places else str(total + part)
