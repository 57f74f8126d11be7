"""The tables of a report: the paper's layout, coverage beside figures, and what must stand in each of them."""

from dataclasses import replace

import pytest
from report_cases import manifest, run

from state.base import GatePolicy, Language
from state.interval import Interval
from state.metrics import Figure
from state.outcome import Unscored
from tools.metrics import compare
from tools.metrics.formulas import FORMULAS
from tools.metrics.summary import TURN_FACETS
from tools.report.cells import ReportTable, text_of
from tools.report.comparison_table import comparison_table, explained
from tools.report.figures import percent, rate
from tools.report.main_table import main_table
from tools.report.run_report import OFFLINE, PUBLISHED, UNGATED, Scoring
from tools.report.run_tables import run_tables

ZH = {"settings": {"language": Language.ZH}}


def said(table: ReportTable) -> str:
    rows = [text_of(cell) for row in table.rows for cell in row]
    return "\n".join([table.title, *table.columns, *rows, *table.notes])


def test_languages_stand_side_by_side_as_in_the_paper() -> None:
    table = main_table([run(), run(**ZH)], stacked=False)
    assert table.spans == (("", 2), ("English", 11), ("Chinese", 11))
    assert len(table.columns) == sum(width for _, width in table.spans)
    (row,) = table.rows
    assert [text_of(cell)[:6] for cell in row[2:10]] == [
        "41.9 %",
        "52.2 %",
        "70.0 %",
        "51.5 %",
        "56.2 %",
        "50.0 %",
        "25.0 %",
        "0.0 %",
    ]
    assert row[10:12] == ("4 / 4 / 4", "16 / 16 / 16")
    assert row[2:12] == row[13:23]


def test_a_second_run_in_a_language_begins_a_row() -> None:
    table = main_table([run(), run(), run(**ZH)], stacked=False)
    assert len(table.rows) == 2
    assert table.rows[1][13] is None


def test_stacked_rows_hold_the_same_cells() -> None:
    wide, narrow = (main_table([run(), run(**ZH)], stacked=stacked) for stacked in (False, True))
    assert [row[3:-1] for row in narrow.rows] == [wide.rows[0][2:12], wide.rows[0][13:23]]


def test_programs_come_last_and_say_what_they_are() -> None:
    table = main_table([run("offline/gold"), run()], stacked=True)
    assert [row[0] for row in table.rows] == ["vllm/some-model", "offline/gold (program)"]
    assert OFFLINE in table.notes
    assert OFFLINE not in main_table([run()], stacked=True).notes


def test_runs_that_do_not_compare_are_warned_of() -> None:
    table = main_table([run(), run(settings={"judge": "vllm/judge"}), run(**ZH)], stacked=True)
    assert "These runs do not compare: they differ in judge." in table.notes
    assert not [
        note for note in main_table([run(), run(**ZH)], stacked=True).notes if "do not compare" in note
    ]


@pytest.mark.parametrize("scoring", list(Scoring))
def test_every_table_names_grading_version_comparison_key_and_scoring(scoring: Scoring) -> None:
    one = run(scoring=scoring)
    comparison = compare(one.results, one.results)
    tables = [main_table([one], stacked=True), *run_tables(one), comparison_table(comparison, one, one)]
    for table in tables:
        assert (
            f"grading version 2, comparison key {one.manifest.comparison_key}, scoring {scoring}"
            in table.title
        )
    assert (PUBLISHED in tables[0].notes) is (scoring is Scoring.PHYSASSISTBENCH)


def test_an_open_gate_is_said() -> None:
    ungated = run(gate=GatePolicy.PHYSASSISTBENCH)
    assert UNGATED in main_table([ungated], stacked=True).notes


def test_facets_hold_coverage_beside_every_row() -> None:
    facets = next(iter(run_tables(run())))
    places = [facets.columns.index(name) for name in ("sessions", "turns")]
    for row in facets.rows:
        sessions, turns = (row[place] for place in places)
        assert str(turns).count(" / ") == 2
        assert (sessions is None) is (row[0] in {name.replace("_", " ") for name in TURN_FACETS})
    assert ("task type", "gather") in {row[:2] for row in facets.rows}


