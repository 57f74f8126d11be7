"""report.html: one file a person can read, safe against whatever a model wrote."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from state.manifest import RunManifest
from state.metrics import Metrics
from tools.metrics.formulas import FORMULAS
from tools.report.draw_agreement import draw_agreement
from tools.report.draw_reliability import draw_reliability
from tools.report.judging_table import judging_tables
from tools.report.page_faults import taxonomy
from tools.report.page_plots import histogram
from tools.report.page_session import SessionPage, list_row, packed
from tools.report.run_tables import FACETS
from tools.report.templates import digest, own, rendered, source

SCRIPTS = ("page_view.js", "page_transcript.js", "page_list.js")


def write_page(
    path: Path,
    manifest: RunManifest,
    metrics: Metrics,
    pages: Sequence[SessionPage],
    *,
    show_text: bool,
    again: str,
) -> None:
    """Write the report. Without ``show_text`` no question, argument, result or answer is in it, and it says so.

    ``again`` is the command that writes it with them.

    Nothing is loaded from anywhere: the policy in its head allows its own style and script by their digests alone.
    """
    style, script = source("page.css"), "\n".join(map(source, SCRIPTS))
    model = manifest.settings.model
    text = rendered(
        "page.html.j2",
        {
            "manifest": manifest,
            "metrics": metrics,
            "show_text": show_text,
            "again": again,
            "faults": taxonomy(page.faults for page in pages),
            "bars": histogram((page.session.tier, page.mean) for page in pages if page.mean is not None),
            "style": own(style),
            "script": own(script),
            "style_digest": digest(style),
            "script_digest": digest(script),
            "listed": island([list_row(page) for page in pages]),
            "packs": island({page.session.session_id: packed(page, show_text=show_text) for page in pages}),
            "facets": sorted(metrics.facets, key=lambda facet: (*FACETS, facet).index(facet)),
            "formulas": FORMULAS,
            "sessions": len(pages),
            "about": island({"language": manifest.settings.language, "text": show_text}),
            "reliability": draw_reliability(metrics.reliability, model, "reliability")
            if metrics.reliability
            else None,
            "judging": [] if metrics.judging is None else list(judging_tables(metrics.judging)),
            "agreement": None
            if metrics.judging is None
            else draw_agreement(metrics.judging, model, "agreement"),
        },
    )
    put(path, text)


def put(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(path.name + ".partial")
    part.write_text(text, "utf-8")
    part.replace(path)


def island(value: Any) -> Markup:
    """Write JSON that is safe inside a script element: ASCII, and no character that HTML could take for its own."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return own(text)
