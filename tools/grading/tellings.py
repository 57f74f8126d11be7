"""Points of an answer that only tell of the patient, read word by word, so that nothing else they may say is lost."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cache, partial
from typing import Any

from state.base import Language
from tools.grading.advice_words import Act, find_phrases, pattern, words
from tools.interview.drugs import DrugWords
from tools.interview.reading import MASK, masked
from tools.interview.spans import find_spans
from tools.interview.standings import symptoms_of
from tools.interview.words import account, account_rewrites
from tools.vocabulary.lexicon import normalise

_TOKEN = re.compile(r"[A-Za-z][A-Za-z'-]*|[\u3400-\u9fff]+|\d[\d.,:/%-]*")
_QUOTED = re.compile(r'["“]([^"“”\n]*)["”]')
_ENDED = re.compile(r"[.!?;。]\s*$")
_OPENS_LIST = re.compile(r":\s*$")


class Told(Enum):
    """What a part of an answer tells.

    ``ACCOUNT``: only of the patient. ``AMONG``: more, or what is not known, where the patient speaks or is told of: it
    may be somebody else's word. ``OWN``: the answer's own.
    """

    ACCOUNT = "account"
    AMONG = "among"
    OWN = "own"


class Scope(IntEnum):
    """What the points before a point were about: whose drugs a point without a subject tells of."""

    NONE = 0
    SYMPTOMS = 1
    PATIENT = 2


@dataclass(frozen=True)
class _Point:
    """A point: whether each of its words is known, and what it tells of; ``spoken``: the patient or another speaks.

    ``own``: it opens as the answer's own advice or conclusion does.
    """

    known: bool
    spoken: bool = False
    own: bool = False
    subject: bool = False
    symptoms: bool = False
    spans: bool = False
    uses: bool = False
    tells: bool = False
    heads: bool = False


def told(parts: Sequence[str], language: Language, drugs: DrugWords) -> list[Told]:
    """Tell for each part of an answer, blank ones kept, what it tells.

    A point without a subject tells of the patient below a heading or after a point that does; a blank line and a point
    that says something else end that.
    """
    scope, listing, headed = Scope.NONE, False, False
    found, before = list[Told](), "\n"
    for text in parts:
        if not text.strip():
            if "\n" in text and before.endswith("\n") and not headed:
                scope, listing = Scope.NONE, False
            before += text
            found.append(Told.OWN)
            continue
        point = _read(text, language, drugs)
        joined = (listing and before.endswith("\n")) or before.rstrip().endswith(";")
        among = point.spoken or (scope is Scope.PATIENT and joined and not point.own)
        scope = _after(scope, point)
        if point.known and scope is not Scope.NONE:
            found.append(Told.ACCOUNT)
            listing = listing or point.heads
        else:
            found.append(Told.AMONG if among else Told.OWN)
            listing = listing and among
            scope = Scope.PATIENT if among and joined else scope
        before, headed = text, point.known and point.heads
    return found


def _after(scope: Scope, point: _Point) -> Scope:
    """Give whom a point tells of after those before it; of nobody where it says something else."""
    if not point.known:
        return Scope.NONE
    if point.subject or scope is Scope.PATIENT:
        return Scope.PATIENT
    if point.uses:
        return Scope.NONE
    if point.symptoms and (point.tells or point.spans):
        return Scope.SYMPTOMS
    return scope


def _read(text: str, language: Language, drugs: DrugWords) -> _Point:
    plain = normalise(text)
    rest = without_quotations(plain)
    masked_symptoms, _ = symptoms_of(rest, language)
    acts = find_phrases(_phrases(language).sub(_blank, masked_symptoms))
    spoken = _says("spoken", language, masked_symptoms)
    for pattern_, by in account_rewrites(language):
        rest = pattern_.sub(partial(_rewritten, by=by), rest)
    named = list(drugs.mentions(rest))
    for drug in named:
        rest = masked(rest, drug.start, drug.end)
    rest, symptoms = symptoms_of(rest, language)
    spans = list(find_spans(rest, language))
    for start, end, _ in spans:
        rest = masked(rest, start, end)
    if not _is_of_reference(plain, rest, language) and (
        plain.rstrip().endswith("?")
        or any(one.act is not Act.GIVE for one in acts)
        or not _is_known(rest, language, beside_symptom=bool(symptoms))
    ):
        return _Point(known=False, spoken=spoken, own=_says("own", language, plain))
    return _Point(
        known=True,
        spoken=spoken,
        subject=_says("subjects", language, rest) or _says("histories", language, rest),
        symptoms=bool(symptoms),
        spans=bool(spans),
        uses=bool(named) or _says("uses", language, rest),
        tells=_says("tells", language, rest),
        heads=_OPENS_LIST.search(text) is not None or not (named or symptoms or spans or _ENDED.search(text)),
    )


def _rewritten(found: re.Match[str], by: str) -> str:
    """Put other words for what is said, unless they swallow what grants or does something."""
    swallowed = any(pattern(name, of="grounds").search(found.group()) for name in ("allows", "deeds"))
    return found.group() if swallowed else found.expand(by)


def _is_of_reference(plain: str, masked_: str, language: Language) -> bool:
    """Tell whether a point is a sentence in which reference answers tell of a patient."""
    return any(
        one.fullmatch(text.strip()) is not None for one in _sentences(language) for text in (plain, masked_)
    )


def without_patients_own_words(text: str) -> str:
    """Leave out what the patient is quoted with, however many sentences long; that it was said stays."""
    quotation = pattern("patient_said", after=r'\s*["“][^"“”\n]*["”]', of="company")
    return quotation.sub(
        lambda found: re.split('["“]', found.group(), maxsplit=1)[0].rstrip(": ") + ". ", text
    )


def without_quotations(text: str) -> str:
    """Mask what is quoted, however many sentences long, where it has no act and nothing of what is to be done."""
    return _QUOTED.sub(_without_harmless, text)


def _without_harmless(quoted: re.Match[str]) -> str:
    """Mask what the patient is quoted to have said, where it has no act and nothing of what is to be done."""
    inside = quoted.group(1)
    if find_phrases(inside) or pattern("plans", of="company").search(inside):
        return quoted.group()
    return re.sub(r"\S", MASK, quoted.group())


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _is_known(text: str, language: Language, *, beside_symptom: bool) -> bool:
    text = _phrases(language).sub(" ", text)
    if not beside_symptom and any(one in text for one in words(language, "beside_symptom", of="tellings")):
        return False
    if language is Language.ZH:
        text = _pieces().sub(" ", text)
        return _TOKEN.search(text) is None
    known = _words()
    return all(token.group().strip("'-") in known for token in _TOKEN.finditer(text.lower()))


@cache
def _sentences(language: Language) -> tuple[re.Pattern[str], ...]:
    """Give how reference answers tell of a patient, what they name masked."""
    named = re.compile(r"\\\{\w+\\\}")
    return tuple(
        re.compile(
            named.sub(lambda _: rf"(?:[{MASK}\s]+|\d{{1,2}})", re.escape(normalise(sentence))), re.IGNORECASE
        )
        for sentence in _leaves(account(language)["tell"])
    )


def _leaves(entry: Mapping[str, Any] | str) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
        return
    for one in entry.values():
        yield from _leaves(one)


@cache
def _phrases(language: Language) -> re.Pattern[str]:
    return re.compile("|".join(words(language, "phrases", of="tellings")), re.IGNORECASE)


@cache
def _words() -> frozenset[str]:
    return frozenset(words(Language.EN, "words", of="tellings").split())


@cache
def _pieces() -> re.Pattern[str]:
    listed = sorted(words(Language.ZH, "words", of="tellings").split(), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, listed)))


@cache
def _pattern(name: str, language: Language) -> re.Pattern[str]:
    return re.compile(words(language, name, of="tellings"), re.IGNORECASE)


def _says(name: str, language: Language, text: str) -> bool:
    return _pattern(name, language).search(text) is not None