def test_a_program_has_no_cost_and_an_unknown_price_is_no_zero() -> None:
    unknown = replace(run(), effort=run().effort.model_copy(update={"usd": None}))
    for one, cost in ((run("offline/gold"), "none: a program"), (unknown, "unknown"), (run(), "0.0000")):
        effort = next(table for table in run_tables(one) if table.name == "effort")
        assert dict(effort.rows)["cost of the doctor, USD"] == cost


def test_a_comparison_is_in_points_with_both_p_values() -> None:
    first, second = run(), run(settings={"explicit": True})
    table = comparison_table(
        compare(first.results, second.results), first, second, "Implicit against explicit"
    )
    assert table.title.startswith(
        "Implicit against explicit: vllm/some-model, en, implicit less vllm/some-model, en, explicit"
    )
    assert table.rows[0] == ("all", "mRS", "+0.0", "", "1.000", "1.000", "4 / 4")
    assert "These runs" not in said(table)


def test_a_difference_of_which_too_little_is_scored_in_both_is_not_shown() -> None:
    """One turn of sixteen is unscored in the second run: 15 of 16 are 93.75 %, and 3 of the 4 sessions 75 %."""
    first, (spoilt, *others) = run(), run().results
    turn = spoilt.turns[0].model_copy(update={"outcome": Unscored(reason="?")})
    second = [spoilt.model_copy(update={"turns": (turn, *spoilt.turns[1:])}), *others]
    table = comparison_table(compare(first.results, second), first, first)
    rows = {row[:2]: row[2:] for row in table.rows}
    assert rows["all", "Pass@Turn 0.60"] == ("withheld (coverage 93 %)", "", "", "", "16 / 15")
    assert rows["all", "mRS"] == ("withheld (coverage 75 %)", "", "", "", "4 / 3")
    assert rows["task_type write", "Pass@Turn 0.60"] == ("+0.0", "", "1.000", "1.000", "4 / 4")


def test_every_figure_that_is_shown_is_explained() -> None:
    text = said(explained())
    for name in (
        "mRS",
        "Pass@Turn",
        "Pass@Session",
        "pass@k",
        "pass^k",
        "write accuracy",
        "grounding",
        "interval",
        "Holm",
    ):
        assert name in text
    assert all(formula.formula for formula in FORMULAS.values())


def test_what_differs_in_a_comparison_is_named() -> None:
    one, other = manifest(), manifest(settings={"explicit": True, "judge": "x/y"})
    assert {name for name in one.measured if one.measured[name] != other.measured[name]} == {
        "explicit",
        "judge",
    }
    assert one.comparison_key != other.comparison_key
    assert one.comparison_key == manifest("vllm/other").comparison_key


@pytest.mark.parametrize(
    ("figure", "shown", "per_100"),
    [
        (Figure(value=0.8125, planned=48, attempted=48, scored=48, withheld=False), "81.2 %", "81.2"),
        (
            Figure(
                value=0.5,
                planned=4,
                attempted=4,
                scored=4,
                withheld=False,
                interval=Interval(low=0.25, high=0.75),
            ),
            "50.0 % [25.0, 75.0]",
            "50.0 [25.0, 75.0]",
        ),
        (
            Figure(value=None, planned=0, attempted=0, scored=0, withheld=False),
            "none planned",
            "none planned",
        ),
        (
            Figure(value=None, planned=4, attempted=4, scored=4, withheld=False),
            "nothing to count",
            "nothing to count",
        ),
        (
            Figure(value=0.5, planned=4, attempted=4, scored=3, withheld=True),
            "withheld (coverage 75 %)",
            "withheld (coverage 75 %)",
        ),
    ],
)
def test_how_a_figure_is_written(figure: Figure, shown: str, per_100: str) -> None:
    assert (percent(figure), rate(figure)) == (shown, per_100)
