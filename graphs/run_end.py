"""What a run that came to its end says last: whom nobody heard, how it is gone on with, and its exit code."""

from collections.abc import Sequence
from dataclasses import dataclass

from graphs.run_folder import RunFolder, resume_line
from state.agreement import JudgeRecord
from state.metrics import Metrics
from state.outcome import Errored, JudgeFault, Party, SessionResult

AMISS, STOPPED = 1, 3
"""Exit codes beside 0: something does not hold, or nothing was scored; a limit or a provider kept the run from it."""
JUDGE_ONLY = "python -m graphs.evaluate --judge-only"
OUTSIDE = frozenset({Party.PROVIDER, Party.JUDGE})
"""Who lies beyond this machine."""


@dataclass(frozen=True)
class RunEnd:
    """The last lines, and the exit code."""

    lines: tuple[str, ...]
    code: int

    @classmethod
    def of(
        cls, folder: RunFolder, results: Sequence[SessionResult], metrics: Metrics, *, judged_again: bool
    ) -> "RunEnd":
        """Tell how a run ended. ``judged_again``: only what judges failed to say can be asked for again."""
        outcomes = [turn.outcome for result in results for turn in result.turns]
        failed = [outcome.who for outcome in outcomes if isinstance(outcome, Errored)]
        unheard = [] if metrics.judging is None else [one for one in metrics.judging.judges if _unheard(one)]
        lines = [_said_of(judge) for judge in unheard]
        codes = [STOPPED if set(judge.no_verdict) == {JudgeFault.FAILED} else AMISS for judge in unheard]
        if Party.JUDGE in failed or (failed and not judged_again):
            lines.append(f"what failed is asked again by {resume_line(folder)}")
        elif unheard:
            lines.append(f"judge these answers again with {JUDGE_ONLY} {folder.path} --judge provider/name")
        if not metrics.outcomes.get("scored"):
            lines.append("nothing was scored")
            codes.append(STOPPED if len(failed) == len(outcomes) and OUTSIDE.issuperset(failed) else AMISS)
        return cls(tuple(lines), max(codes, default=0))


def _unheard(judge: JudgeRecord) -> bool:
    return 0 < judge.asked == sum(judge.no_verdict.values())


def _said_of(judge: JudgeRecord) -> str:
    faults = ", ".join(f"{fault}: {count}" for fault, count in judge.no_verdict.items())
    return f"{judge.judge} gave no verdict on any of the {judge.asked} items it was asked about ({faults})"
