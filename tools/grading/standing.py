"""Whether what an answer names (a drug, a dose, a route) is said to hold now, or was stopped, denied, supposed ..."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from tools.grading.names import Span, ruled_out
from tools.grading.phrases import any_of, load_words
from tools.grading.respective import paired
from tools.grading.text import sentences

_CLAUSE = re.compile(
    r"[,;()]|\b(?:and|but|while|whereas|then|although|though)\b|而(?!非|不是)|但|并(?!非)", re.IGNORECASE
)
_WITH_DETAILS = (
    r"(?:\s*[\d.,]+\s*(?:[A-Za-zμ%]+|[毫微]?克|单位)(?:/\w+)?(?:\s+(?:po|iv|sc|im|daily|bid|tid|qd|prn))*)?"
)
_JOIN = re.compile(
    _WITH_DETAILS + r"\s*(?:/|&|\+|、|和|及|与|或|以及|,?\s*\b(?:and|or|plus)\b)\s*(?:the\s+)?", re.IGNORECASE
)
_COMMA = re.compile(_WITH_DETAILS + r"\s*,\s*(?:the\s+)?", re.IGNORECASE)
_LETTER = re.compile(r"[A-Za-z\u3400-\u9fff]")
_NONE = re.compile(
    r"\W*(?:none|nothing)\b(?! else\b)|\W*no (?:[\w-]+ ){0,4}(?:is|are) (?:active|running|ordered|given|in use|on)\b"
    r"|\W*(?:目前|现在?|当前|住院期间)?(?:无|没有|未用|未在用)(?![需须必])[^,;]{0,12}(?:[药剂素]|在用|医嘱)",
    re.IGNORECASE,
)
_HEADING = 40
"""Characters of a line that ends in a colon and heads those after it."""
_LEADS = 12
"""Characters of a further clause before words that are still said of what was named before it."""


class Standing(StrEnum):
    """How something named stands; only ``HOLDS`` and ``NOW`` answer a question about what is."""

    NOW = "now"
    HOLDS = "holds"
    GONE = "gone"
    DENIED = "denied"
    ALLERGY = "allergy"
    HOME = "home"
    WARD = "ward"
    SUPPOSED = "supposed"
    HEDGED = "hedged"


@dataclass(frozen=True)
class Line:
    """A sentence, with the heading that stands over it."""

    text: str
    heading: str
    asks: bool


def lines(said: str) -> list[Line]:
    """Split an answer, and tell each sentence its heading: a short line that ends in a colon."""
    found: list[Line] = []
    heading = ""
    for sentence in sentences(said):
        bare = sentence.text.strip()
        if bare.endswith(":") and len(bare) <= _HEADING:
            heading = bare
        found.append(Line(sentence.text, "" if bare.endswith(":") else heading, sentence.asks))
    return found


@cache
def _of(*path: str) -> re.Pattern[str]:
    entry: Any = load_words("standing")
    for name in path:
        entry = entry[name]
    return any_of(entry)


def asked(question: str, said_of_item: Mapping[Any, str]) -> frozenset[Standing]:
    """Tell which standings the question is itself about: "what was stopped", "the drug of the home list"."""
    text = " ".join(said_of_item.values())
    found = {
        kind for kind in load_words("standing")["asked"] if _of("asked", kind).search(f"{question} {text}")
    }
    if (
        Standing.HOME in found
        and not _of("asked", "home").search(text)
        and re.search(r"\b(?:order|given)\b", text)
    ):
        found.discard(Standing.HOME)
    return frozenset(map(Standing, found))


def asks_now(question: str) -> bool:
    """Tell whether a question asks what is given at present, be it beside what was given before."""
    return _of("asked_now").search(question) is not None


def listed_standing(text: str, span: Span, things: Sequence[Span]) -> Standing | None:
    """Tell how one of several things stands that are listed as their settings: "home and inpatient: x and y"."""
    said = [
        (Span(found.start(), found.end()), kind)
        for kind in (Standing.HOME, Standing.GONE, Standing.NOW)
        for found in _of("settings", kind).finditer(text)
    ]
    told = paired(text, [place for place, _ in said], things) if len(said) > 1 else None
    at = told.owners.get(list(things).index(span)) if told and span in things else None
    return None if at is None else said[at][1]


def standing(line: Line, span: Span, things: Sequence[Span], *, drugs: bool = True) -> Standing:
    """Tell how one of the ``things`` named in a sentence stands there."""
    text = line.text
    first, last = _list_around(text, span, things)
    low = max((thing.end for thing in things if thing.end <= first), default=0)
    high = min((thing.start for thing in things if thing.start >= last), default=len(text))
    low = max(low, text.rfind(";", 0, first) + 1)
    left, right = text[low:first], text[last:high]
    near = _CLAUSE.split(left)[-1]
    since = left[_last(left, "turn") :]
    heading = line.heading if ":" not in text[:first] else ""
    before = f"{heading} {near}"
    turned = high < len(text) and drugs and _of("turned").search(right)
    if high < len(text) and _CLAUSE.search(right):
        right = right[: [found.start() for found in _CLAUSE.finditer(right)][-1]]
    clauses = _CLAUSE.split(right)
    if _of("allergy", "before").search(before) or _of("allergy", "after").search(clauses[0]):
        return Standing.ALLERGY
    if (
        ruled_out(text, span)
        or ruled_out(text, Span(first, last))
        or _of("denied", "before").search(near)
        or _after("denied", clauses) is True
    ):
        return Standing.DENIED
    if _of("supposed", "before").search(f"{heading} {since}") or _of("supposed", "after").search(clauses[0]):
        return Standing.SUPPOSED
    first_of_two = _of("first", "before").search(near) or _of("first", "after").search(right)
    if turned or (not drugs and first_of_two):
        return Standing.GONE
    advised = _of("advised").search(near)
    gone = _after("gone", clauses)
    if not advised and (_of("gone", "before").search(before) or gone is True):
        return Standing.GONE
    if _of("home", "before").search(f"{heading} {since}") or _of("home", "after").search(clauses[0]):
        return Standing.HOLDS if _of("home", "kept").search(f"{left} # {right}") else Standing.HOME
    if _of("barred").search(near) or _of("barred_after").search(clauses[0]):
        return Standing.HEDGED
    if gone is None or _of("hedged").search(text) or (not advised and _of("open").search(clauses[0])):
        return Standing.HEDGED
    if _of("ward").search(f"{heading} {left} # {clauses[0]}"):
        return Standing.WARD
    return Standing.NOW if _of("current").search(f"{before} # {right}") else Standing.HOLDS


def ends_it(text: str) -> bool:
    """Tell whether a sentence that names nothing says of what was named before it that it was stopped."""
    found = _of("gone", "after").search(
        re.sub(r"^\W*(?:(?:it|this|that|which)\b|该药|此药|其)", " ", text, flags=re.IGNORECASE)
    )
    return (
        found is not None and found.start() <= _LEADS and not re.search(r"\d|previously", text[: found.end()])
    )


def is_bare(text: str, things: Sequence[Span]) -> bool:
    """Tell whether a sentence says nothing but what is named, with doses, routes, schedules and times."""
    kept = list(text)
    for thing in things:
        kept[thing.start : thing.end] = " " * (thing.end - thing.start)
    return not _LETTER.search(_of("bare").sub(" ", "".join(kept)))


def says_none(text: str) -> bool:
    """Tell whether a sentence begins by saying that there is none."""
    return _NONE.match(text) is not None


def _last(text: str, words: str) -> int:
    """Give where the last of some words begins; 0 where there is none."""
    return max((found.start() for found in _of(words).finditer(text)), default=0)


def _after(kind: str, clauses: Sequence[str]) -> bool | None:
    """Tell whether words to the right are said of what stands left of them; None where another subject may be meant."""
    for at, clause in enumerate(clauses):
        if found := _of(kind, "after").search(clause):
            return True if at == 0 or found.start() <= _LEADS else None
    return False


def _list_around(text: str, span: Span, things: Sequence[Span]) -> tuple[int, int]:
    """Give where the list begins and ends in which something is named; two joined by a comma alone are no list."""
    ordered = sorted({(thing.start, thing.end) for thing in (*things, span)})
    at = ordered.index((span.start, span.end))
    first = last = at
    joints: list[bool] = []
    while first and (joined := _joint(text, ordered[first - 1], ordered[first])) is not None:
        joints.append(joined)
        first -= 1
    while last + 1 < len(ordered) and (joined := _joint(text, ordered[last], ordered[last + 1])) is not None:
        joints.append(joined)
        last += 1
    if not any(joints) and len(joints) < 2:
        first = last = at
    return ordered[first][0], ordered[last][1]


def _joint(text: str, left: tuple[int, int], right: tuple[int, int]) -> bool | None:
    between = text[left[1] : right[0]]
    if _JOIN.fullmatch(between):
        return True
    return False if _COMMA.fullmatch(between) else None
