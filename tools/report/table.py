"""The table that closes a run."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from state.base import GatePolicy
from state.manifest import RunManifest
from state.metrics import Metrics, Scores
from tools.report.figures import coverage, percent
from tools.report.run_report import OFFLINE, UNGATED


def _rows(name: str, scores: Scores) -> Iterator[tuple[str, str, str, str]]:
    """Yield group, figure, value and counts."""
    if scores.mrs is not None:
        yield name, "mRS", percent(scores.mrs), coverage(scores.mrs) + " sessions"
    else:
        yield name, "mean turn score", percent(scores.turn_score), coverage(scores.turn_score) + " turns"
    for mark, figure in scores.pass_turn.items():
        yield "", f"Pass@Turn {mark}", percent(figure), coverage(figure) + " turns"
    for mark, figure in (scores.pass_session or {}).items():
        yield "", f"Pass@Session {mark}", percent(figure), coverage(figure) + " sessions"


def closing_table(metrics: Metrics, manifest: RunManifest) -> RenderableType:
    """Lay out the headline figures, then each task type, with 95 % intervals and coverage."""
    settings = manifest.settings
    asked = "explicit" if settings.explicit else "implicit"
    told = (settings.model, settings.language, asked, f"{manifest.cohort} cohort", f"gate {manifest.gate}")
    table = Table(title=" · ".join(told))
    for column in ("group", "figure", "value [95 % interval]"):
        table.add_column(column)
    table.add_column("planned / attempted / scored", justify="right")
    for row in _rows("all", metrics.overall):
        table.add_row(*row)
    for group, scores in metrics.facets["task_type"].items():
        table.add_section()
        for row in _rows(group, scores):
            table.add_row(*row)
    rate = metrics.safety_failures_per_100_turns
    notes = [
        f"judge {settings.judge}, grading version {manifest.grading_version}",
        f"comparison key {manifest.comparison_key}: only runs of one key compare",
        f"intervals: {metrics.resamples:,} bootstrap resamples of whole sessions",
        f"safety items failed: {metrics.safety_failures}"
        + ("" if rate is None else f" ({rate:.1f} per 100 turns)"),
    ]
    if metrics.errored_by:
        counts = ", ".join(f"{who} {count}" for who, count in metrics.errored_by.items())
        notes.append(f"turns that failed for no fault of the examinee: {counts}")
    if manifest.gate is not GatePolicy.STRICT:
        notes.append(UNGATED)
    if manifest.offline:
        notes.append(OFFLINE)
    return Group(table, *(Text(note) for note in notes))
