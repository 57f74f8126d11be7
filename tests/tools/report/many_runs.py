"""Several runs of known cost, latency and epochs."""

from random import Random
from typing import Any

from report_cases import manifest, results

from state.agreement import Coefficient, GroupAgreement, JudgeRecord, Judging, PairAgreement
from state.interval import Interval
from tools.metrics import summarise_finished
from tools.metrics.effort import effort_of
from tools.report.run_report import RunReport

SESSIONS = 8


def run_of(
    model: str, skill: float, usd: float | None, seconds: float | None, *, epochs: int = 1, **settings: Any
) -> RunReport:
    """Make a run whose scores lie about ``skill``; ``usd`` is the cost of a session."""
    random = Random(model)  # noqa: S311 - no secret
    of = manifest(model, planned=SESSIONS, settings={"epochs": epochs, **settings}, run_id=f"r-{model}")
    found = [
        result.model_copy(update={"epoch": epoch})
        for epoch in range(epochs)
        for result in results(
            [[min(1.0, max(0.0, random.gauss(skill, 0.2))) for _ in range(4)] for _ in range(SESSIONS)],
            of.settings.language,
        )
    ]
    known = {
        "replies": len(found),
        "usd": None if usd is None else usd * len(found),
        "seconds": {} if seconds is None else {"50": seconds},
    }
    effort = effort_of([], program=of.offline).model_copy(update=known)
    return RunReport(of, summarise_finished(found, epochs), effort, tuple(found))


def judging(names: tuple[str, ...] = ("deepseek/x", "glm/y")) -> Judging:
    """Give what judges of these names came to: they agree with code on some items."""
    of = Coefficient(value=-0.123, interval=Interval(low=-0.456, high=0.789))
    pair = PairAgreement(items=12_345, raw=of, cohen_kappa=of, krippendorff_alpha=of)
    none = PairAgreement(
        items=0,
        raw=Coefficient(value=None),
        cohen_kappa=Coefficient(value=None),
        krippendorff_alpha=Coefficient(value=None),
    )
    table = {
        code: dict.fromkeys(("met", "not_met", "cannot_tell", "no_verdict"), 12_345)
        for code in ("met", "not_met", "cannot_tell")
    }
    first, second = names
    return Judging(
        decided=1234,
        undecided=5,
        judges=(
            JudgeRecord(judge=first, asked=9, table=table, no_verdict={"void_quote": 7}, agreement=pair),
            JudgeRecord(judge=second, asked=9, table=table, no_verdict={}, agreement=none),
        ),
        panel=GroupAgreement(raters=2, items=9, raw=of, fleiss_kappa=of, krippendorff_alpha=of),
    )
