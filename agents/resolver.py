"""The resolver: reads a question as a listener would, and finds what each word that points back can mean.

It knows the things a session is about by the words for them, and the words that point back from
configs/wording/anaphora.*.yaml; it does not know which template made a question.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from importlib.resources import files

import yaml

from state.base import Language
from state.session import Implicitness
from tools.grading.disagreement import views_told
from tools.vocabulary import Vocabulary
from tools.vocabulary.lexicon import normalise

EARLIER = "an earlier result"
"""What a question names that asks for another result of the test in question: the first of a window, the one before."""


class Kind(StrEnum):
    """What sort of thing can be pointed back to."""

    RESULT = "result"
    DRUG = "drug"
    DIAGNOSIS = "diagnosis"
    CULTURE = "culture"
    VISIT = "visit"
    ACCOUNT = "account"
    MATTER = "matter"


class Reach(StrEnum):
    """Where the antecedent of a word that points back can stand."""

    NONE = "none"
    NEAR = "near"
    FIRST = "first"
    LAST = "last"
    DECIDED = "decided"
    WHOLE = "whole"
    REPORT = "report"
    QUOTE = "quote"


@dataclass(frozen=True)
class Entity:
    """A thing that questions are about, and the phrases that name it in one language.

    ``several``: the record holds more than one of it, so that no singular can point to it. ``opaque``: nothing in its
    phrases points outside; a set sentence has pronouns of its own.
    """

    entity_id: str
    kind: Kind
    phrases: tuple[str, ...]
    several: bool = False
    opaque: bool = True


@dataclass(frozen=True)
class Pointer:
    """A kind of word that points back: how it looks, how it leaves things unsaid, and what it can mean.

    ``alone``: it is so slight a word that it can mean anything of the question before, and not only its kind.
    ``earlier``: it asks for another result than the one pointed to.
    """

    words: re.Pattern[str]
    reach: Reach
    way: Implicitness | None = None
    kind: Kind | None = None
    alone: bool = False
    earlier: bool = False


@dataclass(frozen=True)
class Anaphor:
    """A word of a question that points back, with everything that it can mean."""

    words: str
    pointer: Pointer
    readings: tuple[str, ...]


@dataclass(frozen=True)
class Heard:
    """A question as it was understood: the words that point back, what is named or pointed to, and its kind.

    ``named`` are ids of entities in order, once each. ``reports``: it asks to look up or gather.
    """

    anaphors: tuple[Anaphor, ...]
    named: tuple[str, ...]
    reports: bool

    @property
    def ways(self) -> frozenset[Implicitness]:
        """Give the ways in which it leaves things unsaid."""
        return frozenset(a.pointer.way for a in self.anaphors if a.pointer.way is not None)

    @property
    def goes_back_to_the_first(self) -> bool:
        """Tell whether it points to the first question as if others had come since."""
        return any(anaphor.pointer.reach is Reach.FIRST for anaphor in self.anaphors)

    @property
    def faults(self) -> list[str]:
        """Say which words have no reading, or more than one."""
        return [
            f'"{a.words}" has no antecedent: nothing said in the turns before fits it, so name what is meant'
            if not a.readings
            else f'"{a.words}" could be {" or ".join(a.readings).replace("_", " ")}: say which is meant'
            for a in self.anaphors
            if len(a.readings) != 1
        ]


@dataclass(frozen=True)
class Listener:
    """Somebody who follows a dialogue in one language and knows the entities it may be about."""

    entities: tuple[Entity, ...]
    language: Language
    vocabulary: Vocabulary
    fragments: tuple[str, ...] = ()
    """What is left of a question where its matter goes without saying."""
    key: tuple[str, ...] = ()
    """What the test of the first question is called: "that potassium" points back to its result."""

    def hear(self, text: str, dialogue: Sequence[Heard], *, reports: bool) -> Heard:
        """Understand the next question of a dialogue."""
        plain = normalise(text)
        names = list(self._names(plain))
        pointers = self._pointers(plain, [(start, end) for start, end, _, opaque in names if opaque])
        named: list[str] = []
        anaphors: list[Anaphor] = []
        marks: list[tuple[int, int, str | Pointer]] = [(start, end, name) for start, end, name, _ in names]
        for start, end, what in sorted([*marks, *pointers], key=lambda mark: (mark[0], -mark[1])):
            if isinstance(what, str):
                named.append(what)
                continue
            if what.reach is Reach.NONE:
                named.append(EARLIER)
                continue
            readings = self._readings(what, tuple(dict.fromkeys(named)), dialogue, plain)
            anaphors.append(Anaphor(plain[start:end].strip(" .?!,:"), what, readings))
            apart = not any(begin <= start and end <= finish for begin, finish, _, _ in names)
            if len(readings) == 1 and apart and what.reach in {Reach.NEAR, Reach.FIRST}:
                named += readings
            named += [EARLIER] * what.earlier
        return Heard(tuple(anaphors), tuple(dict.fromkeys(named)), reports)

    def named_in(self, text: str) -> dict[str, str]:
        """Give what a text names outright, with the words it is named by."""
        plain = normalise(text)
        return {name: plain[start:end] for start, end, name, _ in self._names(plain)}

    def _pointers(self, plain: str, opaque: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, Pointer]]:
        """Place what points back, outside of set sentences."""
        taken = list(opaque)
        for pointer in (*self._own_pointers, *load_pointers(self.language)):
            for match in pointer.words.finditer(plain):
                if not _overlaps(match.span(), taken):
                    taken.append(match.span())
                    if pointer.reach is not Reach.NONE or pointer.earlier:
                        yield *match.span(), pointer

    @cached_property
    def _own_pointers(self) -> tuple[Pointer, ...]:
        names = "|".join(re.escape(normalise(name)) for name in sorted(self.key, key=len, reverse=True))
        named = re.compile(rf"(?:(?:that|this) (?:first )?|[这那]个)(?:{names})(?!\w)", re.IGNORECASE)
        by_name = Pointer(named, Reach.FIRST, Implicitness.NOMINAL_ANAPHORA, Kind.RESULT)
        return (
            *((by_name,) if names else ()),
            *(
                Pointer(
                    re.compile(re.escape(normalise(words)), re.IGNORECASE),
                    Reach.NEAR,
                    Implicitness.PREDICATE_ELLIPSIS,
                    Kind.MATTER,
                )
                for words in self.fragments
            ),
        )

    def _names(self, plain: str) -> Iterator[tuple[int, int, str, bool]]:
        """Place entities by their phrases, longest first, then tests and drugs of the vocabulary.

        A phrase that is a part of a test's name, as the drug is of its level, names nothing of its own there.
        """
        taken: dict[tuple[int, int], str] = {}
        known = (
            (normalise(phrase), entity) for entity in self.entities for phrase in entity.phrases if phrase
        )
        tests = self.vocabulary.analyte_mentions(plain)
        for phrase, entity in sorted(known, key=lambda pair: -len(pair[0])):
            for match in re.finditer(re.escape(phrase), plain, re.IGNORECASE):
                start, end = match.span()
                part = any(t.start <= start and end <= t.end and t.end - t.start > end - start for t in tests)
                if taken.get(match.span()) == phrase or not (part or _overlaps(match.span(), taken)):
                    taken[match.span()] = phrase
                    yield *match.span(), entity.entity_id, entity.opaque
        for mentions in (tests, self.vocabulary.ingredient_mentions(plain)):
            for mention in mentions:
                if mention.entry and not _overlaps((mention.start, mention.end), taken):
                    taken[mention.start, mention.end] = ""
                    yield mention.start, mention.end, mention.entry, False

    @cached_property
    def _by_id(self) -> Mapping[str, Entity]:
        return {entity.entity_id: entity for entity in self.entities}

    def _kind(self, entity_id: str) -> Kind:
        if entity_id == EARLIER:
            return Kind.RESULT
        known = self._by_id.get(entity_id)
        if known is not None:
            return known.kind
        return Kind.RESULT if self.vocabulary.analyte_by_id(entity_id) else Kind.DRUG

    def _readings(
        self, pointer: Pointer, local: Sequence[str], dialogue: Sequence[Heard], plain: str
    ) -> tuple[str, ...]:
        match pointer.reach:
            case Reach.QUOTE:
                return ("the opinion quoted",) if views_told(plain) else ()
            case Reach.REPORT:
                return ("what was asked for before",) if dialogue and dialogue[-1].reports else ()
            case Reach.WHOLE:
                facts = {name for heard in dialogue for name in heard.named}
                return ("all that was asked",) if len(facts) > 1 else ()
            case Reach.DECIDED:
                return ("what was concluded",) if dialogue and not dialogue[-1].reports else ()
            case Reach.LAST if dialogue and not dialogue[-1].reports:
                return ("what was concluded",)
            case Reach.LAST:
                return tuple(dialogue[-1].named) if dialogue else ()
            case Reach.FIRST:
                return self._fitting(pointer, dialogue[0].named if dialogue else ())
        here = self._fitting(pointer, local)
        before = dialogue[-1].named if dialogue else ()
        if pointer.alone and not here and self._fitting(pointer, before):
            return before
        return here or self._fitting(pointer, before)

    def _fitting(self, pointer: Pointer, names: Sequence[str]) -> tuple[str, ...]:
        """Give the entities that a pointer selects; one of which the record holds several is itself and another."""
        fitting = [name for name in names if pointer.kind in {None, self._kind(name)}]
        several = [f"another {name}" for name in fitting if name in self._by_id and self._by_id[name].several]
        return (*fitting, *several)


def _overlaps(span: tuple[int, int], taken: Iterable[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in taken)


@cache
def load_pointers(language: Language) -> tuple[Pointer, ...]:
    """Read configs/wording/anaphora.<language>.yaml."""
    text = (files("configs") / "wording" / f"anaphora.{language}.yaml").read_text("utf-8")
    return tuple(
        Pointer(
            re.compile(entry["words"], re.IGNORECASE),
            Reach(entry["reach"]),
            Implicitness(entry["way"]) if "way" in entry else None,
            Kind(entry["kind"]) if "kind" in entry else None,
            entry.get("alone", False),
            entry.get("earlier", False),
        )
        for entry in yaml.safe_load(text)
    )
