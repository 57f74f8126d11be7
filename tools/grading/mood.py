"""Whether a phrase is advice for now: not negated, conditional, doubted, told, or one of several choices."""

import itertools
import re
from bisect import bisect_right
from enum import StrEnum
from functools import lru_cache
from operator import itemgetter

from tools.grading.advice_words import Act, Phrase, Voice, pattern, words
from tools.grading.prefixes import last_match, occurs_before

_REACH = 60
"""Characters a negation, doubt or report can stand before its phrase."""
_CONDITION_REACH = 6
"""Clauses that a condition, once made, is remembered for."""
_CLAUSE = re.compile(r"[;()]|(?<!\d)[,:]|[,:](?!\d)")
_OPENING = re.compile(r"^\s*(?:and|but|or|then|also|so)?\s*", re.IGNORECASE)
_NEXT_VERB = re.compile(r"\band (?!the\b|all\b|other\b|any\b)", re.IGNORECASE)


class Mood(StrEnum):
    """How a phrase is meant."""

    ADVISED = "advised"
    NEGATED = "negated"
    SET_ASIDE = "set_aside"
    CONDITIONAL = "conditional"
    DOUBTED = "doubted"
    LATER = "later"
    TOLD = "told"
    QUOTED = "quoted"


def mood(text: str, phrase: Phrase, high: int) -> Mood:
    """Read the words around a phrase of a sentence; ``high`` is where the next phrase begins."""
    before, after = text[: phrase.start], text[phrase.end :]
    if pattern("negation", "aside", after=r"\s*(?:the\s+|to\s+|be\s+|dose[ -])?$").search(before[-_REACH:]):
        return Mood.SET_ASIDE
    if _later(text, before, text[phrase.end : high], phrase):
        return Mood.LATER
    if _conditional(text, phrase, high):
        return Mood.CONDITIONAL
    if _doubted(before, after, phrase):
        return Mood.DOUBTED
    if pattern("too_little", before=r"\s*").match(after):
        return Mood.SET_ASIDE
    told = _told(text, before, after, phrase)
    negated = is_negated(before) != bool(pattern("negation", "after", before=r"\s*").match(after))
    if told:
        return Mood.SET_ASIDE if negated and told is Mood.QUOTED else told
    return Mood.NEGATED if negated else Mood.ADVISED


def is_negated(before: str) -> bool:
    """Tell whether a negation reaches the end of ``before``."""
    window = before[-_REACH:]
    found = list(pattern("negation", "before").finditer(window))
    if not found:
        return False
    last = found[-1]
    if re.match(r"\s+only\b", window[last.end() :], re.IGNORECASE):
        return False
    return not re.search("|".join(_ends()), window[last.end() :], re.IGNORECASE)


def joined_by_or(between: str) -> bool:
    """Tell whether two phrases are offered as alternatives: nothing but "or" and an object stand between them."""
    return bool(pattern("alternative_joint").search(between)) and not re.search(r"[.;:]", between)


def lists_on(between: str) -> bool:
    """Tell whether a phrase goes on with the list that the one before it began: "hold, reduce or stop"."""
    return bool(
        re.fullmatch(
            r"\s*(?:\w+\s*){0,3}(?:,\s*(?:(?:or|nor|and)\b)?|\b(?:or|nor|and/or)\b|/|或者?|、)\s*(?:to\s+)?",
            between,
            re.IGNORECASE,
        )
    )


def announced_choices(text: str) -> int:
    """Give where a sentence has announced choices, or its end."""
    found = pattern("choices").search(text)
    return found.end() if found else len(text)


def depends_on_change(text: str, act: Act) -> bool:
    """Tell whether an act waits for a result to come: a better one for going on, a worse one for less of the drug."""
    goes_on = act in (Act.CONTINUE, Act.GIVE, Act.INCREASE)
    return bool(pattern("recovery" if goes_on else "worsening").search(text))


