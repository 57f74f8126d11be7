"""Word lists of configs/vocabulary as patterns: whole words in English, characters in sequence in Chinese."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

_RAW = "re:"
_NEVER = re.compile(r"(?!)")
# Both cases are named, so the flag is off: a pattern with it takes four times as long to compile.
_BEFORE = r"(?-i:(?<![A-Za-z0-9]))"
_AFTER = r"(?-i:(?![A-Za-z0-9]))"


@cache
def load_words(name: str) -> Mapping[str, Any]:
    """Read configs/vocabulary/<name>.yaml."""
    text = (files("configs") / "vocabulary" / f"{name}.yaml").read_text("utf-8")
    data: Mapping[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return data


@cache
def grading_fingerprint() -> str:
    """Return the sha256 over every file of configs/vocabulary, on whose words verdicts depend."""
    digest = hashlib.sha256()
    for entry in sorted((files("configs") / "vocabulary").iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".yaml"):
            digest.update(entry.name.encode() + b"\0" + entry.read_bytes() + b"\0")
    return digest.hexdigest()


def bounded(pattern: str, first: str, last: str) -> str:
    """Keep a pattern from starting or ending inside a Latin word or number; Chinese has no such bounds."""
    before = _BEFORE if first.isascii() and first.isalnum() else ""
    after = _AFTER if last.isascii() and last.isalnum() else ""
    return before + pattern + after


def phrase(word: str) -> str:
    """Turn a word of a list into a pattern; ``re:`` marks one that is a pattern already."""
    if word.startswith(_RAW):
        return f"(?:{word.removeprefix(_RAW)})"
    return bounded(r"\s+".join(map(re.escape, word.split())), word[0], word[-1])


def any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Match any word of a list, the longest first, in any case."""
    patterns = [phrase(word) for word in sorted(words, key=lambda word: (-len(word), word))]
    return re.compile("|".join(patterns), re.IGNORECASE) if patterns else _NEVER


def any_pattern(patterns: Iterable[str]) -> str:
    """Join a list of patterns into one group, each bounded where it starts or ends with a Latin letter."""
    ordered = sorted(patterns, key=lambda pattern: (-len(pattern), pattern))
    return (
        "(?:"
        + "|".join(bounded(f"(?:{pattern})", _edge(pattern[0]), _edge(pattern[-1])) for pattern in ordered)
        + ")"
    )


def _edge(character: str) -> str:
    return "a" if character in "()?]" else character


@cache
def named_alike(name: str) -> re.Pattern[str]:
    """Give what else a thing asked about goes by."""
    return any_of(load_words("claims")["named_alike"].get(name, ()))


@cache
def claim_words(name: str) -> re.Pattern[str]:
    """Give a list of claims.yaml as a pattern."""
    return any_of(load_words("claims")[name])
