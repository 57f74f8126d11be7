"""Sentence templates: YAML files of jinja2 strings under configs/wording, one a language."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from jinja2 import StrictUndefined, Template
from jinja2.sandbox import SandboxedEnvironment

from state.base import Language

# Plain text goes to models and graders, not to HTML; escaping would corrupt it. Reports escape on their own.
_TEMPLATES = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False, trim_blocks=True)


@cache
def _compiled(template: str) -> Template:
    return _TEMPLATES.from_string(template)


def render(template: str, context: Mapping[str, Any]) -> str:
    """Fill one template; a name it uses and the context lacks is an error."""
    return _compiled(template).render(context).strip()


@dataclass(frozen=True)
class TurnWordings:
    """The templates of questions and answers in one language. ``fingerprint`` is the sha256 of the file."""

    questions: Mapping[str, Sequence[Mapping[str, str]]]
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
    between_sentences: str
    fingerprint: str

    def listed(self, phrases: Sequence[str]) -> str:
        """Join noun phrases: a, b and c."""
        if len(phrases) < 2:
            return "".join(phrases)
        if len(phrases) == 2:
            return self.joined["two"].join(phrases)
        return self.joined["many"].join(phrases[:-1]) + self.joined["last"] + phrases[-1]


@cache
def load_turn_wordings(language: Language) -> TurnWordings:
    """Read configs/wording/turns.<language>.yaml."""
    raw = (files("configs") / "wording" / f"turns.{language}.yaml").read_bytes()
    return TurnWordings(
        **yaml.load(raw, Loader=yaml.CSafeLoader), fingerprint=hashlib.sha256(raw).hexdigest()
    )


def wording_fingerprint(languages: Sequence[Language]) -> str:
    """Give the sha256 over the wording files of ``languages``."""
    files_read = (load_turn_wordings(language).fingerprint for language in languages)
    return hashlib.sha256("".join(files_read).encode()).hexdigest()
