"""What judges are worth, as tables for the screen."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from state.agreement import GroupAgreement, PairAgreement
from state.audit import AuditReport, Worth
from tools.report.judging_table import VERDICTS, figure


def audit_tables(report: AuditReport) -> Iterator[RenderableType]:
    """Yield people among themselves, every rater beside people, and self-preference."""
    yield Text(
        f"{report.labelled} of {report.verdicts} verdicts labelled by {', '.join(report.annotators)}"
        + (f"; no majority on {report.undecided}" if report.undecided else "")
    )
    if report.people is not None:
        yield _people(report)
    yield _raters(report)
    for rater in report.raters:
        yield _confusion(rater)
    yield Text(
        "agreement and kappa are weighted from the sample back to all verdicts of the runs; alpha counts each labelled "
        "item once; intervals: bootstrap of whole sessions"
    )
    preference = report.self_preference
    if preference is None:
        yield Text("self-preference: no judge of these runs is of the examinee's family")
    else:
        yield Text(
            f"self-preference, met beyond what people find met: kin {figure(preference.kin, percent=True)} "
            f"({preference.kin_items}), others {figure(preference.others, percent=True)} "
            f"({preference.other_items}), difference {figure(preference.difference, percent=True)}"
        )


def _people(report: AuditReport) -> Table:
    table = Table(title="people among themselves")
    for column in ("items", "agreeing pairs", "kappa", "Krippendorff's alpha"):
        table.add_column(column, justify="right")
    table.columns[0].justify = "left"
    if report.people is not None:
        _add_group(table, "all (Fleiss)", report.people)
    for group, found in (*report.people_by_task_type.items(), *report.people_by_language.items()):
        _add_group(table, f"{group} (Fleiss)", found)
    for pair, of in report.pairs.items():
        _add_pair(table, f"{pair} (Cohen)", of)
    return table


def _raters(report: AuditReport) -> Table:
    table = Table(title="beside the majority of people")
    for column in ("rater and items", "agreement", "Cohen's kappa", "Krippendorff's alpha"):
        table.add_column(column, justify="right")
    table.columns[0].justify = "left"
    for rater in report.raters:
        table.add_section()
        _add_pair(table, rater.rater, rater.all)
        for group, found in (*rater.by_task_type.items(), *rater.by_language.items()):
            _add_pair(table, f"  {group}", found)
    return table


def _add_group(table: Table, name: str, found: GroupAgreement) -> None:
    table.add_row(
        Text(f"{name}: {found.items}"),
        figure(found.raw, percent=True),
        figure(found.fleiss_kappa),
        figure(found.krippendorff_alpha),
    )


def _add_pair(table: Table, name: str, found: PairAgreement) -> None:
    table.add_row(
        Text(f"{name}: {found.items}"),
        figure(found.raw, percent=True),
        figure(found.cohen_kappa),
        figure(found.krippendorff_alpha),
    )


def _confusion(worth: Worth) -> Table:
    table = Table(title=Text(f"people against {worth.rater}"))
    table.add_column("people said")
    for verdict in VERDICTS:
        table.add_column(verdict.replace("_", " "), justify="right")
    for verdict in VERDICTS:
        table.add_row(verdict.replace("_", " "), *(str(worth.table[verdict][said]) for said in VERDICTS))
    table.caption = f"finds met beyond people: {figure(worth.leniency, percent=True)}"
    return table
