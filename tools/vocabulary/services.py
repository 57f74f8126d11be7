"""Services that can be requested, and by what words each is known."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tools.vocabulary.lexicon import Lexicon, Mention, normalise

SOURCE = "configs/vocabulary/services.yaml"
LABORATORY, CONSULT = "laboratory", "consult"
SITED = frozenset({LABORATORY, "imaging", "diagnostic", "therapy"})
"""Kinds of service that have a site; a test of the vocabulary has its specimen already."""


@dataclass(frozen=True)
class Service:
    """What a request asks for. ``names`` are services and specialties, ``analytes`` laboratory tests.

    ``kinds`` are in file order. Words that tell the kind alone ("lab", "scan") leave everything else empty.
    """

    kinds: tuple[str, ...]
    names: frozenset[str]
    analytes: frozenset[str]
    sites: frozenset[str]

    def is_what(self, wanted: "Service") -> bool:
        """Tell whether this is the service wanted: the same tests and services, on all the sites asked for at least."""
        return (
            set(self.kinds) >= set(wanted.kinds)
            and self.names == wanted.names
            and self.analytes == wanted.analytes
            and self.sites >= wanted.sites
        )


class Services:
    """The words of ``services.yaml``. Immutable."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        symbols = frozenset(data["symbols"])
        named = {f"{kind}/": words for kind, words in data["kinds"].items()}
        for kind, services in data["services"].items():
            named |= {f"{kind}/{service}": words for service, words in services.items()}
        named |= {f"/{specialty}": words for specialty, words in data["specialties"].items()}
        self.kinds: tuple[str, ...] = tuple(data["kinds"])
        self._words = _lexicon(named, symbols)
        self._weak = _lexicon(data["weak"], symbols)
        self._sites = _lexicon(data["sites"], symbols)

    def find(self, text: str, tests: Sequence[Mention]) -> Service | None:
        """Understand normalised text that mentions ``tests``; None where nothing tells what kind it is.

        A word that is a test and a service (PT) is the test where another test or the word laboratory stands by it.
        """
        words = list(self._words.mentions(text))
        both = [word for word in words if any(_overlap(word, test) for test in tests)]
        if len(tests) > len(both) or any(word.entry == f"{LABORATORY}/" for word in words):
            words = [word for word in words if word not in both]
        else:
            tests = [test for test in tests if not any(_overlap(word, test) for word in both)]
        entries = [str(word.entry).partition("/") for word in words]
        told = {kind for kind, _, _ in entries if kind} | ({LABORATORY} if tests else set())
        names = [name.partition("@") for _, _, name in entries if name]
        if names and not told:
            told.add(CONSULT)
        told = told or set(self._weak.find(text))
        if not told:
            return None
        analytes = frozenset(str(test.entry) for test in tests)
        sites = {site for _, _, site in names if site}
        if told & SITED and not (analytes and not names):
            sites |= {
                str(site.entry)
                for site in self._sites.mentions(text)
                if not any(_overlap(site, word) for word in words)
            }
        kinds = tuple(kind for kind in self.kinds if kind in told)
        return Service(kinds, frozenset(name for name, _, _ in names), analytes, frozenset(sites))


def _overlap(left: Mention, right: Mention) -> bool:
    return left.start < right.end and right.start < left.end


def _lexicon(entries: Mapping[str, Iterable[str]], symbols: frozenset[str]) -> Lexicon:
    lexicon = Lexicon(SOURCE)
    for entry, words in entries.items():
        for word in words:
            for form in (word, *_plurals(word)):
                lexicon.add(form, entry, exact_case=word in symbols)
    return lexicon


def _plurals(word: str) -> tuple[str, ...]:
    last = normalise(word)[-1]
    if not (last.isascii() and last.isalpha()) or last == "s":
        return ()
    return (f"{word[:-1]}ies",) if last == "y" and len(word) > 3 else (f"{word}s",)
