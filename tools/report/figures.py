"""How a figure is written."""

from state.metrics import Figure


def percent(figure: Figure | None) -> str:
    """Write a figure as a percentage with its interval; one with low coverage as withheld."""
    if figure is None:
        return ""
    if figure.withheld:
        # rounded down: 97.9 % must not read as the 98 % that would have shown the figure
        covered = 100 * figure.scored // figure.planned if figure.planned else 0
        return f"withheld (coverage {covered} %)"
    if figure.value is None:
        return "none scored"
    text = f"{100 * figure.value:.1f} %"
    if figure.interval is not None:
        text += f" [{100 * figure.interval.low:.1f}, {100 * figure.interval.high:.1f}]"
    return text


def coverage(figure: Figure) -> str:
    """Write planned, attempted and scored counts."""
    return f"{figure.planned} / {figure.attempted} / {figure.scored}"
