"""The words of configs/patient: how patients call things, and how they are recognised again."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from state.base import Language
from state.patient import Span
from state.patient_values import Level, Side, SpanUnit
from tools.vocabulary.lexicon import Lexicon, normalise

ASKED_ONLY = "?"
"""The entry of a word for what no patient here has, and of a word that narrows a question without naming anything."""


@cache
def read(name: str) -> Mapping[str, Any]:
    """Read configs/patient/<name>.yaml."""
    text = (files("configs") / "patient" / f"{name}.yaml").read_text("utf-8")
    data: Mapping[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return data


@cache
def words_fingerprint() -> str:
    """Return the sha256 over every file of configs/patient, on which what patients say depends beside their facts."""
    digest = hashlib.sha256()
    for entry in sorted((files("configs") / "patient").iterdir(), key=lambda entry: entry.name):
        digest.update(entry.name.encode() + b"\0" + entry.read_bytes() + b"\0")
    return digest.hexdigest()


@dataclass(frozen=True)
class Symptom:
    """A symptom: its names by language and literacy, with ``{side}`` where it has one; ``onsets`` are for stories."""

    id: str
    names: Mapping[Language, Mapping[Level, str]]
    pain: bool
    event: bool
    sided: bool
    onsets: tuple[Span, ...]

    def name(self, language: Language, literacy: Level, side: Side | None = None) -> str:
        """Name the symptom as the patient does."""
        return self.names[language][literacy].format(
            side=read(language)["words"]["side"][side] if side else ""
        )


@dataclass(frozen=True)
class DrugGroup:
    """What a word for a drug may mean. ``says`` is the patient's own word, where patients have one."""

    id: str
    classes: frozenset[str]
    drugs: frozenset[str]
    says: Mapping[Language, str]
    words: tuple[str, ...]

    def word(self, language: Language) -> str:
        """Give a word for the group."""
        entry = next(entry for entry in read("drugs")["groups"] if entry["id"] == self.id)
        return self.says.get(language) or str(entry[language]["words"][0])


@cache
def symptoms() -> Mapping[str, Symptom]:
    """Give every symptom by its id."""
    data = read("symptoms")
    spans = {
        name: tuple(Span(count=count, unit=SpanUnit(unit)) for count, unit in listed)
        for name, listed in data["onsets"].items()
    }
    found = {}
    for entry in data["symptoms"]:
        names = {language: {level: entry[language][level] for level in Level} for language in Language}
        event = entry.get("event", False)
        found[entry["id"]] = Symptom(
            id=entry["id"],
            names=names,
            pain=entry.get("pain", False),
            event=event,
            sided="{side}" in entry["en"]["low"],
            onsets=spans["event" if event else entry["onset"]],
        )
    return found


@cache
def symptom_lexicon() -> Lexicon:
    """Index every word for a symptom; an entry is a symptom id, several joined by ``+``, or ``?``."""
    return _symptom_lexicon()


def _symptom_lexicon() -> Lexicon:
    data, lexicon = read("symptoms"), Lexicon("configs/patient/symptoms.yaml")
    for entry in data["symptoms"]:
        for word in dict.fromkeys(_symptom_words(entry)):
            lexicon.add(word, entry["id"])
    for word, meant in data["together"].items():
        lexicon.add(word, "+".join(meant))
    for word in data["asked_only"]:
        lexicon.add(word, ASKED_ONLY)
    return lexicon


@cache
def record_lexicon() -> Lexicon:
    """Index what the record calls symptoms; entries as in ``symptom_lexicon``."""
    data, lexicon = read("symptoms"), Lexicon("configs/patient/symptoms.yaml")
    for entry in data["symptoms"]:
        for word in entry.get("record", ()):
            lexicon.add(word, entry["id"])
    for word, meant in data["together"].items():
        lexicon.add(word, "+".join(meant))
    return lexicon


def _symptom_words(entry: Mapping[str, Any]) -> list[str]:
    words = list(entry.get("record", ()))
    for language in Language:
        written = [*entry[language]["words"], *(entry[language][level] for level in Level)]
        sides = ["", *read(language)["words"]["side"].values()]
        words += [word.format(side=side) for word in written for side in sides]
    return words


@cache
def drug_groups() -> Mapping[str, DrugGroup]:
    """Give every group of drugs by its id."""
    return {
        entry["id"]: DrugGroup(
            id=entry["id"],
            classes=frozenset(entry.get("classes", ())),
            drugs=frozenset(entry.get("drugs", ())),
            says={lang: entry[lang]["say"] for lang in Language if "say" in entry[lang]},
            words=tuple(
                word for lang in Language for word in (entry[lang].get("say"), *entry[lang]["words"]) if word
            ),
        )
        for entry in read("drugs")["groups"]
    }


