"""The generation report: what each stage let through and turned away, and why."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from rich.table import Table

from state.checking import Ruling, Stage
from state.generation import Attempt, GenerationReport, StageCount

ORDER = (
    Stage.PLANNER,
    Stage.PLAN,
    Stage.OBSERVATION,
    Stage.GOLD,
    Stage.CLINICAL,
    Stage.RUBRIC,
    Stage.PATIENT,
    Stage.WORDING,
    Stage.BILINGUAL,
    Stage.VERIFY,
)
"""The stages as a candidate passes them."""
_PARTICULAR = re.compile(r"'[^']*'|\"[^\"]*\"|[A-Z][A-Za-z]+/\S+|-?\d[\d.,:-]*")
REASONS_SHOWN = 3


def report(attempts: Sequence[Attempt], wanted: int) -> GenerationReport:
    """Count candidates by stage and reason; numbers and quotes are left out of a reason, so that like meets like."""
    ended: dict[Stage, list[Attempt]] = {stage: [] for stage in ORDER}
    for attempt in attempts:
        ended[attempt.stage].append(attempt)
    counts, reached = [], len(attempts)
    for stage in ORDER:
        rejected = sum(attempt.ruling is Ruling.REJECT for attempt in ended[stage])
        undecided = sum(attempt.ruling is Ruling.CANNOT_DECIDE for attempt in ended[stage])
        passed = reached - rejected - undecided
        counts.append(
            StageCount(
                stage=stage,
                reached=reached,
                passed=passed,
                rejected=rejected,
                undecided=undecided,
                reasons=_reasons(ended[stage]),
            )
        )
        reached = passed
    return GenerationReport(
        wanted=wanted,
        accepted=sum(attempt.accepted for attempt in attempts),
        tried=len(attempts),
        reworded=sum(attempt.rewordings > 0 for attempt in attempts),
        stages=tuple(counts),
    )


def _reasons(attempts: Iterable[Attempt]) -> dict[str, int]:
    reasons = Counter(_PARTICULAR.sub("…", a.reasons[0]) for a in attempts if a.reasons)
    return dict(sorted(reasons.items(), key=lambda counted: (-counted[1], counted[0])))


def report_table(counted: GenerationReport) -> Table:
    """Lay a report out: a line a stage, its commonest reasons beneath."""
    table = Table(
        title=f"{counted.accepted} accepted of {counted.tried} candidates, {counted.reworded} worded again"
    )
    for column in ("stage", "reached", "passed", "rejected", "undecided", "commonest reasons"):
        table.add_column(column, justify="left" if column in {"stage", "commonest reasons"} else "right")
    for count in counted.stages:
        shown = [f"{times} {reason}" for reason, times in list(count.reasons.items())[:REASONS_SHOWN]]
        figures = (count.reached, count.passed, count.rejected, count.undecided)
        table.add_row(count.stage, *map(str, figures), "\n".join(shown))
    return table
