"""pass^k falls and pass@k rises with k, where they stand; what is withheld is not drawn."""

import pytest
from many_runs import judging, run_of

from state.agreement import Judging
from state.metrics import Figure, Reliability
from tools.report.draw_agreement import draw_agreement
from tools.report.draw_reliability import draw_reliability
from tools.report.figures import percent


def test_a_dot_for_each_k_and_mark_with_its_interval() -> None:
    one = run_of("vllm/x", 0.75, None, None, epochs=4)
    drawing = draw_reliability(one.metrics.reliability, "x", "reliability")
    every = [dot for dot in drawing.dots if dot.look == "full"]
    some = [dot for dot in drawing.dots if dot.look == "open"]
    assert len(every) == len(some) == 2 * 4
    assert {dot.says for dot in every} == {
        f"pass^{row.k} at {row.mark}: {percent(row.pass_every)}" for row in one.metrics.reliability
    }
    known = [f for row in one.metrics.reliability for f in (row.pass_at, row.pass_every)]
    intervals = [line for line in drawing.lines if line.look == "interval"]
    assert len(intervals) == sum(figure.interval is not None for figure in known) > 0
    for dots, way in ((every, 1), (some, -1)):
        for plane in (dots[:4], dots[4:]):
            heights = [way * dot.y for dot in plane]
            assert heights == sorted(heights)
            assert [dot.x for dot in plane] == sorted(dot.x for dot in plane)
    assert [word.text for word in drawing.words if word.text.startswith("pass mark")] == [
        "pass mark 0.60",
        "pass mark 0.75",
    ]


def test_what_is_withheld_is_left_out_and_breaks_the_curve() -> None:
    known = Figure(value=0.5, planned=4, attempted=4, scored=4, withheld=False)
    thin = known.model_copy(update={"withheld": True})
    rows = [
        Reliability(k=k, mark="0.60", pass_at=known, pass_every=thin if k == 2 else known) for k in (1, 2, 3)
    ]
    drawing = draw_reliability(rows, "x", "reliability")
    assert [dot.says[:6] for dot in drawing.dots if dot.look == "full"] == ["pass^1", "pass^3"]
    assert len([line for line in drawing.lines if line.look == "every"]) == 0
    assert len([line for line in drawing.lines if line.look == "any"]) == 2


@pytest.mark.parametrize("epochs", [2, 40])
def test_ticks_are_not_crowded(epochs: int) -> None:
    known = Figure(value=0.5, planned=4, attempted=4, scored=4, withheld=False)
    rows = [Reliability(k=k, mark="0.60", pass_at=known, pass_every=known) for k in range(1, epochs + 1)]
    drawing = draw_reliability(rows, "x", "reliability")
    numbers = [word for word in drawing.words if word.text.isdigit() and word.anchor == "middle"]
    assert 2 <= len(numbers) <= 10


def test_agreement_has_a_row_for_each_measure_that_is_defined() -> None:
    drawing = draw_agreement(judging(), "x", "agreement")
    assert drawing is not None
    assert [dot.says.split(":")[0] for dot in drawing.dots] == [
        "deepseek/x, share agreeing",
        "deepseek/x, Cohen's kappa",
        "2 judges, agreeing pairs",
        "2 judges, Fleiss' kappa",
        "2 judges, Krippendorff's alpha",
    ]
    assert "-1.0" in {word.text for word in drawing.words}
    assert len({dot.y for dot in drawing.dots}) == 5


def test_judges_of_whom_nothing_is_known_draw_nothing() -> None:
    assert draw_agreement(Judging(decided=0, undecided=0, judges=()), "x", "agreement") is None