@cache
def drug_group_lexicon() -> Lexicon:
    """Index every patient's word for a group of drugs."""
    lexicon = Lexicon("configs/patient/drugs.yaml")
    for group in drug_groups().values():
        for word in group.words:
            lexicon.add(word, group.id)
    return lexicon


@cache
def topic_lexicon() -> Lexicon:
    """Index the words of questions: an entry is a fact id (``social-living``), or ``all-`` and a kind of fact."""
    lexicon = Lexicon("configs/patient")
    for language in Language:
        for topic, words in read(language)["ask"]["topics"].items():
            for word in words:
                lexicon.add(word, topic)
    return lexicon


@cache
def general_lexicon() -> Lexicon:
    """Index the words of general questions; the entry ``onset`` asks for the beginning too."""
    lexicon = Lexicon("configs/patient")
    for language in Language:
        asked = read(language)["ask"]
        for word in asked["general"]:
            lexicon.add(word, "onset" if word in asked["onset"] else "general")
    return lexicon


@cache
def pattern(language: Language, name: str) -> re.Pattern[str]:
    """Give a pattern of ``recognise``; texts are normalised before they are searched, and so is the pattern."""
    return re.compile(normalise(read(language)["recognise"][name]), re.IGNORECASE)


@cache
def account(language: Language) -> Mapping[str, Any]:
    """Read configs/patient/account.<language>.yaml: how a patient's words are told on."""
    return read(f"account.{language}")


@cache
def account_pattern(language: Language, name: str) -> re.Pattern[str]:
    """Give a pattern by which an account of a patient's words is read; texts are normalised before."""
    return re.compile(normalise(account(language)["read"][name]), re.IGNORECASE)


@cache
def account_rewrites(language: Language) -> Sequence[tuple[re.Pattern[str], str]]:
    """Give ``(pattern, replacement)`` that bring what is said apart together: "stools have been black"."""
    return [
        (re.compile(normalise(one), re.IGNORECASE), by) for one, by in account(language)["read"]["rewrites"]
    ]


@cache
def account_symptom_lexicon() -> Lexicon:
    """Index every word for a symptom as ``symptom_lexicon``, and those that only an account of a patient uses."""
    lexicon = _symptom_lexicon()
    for language in Language:
        for entry, words in account(language)["read"]["symptoms"].items():
            for word in words:
                lexicon.add(word, entry)
    return lexicon


@cache
def looser_words() -> Mapping[str, frozenset[str]]:
    """Give symptoms by whose words others are called too, and those: a black stool is called bleeding."""
    return {entry: frozenset(meant) for entry, meant in read("symptoms")["looser"].items()}


@cache
def account_roots(language: Language) -> Mapping[str, re.Pattern[str]]:
    """Give the words by which a symptom, or a topic of social and functional facts, may be spoken of at all."""
    return {
        entry: re.compile(normalise(words), re.IGNORECASE)
        for entry, words in account(language)["read"]["roots"].items()
    }


@cache
def account_cells(language: Language) -> Sequence[tuple[str, re.Pattern[str], str, str, re.Pattern[str]]]:
    """Give ``(topic, label, group, value, pattern)``: what a label and the short words behind it come to."""
    return [
        (topic, re.compile(normalise(cell["label"]), re.IGNORECASE), group, value, words)
        for topic, cell in account(language)["read"]["cells"].items()
        for group, value, words in _claims({cell["group"]: cell["values"]})
    ]


@cache
def account_claims(language: Language) -> Sequence[tuple[str, str, re.Pattern[str]]]:
    """Give ``(group, value, pattern)``: how others tell of a patient, then the patient's own words."""
    return (*_claims(account(language)["read"]["claims"]), *claim_patterns(language))


@cache
def claim_patterns(language: Language) -> Sequence[tuple[str, str, re.Pattern[str]]]:
    """Give ``(group, value, pattern)`` in the order in which they claim words."""
    return _claims(read(language)["recognise"]["claims"])


def _claims(groups: Mapping[str, Any]) -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    return tuple(
        (
            group,
            value.rstrip("+"),
            re.compile("|".join(f"(?:{normalise(one)})" for one in written), re.IGNORECASE),
        )
        for group, values in groups.items()
        for value, written in values.items()
    )
