"""What the renderer says, in the language of the session: ``configs/labels/<language>.yaml``."""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml

from state.base import Language


class Labels:
    """Phrases with ``{names}`` to fill in, and words shown instead of codes. Immutable.

    What the record itself says (drugs, tests, comments, notes) is no label and is never translated.
    """

    def __init__(self, language: Language, phrases: Mapping[str, str], words: Mapping[str, str]) -> None:
        self.language = language
        self.phrases = phrases
        self.words = words

    @classmethod
    def load(cls, language: Language) -> "Labels":
        """Read the labels of a language, once a process."""
        return _load(language)

    def say(self, phrase: str, **values: object) -> str:
        """Fill a phrase; an unknown one is a ``KeyError``."""
        return self.phrases[phrase].format(**values) if values else self.phrases[phrase]

    def word(self, word: str) -> str:
        """Give what is shown for a code or fixed word: itself, where there is no other."""
        return self.words.get(word, word)


@cache
def labels_fingerprint() -> str:
    """Return the sha256 over every file of configs/labels, on which the text of every tool result depends."""
    digest = hashlib.sha256()
    for entry in sorted((files("configs") / "labels").iterdir(), key=lambda entry: entry.name):
        digest.update(entry.name.encode() + b"\0" + entry.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def _load(language: Language) -> Labels:
    text = (files("configs") / "labels" / f"{language}.yaml").read_text(encoding="utf-8")
    data = yaml.load(text, Loader=yaml.CSafeLoader)
    return Labels(language, data["phrases"], data["words"])
