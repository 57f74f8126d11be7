"""How far judges agree with code and among each other, with intervals."""

from collections.abc import Iterator

from state.agreement import Coefficient, Judging
from tools.report.drawing import Dot, Drawing, Frame, Line, Scale, Word
from tools.report.judging_table import figure

WIDTH, ROW, TOP, BOTTOM, LEFT, RIGHT = 680, 22, 12, 48, 300, 24
LONGEST = 42
"""Characters of a name that fit beside the plane."""


def draw_agreement(judging: Judging, label: str, name: str) -> Drawing | None:
    """Draw every coefficient that is defined, from -1 to 1 where one is below 0; None where none is."""
    rows = [(words, found) for words, found in _measures(judging) if found.value is not None]
    if not rows:
        return None
    reach = [value for _, found in rows for value in _reach(found)]
    low = -1 if min(reach) < 0 else 0
    height = TOP + ROW * len(rows) + BOTTOM
    frame = Frame(LEFT, TOP, WIDTH - RIGHT, height - BOTTOM, Scale(low, 1), Scale(0, 1))
    lines = [
        *(Line(frame.x_of(t), TOP, frame.x_of(t), frame.bottom, "grid") for t in frame.x.ticks()),
        Line(LEFT, frame.bottom, frame.right, frame.bottom, "rule"),
        Line(frame.x_of(0), TOP, frame.x_of(0), frame.bottom, "rule"),
    ]
    words = [Word(frame.x_of(tick), frame.bottom + 18, f"{tick:.1f}") for tick in frame.x.ticks()]
    words.append(
        Word(
            (LEFT + frame.right) / 2,
            frame.bottom + 40,
            "of a judge with code, and among judges; kappa and alpha: 0 is chance",
        )
    )
    dots = []
    for number, (told, found) in enumerate(rows):
        y = frame.top + ROW * (number + 0.5)
        if found.interval is not None:
            lines.append(
                Line(frame.x_of(found.interval.low), y, frame.x_of(found.interval.high), y, "interval")
            )
        dots.append(Dot(frame.x_of(found.value or 0.0), y, "full", f"{told}: {figure(found)}"))
        words.append(Word(LEFT - 10, y + 4, _short(told), "end"))
    return Drawing(
        name=name,
        title=f"Agreement of judges: {label}",
        text="; ".join(dot.says for dot in dots),
        width=WIDTH,
        height=height,
        lines=tuple(lines),
        dots=tuple(dots),
        words=tuple(words),
    )


def _measures(judging: Judging) -> Iterator[tuple[str, Coefficient]]:
    for judge in judging.judges:
        yield f"{judge.judge}, share agreeing", judge.agreement.raw
        yield f"{judge.judge}, Cohen's kappa", judge.agreement.cohen_kappa
    if judging.panel is not None:
        yield f"{judging.panel.raters} judges, agreeing pairs", judging.panel.raw
        yield f"{judging.panel.raters} judges, Fleiss' kappa", judging.panel.fleiss_kappa
        yield f"{judging.panel.raters} judges, Krippendorff's alpha", judging.panel.krippendorff_alpha


def _reach(found: Coefficient) -> Iterator[float]:
    if found.value is not None:
        yield found.value
    if found.interval is not None:
        yield from (found.interval.low, found.interval.high)


def _short(text: str) -> str:
    """Keep the end of a name that is too long: what was measured stands there."""
    return text if len(text) <= LONGEST else "…" + text[1 - LONGEST :]
