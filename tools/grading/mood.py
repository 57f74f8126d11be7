"""Whether a phrase is advice for now: not negated, conditional, doubted, told, or one of several choices."""

import itertools
import re
from enum import StrEnum

from tools.grading.advice_words import Act, Phrase, Voice, pattern, words

_REACH = 60
"""Characters a negation, doubt or report can stand before its phrase."""
_NEAR = 20
_CLAUSE = re.compile(r"[,;:()](?!\d)")
_OPENING = re.compile(r"^\s*(?:and|but|or|then|also|so)?\s*", re.IGNORECASE)


class Mood(StrEnum):
    """How a phrase is meant."""

    ADVISED = "advised"
    NEGATED = "negated"
    SET_ASIDE = "set_aside"
    NOT_NOW = "not_now"


def mood(text: str, phrase: Phrase) -> Mood:
    """Read the words around a phrase of a sentence."""
    before, after = text[: phrase.start], text[phrase.end :]
    if pattern("negation", "aside", after=r"\s*(?:the\s+|to\s+)?$").search(before):
        return Mood.SET_ASIDE
    if _conditional(text, phrase) or _doubted(before, after, phrase) or _told(text, before, after, phrase):
        return Mood.NOT_NOW
    negated = is_negated(before) != bool(pattern("negation", "after", before=r"\s*").match(after))
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
            r"\s*(?:\w+\s*){0,3}(?:,|,?\s*\b(?:or|nor|and/or)\b|/|或者?|、)\s*(?:to\s+)?",
            between,
            re.IGNORECASE,
        )
    )


def of_choices(text: str, phrase: Phrase) -> bool:
    """Tell whether the sentence announces choices before the phrase."""
    return bool(pattern("choices").search(text[: phrase.start]))


def _conditional(text: str, phrase: Phrase) -> bool:
    bounds = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    clauses = [(low, high) for low, high in itertools.pairwise(bounds) if low < high]
    at = next(i for i, (low, high) in enumerate(clauses) if low <= phrase.start < high)
    low, high = clauses[at]
    before, after = text[low : phrase.start], text[phrase.end : high]
    condition, over = pattern("condition"), pattern("condition_over")
    if found := list(condition.finditer(before)):
        return not over.search(before[found[-1].end() :])
    if any(pattern(name).search(before) for name in ("except_when", "concession")) or condition.search(after):
        return True
    if over.search(before):
        return False
    for i in range(at - 1, -1, -1):
        earlier = text[clauses[i][0] : clauses[i][1]]
        if over.search(earlier) and not condition.search(earlier):
            return False
        if condition.match(earlier, _OPENING.match(earlier).end()):  # type: ignore[union-attr]
            return True
    following = clauses[at + 1 :]
    if len(following) != 1:
        return False
    last = text[following[0][0] : following[0][1]]
    opening = _OPENING.match(last)
    joined = bool(opening and opening.group().strip())
    return not joined and bool(condition.match(last, opening.end() if opening else 0))


def _doubted(before: str, after: str, phrase: Phrase) -> bool:
    window = re.split(r"[,;:()]|\bbut\b|但", before[-_REACH:], flags=re.IGNORECASE)[-1]
    if pattern("hedge", "any").search(window) or pattern("hedge", "after", before=r"\s*").match(after):
        return True
    return phrase.act is not Act.CONTINUE and bool(pattern("hedge", "but_continue").search(window[-25:]))


def _told(text: str, before: str, after: str, phrase: Phrase) -> bool:
    clause = re.split(r"[,;:()]", before)[-1]
    said = text[phrase.start : phrase.end].lower()
    resumed = pattern("later_words").search(clause + said)
    if resumed and pattern("later").search(clause + after[:_NEAR]):
        return True
    if said.endswith("ing") and pattern("consequence", before=r"\s*").match(after):
        return True
    if pattern("told", "clause").search(clause):
        return True
    participle = phrase.voice is not Voice.ACTIVE
    tail = r"\s*(?:\w+ly\s+)?(?:put\s+)?$" if phrase.voice is Voice.PASSIVE else r"\s*$"
    if participle and pattern("told", "before", after=tail).search(before):
        return True
    return participle and bool(pattern("told", "after").match(after))


def _ends() -> list[str]:
    return list(words("negation", "ends"))
