"""Text of the page stands out from its ground in both colour schemes: a contrast of 4.5 (WCAG 2.2, criterion 1.4.3)."""

import re
from pathlib import Path

import pytest

CSS = (Path(__file__).parents[3] / "configs" / "report" / "page.css").read_text("utf-8")
PAIRS = (
    ("ink", "paper"),
    ("ink", "soft"),
    ("ink", "none-soft"),
    ("ink", "result-soft"),
    ("ink", "good-soft"),
    ("quiet", "paper"),
    ("quiet", "soft"),
    ("quiet", "good-soft"),
    ("quiet", "result-soft"),
    ("link", "paper"),
    ("good", "paper"),
    ("bad", "paper"),
    ("none", "paper"),
    ("good", "good-soft"),
    ("bad", "bad-soft"),
    ("none", "none-soft"),
)


def colours(scheme: str) -> dict[str, str]:
    light, dark = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    return dict(re.findall(r"--([\w-]+): #([0-9a-f]{3,6});", light if scheme == "light" else dark))


def luminance(colour: str) -> float:
    """Give relative luminance as WCAG defines it."""
    digits = "".join(digit * 2 for digit in colour) if len(colour) == 3 else colour
    channels = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_stands_out_from_its_ground(scheme: str, text: str, ground: str) -> None:
    found = colours(scheme)
    darker, lighter = sorted(luminance(found[name]) for name in (text, ground))
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5
