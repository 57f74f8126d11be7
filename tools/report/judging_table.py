"""What models judged, for the end of a run: a table from code's verdicts to theirs, and how far they agree."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from state.agreement import Coefficient, GroupAgreement, Judging, PairAgreement
from state.outcome import Verdict

VERDICTS = tuple(verdict.value for verdict in (Verdict.MET, Verdict.NOT_MET, Verdict.CANNOT_TELL))


def judging_table(judging: Judging) -> RenderableType:
    """Lay out, judge by judge, the items code met, did not meet and left undecided."""
    table = Table(title="judges beside code: the same items")
    for column in ("judge", "code said"):
        table.add_column(column)
    for column in ("met", "not met", "cannot tell", "no verdict"):
        table.add_column(column, justify="right")
    for judge in judging.judges:
        for code in VERDICTS:
            name = Text("" if code != VERDICTS[0] else judge.judge)
            counts = (judge.table[code][said] for said in (*VERDICTS, "no_verdict"))
            table.add_row(name, code.replace("_", " "), *(f"{count:,}" for count in counts))
        table.add_section()
    notes = [
        f"items that code left to judges: {judging.decided} decided, {judging.undecided} still not",
        *(f"{judge.judge}: {_pair(judge.agreement)}" for judge in judging.judges),
    ]
    for judge in judging.judges:
        if judge.no_verdict:
            faults = ", ".join(f"{fault.replace('_', ' ')} {n}" for fault, n in judge.no_verdict.items())
            notes.append(f"{judge.judge} gave no verdict on {sum(judge.no_verdict.values())} items: {faults}")
    if judging.panel is not None:
        notes.append(f"between judges: {group_line(judging.panel)}")
    return Group(table, *(Text(note) for note in notes))


def figure(found: Coefficient, *, percent: bool = False) -> str:
    """Write a measure with its interval."""
    if found.value is None:
        return "not defined"
    scale, digits, unit = (100, 1, " %") if percent else (1, 2, "")
    text = f"{scale * found.value:.{digits}f}{unit}"
    if found.interval is not None:
        text += f" [{scale * found.interval.low:.{digits}f}, {scale * found.interval.high:.{digits}f}]"
    return text


def group_line(group: GroupAgreement) -> str:
    """Write how far several raters agree."""
    return (
        f"{group.items} items, agreeing pairs {figure(group.raw, percent=True)}, "
        f"Fleiss' kappa {figure(group.fleiss_kappa)}, alpha {figure(group.krippendorff_alpha)}"
    )


def _pair(pair: PairAgreement) -> str:
    if not pair.items:
        return "no item that code decided was put to it"
    return (
        f"agrees with code on {figure(pair.raw, percent=True)} of {pair.items} items both decided, "
        f"kappa {figure(pair.cohen_kappa)}"
    )
