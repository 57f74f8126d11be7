"""Closing a run: figures from its results, and the page a person reads."""

from agents.conversation import run_calls
from graphs.run_folder import RunFolder
from graphs.ward import Ward
from state.base import Cohort
from state.manifest import RunManifest
from state.metrics import Metrics
from state.session import Session
from state.trajectory import SessionRecord
from tools.metrics import summarise
from tools.report import SessionPage, write_page


def close_run(ward: Ward, folder: RunFolder, manifest: RunManifest, *, include_phi: bool = False) -> Metrics:
    """Write metrics.json and report.html from what the folder holds, and return the figures."""
    results = {result.session_id: result for result in folder.results()}
    records = {record.session_id: record for record in folder.records()}
    metrics = summarise(ward.planned, results.values(), ward.settings.language)
    folder.write_metrics(metrics)
    show_text = include_phi or manifest.cohort is Cohort.SYNTHETIC
    pages = [
        SessionPage(
            session=session,
            result=results[session.session_id],
            record=records[session.session_id],
            shown=_shown(ward, session, records[session.session_id]) if show_text else {},
            wanted={
                item.item_id: item.text.get(ward.settings.language, "")
                for turn in ward.benchmark.gold[session.session_id].turns
                for item in turn.rubric
            },
        )
        for session in ward.planned
        if session.session_id in results
    ]
    write_page(folder.report, manifest, metrics, pages, show_text=show_text)
    return metrics


def _shown(ward: Ward, session: Session, record: SessionRecord) -> dict[tuple[int, int], str]:
    """Run a session's calls again on a fresh chart: trajectories keep calls, not what they showed."""
    toolset = ward.toolset(session)
    return {
        (turn.index, place): result.text
        for turn in record.turns
        for place, result in enumerate(result for shown in run_calls(turn, toolset) for result in shown)
    }
