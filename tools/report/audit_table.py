"""What judges are worth, as tables for the screen."""

from collections.abc import Iterator
from dataclasses import replace

from state.agreement import GroupAgreement, PairAgreement
from state.audit import AuditReport, Worth
from tools.report.cells import Cell, ReportTable
from tools.report.judging_table import VERDICTS, figure

WEIGHTED = (
    "agreement and kappa are weighted from the sample back to all verdicts of the runs; alpha counts each labelled "
    "item once; intervals: bootstrap of whole sessions"
)


def audit_tables(report: AuditReport) -> Iterator[ReportTable]:
    """Yield people among themselves, every rater beside people, and self-preference in the notes."""
    if report.people is not None:
        yield _people(report, report.people)
    yield replace(_raters(report), notes=(_labelled(report), WEIGHTED, _preference(report)))
    for rater in report.raters:
        yield _confusion(rater)


def _labelled(report: AuditReport) -> str:
    by = f"{report.labelled} of {report.verdicts} verdicts labelled by {', '.join(report.annotators)}"
    return by + (f"; no majority on {report.undecided}" if report.undecided else "")


def _preference(report: AuditReport) -> str:
    preference = report.self_preference
    if preference is None:
        return "self-preference: no judge of these runs is of the examinee's family"
    return (
        f"self-preference, met beyond what people find met: kin {figure(preference.kin, percent=True)} "
        f"({preference.kin_items}), others {figure(preference.others, percent=True)} "
        f"({preference.other_items}), difference {figure(preference.difference, percent=True)}"
    )


def _people(report: AuditReport, people: GroupAgreement) -> ReportTable:
    groups = {**report.people_by_task_type, **report.people_by_language}
    return ReportTable(
        name="people",
        title="people among themselves",
        columns=("between", "items", "agreeing pairs", "kappa", "Krippendorff's alpha"),
        rows=(
            _of_group("all (Fleiss)", people),
            *(_of_group(f"{group} (Fleiss)", found) for group, found in groups.items()),
            *(_of_pair(f"{pair} (Cohen)", found) for pair, found in report.pairs.items()),
        ),
    )


def _raters(report: AuditReport) -> ReportTable:
    return ReportTable(
        name="raters",
        title="beside the majority of people",
        columns=("rater", "of", "items", "agreement", "Cohen's kappa", "Krippendorff's alpha"),
        rows=tuple(
            (rater.rater, *_of_pair(group, found))
            for rater in report.raters
            for group, found in {"all": rater.all, **rater.by_task_type, **rater.by_language}.items()
        ),
        labels=2,
        sections=True,
    )


def _of_group(name: str, found: GroupAgreement) -> tuple[Cell, ...]:
    measured = (figure(found.raw, percent=True), figure(found.fleiss_kappa), figure(found.krippendorff_alpha))
    return (name, found.items, *measured)


def _of_pair(name: str, found: PairAgreement) -> tuple[Cell, ...]:
    measured = (figure(found.raw, percent=True), figure(found.cohen_kappa), figure(found.krippendorff_alpha))
    return (name, found.items, *measured)


def _confusion(worth: Worth) -> ReportTable:
    said = [verdict.replace("_", " ") for verdict in VERDICTS]
    return ReportTable(
        name="confusion",
        title=f"people against {worth.rater}",
        columns=("people said", *said),
        rows=tuple(
            (verdict.replace("_", " "), *(worth.table[verdict][said_] for said_ in VERDICTS))
            for verdict in VERDICTS
        ),
        notes=(f"finds met beyond people: {figure(worth.leniency, percent=True)}",),
    )
