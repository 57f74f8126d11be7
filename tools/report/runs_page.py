"""The page of several runs: tables and plots in one file that loads nothing and runs no script; and plots as files."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.metrics.formulas import FORMULAS
from tools.report.cells import ReportTable
from tools.report.draw_agreement import draw_agreement
from tools.report.draw_efficiency import draw_efficiency
from tools.report.draw_reliability import draw_reliability
from tools.report.drawing import Drawing
from tools.report.efficiency import MEASURES, efficiency_table, not_drawn, places
from tools.report.main_table import main_table
from tools.report.page import put
from tools.report.run_report import RunReport
from tools.report.run_tables import run_tables
from tools.report.templates import digest, own, rendered, source

EVERY = "dots: pass^k, every one of k tries passes; rings: pass@k, one of them does; lines: 95 % intervals"
ON = "dots: on the frontier (dotted); rings: not; lines: 95 % intervals"
SHARES = "lines: 95 % intervals"


def write_runs_page(path: Path, runs: Sequence[RunReport], gaps: Sequence[ReportTable]) -> None:
    """Write the page. Nothing of a dialogue is in it: figures, counts and the names of runs."""
    style = source("page.css")
    found = {measure.name: not_drawn(places(runs, measure)) for measure in MEASURES}
    put(
        path,
        rendered(
            "runs.html.j2",
            {
                "runs": runs,
                "style": own(style),
                "style_digest": digest(style),
                "main": main_table(runs, stacked=True),
                "costs": list(draw_efficiency(runs)),
                "left_out": found,
                "efficiency": efficiency_table(runs),
                "reliability": list(_reliability(runs)),
                "judges": list(_agreement(runs)),
                "gaps": gaps,
                "each": [(run.label, list(run_tables(run))) for run in runs],
                "formulas": FORMULAS,
            },
        ),
    )


def write_figures(folder: Path, runs: Sequence[RunReport]) -> list[Path]:
    """Write every plot there is as an SVG file of its own, with its legend; return the files."""
    written = []
    for drawing, told in (
        *((drawing, ON) for drawing in draw_efficiency(runs)),
        *((drawing, EVERY) for drawing in _reliability(runs)),
        *((drawing, SHARES) for drawing in _agreement(runs)),
    ):
        path = folder / f"{drawing.name}.svg"
        values = {
            "drawing": drawing,
            "legend": [drawing.title, told, *drawing.legend],
            "style": own(source("figure.css")),
        }
        put(path, rendered("figure.svg.j2", values).lstrip())
        written.append(path)
    return written


def _reliability(runs: Sequence[RunReport]) -> Iterator[Drawing]:
    for number, run in enumerate(runs, start=1):
        if run.metrics.reliability:
            yield draw_reliability(run.metrics.reliability, f"{number} {run.label}", f"reliability-{number}")


def _agreement(runs: Sequence[RunReport]) -> Iterator[Drawing]:
    for number, run in enumerate(runs, start=1):
        if run.metrics.judging is not None:
            drawing = draw_agreement(run.metrics.judging, f"{number} {run.label}", f"agreement-{number}")
            if drawing is not None:
                yield drawing
