"""Hold what a rule says in English against what it says in Chinese: amounts and their sides, names, terms, denials."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from agents.checks.texts import figures, negations
from state.base import Language
from state.knowledge import Rule
from tools.grading.phrases import any_of
from tools.grading.text import plain
from tools.grading.units import find_unit, result_unit_pattern
from tools.vocabulary import Vocabulary

Texts = Mapping[Language, str]
EN, ZH = Language.EN, Language.ZH

_ENGLISH = {
    word: str(at)
    for at, word in enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 2)
}
_COUNTED = re.compile(
    rf"\b({'|'.join(_ENGLISH)}|one(?= (?:to|and|or) (?:{'|'.join(_ENGLISH)})))\b", re.IGNORECASE
)
_CHINESE = dict(zip("两二三四五六七八九十", "2234567891", strict=True)) | {"十": "10"}
_MEASURED = re.compile(r"(?<![第这])([两二三四五六七八九十])(?=[种项次天日周年月倍个份片]|小时)")
_NUMBER = re.compile(r"(?<![A-Za-z0-9._/^])(?<!\d,)(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d_])")
_OF_RESULTS = re.compile(rf"(?<=\d)\s?({result_unit_pattern()})(?![A-Za-z0-9])", re.IGNORECASE)
_SPECIMEN = re.compile(r"_(?:urine|whole_blood)$")
_UNIT = r"\s?(?:mm Hg|[A-Za-z%/]+(?:/1\.73m2)?)?\s?"
_OF = r" (?:(?:[A-Za-z-]+ ){1,4}?of )?$"
_TO = r"[^\d,。;、()]{0,12}$"
_BEFORE = {
    EN: {
        ">": rf"(?:\babove|(?<!no )\bmore than|\bbeyond|\bexceeds?){_OF}",
        "<": rf"(?:\bbelow|\bunder|(?<!no )\bless than){_OF}",
        ">=": r"\b(?:at least|no less than|down to) $",
        "<=": r"\b(?:at most|no more than|up to) $",
    },
    ZH: {
        ">": rf"(?<!不)(?:高于|超过|大于){_TO}",
        "<": rf"(?<!不)(?:低于|小于|不足){_TO}",
        ">=": rf"(?:至少|不低于|不小于){_TO}",
        "<=": rf"(?:至多|不超过|不高于|不大于){_TO}",
    },
}
_AFTER = {
    EN: {">=": rf"^{_UNIT}(?:[a-z]+ )?or more\b", "<=": rf"^{_UNIT}(?:[a-z]+ )?or less\b"},
    ZH: {
        side: rf"^{_UNIT}[\u4e00-\u9fff]{{0,2}}?{words}"
        for side, words in {">": "(?<!及)以上", "<": "(?<!及)以下", ">=": "及以上", "<=": "及以下"}.items()
    },
}
"""Words that say on which side of a figure something lies, before it and after it with its unit."""

_MOVES = {
    "up": {
        EN: (
            r"\b(?:ris(?:e|es|en|ing)|climbs|rebounds?)\b",
            r"\b(?:rais(?:e|es|ed|ing)|higher|increased|recovers)\b",
        ),
        ZH: (r"升至|上升|升幅|上调|反跳", r"[升高增超]"),
    },
    "down": {
        EN: (r"\b(?:fall(?:s|en|ing)?|decrease)\b", r"\b(?:lower(?:s|ed)?|reduced?|down|less|against)\b"),
        ZH: (r"降至|下降|降幅|回落|下调", r"[降减低落]"),
    },
}
"""Words for a move, and further ones that may stand for it: what Chinese calls risen, English may call high."""


def rule_disparities(rule: Rule, vocabulary: Vocabulary) -> list[str]:
    """Name what a rule's reason, or what would change it, says in one language and not in the other."""
    texts = {"reason": rule.reason, "changes_if": rule.changes_if}
    return [f"{name}: {fault}" for name, pair in texts.items() for fault in disparities(pair, vocabulary)]


