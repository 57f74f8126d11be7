"""Tables on screens of 80, 100 and 160 columns: no line is too long, no number is broken, nothing is lost."""

import re
from collections.abc import Iterable
from io import StringIO

import pytest
from many_runs import judging
from report_cases import manifest, run
from rich.cells import cell_len
from rich.console import Console, RenderableType

from graphs.coverage import coverage_table
from graphs.generation_report import report, report_table
from state.base import Language
from state.checking import Ruling, Stage
from state.generation import Attempt
from state.interval import Interval
from state.metrics import Figure
from state.session import Scenario
from tools.metrics import compare
from tools.report import closing_table, judging_table
from tools.report.as_text import Screen, as_rich
from tools.report.cells import ReportTable, text_of
from tools.report.comparison_table import comparison_table, explained
from tools.report.main_table import main_table
from tools.report.run_tables import run_tables

WIDTHS = (80, 100, 160)
NUMBER = re.compile(r"\[[-\d.,% ]+\]|\d[\d,]*(?: / \d[\d,]*)+|[-+]?\d[\d.,]* %|[-+]?\d[\d,]*\.\d+|\d[\d,]*")
LONG = "openai-compatible/Some-Very-Long-Organisation/Model-With-A-Name-235B-A22B-Instruct-2507"


def rendered(shown: RenderableType, width: int) -> str:
    out = StringIO()
    Console(file=out, width=width).print(shown, highlight=False)
    return out.getvalue()


def columns(text: str) -> list[tuple[list[str], str]]:
    """Give the columns of every block: their lines, and all they say without spaces."""
    found: list[tuple[list[str], str]] = []
    for block in text.split("┏")[1:]:
        lines = [re.split("[│┃]", line)[1:-1] for line in block.splitlines() if line[:1] in "│┃" and line]
        for cells in zip(*lines, strict=True):
            stripped = [cell.strip() for cell in cells]
            found.append((stripped, re.sub(r"\s", "", "".join(stripped))))
    return found


def holds(text: str, tables: Iterable[ReportTable], width: int) -> None:
    assert max(map(cell_len, text.splitlines())) <= width
    assert "…" not in text
    shown = columns(text)
    for table in tables:
        for cell in (*table.columns, *(cell for row in table.rows for cell in row)):
            told = text_of(cell)
            if not told:
                continue
            squeezed = re.sub(r"\s", "", told)
            of = [lines for lines, whole in shown if squeezed in whole]
            assert of, told
            for number in NUMBER.findall(told):
                assert any(number in line for lines in of for line in lines), (told, number)
        for note in (table.title, *table.notes):
            assert re.sub(r"\s", "", note) in re.sub(r"\s", "", text)


def real_tables() -> list[ReportTable]:
    runs = [run(), run(LONG, settings={"language": Language.ZH}), run("offline/gold")]
    compared = compare(runs[0].results, runs[1].results)
    return [
        main_table(runs, stacked=True),
        comparison_table(compared, runs[0], runs[1]),
        *(table for one in runs for table in run_tables(one)),
        explained(),
    ]


@pytest.mark.parametrize("width", WIDTHS)
def test_tables_of_a_report_and_of_a_comparison(width: int) -> None:
    for table in real_tables():
        holds(rendered(as_rich([table]), width), [table], width)


@pytest.mark.parametrize("width", WIDTHS)
def test_figures_as_wide_as_they_get(width: int) -> None:
    wide = Figure(
        value=0.9994,
        planned=129_600,
        attempted=129_600,
        scored=129_600,
        withheld=False,
        interval=Interval(low=-1, high=1),
    )
    thin = wide.model_copy(update={"withheld": True, "scored": 0})
    table = ReportTable(
        name="wide",
        title="Wide",
        columns=("model", "asked", *(f"figure {n}" for n in range(9)), "planned / attempted / scored"),
        rows=((LONG, "implicit", *[wide] * 9, "129600 / 129600 / 129600"), ("b", "c", *[thin] * 9, None)),
        labels=2,
    )
    holds(rendered(as_rich([table]), width), [table], width)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_closing_table(width: int) -> None:
    shown = closing_table(run(LONG).metrics, manifest(LONG))
    assert isinstance(shown, Screen)
    text = rendered(shown, width)
    holds(text, shown.tables, width)
    assert text.count("┏") == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_judges_beside_code(width: int) -> None:
    shown = judging_table(judging((LONG, "deepseek/x")))
    assert isinstance(shown, Screen)
    text = rendered(shown, width)
    holds(text, shown.tables, width)
    for words in ("void quote 7", "1,234 decided", "2 judges", "no item"):
        assert words in text


@pytest.mark.parametrize("width", WIDTHS)
def test_what_a_generated_set_covers(width: int) -> None:
    attempts = [
        Attempt(
            slot=0,
            candidate=0,
            scenario=scenario,
            tier=1,
            arc=1,
            rule_id="a_rule",
            subject_id=1,
            hadm_id=1,
            accepted=False,
            stage=Stage.CLINICAL,
            ruling=Ruling.REJECT,
            rewordings=0,
            reasons=("turn 1 en: states 6.06, which no result shows at all, nor any that came before it",),
        )
        for scenario in Scenario
    ]
    for shown in (coverage_table([], attempts, 324, 417), report_table(report(attempts, 324))):
        assert isinstance(shown, Screen)
        text = rendered(shown, width)
        holds(text.replace("…", "~"), [], width)
        assert text.count("┏") == 1
    assert "0 / 27" in rendered(coverage_table([], attempts, 324, 417), width)


def test_a_screen_too_narrow_for_a_column_still_holds_all_of_it() -> None:
    table = ReportTable(name="n", title="t", columns=("model", "n"), rows=(("x" * 50, "y" * 50),), labels=1)
    text = rendered(as_rich([table]), 30)
    assert text.count("x") == text.count("y") == 50


def test_rows_of_a_section_name_it_once() -> None:
    rows = (("a", "one"), ("a", "two"), ("b", "one"))
    text = rendered(as_rich([ReportTable("n", "t", ("of", "kind"), rows, labels=2, sections=True)]), 80)
    assert [line.split("│")[1].strip() for line in text.splitlines() if line.startswith("│")] == [
        "a",
        "",
        "b",
    ]
    assert text.count("├") == 1
