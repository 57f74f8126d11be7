"""Tests that are read beside a test: those a clinician looks at for the same question."""

from functools import cache
from importlib.resources import files

import yaml


def companions_of(analyte: str) -> tuple[str, ...]:
    """Name the analytes that are read beside ``analyte``, the most telling first; none where no panel holds it.

    They are those of the panel that it opens, else of the first that holds it.
    """
    holding = [panel for panel in _panels() if analyte in panel]
    panel = next((panel for panel in holding if panel[0] == analyte), holding[0] if holding else ())
    return tuple(other for other in panel if other != analyte)


@cache
def _panels() -> tuple[tuple[str, ...], ...]:
    text = (files("configs") / "vocabulary" / "panels.yaml").read_text("utf-8")
    return tuple(tuple(panel) for panel in yaml.load(text, Loader=yaml.CSafeLoader)["panels"])