def disparities(pair: Texts, vocabulary: Vocabulary) -> Iterator[str]:
    """Give what one of two whole sentences says and its counterpart does not."""
    texts = {language: _in_digits(plain(pair[language]), language) for language in Language}
    yield from _differing("figures", {at: _figures(text) for at, text in texts.items()})
    yield from _differing("sides", {at: _sides(text, at) for at, text in texts.items()})
    yield from _differing("units", {at: _units(text) for at, text in texts.items()})
    for name, kept, ways in _terms():
        held = {at: bool(ways[at].search(text)) for at, text in texts.items()}
        if kept and held[EN] is not held[ZH]:
            yield f"only {EN if held[EN] else ZH} says {name!r}"
        texts = {at: ways[at].sub(" ", text) for at, text in texts.items()}
    yield from _differing("names", {at: _names(text, vocabulary) for at, text in texts.items()})
    for move, words in _MOVES.items():
        for says, other in ((EN, ZH), (ZH, EN)):
            if _says(words[says][:1], texts[says]) and not _says(words[other], texts[other]):
                yield f"only {says} says that something moves {move}"
    yield from _differing("denials", {at: Counter({"no": negations(text, at)}) for at, text in texts.items()})


def _differing(what: str, read: Mapping[Language, "Counter[str]"]) -> Iterator[str]:
    if read[EN] != read[ZH]:
        more = {at: ", ".join(sorted((read[at] - read[to]).elements())) for at, to in ((EN, ZH), (ZH, EN))}
        yield f"{what} differ: en {more[EN] or 'nothing more'}, zh {more[ZH] or 'nothing more'}"


def _in_digits(text: str, language: Language) -> str:
    """Write counts in digits: six hours, 两项; a single one is left as it is."""
    if language is EN:
        return _COUNTED.sub(lambda found: _ENGLISH.get(found[1].lower(), "1"), text)
    return _MEASURED.sub(lambda found: _CHINESE[found[1]], text)


def _figures(text: str) -> "Counter[str]":
    return Counter(f"{abs(number):g}" for number in figures(text))


def _sides(text: str, language: Language) -> "Counter[str]":
    """Count the figures that are said to be exceeded, reached, not reached or not exceeded."""
    found: Counter[str] = Counter()
    for number in _NUMBER.finditer(text):
        before, after = text[: number.start()], text[number.end() :]
        sides = {side for side, words in _BEFORE[language].items() if re.search(words, before, re.IGNORECASE)}
        sides |= {side for side, words in _AFTER[language].items() if re.search(words, after, re.IGNORECASE)}
        found.update(f"{side}{number.group().replace(',', '')}" for side in sides)
    return found


def _units(text: str) -> "Counter[str]":
    found = (find_unit(spelling) for spelling in _OF_RESULTS.findall(text))
    return Counter(unit.name for unit in found if unit is not None)


def _names(text: str, vocabulary: Vocabulary) -> "Counter[str]":
    """Count drugs and tests once each, a drug's level as the drug, a test of urine or whole blood as that of serum."""
    drugs = {drug.id for drug in vocabulary.ingredients_in(text)}
    tests = {_SPECIMEN.sub("", test.id) for test in vocabulary.analytes_in(text)}
    return Counter(drugs | {_levels(vocabulary).get(test, test) for test in tests})


@cache
def _levels(vocabulary: Vocabulary) -> Mapping[str, str]:
    """Give the drug that each level measures, of drugs that have one."""
    levels = ((vocabulary.level_of(drug), drug.id) for drug in vocabulary.ingredients)
    return {level.id: drug for level, drug in levels if level is not None}


def _says(words: Iterable[str], text: str) -> bool:
    return any(re.search(each, text, re.IGNORECASE) for each in words)


@cache
def _terms() -> tuple[tuple[str, bool, Mapping[Language, re.Pattern[str]]], ...]:
    """Read the terms in their order, each with whether the other language must say it too."""
    rows: list[dict[str, Any]] = yaml.load(
        (files("configs") / "wording" / "rule_terms.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
    )
    return tuple(
        (row["zh"][0], not row.get("loose"), {at: any_of(row[at.value]) for at in Language}) for row in rows
    )
