"""The table that closes a run."""

from collections.abc import Iterator

from rich.console import RenderableType

from state.base import GatePolicy
from state.manifest import RunManifest
from state.metrics import Metrics, Scores
from tools.metrics.figure import HEADLINE_COVERAGE
from tools.report.as_text import as_rich
from tools.report.cells import Cell, ReportTable
from tools.report.figures import coverage, spoke
from tools.report.run_report import OFFLINE, UNGATED, counted_epochs


def _rows(name: str, scores: Scores) -> Iterator[tuple[Cell, ...]]:
    """Yield group, figure, value and counts."""
    if scores.mrs is not None:
        yield name, "mRS", scores.mrs, coverage(scores.mrs) + " sessions"
    else:
        yield name, "mean turn score", scores.turn_score, coverage(scores.turn_score) + " turns"
    for mark, figure in scores.pass_turn.items():
        yield name, f"Pass@Turn {mark}", figure, coverage(figure) + " turns"
    for mark, figure in (scores.pass_session or {}).items():
        yield name, f"Pass@Session {mark}", figure, coverage(figure) + " sessions"


def _short(scores: Scores) -> tuple[str, ...]:
    """Say why figures are withheld, and what to do; nothing where none is."""
    turns = next(iter(scores.pass_turn.values()))
    figures = (turns, *(scores.pass_session or {}).values())
    if not any(figure.withheld for figure in figures):
        return ()
    unscored = turns.planned - turns.scored
    why = f"withheld: less than {100 * HEADLINE_COVERAGE:g} % is scored; {unscored} of {turns.planned} turns are not"
    what = "let a model judge what is undecided (--judge-only RUN --judge), ask again for what failed (--resume RUN)"
    return why, what


def closing_table(metrics: Metrics, manifest: RunManifest) -> RenderableType:
    """Lay out the headline figures, then each task type, with 95 % intervals and coverage."""
    settings = manifest.settings
    asked = "explicit" if settings.explicit else "implicit"
    told = (settings.model, settings.language, asked, f"{manifest.cohort} cohort", f"gate {manifest.gate}")
    rate, short = metrics.safety_failures_per_100_turns, _short(metrics.overall)
    notes = [
        "mRS: mean rubric score (not the modified Rankin Scale)",
        f"judge {settings.judge}, grading version {manifest.grading_version}",
        f"comparison key {manifest.comparison_key}: only runs of one key compare",
        f"intervals: {metrics.resamples:,} bootstrap resamples of whole sessions; none where sessions do not differ",
        *counted_epochs(manifest),
        f"safety items failed: {metrics.safety_failures}"
        + ("" if rate is None or short else f" ({rate:.1f} per 100 turns)"),
        *short,
    ]
    if metrics.errored_by:
        counts = ", ".join(f"{who} {count}" for who, count in metrics.errored_by.items())
        notes.append(f"turns that failed for no fault of the examinee: {counts}")
    if metrics.patient is not None:
        notes.append(f"patient: {spoke(metrics.patient)}")
    if manifest.gate is not GatePolicy.STRICT:
        notes.append(UNGATED)
    if manifest.offline:
        notes.append(OFFLINE)
    groups = {"all": metrics.overall, **metrics.facets["task_type"]}
    table = ReportTable(
        name="closing",
        title=" · ".join(told),
        columns=("group", "figure", "value [95 % interval]", "planned / attempted / scored"),
        rows=tuple(row for name, scores in groups.items() for row in _rows(name, scores)),
        notes=tuple(notes),
        labels=2,
        sections=True,
    )
    return as_rich([table])
