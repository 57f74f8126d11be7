"""Reading finished runs for reports and comparisons."""

from pathlib import Path

from graphs.run_folder import RunFolder, read_manifest, resume_line
from state.base import InputError
from state.metrics import Metrics
from tools.counted import counted
from tools.metrics import summarise_finished
from tools.metrics.effort import effort_of
from tools.metrics.published import as_published
from tools.report.run_report import RunReport, Scoring


def read_run(path: Path, scoring: Scoring = Scoring.WARDROUND) -> RunReport:
    """Read a finished run with its figures; one that is not finished, or no run at all, is an InputError."""
    manifest, folder = read_manifest(path), RunFolder(path)
    results = folder.results()
    wanted = manifest.planned * manifest.settings.epochs
    if len(results) < wanted:
        broken = folder.broken_lines()
        why = f" ({', '.join(broken)} cut off or spoilt)" if broken else ""
        raise InputError(
            f"{path} is unfinished: it holds {len(results)} of {counted(wanted, 'session')}{why}; "
            f"finish it with {resume_line(folder)}"
        )
    stored = folder.read_record("metrics.json", Metrics)
    conduct, voice = (None, None) if stored is None else (stored.conduct, stored.patient)
    if scoring is Scoring.PHYSASSISTBENCH:
        results = as_published(results)
        stored = None
    return RunReport(
        manifest=manifest,
        metrics=stored
        or summarise_finished(results, manifest.settings.epochs, conduct).model_copy(
            update={"patient": voice}
        ),
        effort=effort_of(folder.records(), program=manifest.offline),
        results=tuple(results),
        scoring=scoring,
    )


def differing(first: RunReport, second: RunReport) -> list[str]:
    """Name what must be equal before figures of two runs may be compared, and is not."""
    one, other = first.manifest.measured, second.manifest.measured
    return [name for name in one if one[name] != other[name]]
