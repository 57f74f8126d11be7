"""Sentence templates: YAML files of jinja2 strings under configs/wording, three a language."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from jinja2 import StrictUndefined, Template
from jinja2.sandbox import SandboxedEnvironment

from state.base import Language
from state.session import Implicitness
from tools.phrasing import Phrasing, read_phrasing

# Plain text goes to models and graders, not to HTML; escaping would corrupt it. Reports escape on their own.
_TEMPLATES = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False, trim_blocks=True)
_PLAIN_FIRST_WORD = re.compile(r"[A-Z](?=[a-z]*\b|$)")


def within(sentence: str) -> str:
    """Put a sentence in the middle of another: its first letter small, unless it is an abbreviation's."""
    return sentence[:1].lower() + sentence[1:] if _PLAIN_FIRST_WORD.match(sentence) else sentence


_TEMPLATES.filters["within"] = within
_COUNTED = re.compile(
    r"(?!(?:daily|serial) )[\w -]*\b(?:panel|count|referral|consultation|visit|test|immunoassay|challenge|"
    r"electrocardiogram|ultrasound|CT|radiograph|transfusion|gas|level|echo|consult|ECG|X-ray|BMP|CBC|ABG|INR|PTT|CK|"
    r"potassium|creatinine|lipase|lactate|antibody|TSH|ionized calcium|fasting glucose|peptide|urea nitrogen|"
    r"receptor|activity)"
    r"(?: (?:with|for|in|before|after|once|within) .*)?"
)


def one(priority: str, service: str) -> str:
    """Put the article before a priority where what is asked for can be counted: an urgent panel, urgent ketones."""
    if not _COUNTED.fullmatch(service):
        return priority
    return f"{'an' if priority[0].lower() in 'aeiou' else 'a'} {priority}"


_TEMPLATES.filters["one"] = one


FILES = ("turns", "physician", "anaphora")
"""Files of a language under configs/wording: what fills texts, how questions are put, what points back."""


@cache
def _compiled(template: str) -> Template:
    return _TEMPLATES.from_string(template)


def render(template: str, context: Mapping[str, Any]) -> str:
    """Fill one template; a name it uses and the context lacks is an error."""
    return _compiled(template).render(context).strip()


@dataclass(frozen=True)
class Question:
    """The ways to put one question: in full, and with the dialogue in mind where it leaves something unsaid.

    ``fits``: what it is asked about must be one of these to the key result; empty where any may be.
    """

    implicitness: Implicitness
    explicit: Phrasing
    implicit: Phrasing | None
    fits: frozenset[str] = frozenset()


@dataclass(frozen=True)
class TurnWordings:
    """The templates of questions and answers in one language. ``fingerprint`` is the sha256 of all its files.

    ``pronouns``: those of a patient by sex, F or M: he, him and his.
    """

    questions: Mapping[str, Sequence[Question]]
    spoken: Mapping[str, str]
    details: Mapping[str, str]
    colleagues: Sequence[str]
    categories: Mapping[str, str]
    priorities: Mapping[str, str]
    answers: Mapping[str, str]
    asks: Mapping[str, str]
    rests_on: Mapping[str, str]
    joined: Mapping[str, str]
    decisions: Mapping[str, str]
    stop_verbs: Mapping[str, str]
    routes: Mapping[str, str]
    frequencies: Mapping[str, str]
    fractions: Mapping[float, str]
    directions: Mapping[str, str]
    specimen: str
    article: str
    pronouns: Mapping[str, Mapping[str, str]]
    between_sentences: str
    fingerprint: str

    def listed(self, phrases: Sequence[str]) -> str:
        """Join noun phrases: a, b and c."""
        if len(phrases) < 2:
            return "".join(phrases)
        if len(phrases) == 2:
            return self.joined["two"].join(phrases)
        return self.joined["many"].join(phrases[:-1]) + self.joined["last"] + phrases[-1]

    def as_said(self, clause: str) -> str:
        """Make a sentence of what somebody holds: "we need to hold it" and "We need to hold it." alike."""
        return clause[:1].upper() + clause[1:].rstrip(".。") + self.joined["stop"]

    def inquired(self, phrases: Sequence[str]) -> str:
        """Join what the patient is to be asked, phrases with commas of their own."""
        if len(phrases) < 2:
            return "".join(phrases)
        return self.joined["ask"].join(phrases[:-1]) + self.joined["last_ask"] + phrases[-1]


@cache
def load_turn_wordings(language: Language) -> TurnWordings:
    """Read configs/wording/turns.<language>.yaml, and the questions of physician.<language>.yaml."""
    folder = files("configs") / "wording"
    raw = [(folder / f"{name}.{language}.yaml").read_bytes() for name in FILES]
    turns, physician = (yaml.load(text, Loader=yaml.CSafeLoader) for text in raw[:2])
    questions = {
        key: tuple(_question(entry, physician["parts"]) for entry in entries)
        for key, entries in {**physician["questions"], **turns.pop("questions")}.items()
    }
    return TurnWordings(**turns, questions=questions, fingerprint=hashlib.sha256(b"\0".join(raw)).hexdigest())


def _question(entry: Mapping[str, Any], parts: Mapping[str, str]) -> Question:
    explicit = read_phrasing(entry["explicit"], parts)
    implicit = read_phrasing(entry["implicit"], parts) if "implicit" in entry else None
    return Question(Implicitness(entry["implicitness"]), explicit, implicit, frozenset(entry.get("fits", ())))


def wording_fingerprint(languages: Sequence[Language]) -> str:
    """Give the sha256 over the wording files of ``languages``."""
    files_read = (load_turn_wordings(language).fingerprint for language in languages)
    return hashlib.sha256("".join(files_read).encode()).hexdigest()