def _conditional(text: str, phrase: Phrase, high: int) -> bool:
    clauses = _clauses(text)
    at = bisect_right(clauses, phrase.start, key=itemgetter(0)) - 1
    low, end = clauses[at]
    clause, place = text[low:end], phrase.start - low
    after = text[phrase.end : max(min(end, high), phrase.end)]
    condition, over = pattern("condition"), pattern("condition_over")
    if (made := last_match(condition, clause, place)) is not None:
        return not occurs_before(over, clause[made:], place - made)
    if any(occurs_before(pattern(name), clause, place) for name in ("except_when", "concession")):
        return True
    if condition.search(_NEXT_VERB.split(after)[0]):
        return True
    if occurs_before(over, clause, place):
        return False
    for i in range(at - 1, max(at - 1 - _CONDITION_REACH, -1), -1):
        earlier = text[clauses[i][0] : clauses[i][1]]
        if over.search(earlier) and not condition.search(earlier):
            return False
        if condition.match(_OPENING.sub("", earlier)):
            return True
    following = clauses[at + 1 :]
    if len(following) != 1 or high < len(text):
        return False
    last = text[following[0][0] : following[0][1]]
    return condition.match(last.lstrip()) is not None


@lru_cache(maxsize=8)
def _clauses(text: str) -> tuple[tuple[int, int], ...]:
    bounds = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    return tuple((low, end) for low, end in itertools.pairwise(bounds) if low < end)


def _doubted(before: str, after: str, phrase: Phrase) -> bool:
    window = re.split(r"[,;:()]|\bbut\b|但", before[-_REACH:], flags=re.IGNORECASE)[-1]
    if pattern("hedge", "any").search(window) or pattern("hedge", "after", before=r"\s*").match(after):
        return True
    return phrase.act is not Act.CONTINUE and bool(pattern("hedge", "but_continue").search(window[-25:]))


def _later(text: str, before: str, after: str, phrase: Phrase) -> bool:
    """Tell whether the phrase resumes the drug at another time or dose."""
    clause = re.split(r"[;:()]", before)[-1][-_REACH:]
    said = text[phrase.start : phrase.end]
    if not pattern("later_words").fullmatch(said) and not pattern("later_words").search(clause):
        return False
    rest = re.split(r"[;.]", after)[0][: 2 * _REACH]
    when = clause + rest
    return not pattern("resumes_soon").search(rest) and any(
        pattern(name).search(when) for name in ("later", "condition", "at_lower_dose", "recovery")
    )


def _told(text: str, before: str, after: str, phrase: Phrase) -> Mood | None:
    clause = re.split(r"[,;()]", before)[-1][-2 * _REACH :]
    said = text[phrase.start : phrase.end].lower()
    nominal = said.endswith(("ing", " of")) or phrase.voice is Voice.CHINESE
    if nominal and pattern("consequence", before=r"\s*").match(after):
        return Mood.TOLD
    if pattern("told", "clause").search(clause) or pattern("told", "subject", after=r"\s*$").search(clause):
        return Mood.TOLD
    if pattern("told", "authority").search(clause):
        return Mood.QUOTED
    if pattern("told", "after").match(after) and phrase.voice is not Voice.ACTIVE:
        return Mood.TOLD
    if re.match(r"[^.;]{0,40}?,? is what\b|[^.;]{0,40}?, (?:many|some|most) (?:would|might)", after):
        return Mood.TOLD
    if phrase.voice in (Voice.ACTIVE, Voice.ADJACENT):
        return None
    if phrase.voice is Voice.PASSIVE and pattern("told", "mine", after=r"\s*$").search(before[-_REACH:]):
        return Mood.QUOTED
    tail = r"\s*(?:\w+ly\s+)?(?:put\s+)?$" if phrase.voice is Voice.PASSIVE else r"\s*$"
    return Mood.TOLD if pattern("told", "before", after=tail).search(before[-_REACH:]) else None


def _ends() -> list[str]:
    return list(words("negation", "ends"))
