"""Two runs against each other, as a table; and what each figure is, as another."""

from state.metrics import Comparison, Difference
from tools.counted import counted
from tools.metrics.formulas import FORMULAS
from tools.report.cells import Cell, ReportTable
from tools.report.figures import bounds, withheld
from tools.report.main_table import unlike
from tools.report.run_report import RunReport, notes_of

SESSIONS = "{} in both runs, {} in the first alone, {} in the second alone"
TESTED = (
    "p: sign flips of whole sessions, two-sided; Holm: adjusted within the headline figures (all), and within the "
    "groups. A group singled out afterwards needs the adjusted one."
)


def comparison_table(
    comparison: Comparison, first: RunReport, second: RunReport, title: str = ""
) -> ReportTable:
    """Lay out differences in percentage points, first run less second."""
    runs = (first, second)
    marks = "; ".join(dict.fromkeys(run.mark for run in runs))
    return ReportTable(
        name="difference",
        title=f"{title or 'Difference'}: {first.label} less {second.label} ({marks})",
        columns=(
            "group",
            "figure",
            "points [95 % interval]",
            "BCa",
            "p",
            "p, Holm",
            "shared / scored",
        ),
        rows=tuple(_row(row) for row in comparison.differences),
        notes=(
            *notes_of(runs),
            *unlike(runs),
            SESSIONS.format(
                counted(comparison.shared, "session"), comparison.only_first, comparison.only_second
            ),
            TESTED,
            "points: percentage points, first run less second",
            "shared / scored: units that both runs hold / those of them that both have scored",
        ),
        labels=2,
        sections=True,
    )


def _row(row: Difference) -> tuple[Cell, ...]:
    covered = f"{row.planned} / {row.scored}"
    if row.withheld or row.value is None:
        told = withheld(row) if row.withheld else "none scored in both"
        return row.group, row.figure, told, "", "", "", covered
    corrected = bounds(row.bca).strip()
    value = f"{100 * row.value:+.1f}{bounds(row.interval)}"
    return row.group, row.figure, value, corrected, _p(row.p), _p(row.p_holm), covered


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def explained() -> ReportTable:
    """Say what every figure is."""
    return ReportTable(
        name="formulas",
        title="What each figure is",
        columns=("figure", "unit", "formula", "source"),
        rows=tuple(
            (name.replace("_", " "), formula.unit, formula.formula, formula.source)
            for name, formula in FORMULAS.items()
        ),
        prose=True,
    )
