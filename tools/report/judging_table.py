"""What models judged, as tables: from code's verdicts to theirs, and how far they agree."""

from collections.abc import Iterator

from rich.console import RenderableType

from state.agreement import Coefficient, GroupAgreement, Judging, PairAgreement
from state.outcome import Verdict
from tools.report.as_text import as_rich
from tools.report.cells import Cell, ReportTable

VERDICTS = tuple(verdict.value for verdict in (Verdict.MET, Verdict.NOT_MET, Verdict.CANNOT_TELL))
AGREEMENT = (
    "with code: items that code and the judge both decided, Cohen's kappa; among judges: agreeing pairs of verdicts, "
    "Fleiss' kappa over the items that all gave one on"
)
HEADS = ("met", "not met", "cannot tell", "no verdict")


def judging_table(judging: Judging) -> RenderableType:
    """Lay out, judge by judge, the items code met, did not meet and left undecided."""
    return as_rich(judging_tables(judging))


def judging_tables(judging: Judging, of: str = "") -> Iterator[ReportTable]:
    """Yield the cross-table of code and judges, and how far they agree; ``of`` ends the titles."""
    notes = [f"items that code left to judges: {judging.decided:,} decided, {judging.undecided:,} still not"]
    for judge in judging.judges:
        if judge.no_verdict:
            faults = ", ".join(f"{fault.replace('_', ' ')} {n:,}" for fault, n in judge.no_verdict.items())
            notes.append(
                f"{judge.judge} gave no verdict on {sum(judge.no_verdict.values()):,} items: {faults}"
            )
    yield ReportTable(
        name="judging",
        title=f"Judges beside code: the same items{of}",
        columns=("judge", "code said", *(f"judge: {head}" for head in HEADS)),
        rows=tuple(
            (
                judge.judge,
                code.replace("_", " "),
                *(judge.table[code][said] for said in (*VERDICTS, "no_verdict")),
            )
            for judge in judging.judges
            for code in VERDICTS
        ),
        notes=tuple(notes),
        labels=2,
        sections=True,
    )
    rows: list[tuple[Cell, ...]] = [_pair(judge.judge, judge.agreement) for judge in judging.judges]
    if judging.panel is not None:
        rows.append(_group(judging.panel))
    yield ReportTable(
        name="agreement",
        title=f"Agreement of judges{of}",
        columns=("between", "items", "agreement [95 % interval]", "kappa", "Krippendorff's alpha"),
        rows=tuple(rows),
        notes=(AGREEMENT,),
    )


def figure(found: Coefficient, *, percent: bool = False) -> str:
    """Write a measure with its interval."""
    if found.value is None:
        return "not defined"
    scale, digits, unit = (100, 1, " %") if percent else (1, 2, "")
    text = f"{scale * found.value:.{digits}f}{unit}"
    if found.interval is not None:
        text += f" [{scale * found.interval.low:.{digits}f}, {scale * found.interval.high:.{digits}f}]"
    return text


def _pair(judge: str, pair: PairAgreement) -> tuple[Cell, ...]:
    measured = (figure(pair.raw, percent=True), figure(pair.cohen_kappa), figure(pair.krippendorff_alpha))
    return (f"{judge} and code", pair.items, *(measured if pair.items else ("no item", "", "")))


def _group(group: GroupAgreement) -> tuple[Cell, ...]:
    measured = (figure(group.raw, percent=True), figure(group.fleiss_kappa), figure(group.krippendorff_alpha))
    return (f"{group.raters} judges", group.items, *measured)
