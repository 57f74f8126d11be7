"""Tests that are read beside a test: those a clinician looks at for the same question."""

from functools import cache
from importlib.resources import files

import yaml


def companions_of(analyte: str) -> tuple[str, ...]:
    """Name the analytes of the first panel that holds ``analyte``, without it; none where no panel does."""
    for panel in _panels():
        if analyte in panel:
            return tuple(other for other in panel if other != analyte)
    return ()


@cache
def _panels() -> tuple[tuple[str, ...], ...]:
    text = (files("configs") / "vocabulary" / "panels.yaml").read_text("utf-8")
    return tuple(tuple(panel) for panel in yaml.load(text, Loader=yaml.CSafeLoader)["panels"])
