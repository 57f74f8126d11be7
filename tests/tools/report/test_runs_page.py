"""The page of several runs, and plots as files: complete, self-contained, and safe whatever a model is called."""

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from browsing import Reader
from many_runs import judging, run_of
from playwright.sync_api import expect

from tools.metrics import compare
from tools.report.comparison_table import comparison_table
from tools.report.run_report import RunReport
from tools.report.runs_page import write_figures, write_runs_page

HOSTILE = "</style></svg><script>window.owned = 1</script>\"'><img src=x onerror='window.owned = 1'>&amp;{{ 7 * 7 }}"
SVG = "{http://www.w3.org/2000/svg}"


def judged(one: RunReport) -> RunReport:
    found = judging((HOSTILE, "glm/y"))
    return replace(one, metrics=one.metrics.model_copy(update={"judging": found}))


@pytest.fixture(scope="module")
def runs() -> list[RunReport]:
    return [
        run_of(f"openai-compatible/{HOSTILE}", 0.7, 0.02, 9.0),
        run_of("openai/good", 0.8, 0.9, 30.0),
        run_of("vllm/local", 0.6, None, 4.0),
        judged(run_of("kimi/k", 0.7, 0.1, 12.0, epochs=3)),
    ]


@pytest.fixture(scope="module")
def written(runs: list[RunReport], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "runs.html"
    gap = comparison_table(compare(runs[0].results, runs[1].results), runs[0], runs[1], "a gap")
    write_runs_page(path, runs, [gap])
    return path


def test_it_holds_every_table_and_plot(written: Path) -> None:
    text = written.read_text("utf-8")
    for words in (
        "Main table",
        "Score beside cost and latency",
        "Not drawn against cost: 3 vllm/local, en, implicit: unknown.",
        "Reliability: 4 kimi/k",
        "Agreement of judges: 4 kimi/k",
        "a gap: ",
        "Judges beside code",
        "mean over sessions of the mean score of their turns",
    ):
        assert words in text
    assert text.count("Scores by facet") == 4
    assert text.count('<svg class="drawing"') == 4


def test_it_loads_nothing_and_runs_nothing(written: Path) -> None:
    text = written.read_text("utf-8")
    assert "script-src" not in text
    assert "default-src 'none'" in text
    assert "<script" not in text
    assert all(place.startswith("#") for place in re.findall(r' (?:src|href)="([^"]*)"', text))
    assert not re.search(r"<[^>]+ style=", text)
    assert len(ids := re.findall(r' id="([^"]+)"', text)) == len(set(ids))


def test_a_browser_shows_names_as_they_are_and_obeys_none(written: Path, reader: Reader) -> None:
    with reader.open(written) as opened:
        expect(opened.locator("h1")).to_have_text("4 runs")
        expect(opened.locator("ol.runs li").first).to_contain_text(HOSTILE)
        assert opened.locator("script, img, iframe").count() == 0
        for name in (
            "Score against cost",
            "Score against latency",
            "Reliability: 4",
            "Agreement of judges: 4",
        ):
            expect(opened.get_by_role("img", name=name)).to_be_visible()
        opened.get_by_role("link", name="Reliability").click()
        expect(opened.locator("#reliability")).to_be_in_viewport()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_screen_never_scrolls_sideways(written: Path, reader: Reader, scheme: str) -> None:
    with reader.open(written, color_scheme=scheme, viewport={"width": 380, "height": 800}) as opened:
        assert opened.evaluate("document.documentElement.scrollWidth") <= 380
        opened.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        assert opened.evaluate("document.documentElement.scrollWidth") <= 380


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("two") / "runs.html"
    alike = [
        run_of("openai/gpt-large-2026-11-01", 0.8, 0.9, 30.0),
        run_of("offline/baseline", 0.4, None, None),
    ]
    write_runs_page(path, alike, [])
    return path


HIDDEN = """[...document.querySelectorAll('.wide')]
    .filter(part => part.scrollWidth > part.clientWidth).map(part => part.getAttribute('aria-labelledby'))"""


@pytest.mark.parametrize("width", [1400, 1920])
def test_a_screen_of_a_desk_shows_tables_whole(two: Path, reader: Reader, width: int) -> None:
    with reader.open(two, viewport={"width": width, "height": 900}) as opened:
        opened.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        assert opened.evaluate(HIDDEN) == []
        row = opened.locator("#main-table + .wide tbody tr").first
        for figure in row.locator("td.n").all():
            assert "\n" not in figure.inner_text().split("%")[0]


def test_a_table_that_is_wider_than_the_screen_shows_that_it_goes_on(two: Path, reader: Reader) -> None:
    with reader.open(two, viewport={"width": 700, "height": 900}) as opened:
        assert "main-table" in opened.evaluate(HIDDEN)
        region = opened.locator("#main-table + .wide")
        key = region.get_by_role("columnheader", name="key")
        expect(key).not_to_be_in_viewport()
        edge = region.bounding_box()
        assert edge is not None
        beneath = {"y": edge["y"] + edge["height"] - 8, "width": 8, "height": 4}  # where no cell is
        ends = [{"x": edge["x"], **beneath}, {"x": edge["x"] + edge["width"] - 8, **beneath}]
        left, right = (opened.screenshot(clip=clip) for clip in ends)
        assert left != right
        region.evaluate("e => e.scrollLeft = e.scrollWidth")
        expect(key).to_be_in_viewport()
        assert [opened.screenshot(clip=clip) for clip in ends] != [left, right]


def test_figures_are_files_that_any_reader_of_svg_takes(runs: list[RunReport], tmp_path: Path) -> None:
    found = write_figures(tmp_path, runs)
    assert [path.name for path in found] == [
        "cost.svg",
        "latency.svg",
        "reliability-4.svg",
        "agreement-4.svg",
    ]
    for path in found:
        root = ElementTree.parse(path).getroot()  # noqa: S314 - made above
        assert root.tag == f"{SVG}svg"
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
            "svg", "title", "desc", "style", "line", "circle", "text"
        }  # fmt: skip
    cost = ElementTree.parse(tmp_path / "cost.svg")  # noqa: S314 - made above
    legend = [text.text or "" for text in cost.iter(f"{SVG}text")]
    assert f"1 openai-compatible/{HOSTILE}" in legend
    assert not [text for text in legend if "vllm/local" in text]
