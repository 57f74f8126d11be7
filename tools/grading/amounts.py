"""The amounts of a drug that a sentence tells: of each dose, of a day, of a tablet, or before a change."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tools.grading.names import Span
from tools.vocabulary import Dose, Vocabulary

_AMOUNT = re.compile(
    r"(?<![A-Za-z0-9.])(?<!\d,)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\s{0,2}-?([A-Za-zµμ]{1,20}|[\u4e00-\u9fff]{1,4})"
)
_RATE = re.compile(r"\s?/\s?(?:(?:d?L|mL|kg|h|hr|min)\b|分?升|毫升|公斤|千克|小时)", re.IGNORECASE)
_STRENGTH = re.compile(
    r"\s?/\s?(?:片|粒|支|瓶|袋|枚|(?:tab(?:let)?|cap(?:sule)?|vial|amp(?:oule)?)s?\b)|\s?[×x*]\s?\d",
    re.IGNORECASE,
)
_STRENGTH_BEFORE = re.compile(r"(?:规格|\bstrength)\W{0,3}(?:为|是|of|is)?\s*$", re.IGNORECASE)
_TOTAL_BEFORE = re.compile(
    r"(?:总(?:剂?量)?|共计?|合计|全天|\btotal(?: daily)?(?: dose)?|\bdaily total|\b(?:adds?|comes?) up to)"
    r"\s*(?:of|is|:|为|是|约|=)*\s*$",
    re.IGNORECASE,
)
_TOTAL_AFTER = re.compile(
    r"\s*(?:(?:/|a |per )day |daily )?(?:in )?total\b|\s*(?:/|每)?[日天]?总量"
    r"|\s*(?:over|in|across) (?:the (?:whole |entire )?day|24 ?h)",
    re.IGNORECASE,
)
_DAY_BEFORE = re.compile(
    r"(?:[每一][日天]|日剂?量|\bdaily(?: dose)?)\s*(?:给予|用量|用|予|共|of|is|:|为|是|约)*\s*$",
    re.IGNORECASE,
)
_DAY_AFTER = re.compile(
    r"\s*(?:(?:po|iv|sc|im|orally|intravenously|by mouth|口服|静脉\S{0,2})\s*)?"
    r"(?:(?:/|\ba\b|\bper\b)\s*d(?:ay)?\b|daily\b|(?:/|每)\s?[日天])",
    re.IGNORECASE,
)
_A_DAY = re.compile(r"\s*(?:/|\ba |\bper )\s*d(?:ay)?\b|\s*[/每]\s?[日天]", re.IGNORECASE)
_COUNTS = {"两": 2, "二": 2, "三": 3, "四": 4, "two": 2, "three": 3, "four": 4, "twice": 2}
_COUNT = r"(?P<n>[两二三四2-6]|two|three|four)"
_DIVIDED = re.compile(
    rf"分(?:成|为|作)?\s?{_COUNT}\s?[次剂]"
    rf"|(?:split|divided|given)(?: evenly| equally)? (?:into|in|over|as) {_COUNT.replace('<n>', '<n2>')}"
    rf"|\bin {_COUNT.replace('<n>', '<n3>')} (?:equal |divided )*doses|(?P<open>分次|\bdivided\b|\bsplit\b)",
    re.IGNORECASE,
)
_TIMES_A_DAY = (
    (2, re.compile(r"\bbid\b|\bb\.i\.d|\bq12h|twice|两次|二次|2\s?次|早晚各一次", re.IGNORECASE)),
    (3, re.compile(r"\btid\b|\bt\.i\.d|\bq8h|three times|三次|3\s?次", re.IGNORECASE)),
    (4, re.compile(r"\bqid\b|\bq\.i\.d|\bq6h|four times|四次|4\s?次", re.IGNORECASE)),
)
_MOVED = re.compile(
    r"[^,;]{0,20}?(?P<verb>[减加增降调改升换提][^,;\d]{0,4}[至到为成]|(?:increased|reduced|cut|raised|lowered|changed|decreased|halved|doubled)"
    r"(?: down| up)? to|->|→)\s*(?:每次|每剂|now)?\s*|(?P<plain>[^,;]{0,20}?(?:\bto|至|到))\s*",
    re.IGNORECASE,
)
_FROM = re.compile(r"(?:\bfrom|[由从自]|原(?:为|先|来)?(?:每次)?)\s*(?:每次|每剂)?\s*$", re.IGNORECASE)
_TO_THIS = re.compile(
    r"[^,;\d]{0,6}[至到为成](?:此|该|现|目前|当前|上述)|\s*to (?:this|the current|the present)\b",
    re.IGNORECASE,
)
_DOWN_FROM = re.compile(r"\b(?:from|instead of|rather than|in place of)\s*$|[较比]\s*$", re.IGNORECASE)


class Of(StrEnum):
    """What an amount is the amount of."""

    EACH = "each"
    DAY = "day"
    STRENGTH = "strength"
    BEFORE = "before"


@dataclass(frozen=True)
class Amount:
    """An amount at a place; of a day's total whose number of doses is told, ``dose`` is each one of them."""

    span: Span
    dose: Dose
    of: Of = Of.EACH


