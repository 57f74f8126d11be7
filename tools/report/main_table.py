"""The main table, as PhysAssistBench prints it: for each language mRS by tier and the pass rates."""

from collections.abc import Sequence

from state.base import Language
from state.metrics import Figure, Metrics
from tools.report.cells import Cell, ReportTable
from tools.report.figures import coverage
from tools.report.run_report import INTERVALS, LEGEND, RunReport, notes_of

TIERS = ("1", "2", "3")
COLUMNS = ("mRS T1", "mRS T2", "mRS T3", "mRS", "@T.60", "@S.60", "@T.75", "@S.75")
COUNTED = ("sessions", "turns")
LANGUAGES = {Language.EN: "English", Language.ZH: "Chinese"}


def main_table(runs: Sequence[RunReport], *, stacked: bool) -> ReportTable:
    """Lay out models by rows: languages side by side as the paper has them, or ``stacked``, which is narrower.

    Models come first; programs of the product come after them, and say so.
    """
    ordered = sorted(runs, key=lambda run: run.manifest.offline)
    languages = [lang for lang in Language if any(run.manifest.settings.language is lang for run in runs)]
    rows: list[tuple[Cell, ...]] = []
    if stacked:
        head: tuple[str, ...] = ("model", "asked", "language", *COLUMNS, *COUNTED, "key")
        rows = [
            (*_who(run), run.manifest.settings.language.value, *_cells(run.metrics), _key(run))
            for run in ordered
        ]
        spans: tuple[tuple[str, int], ...] = ()
    else:
        head = ("model", "asked", *(name for _ in languages for name in (*COLUMNS, *COUNTED, "key")))
        spans = (("", 2), *((LANGUAGES[lang], len(COLUMNS) + len(COUNTED) + 1) for lang in languages))
        rows = [_side_by_side(group, languages) for group in _grouped(ordered)]
    first = runs[0].metrics
    return ReportTable(
        name="main",
        title=f"Main table, {'; '.join(dict.fromkeys(run.mark for run in ordered))}",
        columns=head,
        rows=tuple(rows),
        spans=spans,
        notes=(
            *notes_of(ordered),
            *unlike(runs),
            LEGEND,
            INTERVALS.format(resamples=first.resamples, seed=first.seed),
            "sessions, turns: planned / attempted / scored",
        ),
        labels=3 if stacked else 2,
    )


def unlike(runs: Sequence[RunReport], across: Sequence[str] = ("language", "explicit")) -> tuple[str, ...]:
    """Warn of runs whose figures do not compare, beyond what the columns tell apart."""
    differ = sorted(
        name
        for name in runs[0].manifest.measured
        if name not in across and len({run.manifest.measured[name] for run in runs}) > 1
    )
    return (f"These runs do not compare: they differ in {', '.join(differ)}.",) if differ else ()


def _who(run: RunReport) -> tuple[str, str]:
    settings = run.manifest.settings
    program = " (program)" if run.manifest.offline else ""
    return settings.model + program, "explicit" if settings.explicit else "implicit"


def _key(run: RunReport) -> str:
    return run.manifest.comparison_key


def _cells(metrics: Metrics) -> tuple[Cell, ...]:
    overall = metrics.overall
    by_tier = [_mrs_of_tier(metrics, tier) for tier in TIERS]
    of_sessions = overall.pass_session or {}
    rates = [
        figure for mark in ("0.60", "0.75") for figure in (overall.pass_turn[mark], of_sessions.get(mark))
    ]
    counted = ("" if overall.mrs is None else coverage(overall.mrs), coverage(overall.turn_score))
    return (*by_tier, overall.mrs, *rates, *counted)


def _mrs_of_tier(metrics: Metrics, tier: str) -> Figure | None:
    scores = metrics.facets["tier"].get(tier)
    return None if scores is None else scores.mrs


def _grouped(runs: Sequence[RunReport]) -> list[list[RunReport]]:
    """Put runs of one model in several languages together; a second run in a language begins another row."""
    groups: list[list[RunReport]] = []
    for run in runs:
        for group in groups:
            taken = {other.manifest.settings.language for other in group}
            if _who(group[0]) == _who(run) and run.manifest.settings.language not in taken:
                group.append(run)
                break
        else:
            groups.append([run])
    return groups


def _side_by_side(group: Sequence[RunReport], languages: Sequence[Language]) -> tuple[Cell, ...]:
    by_language = {run.manifest.settings.language: run for run in group}
    cells: list[Cell] = [*_who(group[0])]
    for language in languages:
        run = by_language.get(language)
        width = len(COLUMNS) + len(COUNTED) + 1
        cells += [None] * width if run is None else [*_cells(run.metrics), _key(run)]
    return tuple(cells)
