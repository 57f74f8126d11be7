"""Closing a run: figures from its results, and the page a person reads."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from agents.patient import TEMPLATES
from graphs.run_folder import RunFolder, resume_line
from graphs.trace_run import Place, trace_run
from graphs.ward import Ward
from state.base import Cohort
from state.manifest import RunManifest
from state.metrics import Metrics
from state.outcome import SessionResult
from state.trajectory import SessionRecord
from tools.metrics import judging_of, patient_voice, summarise
from tools.metrics.conduct import conduct_of
from tools.metrics.trace import SessionTrace
from tools.report import SessionPage, write_page

REPORT = "python -m graphs.report"


def close_run(ward: Ward, folder: RunFolder, manifest: RunManifest, *, include_phi: bool = False) -> Metrics:
    """Write metrics.json and report.html from what the folder holds, and return the figures."""
    results, records = by_place(folder)
    traces = trace_run(ward, results, records)
    settings, conduct = ward.settings, conduct_of(traces, ward.vocabulary)
    metrics = summarise(
        ward.planned, results.values(), settings.language, settings.epochs, conduct
    ).model_copy(
        update={
            "judging": judging_of(results.values(), ward.panel.names),
            "patient": None
            if settings.patient_model == TEMPLATES
            else patient_voice(settings.patient_model, records.values()),
        }
    )
    folder.write_metrics(metrics)
    _write_report(folder, folder.report, manifest, metrics, traces, results, records, include_phi=include_phi)
    return metrics


def write_report(
    ward: Ward,
    folder: RunFolder,
    manifest: RunManifest,
    metrics: Metrics,
    *,
    include_phi: bool,
    path: Path | None = None,
) -> None:
    """Write the page of what the folder holds, into it or to ``path``; text of real patients with ``include_phi``."""
    results, records = by_place(folder)
    traces = trace_run(ward, results, records)
    target = path or folder.report
    _write_report(folder, target, manifest, metrics, traces, results, records, include_phi=include_phi)


def by_place(folder: RunFolder) -> tuple[dict[Place, SessionResult], dict[Place, SessionRecord]]:
    """Give results and trajectories by session and epoch."""
    return (
        {(result.session_id, result.epoch): result for result in folder.results()},
        {(record.session_id, record.epoch): record for record in folder.records()},
    )


def _write_report(
    folder: RunFolder,
    path: Path,
    manifest: RunManifest,
    metrics: Metrics,
    traces: Sequence[SessionTrace],
    results: dict[Place, SessionResult],
    records: dict[Place, SessionRecord],
    *,
    include_phi: bool,
) -> None:
    """Write the page: transcripts are those of the first epoch, figures those of all."""
    show_text = include_phi or manifest.cohort is Cohort.SYNTHETIC
    pages = session_pages(traces, results, records, show_text=show_text)
    again = _with_text(folder, path, finished=len(results) == manifest.planned * manifest.settings.epochs)
    write_page(path, manifest, metrics, pages, show_text=show_text, again=again)


def _with_text(folder: RunFolder, path: Path, *, finished: bool) -> str:
    """Give the command that writes a page with the text of real patients; an unfinished run is gone on with."""
    if not finished:
        return f"{resume_line(folder)} --include-phi"
    out = "" if path == folder.report else f" --out {shlex.quote(str(path))}"
    return f"{REPORT} {shlex.quote(str(folder.path))} --format html --include-phi{out}"


def session_pages(
    traces: Sequence[SessionTrace],
    results: Mapping[Place, SessionResult],
    records: Mapping[Place, SessionRecord],
    *,
    show_text: bool,
) -> list[SessionPage]:
    """Gather what the page shows of each session attempted in the first epoch, in the order of the benchmark."""
    return [
        SessionPage(
            session=trace.session,
            result=results[trace.session_id, 0],
            record=records[trace.session_id, 0],
            introduction=trace.turns[0].told if trace.turns else "",
            shown=_shown(trace) if show_text else {},
            rubric={item.item_id: item for turn in trace.gold.turns for item in turn.rubric},
        )
        for trace in traces
        if trace.epoch == 0 and (trace.session_id, 0) in results
    ]


def _shown(trace: SessionTrace) -> dict[tuple[int, int], str]:
    """Give result texts by turn and place among the turn's calls that were run."""
    return {
        (index, place): text
        for index, turn in enumerate(trace.turns)
        for place, text in enumerate(turn.shown)
    }
