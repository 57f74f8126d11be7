"""What a question asks for beside the things it names: read from its words, and what the templates of it ask for."""

import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from state.base import Language
from state.session import Implicitness
from tools.grading.text import plain
from tools.phrasing import Phrasing
from tools.wording import load_turn_wordings, render

WAYS = 100
"""Ways of a phrasing that are read: all of most, a seeded sample of the longest."""
_SENTENCE = re.compile(r"[^.?!。？！]+[.?!。？！]?")


@dataclass(frozen=True)
class Sense:
    """Something that can be asked for, and words that ask for it; ``every``: one sentence holds all of them.

    Without a ``name`` the words ask for nothing; ``free`` ones ask for nothing more. ``say`` names it to whoever words
    a question.
    """

    name: str | None
    say: str
    words: tuple[re.Pattern[str], ...]
    every: bool
    free: bool

    def read(self, text: str) -> tuple[bool, str]:
        """Tell whether a text asks for it, and give the text without the words that do."""
        if not self.every:
            found = self.words[0].search(text)
            return found is not None, self.words[0].sub(" ", text)
        sentences = _SENTENCE.findall(text)
        asking = [all(words.search(sentence) for words in self.words) for sentence in sentences]
        for at, asks in enumerate(asking):
            for words in self.words if asks else ():
                sentences[at] = words.sub(" ", sentences[at])
        return any(asking), "".join(sentences)


@cache
def load_senses(language: Language) -> tuple[Sense, ...]:
    """Read configs/wording/meaning.<language>.yaml."""
    text = (files("configs") / "wording" / f"meaning.{language}.yaml").read_text("utf-8")
    return tuple(
        Sense(
            entry.get("name"),
            entry.get("say", ""),
            tuple(re.compile(words, re.IGNORECASE) for words in entry.get("all") or [entry["words"]]),
            "all" in entry,
            entry.get("free", False),
        )
        for entry in yaml.safe_load(text)
    )


def senses_of(blanked: str, language: Language) -> frozenset[str]:
    """Name what a text asks for; names of things stand blanked in it."""
    found, rest = set(), plain(blanked)
    for sense in load_senses(language):
        asks, rest = sense.read(rest)
        if asks and sense.name is not None:
            found.add(sense.name)
    return frozenset(found)


@dataclass(frozen=True)
class Demand:
    """What a question must ask for, and what it may ask for beside."""

    must: frozenset[str]
    may: frozenset[str]

    def allowing(self, other: "Demand") -> "Demand":
        """Let a question ask, beside, for what another form of it may ask for."""
        return Demand(self.must, self.may | other.may)


def demand(
    key: str, way: Implicitness | None, outline: Mapping[str, str | bool], language: Language
) -> Demand:
    """Give what all templates of a question ask for, and what any does; ``way`` None for its full form.

    ``outline`` fills them, names blanked.
    """
    return _demand(key, way, language, tuple(sorted(outline.items())))


@cache
def _demand(
    key: str, way: Implicitness | None, language: Language, outline: tuple[tuple[str, str | bool], ...]
) -> Demand:
    context: dict[str, Any] = dict(outline)
    every = [
        senses_of(render(template, context), language)
        for question in load_turn_wordings(language).questions[key]
        for phrasing in _forms(question.explicit, question.implicit, question.implicitness, way)
        for template in _ways(phrasing)
    ]
    free = frozenset(sense.name for sense in load_senses(language) if sense.name and sense.free)
    return Demand(frozenset.intersection(*every), free.union(*every))


def _forms(
    explicit: Phrasing, implicit: Phrasing | None, own: Implicitness, way: Implicitness | None
) -> list[Phrasing]:
    if way is None:
        return [explicit]
    return [implicit] if implicit is not None and own is way else []


def _ways(phrasing: Phrasing) -> Iterable[str]:
    if phrasing.count <= WAYS:
        return phrasing.ways()
    rng = random.Random(7)  # noqa: S311
    return [phrasing.pick(rng) for _ in range(WAYS)]
