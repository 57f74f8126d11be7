"""The words of configs/vocabulary/company.yaml as patterns, and what of a stretch is none of them."""

import re
from collections.abc import Sequence
from functools import cache

from tools.grading.advice_words import pattern, words

_FIGURE = re.compile(r"[<>≥≤=~±+-]*\d[\d.,:/%^x-]*", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9'.-]*|[\u3400-\u9fff]+")
_LATIN = re.compile(r"[A-Za-z][A-Za-z'-]+")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_FROM_TO = re.compile(
    r"(?:\bfrom|由|从|原)?\s*(\d+(?:\.\d+)?)[^\d,;.]{0,20}?(?:\bto|->|→|至|到|为)\s*(\d+(?:\.\d+)?)(?![\d.]*\s*%)",
    re.IGNORECASE,
)


def moves_alike(text: str, canonical: Sequence[str]) -> bool:
    """Tell whether "from 18 to 14" goes where the conclusion goes."""
    found = _FROM_TO.search(text)
    if found is None:
        return True
    rises = float(found.group(2)) > float(found.group(1))
    worded = " ".join(canonical)
    return pattern("rises" if rises else "falls", of="company").search(worded) is not None


def without_canonical(text: str, canonical: Sequence[str]) -> str:
    """Take out the words by which the conclusion is asked for: whole words, in Chinese two characters in sequence."""
    known = {word.lower() for worded in canonical for word in _LATIN.findall(worded)}
    text = _LATIN.sub(lambda found: " " if found.group().lower() in known else found.group(), text)
    for worded in canonical:
        for run in _HAN.findall(worded):
            for size in range(len(run), 1, -1):
                for at in range(len(run) - size + 1):
                    text = text.replace(run[at : at + size], " " * size)
    return text


def has_strange(part: str, kind: str) -> bool:
    """Tell whether a stretch has words that are none of a kind; each kind has those before it too."""
    rest = _pieces(kind).sub(" ", _FIGURE.sub(" ", part))
    return any(not _is_known(word.lower().strip(".'-"), kind) for word in _WORD.findall(rest))


@cache
def _is_known(word: str, kind: str) -> bool:
    return not word or _vocabulary(kind).fullmatch(word) is not None


_KINDS = ("core", "facts", "looking")


@cache
def _vocabulary(kind: str) -> re.Pattern[str]:
    listed = [one for name in _KINDS[: _KINDS.index(kind) + 1] for one in words(name, of="company").split()]
    return re.compile("|".join(re.escape(one).replace(r"\*", r"[\w-]*") for one in listed))


@cache
def _pieces(kind: str) -> re.Pattern[str]:
    listed = [
        one for name in _KINDS[: _KINDS.index(kind) + 1] for one in words("zh", name, of="company").split()
    ]
    return re.compile("|".join(sorted(map(re.escape, listed), key=len, reverse=True)))


@cache
def frames() -> re.Pattern[str]:
    """Give what is taken out before words are read."""
    return pattern("frames", of="company")


@cache
def doses() -> re.Pattern[str]:
    """Give an amount with how often it is taken."""
    return pattern("doses", of="company")


@cache
def told_of() -> re.Pattern[str]:
    """Give the words with which a drug is told of and not ordered."""
    return pattern("told", of="company")
