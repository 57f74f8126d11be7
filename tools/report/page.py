"""report.html: one file a person can read, safe against whatever a model wrote."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from state.manifest import RunManifest
from state.metrics import Metrics
from state.outcome import SessionResult
from state.session import Session
from state.trajectory import SessionRecord
from tools.report.figures import coverage, percent


@dataclass(frozen=True)
class SessionPage:
    """One session of the page.

    ``shown``: the text of each tool result, by turn and position in the turn. ``wanted``: each rubric item in words.
    """

    session: Session
    result: SessionResult
    record: SessionRecord
    shown: Mapping[tuple[int, int], str]
    wanted: Mapping[str, str]


def write_page(
    path: Path, manifest: RunManifest, metrics: Metrics, pages: Sequence[SessionPage], *, show_text: bool
) -> None:
    """Write the report. Without ``show_text`` no question, argument, result or answer is in it, and it says so."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.policies["json.dumps_kwargs"] = {"sort_keys": True, "ensure_ascii": False}
    environment.filters |= {"percent": percent, "coverage": coverage}
    template = environment.from_string((files("configs") / "report" / "run.html.j2").read_text("utf-8"))
    text = template.render(manifest=manifest, metrics=metrics, pages=pages, show_text=show_text)
    part = path.with_name(path.name + ".partial")
    part.write_text(text, "utf-8")
    part.replace(path)
