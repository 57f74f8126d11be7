"""Score against cost and latency: what is known is drawn, what is not is listed, the best are marked."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from many_runs import run_of
from report_cases import run

from state.metrics import Figure
from tools.report.cells import text_of
from tools.report.draw_efficiency import LEFT, amounts, draw_efficiency
from tools.report.drawing import Drawing
from tools.report.efficiency import COST, LATENCY, beats, efficiency_table, frontier, not_drawn, places
from tools.report.run_report import RunReport

CHEAP = run_of("glm/cheap", 0.5, 0.004, 20.0)
GOOD = run_of("openai/good", 0.8, 0.9, 30.0)
WASTE = run_of("kimi/waste", 0.4, 0.1, 40.0)
LOCAL = run_of("vllm/local", 0.6, None, 4.0)
PROGRAM = run_of("offline/gold", 0.95, 0.0, None)
RUNS = [CHEAP, GOOD, WASTE, LOCAL, PROGRAM]


def drawn(runs: list[RunReport], name: str) -> Drawing:
    return next(drawing for drawing in draw_efficiency(runs) if drawing.name == name)


def scored(one: RunReport, value: float | None, *, withheld: bool = False) -> RunReport:
    figure = Figure(value=value, planned=4, attempted=4, scored=4, withheld=withheld)
    overall = one.metrics.overall.model_copy(update={"mrs": figure})
    return replace(one, metrics=one.metrics.model_copy(update={"overall": overall}))


def test_a_run_of_unknown_cost_is_listed_and_never_drawn() -> None:
    cost = drawn(RUNS, "cost")
    assert sorted(dot.says.split()[0] for dot in cost.dots) == ["1", "2", "3"]
    assert all(dot.x > LEFT for dot in cost.dots)
    assert not_drawn(places(RUNS, COST)) == [
        "4 vllm/local, en, implicit: unknown",
        "5 offline/gold, en, implicit: a program of the product",
    ]
    rows = efficiency_table(RUNS).rows
    assert [text_of(row[4]) for row in rows] == ["0.0040", "0.9000", "0.1000", "unknown", "none: a program"]
    assert [text_of(row[6]) for row in rows] == ["20.000", "30.000", "40.000", "4.000", "none: a program"]


def test_the_frontier_is_marked_in_table_and_plot() -> None:
    assert frontier(places(RUNS, COST)) == {1, 2}
    assert frontier(places(RUNS, LATENCY)) == {2, 4}
    assert [row[5] for row in efficiency_table(RUNS).rows] == ["yes", "yes", "", "", ""]
    cost = drawn(RUNS, "cost")
    assert [dot.look for dot in cost.dots] == ["full", "full", "open"]
    assert len([line for line in cost.lines if line.look == "frontier"]) == 3


def test_a_score_that_is_withheld_has_no_point_and_beats_nobody() -> None:
    runs = [CHEAP, scored(GOOD, 0.99, withheld=True), scored(WASTE, None)]
    runs[1] = replace(runs[1], effort=CHEAP.effort.model_copy(update={"usd": 1e-6}))
    assert frontier(places(runs, COST)) == {1}
    assert not_drawn(places(runs, COST)) == [
        "2 openai/good, en, implicit: mRS withheld (coverage 100 %)",
        "3 kimi/waste, en, implicit: mRS nothing to count",
    ]


def test_runs_of_other_keys_are_drawn_apart_and_do_not_compete() -> None:
    spelled_out = run_of("openai/good", 0.9, 0.001, 1.0, explicit=True)
    names = [drawing.name for drawing in draw_efficiency([CHEAP, GOOD, spelled_out])]
    assert names == ["cost-1", "cost-2", "latency-1", "latency-2"]
    assert frontier(places([CHEAP, GOOD, spelled_out], COST)) == {1, 2, 3}
    key = spelled_out.manifest.comparison_key
    assert key in drawn([CHEAP, GOOD, spelled_out], "cost-2").title


def test_the_frontier_is_that_of_brute_force() -> None:
    random = Random(5)  # noqa: S311 - no secret
    for _ in range(50):
        points = [(random.randrange(1, 6), random.randrange(6) / 5) for _ in range(8)]
        runs = [
            replace(
                scored(CHEAP, score),
                effort=CHEAP.effort.model_copy(update={"usd": amount * len(CHEAP.results)}),
            )
            for amount, score in points
        ]
        best = {
            number
            for number, (amount, score) in enumerate(points, start=1)
            if not any((a <= amount and s >= score) and (a < amount or s > score) for a, s in points)
        }
        assert frontier(places(runs, COST)) == best


def test_equal_runs_do_not_beat_each_other() -> None:
    assert not any(beats(one, other) for one, other in product([(1.0, 0.5)], repeat=2))


@pytest.mark.parametrize(
    ("values", "low", "log"),
    [([0.001, 1.0], 0.001 / 1.5, True), ([0.1, 1.0], 0, False), ([0.0, 1.0], 0, False), ([0.0], 0, False)],
)
def test_amounts_begin_at_0_unless_they_lie_far_apart(values: list[float], low: float, log: bool) -> None:
    scale = amounts(values)
    assert (scale.low, scale.log) == (low, log)
    assert all(0 <= scale.at(value) <= 1 for value in values)


def test_every_interval_is_within_the_plane() -> None:
    for drawing in draw_efficiency(RUNS):
        upright = [line for line in drawing.lines if line.look == "interval"]
        assert len(upright) == len(drawing.dots)
        for line in (*upright, *(line for line in drawing.lines if line.look == "frontier")):
            assert 0 <= min(line.x1, line.x2) <= max(line.x1, line.x2) <= drawing.width
            assert 0 <= min(line.y1, line.y2) <= max(line.y1, line.y2) <= drawing.height


def test_numbers_of_points_that_coincide_stand_apart() -> None:
    twins = [CHEAP, replace(CHEAP), replace(CHEAP)]
    words = [word for word in drawn(twins, "cost").words if word.text in {"1", "2", "3"}]
    assert len({(word.x, word.y) for word in words}) == 3


def test_one_run_without_cost_draws_nothing() -> None:
    assert list(draw_efficiency([run()])) == []
