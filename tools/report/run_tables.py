"""The tables of one run: scores by facet, conduct, safety, faults, reliability, effort."""

from collections.abc import Iterator

from state.metrics import Figure, Scores
from tools.metrics.formulas import FORMULAS
from tools.report.cells import Cell, ReportTable
from tools.report.efficiency import PROGRAM, UNKNOWN
from tools.report.figures import coverage, rate
from tools.report.judging_table import judging_tables
from tools.report.run_report import LEGEND, RunReport

FACETS = ("scenario", "tier", "task_type", "implicitness", "source", "rests_on_answer", "arc", "language")
COUNTS = "planned / attempted / scored"


def run_tables(run: RunReport) -> Iterator[ReportTable]:
    """Lay out everything that is known of a run."""
    yield _facets(run)
    if run.metrics.conduct is not None:
        yield _conduct(run)
        yield _safety(run)
    if run.metrics.reliability:
        yield _reliability(run)
    if run.metrics.judging is not None:
        yield from judging_tables(run.metrics.judging, f": {run.label} ({run.mark})")
    yield _faults(run)
    yield _effort(run)


def _title(run: RunReport, what: str) -> str:
    return f"{what}: {run.label} ({run.mark})"


def _facets(run: RunReport) -> ReportTable:
    names = [name for name in FACETS if name in run.metrics.facets]
    names += sorted(run.metrics.facets.keys() - set(names))
    rows = [("all", "", *_scores(run.metrics.overall))]
    rows += [
        (facet.replace("_", " "), group, *_scores(scores))
        for facet in names
        for group, scores in run.metrics.facets[facet].items()
    ]
    return ReportTable(
        name="facets",
        title=_title(run, "Scores by facet"),
        columns=(
            "facet",
            "group",
            "mRS",
            "mean turn score",
            "@T.60",
            "@T.75",
            "@S.60",
            "@S.75",
            "sessions",
            "turns",
        ),
        rows=tuple(rows),
        notes=(LEGEND, f"sessions, turns: {COUNTS}; a group of turns of one kind holds no whole sessions"),
        labels=2,
        sections=True,
    )


def _scores(scores: Scores) -> tuple[Cell, ...]:
    of_sessions = scores.pass_session or {}
    return (
        scores.mrs,
        scores.turn_score,
        *scores.pass_turn.values(),
        *(of_sessions.get(mark) for mark in scores.pass_turn),
        None if scores.mrs is None else coverage(scores.mrs),
        coverage(scores.turn_score),
    )


def _conduct(run: RunReport) -> ReportTable:
    conduct = run.metrics.conduct
    if conduct is None:
        raise ValueError("this run has no figures of conduct")
    rows = [_counted(name, figure, FORMULAS[name].unit) for name, figure in conduct.figures.items()]
    unit = FORMULAS["antecedent_errors"].unit
    rows += [
        _counted(f"antecedent errors, {kind}", figure, unit)
        for kind, figure in conduct.antecedent_errors.items()
    ]
    return ReportTable(
        name="conduct",
        title=_title(run, "Conduct"),
        columns=("figure", "value [95 % interval]", COUNTS, "unit"),
        rows=tuple(rows),
        notes=("--explain says what each figure is",),
    )


def _counted(name: str, figure: Figure, unit: str) -> tuple[Cell, ...]:
    return name.replace("_", " "), figure, coverage(figure), unit


def _safety(run: RunReport) -> ReportTable:
    safety = {} if run.metrics.conduct is None else run.metrics.conduct.safety
    return ReportTable(
        name="safety",
        title=_title(run, "Safety violations per 100 turns"),
        columns=("type", "per 100 turns [95 % interval]", f"turns, {COUNTS}"),
        rows=tuple((kind, rate(figure), coverage(figure)) for kind, figure in safety.items()),
    )


def _reliability(run: RunReport) -> ReportTable:
    return ReportTable(
        name="reliability",
        title=_title(run, f"Reliability over {run.manifest.settings.epochs} epochs"),
        columns=("mark", "k", "pass@k", "pass^k", f"sessions, {COUNTS}"),
        rows=tuple(
            (row.mark, row.k, row.pass_at, row.pass_every, coverage(row.pass_at))
            for row in run.metrics.reliability
        ),
        labels=2,
        sections=True,
    )


def _faults(run: RunReport) -> ReportTable:
    metrics = run.metrics
    kinds = {"turns": metrics.outcomes} if metrics.conduct is None else dict(metrics.conduct.taxonomy)
    kinds["failed by"] = metrics.errored_by
    if metrics.patient is not None:
        kinds["patient's voice"] = metrics.patient.model_dump(exclude={"model"})
    return ReportTable(
        name="faults",
        title=_title(run, "Error taxonomy"),
        columns=("of", "kind", "count"),
        rows=tuple((of, kind, count) for of, counts in kinds.items() for kind, count in counts.items()),
        labels=2,
        sections=True,
    )


def _cost(run: RunReport) -> str:
    if run.manifest.offline:
        return PROGRAM
    return UNKNOWN if run.effort.usd is None else f"{run.effort.usd:,.4f}"


def _effort(run: RunReport) -> ReportTable:
    effort, usage = run.effort, run.effort.usage
    rows: list[tuple[Cell, ...]] = [
        ("turns run", effort.turns),
        ("replies", effort.replies),
        ("tool calls", effort.calls),
        ("tokens read", usage.input_tokens),
        ("of them cached", usage.cached_input_tokens),
        ("tokens written", usage.output_tokens),
        ("of them reasoning", usage.reasoning_tokens),
        ("cost of the doctor, USD", _cost(run)),
    ]
    rows += [(f"seconds a turn, percentile {p}", seconds) for p, seconds in effort.seconds.items()]
    rows += [(f"seconds a reply, percentile {p}", seconds) for p, seconds in effort.reply_seconds.items()]
    notes = () if effort.seconds else ("seconds: not measured, a program of the product answers at once",)
    return ReportTable(
        name="effort",
        title=_title(run, "Tokens, cost and latency"),
        columns=("what", "amount"),
        rows=tuple(rows),
        notes=notes,
    )
