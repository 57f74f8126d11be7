"""Templates of configs/report, and what a page that runs nothing but its own needs."""

import base64
import hashlib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from tools.report.cells import is_numeric, text_of
from tools.report.figures import coverage, percent, rate, spoke
from tools.report.page_plots import mark
from tools.report.wrapping import pieces_of

NO_BREAK = "\N{NO-BREAK SPACE}"


def rendered(name: str, values: Mapping[str, Any]) -> str:
    """Fill a template in; what it is given stays text."""
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(source),
    )
    environment.filters |= {
        "percent": percent,
        "rate": rate,
        "coverage": coverage,
        "spoke": spoke,
        "mark": mark,
        "cell": text_of,
        "numeric": is_numeric,
        "breakable": breakable,
    }
    return environment.get_template(name).render(values)


def source(name: str) -> str:
    """Read a file of configs/report."""
    return (files("configs") / "report" / name).read_text("utf-8")


def breakable(text: str) -> Markup:
    """Have a browser end lines only where ``pieces_of`` does, and there without a sign that would be copied."""
    return own("<wbr>").join(
        escape(piece.rstrip(" ").replace(" ", NO_BREAK) + " " * piece.endswith(" "))
        for piece in pieces_of(text)
    )


def own(text: str) -> Markup:
    """Take style or script of the project for what it is; never text of a run."""
    return Markup(text)  # noqa: S704


def digest(text: str) -> str:
    """Give the digest by which a Content-Security-Policy allows an inline element."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
