"""Routes and frequencies as words, brought to one canonical form each."""

import re
import unicodedata
from collections.abc import Mapping

from state.base import InputError
from tools.vocabulary.counts import ENGLISH, HANZI, count

_COUNT = rf"([0-9]{{1,3}}|{'|'.join(ENGLISH)})"
_HANZI_COUNT = rf"([0-9]{{1,3}}|{'|'.join(sorted(HANZI, key=len, reverse=True))})"
_AS_NEEDED = r"\b(?:prn|(?:as|if|when) (?:needed|required))\b"
_PRN = re.compile(rf"\s*(?:{_AS_NEEDED}(?: for [a-z ]+)?|必要时|按需(?:使用|服用)?)\s*$")
_PRN_ANYWHERE = re.compile(rf"{_AS_NEEDED}|必要时|按需")
_PRN_FIRST = re.compile(r"^(?:必要时|按需|prn )\s*")
_MEALS = re.compile(r"\s*(?:\b(?:with|w) (?:meals?|food)|随餐|餐中)\s*$")
_EVERY = (
    (re.compile(rf"(?:q|every) ?{_COUNT} ?(?:h|hr|hrs|hour|hours)"), "H"),
    (re.compile(rf"每隔?{_HANZI_COUNT} ?(?:个?小时|h)(?:[1一]次)?"), "H"),
    (re.compile(rf"(?:q|every) ?{_COUNT} ?(?:min|mins|minute|minutes)"), "MIN"),
    (re.compile(rf"每隔?{_HANZI_COUNT}分钟(?:[1一]次)?"), "MIN"),
)
_TIMES = (
    (re.compile(rf"{_COUNT} doses? (?:per|every|in) (?:24 ?h|24 hours|day)"), "DAY"),
    (re.compile(rf"{_COUNT} ?(?:x|times) ?(?:a |per |each )?(?:day|daily)"), "DAY"),
    (re.compile(rf"[每一][日天]{_HANZI_COUNT}次"), "DAY"),
    (re.compile(rf"{_HANZI_COUNT}次 ?每?[日天]"), "DAY"),
    (re.compile(rf"{_COUNT} ?(?:x|times) ?(?:a |per |each )?(?:week|weekly)"), "WEEK"),
    (re.compile(rf"[每一]周{_HANZI_COUNT}次"), "WEEK"),
    (re.compile(rf"{_HANZI_COUNT}次 ?每?周"), "WEEK"),
)
_DAILY = {1: "DAILY", 2: "BID", 3: "TID", 4: "QID"}
_DOT_OF_WORD = re.compile(r"(?<![0-9])\.|\.(?![0-9])")
_SAME = {"Q24H": "DAILY", "Q48H": "QOD", "1X/WEEK": "QWEEK"}


def plain(text: str) -> str:
    """Fold case and full-width forms, drop dots in abbreviations, turn other punctuation to single spaces.

    A decimal point is no such dot: every 1.5 hours is not every 15.
    """
    folded = _DOT_OF_WORD.sub("", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(re.sub(r"[^\w%+]|_", " ", folded).split())


class WordTable:
    """Exact words for canonical codes; a word with two codes raises ``InputError``."""

    def __init__(self, source: str, words: Mapping[str, tuple[str, ...]]) -> None:
        self._codes: dict[str, str] = {}
        for code, accepted in words.items():
            for word in accepted:
                if self._codes.setdefault(plain(word), code) != code:
                    raise InputError(
                        f"{source}: {word!r} means both {self._codes[plain(word)]} and {code}; keep one"
                    )

    def get(self, text: str) -> str | None:
        """Give the code of a whole text."""
        return self._codes.get(plain(text))


def says_as_needed(text: str) -> bool:
    """Tell whether a text makes giving a matter of need."""
    return bool(_PRN_ANYWHERE.search(plain(text)))


def parse_frequency(text: str, named: WordTable) -> str | None:
    """Give the canonical code of a schedule, or None when it is not understood.

    Taken as equal: DAILY, QD, every day, Q24H; QHS and HS; QOD, every other day, Q48H; ONCE, x1 and now x1.
    Kept apart, because the hours differ: BID and Q12H, TID and Q8H, QID and Q6H, DAILY and QHS or QAM or QPM, and each
    schedule with PRN or WITH MEALS from the same without.
    """
    words = plain(text)
    code = named.get(words)
    if code is not None:
        return code
    for pattern, suffix in ((_PRN, " PRN"), (_PRN_FIRST, " PRN"), (_MEALS, " WITH MEALS")):
        rest, cut = pattern.subn("", words)
        if cut:
            base = parse_frequency(rest, named) if rest else None
            return base and base + suffix if rest else suffix.strip() if suffix == " PRN" else None
    for pattern, unit in _EVERY:
        if (found := pattern.fullmatch(words)) and count(found.group(1)):
            every = f"Q{count(found.group(1))}{unit}"
            return _SAME.get(every, every)
    for pattern, unit in _TIMES:
        if (found := pattern.fullmatch(words)) and count(found.group(1)):
            times = count(found.group(1))
            counted = f"{times}X/{unit}"
            return _DAILY.get(times, counted) if unit == "DAY" else _SAME.get(counted, counted)
    return None
