"""report.html: one file a person can read, safe against whatever a model wrote."""

import base64
import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from state.manifest import RunManifest
from state.metrics import Metrics
from tools.metrics.formulas import FORMULAS
from tools.report.figures import coverage, percent, rate
from tools.report.page_faults import taxonomy
from tools.report.page_plots import histogram, mark
from tools.report.page_session import SessionPage, list_row, packed
from tools.report.run_tables import FACETS

SCRIPTS = ("page_view.js", "page_transcript.js", "page_list.js")


def write_page(
    path: Path, manifest: RunManifest, metrics: Metrics, pages: Sequence[SessionPage], *, show_text: bool
) -> None:
    """Write the report. Without ``show_text`` no question, argument, result or answer is in it, and it says so.

    Nothing is loaded from anywhere: the policy in its head allows its own style and script by their digests alone.
    """
    style, script = _source("page.css"), "\n".join(map(_source, SCRIPTS))
    text = (
        _environment()
        .get_template("page.html.j2")
        .render(
            manifest=manifest,
            metrics=metrics,
            show_text=show_text,
            faults=taxonomy(page.faults for page in pages),
            bars=histogram((page.session.tier, page.mean) for page in pages if page.mean is not None),
            style=Markup(style),  # noqa: S704 - the project's own
            script=Markup(script),  # noqa: S704
            style_digest=_digest(style),
            script_digest=_digest(script),
            listed=island([list_row(page) for page in pages]),
            packs=island({page.session.session_id: packed(page, show_text=show_text) for page in pages}),
            facets=sorted(metrics.facets, key=lambda facet: (*FACETS, facet).index(facet)),
            formulas=FORMULAS,
            sessions=len(pages),
            about=island({"language": manifest.settings.language, "text": show_text}),
        )
    )
    part = path.with_name(path.name + ".partial")
    part.write_text(text, "utf-8")
    part.replace(path)


def island(value: Any) -> Markup:
    """Write JSON that is safe inside a script element: ASCII, and no character that HTML could take for its own."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704


def _environment() -> Environment:
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(_source),
    )
    environment.filters |= {"percent": percent, "rate": rate, "coverage": coverage, "mark": mark}
    return environment


def _source(name: str) -> str:
    return (files("configs") / "report" / name).read_text("utf-8")


def _digest(text: str) -> str:
    """Give the digest by which a Content-Security-Policy allows an inline element."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
