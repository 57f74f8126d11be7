"""How a figure is written."""

from state.interval import Interval
from state.metrics import Difference, Figure, PatientVoice


def percent(figure: Figure | None) -> str:
    """Write a figure as a percentage with its interval; one with low coverage as withheld."""
    if figure is None:
        return ""
    if figure.withheld:
        return withheld(figure)
    if not figure.planned:
        return "none planned"
    if figure.value is None:
        return "none scored" if not figure.scored else "nothing to count"
    return f"{100 * figure.value:.1f} %{bounds(figure.interval)}"


def withheld(figure: Figure | Difference) -> str:
    """Say that too little of a figure is scored, and how much is."""
    # rounded down: 97.9 % must not read as the 98 % that would have shown the figure
    covered = 100 * figure.scored // figure.planned if figure.planned else 0
    return f"withheld (coverage {covered} %)"


def bounds(interval: Interval | None) -> str:
    """Write an interval of percentages behind its value; nothing where there is none."""
    return "" if interval is None else f" [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def coverage(figure: Figure) -> str:
    """Write planned, attempted and scored counts."""
    return f"{figure.planned} / {figure.attempted} / {figure.scored}"


def rate(figure: Figure) -> str:
    """Write a figure as a number per 100 units with its interval."""
    shown = percent(figure)
    return shown.replace(" %", "", 1) if figure.value is not None and not figure.withheld else shown


def spoke(voice: PatientVoice | None) -> str:
    """Say who spoke for the patients, and how often the template had to step in for a model."""
    if voice is None:
        return "templates"
    told = f"{voice.model}, {voice.in_its_words} of {voice.answers} answers in its words"
    if voice.by_template:
        told += f"; the template in its place {voice.by_template} times, in {voice.turns} turns"
    counts = [(voice.refused, "replies refused by the guard"), (voice.failed, "calls failed")]
    why = ", ".join(f"{count} {what}" for count, what in counts if count)
    return f"{told} ({why})" if why else told
