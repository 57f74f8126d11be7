"""Closing a run: figures from its results, and the page a person reads."""

from collections.abc import Sequence
from pathlib import Path

from graphs.run_folder import RunFolder
from graphs.trace_run import Place, trace_run
from graphs.ward import Ward
from state.base import Cohort
from state.manifest import RunManifest
from state.metrics import Metrics
from state.outcome import SessionResult
from state.trajectory import SessionRecord
from tools.metrics import summarise
from tools.metrics.conduct import conduct_of
from tools.metrics.trace import SessionTrace
from tools.report import SessionPage, write_page


def close_run(ward: Ward, folder: RunFolder, manifest: RunManifest, *, include_phi: bool = False) -> Metrics:
    """Write metrics.json and report.html from what the folder holds, and return the figures."""
    results, records = of_places(folder)
    traces = trace_run(ward, results, records)
    conduct = conduct_of(traces, ward.vocabulary)
    settings = ward.settings
    metrics = summarise(ward.planned, results.values(), settings.language, settings.epochs, conduct)
    folder.write_metrics(metrics)
    pages = pages_of(ward, traces, results, records, show_text=shows_text(manifest, include_phi=include_phi))
    write(folder.report, manifest, metrics, pages, include_phi=include_phi)
    return metrics


def of_places(folder: RunFolder) -> tuple[dict[Place, SessionResult], dict[Place, SessionRecord]]:
    """Give results and trajectories by session and epoch."""
    return (
        {(result.session_id, result.epoch): result for result in folder.results()},
        {(record.session_id, record.epoch): record for record in folder.records()},
    )


def shows_text(manifest: RunManifest, *, include_phi: bool) -> bool:
    """Tell whether a page of this run may show text of the record."""
    return include_phi or manifest.cohort is Cohort.SYNTHETIC


def write(
    path: Path,
    manifest: RunManifest,
    metrics: Metrics,
    pages: Sequence[SessionPage],
    *,
    include_phi: bool,
) -> None:
    """Write the page of a run."""
    write_page(path, manifest, metrics, pages, show_text=shows_text(manifest, include_phi=include_phi))


def pages_of(
    ward: Ward,
    traces: Sequence[SessionTrace],
    results: dict[Place, SessionResult],
    records: dict[Place, SessionRecord],
    *,
    show_text: bool,
) -> list[SessionPage]:
    """Give the sessions of the page; without ``show_text`` no result is in them."""
    return [
        SessionPage(
            session=trace.session,
            result=results[place],
            record=records[place],
            shown=_shown(trace) if show_text else {},
            wanted={
                item.item_id: item.text.get(ward.settings.language, "")
                for turn in trace.gold.turns
                for item in turn.rubric
            },
        )
        for trace in traces
        for place in [(trace.session_id, trace.epoch)]
        if place in results
    ]


def _shown(trace: SessionTrace) -> dict[tuple[int, int], str]:
    """Give result texts by turn and place of the call in it."""
    return {
        (index, place): text
        for index, turn in enumerate(trace.turns)
        for place, text in enumerate(turn.shown)
    }
