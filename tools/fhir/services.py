"""Which services can be requested, and by what words."""

import re
from collections.abc import Iterable, Mapping
from importlib.resources import files

import yaml

from tools.fhir.excerpts import whole_words


class Services:
    """Words for services by kind: laboratory, imaging, consult ... Immutable; ``load`` reads ``services.yaml``."""

    def __init__(self, words: Mapping[str, Iterable[str]]) -> None:
        self._patterns = {kind: whole_words(*of_kind) for kind, of_kind in words.items()}

    @classmethod
    def load(cls) -> "Services":
        """Read ``configs/vocabulary/services.yaml``."""
        text = (files("configs") / "vocabulary" / "services.yaml").read_text(encoding="utf-8")
        return cls(yaml.load(text, Loader=yaml.CSafeLoader))

    @property
    def kinds(self) -> tuple[str, ...]:
        """List the kinds of service."""
        return tuple(self._patterns)

    def kinds_in(self, text: str) -> tuple[str, ...]:
        """List the kinds of which some word stands in ``text``, whole and in any case; a plural s is allowed."""
        singular = re.sub(r"(?<=[A-Za-z]{2})s\b", "", text)
        return tuple(
            kind
            for kind, pattern in self._patterns.items()
            if pattern.search(text) or pattern.search(singular)
        )