def amounts_in(text: str, vocabulary: Vocabulary) -> list[Amount]:
    """Place the amounts of a sentence; a concentration, or a dose by weight or time, is none."""
    found = list(_placed(text, vocabulary))
    return [_read(text, one, found[at + 1 : at + 2]) for at, one in enumerate(found)]


def _placed(text: str, vocabulary: Vocabulary) -> Iterator[Amount]:
    for match in _AMOUNT.finditer(text):
        unit = match.group(2)
        for length in (len(unit),) if unit.isascii() else range(len(unit), 0, -1):
            dose = vocabulary.dose(f"{match.group(1)} {unit[:length]}")
            end = match.start(2) + length
            if dose is not None:
                if not _RATE.match(text[end:]):
                    yield Amount(Span(match.start(), end), dose)
                break


def _read(text: str, one: Amount, following: Sequence[Amount]) -> Amount:
    before, after = text[: one.span.start], text[one.span.end :]
    if _STRENGTH.match(after) or _STRENGTH_BEFORE.search(before):
        return replace(one, of=Of.STRENGTH)
    if _FROM.search(before) and _TO_THIS.match(after):
        return replace(one, of=Of.BEFORE)
    if following and _gives_way(before, text[one.span.end : following[0].span.start]):
        return replace(one, of=Of.BEFORE)
    if not following and _DOWN_FROM.search(before) and _AMOUNT.search(before):
        return replace(one, of=Of.BEFORE)
    a_day = _A_DAY.match(after) and _doses_a_day(text, None)
    total = _TOTAL_BEFORE.search(before) or _TOTAL_AFTER.match(after) or a_day
    divided = _DIVIDED.search(after)
    if not total and not (divided and (_DAY_BEFORE.search(before) or _DAY_AFTER.match(after))):
        return one
    doses = _doses_a_day(text, divided)
    if doses is None:
        return replace(one, of=Of.DAY)
    return replace(one, dose=replace(one.dose, value=one.dose.value / doses))


def _gives_way(before: str, between: str) -> bool:
    """Tell whether the amount is what the next one was changed from: "from 25 mg to 50 mg", 原25 mg，现50 mg."""
    moved = _MOVED.fullmatch(between)
    return bool(moved and (moved.group("verb") or _FROM.search(before)))


def _doses_a_day(text: str, divided: re.Match[str] | None) -> int | None:
    count = next(filter(None, (divided.group(name) for name in ("n", "n2", "n3"))), None) if divided else None
    if count:
        return int(count) if count.isdigit() else _COUNTS[count.lower()]
    return next((times for times, said in _TIMES_A_DAY if said.search(text)), None)
