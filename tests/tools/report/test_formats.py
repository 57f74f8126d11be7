"""Formats of tables: whatever a model is called, it stays text."""

import re
import shutil
import subprocess
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from openpyxl import load_workbook
from report_cases import run
from rich.console import Console

from state.interval import Interval
from state.metrics import Figure
from tools.metrics import compare
from tools.report.as_latex import as_latex
from tools.report.as_latex import escaped as latex_escaped
from tools.report.as_markdown import as_markdown
from tools.report.as_markdown import escaped as markdown_escaped
from tools.report.as_text import as_rich
from tools.report.as_xlsx import write_xlsx
from tools.report.cells import ReportTable
from tools.report.comparison_table import comparison_table, explained
from tools.report.efficiency import efficiency_table
from tools.report.main_table import main_table
from tools.report.run_tables import run_tables

HOSTILE = '=HYPERLINK("x") | \\input{/etc/passwd} & 50 % $a_b^c$ #1 ~ {x} <script>alert(1)</script> [red]\x07\nnext `x`'
FIGURE = Figure(value=0.365, planned=4, attempted=4, scored=4, withheld=False)
THIN = Figure(value=0.9, planned=4, attempted=4, scored=3, withheld=True)


def table(text: str = HOSTILE) -> ReportTable:
    return ReportTable(
        name="main",
        title=text,
        columns=("model", "score", "n"),
        rows=((text, FIGURE, 12_345), (text, THIN, None)),
        spans=(("", 1), ("English", 2)),
        notes=(text,),
    )


def test_latex_is_escaped_and_uses_booktabs() -> None:
    text = as_latex([table()])
    for rule in (
        r"\toprule",
        r"\midrule",
        r"\bottomrule",
        r"\cmidrule(lr){2-3}",
        r"\multicolumn{2}{c}{English}",
    ):
        assert rule in text
    assert r"\input" not in text
    assert r"36.5 \%" in text
    assert "0.9" not in text
    body = text.split(r"\midrule")[1].split(r"\bottomrule")[0]
    rows = [line for line in body.splitlines() if line]
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [2, 2]
    assert not re.search(r"(?<!\\)[$#_%]", body)


def test_latex_escapes_every_special_character() -> None:
    assert latex_escaped(r"\{}") == r"\textbackslash{}\{\}"
    assert latex_escaped("a_b & 5%") == r"a\_b \& 5\%"
    assert latex_escaped("--explain") == "-{}-explain"


def test_every_table_has_a_label_of_its_own() -> None:
    text = as_latex([table(), table(), replace(table(), name="facets"), table()])
    assert re.findall(r"\\label\{(.*?)\}", text) == ["tab:main", "tab:main-2", "tab:facets", "tab:main-3"]


def test_a_wide_table_spans_the_page_and_sets_intervals_below_values() -> None:
    figure = FIGURE.model_copy(update={"interval": Interval(low=0.25, high=0.75)})
    wide = ReportTable("w", "w", ("model", *"abcdefgh"), (("x", *[figure] * 8),))
    text = as_latex([wide])
    assert r"\begin{table*}" in text
    assert text.count(r"36.5 \%\\{}[25.0, 75.0]\end{tabular}") == 8
    assert r"36.5 \% [25.0, 75.0]" in as_latex([ReportTable("n", "n", ("model", "a"), (("x", figure),))])


def test_prose_is_a_list() -> None:
    text = as_latex([explained()])
    assert r"\item[{pass\textasciicircum{}k}] session; mean of C(c, k) / C(n, k)" in text
    assert "tabular" not in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")
def test_latex_compiles(tmp_path: Path) -> None:
    packages = "".join(rf"\usepackage{{{name}}}" for name in ("booktabs", "graphicx"))
    head = rf"\documentclass{{article}}\usepackage[T1]{{fontenc}}{packages}\begin{{document}}"
    (tmp_path / "t.tex").write_text(
        f"{head}\n{as_latex([table(), table(), *real()])}\\end{{document}}\n", "utf-8"
    )
    done = subprocess.run(["pdflatex", "-interaction=batchmode", "t.tex"], cwd=tmp_path, check=False)
    assert done.returncode == 0
    assert "multiply" not in (tmp_path / "t.log").read_text("latin-1")


def real() -> list[ReportTable]:
    runs = [run(), run("vllm/other"), run("offline/gold")]
    return [
        main_table(runs, stacked=False),
        efficiency_table(runs),
        *(table for one in runs for table in run_tables(one)),
        comparison_table(compare(runs[0].results, runs[1].results), runs[0], runs[1]),
        explained(),
    ]


def test_markdown_keeps_its_columns_and_no_html() -> None:
    lines = as_markdown([table()]).splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [4] * 4
    assert rows[0] == "| model | English score | English n |"
    assert rows[1] == "| --- | ---: | ---: |"
    assert "<script" not in "\n".join(lines)
    assert "withheld (coverage 75 %)" in rows[3]


def test_markdown_escapes_what_would_be_read_as_markdown() -> None:
    assert markdown_escaped("a|b_c*d [x](y)\n`z`") == r"a\|b\_c\*d \[x\](y) \`z\`"


def test_the_screen_shows_brackets_as_they_are() -> None:
    out = StringIO()
    Console(file=out, width=400).print(as_rich([table("[red]x[/red]")]))
    assert out.getvalue().count("[red]x[/red]") == 4


def test_a_workbook_holds_text_as_text_and_figures_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    one = run("=1+1")
    write_xlsx(path, [main_table([one], stacked=False), table(), table()], [one])
    book = load_workbook(path)
    assert book.sheetnames == ["main", "main 2", "main 3", "figures"]
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert not [cell for cell in cells if cell.data_type == "f"]
    assert HOSTILE.replace("\x07", " ") in {cell.value for cell in cells}
    head, *rows = book["figures"].iter_rows(values_only=True)
    found = [dict(zip(head, row, strict=True)) for row in rows]
    (mrs,) = [row for row in found if (row["facet"], row["figure"]) == ("all", "mRS")]
    assert mrs["value"] == pytest.approx((0.8375 + 0.5225 + 0.7) / 4)
    assert (mrs["model"], mrs["key"], mrs["grading version"]) == ("=1+1", one.manifest.comparison_key, 2)
    assert (mrs["planned"], mrs["attempted"], mrs["scored"], mrs["withheld"]) == (4, 4, 4, False)
    assert mrs["low"] < mrs["value"] < mrs["high"]
    assert not list(tmp_path.glob("*.partial"))
