"""One run as a report sees it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from state.base import GatePolicy
from state.manifest import RunManifest
from state.metrics import Effort, Metrics
from state.outcome import SessionResult
from tools.counted import counted
from tools.report.figures import spoke


class Scoring(StrEnum):
    """How a turn's items make its score."""

    WARDROUND = "wardround"
    PHYSASSISTBENCH = "physassistbench"


@dataclass(frozen=True)
class RunReport:
    """A run with its figures, scored as ``scoring`` says."""

    manifest: RunManifest
    metrics: Metrics
    effort: Effort
    results: tuple[SessionResult, ...]
    scoring: Scoring = Scoring.WARDROUND

    @property
    def label(self) -> str:
        """Name the run by its model, language and way of asking."""
        settings = self.manifest.settings
        asked = "explicit" if settings.explicit else "implicit"
        return f"{settings.model}, {settings.language}, {asked}"

    @property
    def mark(self) -> str:
        """Say under what versions its figures stand: in the title of every table."""
        return (
            f"grading version {self.manifest.grading_version}, comparison key {self.manifest.comparison_key}, "
            f"scoring {self.scoring}"
        )

    def notes(self, *, marked: bool) -> tuple[str, ...]:
        """Say what a reader of this run's figures has to know; ``marked`` where the title has marks of several runs."""
        manifest, settings = self.manifest, self.manifest.settings
        made = f"judge {settings.judge}, {manifest.cohort} cohort, gate {manifest.gate}"
        under = f", {self.mark}" if marked else ""
        said = [
            f"{self.label}: {made}, {counted(manifest.planned, 'session')}, epochs {settings.epochs}{under}",
            *counted_epochs(manifest),
        ]
        if self.scoring is Scoring.PHYSASSISTBENCH:
            said.append(PUBLISHED)
        if self.metrics.patient is not None:
            said.append(f"{self.label}: patient {spoke(self.metrics.patient)}")
        if manifest.gate is not GatePolicy.STRICT:
            said.append(UNGATED)
        if manifest.offline:
            said.append(OFFLINE)
        return tuple(said)


def notes_of(runs: Sequence[RunReport]) -> tuple[str, ...]:
    """Gather the notes of the runs of a table, each once; a mark that all share stands in its title alone."""
    marked = len({run.mark for run in runs}) > 1
    return tuple(dict.fromkeys(note for run in runs for note in run.notes(marked=marked)))


def counted_epochs(manifest: RunManifest) -> tuple[str, ...]:
    """Say that sessions and turns are counted once an epoch, where there are several."""
    epochs = manifest.settings.epochs
    return (
        ()
        if epochs == 1
        else (f"Each of {manifest.planned} sessions is run {epochs} times and counted as often.",)
    )


PUBLISHED = (
    "Scoring physassistbench: items met over items, none weighted, nothing capped. An unsafe answer can pass: set "
    "these figures beside published ones and beside nothing else."
)
UNGATED = (
    "The gate physassistbench shows what was not known yet: these figures do not compare with strict ones."
)
OFFLINE = "An offline doctor is a program of the product: its figures are not comparable with published ones."
LEGEND = (
    "mRS: mean rubric score (not the modified Rankin Scale), T1 to T3 of sessions of that tier; @T.60: turns that "
    "score 0.60 or more; @S.60: sessions whose every turn does; .75 likewise"
)
INTERVALS = (
    "intervals: 95 %, percentile, {resamples:,} bootstrap resamples of whole sessions, seed {seed}; a figure without "
    "one is the same in every session, which makes it no surer"
)
