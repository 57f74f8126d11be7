"""Sentence templates: YAML files of jinja2 strings under configs/wording, one a scenario and language."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from jinja2 import StrictUndefined, Template
from jinja2.sandbox import SandboxedEnvironment

from state.base import Language
from state.session import Scenario

# Plain text goes to models and graders, not to HTML; escaping would corrupt it. Reports escape on their own.
_TEMPLATES = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False, trim_blocks=True)


@cache
def _compiled(template: str) -> Template:
    return _TEMPLATES.from_string(template)


def render(template: str, context: Mapping[str, Any]) -> str:
    """Fill one template; a name it uses and the context lacks is an error."""
    return _compiled(template).render(context).strip()


@dataclass(frozen=True)
class Wordings:
    """The templates of one scenario in one language. ``fingerprint`` is the sha256 of the file."""

    questions: Mapping[str, list[Mapping[str, str]]]
    answers: Mapping[str, str]
    bearing: Mapping[str, str]
    routes: Mapping[str, str]
    frequencies: Mapping[str, str]
    fractions: Mapping[float, str]
    fingerprint: str


@cache
def load_wordings(scenario: Scenario, language: Language) -> Wordings:
    """Read configs/wording/<scenario>.<language>.yaml."""
    raw = (files("configs") / "wording" / f"{scenario}.{language}.yaml").read_bytes()
    data = yaml.safe_load(raw)
    return Wordings(
        questions=data["questions"],
        answers=data["answers"],
        bearing=data["bearing"],
        routes=data["routes"],
        frequencies=data["frequencies"],
        fractions=data["fractions"],
        fingerprint=hashlib.sha256(raw).hexdigest(),
    )
