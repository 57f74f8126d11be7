"""The commands that report on runs and compare them, on real runs of programs."""

import asyncio
import html
import json
import re
from functools import cache
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import yaml
from bad_openai import says, serve
from openpyxl import load_workbook
from typer.testing import CliRunner, Result
from wards import OpenWorkshop

from graphs import compare, report
from graphs.benchmark import read_benchmark
from graphs.close_run import close_run, write_report
from graphs.embedded import demo_benchmark
from graphs.evaluate import make_manifest
from graphs.generate import generate
from graphs.read_run import read_run
from graphs.run_folder import RunFolder, read_manifest, resume_line
from graphs.run_sessions import run_sessions
from graphs.ward import Ward
from state.base import Cohort, Language
from state.manifest import RunSettings
from state.metrics import Metrics
from tools.ehr.warehouse import Warehouse
from tools.metrics import summarise_finished
from tools.metrics.published import as_published
from tools.report.main_table import main_table
from tools.report.run_report import Scoring

Closed = Any


@pytest.fixture(scope="module")
def kept(warehouse: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Closed:
    """Give a function that runs sessions of the demo to their end and writes their figures, once for each setting."""

    @cache
    def make(model: str = "offline/baseline", **settings: Any) -> Path:
        asked_for = RunSettings(model=model, **{"limit": 3, **settings})
        ward = Ward.open(warehouse, demo_benchmark(), asked_for)
        folder = RunFolder.create(tmp_path_factory.mktemp("runs"), make_manifest(ward))
        asyncio.run(run_sessions(ward, folder, concurrency=4))
        close_run(ward, folder, read_manifest(folder.path))
        return folder.path

    return make


@pytest.fixture
def closed(kept: Closed, tmp_path: Path) -> Closed:
    """Give a function that copies such a run, for a test to do with as it likes."""

    def copy(model: str = "offline/baseline", **settings: Any) -> Path:
        run = kept(model, **settings)
        number = len(list(tmp_path.glob("copy-*")))
        return Path(copytree(run, tmp_path / f"copy-{number}" / run.name))

    return copy


def asked(app: Any, *arguments: object) -> Result:
    return CliRunner().invoke(app.app, [str(argument) for argument in arguments])


def refused(result: Result, *words: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    for word in words:
        assert word in result.stderr


def test_a_report_of_runs_in_two_languages_and_both_ways_of_asking(closed: Closed) -> None:
    runs = [closed(), closed(language=Language.ZH), closed(explicit=True)]
    result = asked(report, *runs, "--format", "json", "--explain")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert [run["run_id"] for run in found["runs"]] == [path.name for path in runs]
    assert [gap["name"] for gap in found["gaps"]] == ["English against Chinese", "Implicit against explicit"]
    assert [(gap["first"], gap["second"]) for gap in found["gaps"]] == [
        (runs[0].name, runs[1].name),
        (runs[0].name, runs[2].name),
    ]
    stored = [json.loads((path / "metrics.json").read_text()) for path in runs]
    assert [run["metrics"] for run in found["runs"]] == stored
    assert all(run["offline"] for run in found["runs"])


@pytest.mark.parametrize("form", ["table", "md", "latex"])
def test_every_written_format_holds_the_same_tables(closed: Closed, tmp_path: Path, form: str) -> None:
    path, out = closed(), tmp_path / "report.txt"
    assert asked(report, path, "--format", form, "--explain", "--out", out).exit_code == 0
    text = " ".join(out.read_text("utf-8").split())
    key = read_manifest(path).comparison_key
    for words in (
        "Main table",
        "Scores by facet",
        "Conduct",
        "Safety violations per 100 turns",
        "Error taxonomy",
    ):
        assert words in text
    assert text.count(key) >= 7
    assert "What each figure is" in text


def test_a_mark_that_all_runs_share_stands_in_the_title_alone(closed: Closed) -> None:
    """Where they differ, each run's line says under what its figures stand."""
    one, other, explicit = (
        read_run(closed(**said)) for said in ({}, {"model": "offline/empty"}, {"explicit": True})
    )
    alike, unlike = main_table([one, other], stacked=True), main_table([one, explicit], stacked=True)
    assert one.mark == other.mark != explicit.mark
    assert one.mark in alike.title
    assert not any(one.mark in note for note in alike.notes)
    assert sum(run.mark in note for note in unlike.notes for run in (one, explicit)) == 2


def test_a_workbook_needs_a_file(closed: Closed, tmp_path: Path) -> None:
    path, out = closed(), tmp_path / "report.xlsx"
    refused(asked(report, path, "--format", "xlsx"), "--out")
    refused(
        asked(report, path, "--format", "xlsx", "--out", tmp_path / "report.txt"), "name it", "report.xlsx"
    )
    assert asked(report, path, "--format", "xlsx", "--out", out).exit_code == 0
    names = load_workbook(out).sheetnames
    assert names == ["main", "facets", "conduct", "safety", "faults", "effort", "figures"]


def test_the_published_formula_is_labelled_and_caps_nothing(closed: Closed) -> None:
    path = closed()
    ours, published = read_run(path), read_run(path, Scoring.PHYSASSISTBENCH)
    assert published.results == tuple(as_published(ours.results))
    assert published.metrics.overall == summarise_finished(as_published(ours.results)).overall
    result = asked(report, path, "--scoring", "physassistbench", "--format", "md")
    assert "scoring physassistbench" in result.stdout
    assert "An unsafe answer can pass" in result.stdout


def test_figures_from_results_alone_are_those_of_the_run(closed: Closed) -> None:
    path = closed(epochs=2)
    stored = RunFolder(path).read_record("metrics.json", Metrics)
    (path / "metrics.json").unlink()
    assert stored is not None
    assert read_run(path).metrics == stored.model_copy(update={"conduct": None})


@pytest.mark.parametrize("name", ["results.jsonl", "trajectories.jsonl"])
@pytest.mark.parametrize("spoilt", [b'{"session_id": "s', b"\xff\xfe"])
def test_a_broken_line_of_a_run_is_named(closed: Closed, name: str, spoilt: bytes) -> None:
    path = closed()
    first, second, *others = (path / name).read_bytes().split(b"\n")
    assert second
    (path / name).write_bytes(b"\n".join([first, spoilt, *others]))
    said = f"is unfinished: it holds 2 of 3 sessions (line 2 of {name} cut off or spoilt); finish it with"
    refused(asked(report, path), said)


def test_an_unfinished_run_is_refused(closed: Closed) -> None:
    path = closed()
    lines = (path / "results.jsonl").read_text().splitlines(keepends=True)
    (path / "results.jsonl").write_text("".join(lines[:-1]))
    refused(asked(report, path), "unfinished", "2 of 3 sessions", f"--resume {path}")
    refused(asked(compare, path, closed()), "unfinished")


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    refused(asked(report, tmp_path), "is not a run", "manifest.json")
    refused(asked(report, tmp_path / "nowhere"), "is not a run")
    refused(asked(compare, tmp_path, tmp_path), "is not a run")


def test_bad_options_are_refused(closed: Closed, tmp_path: Path) -> None:
    one, other = closed(), closed()
    refused(asked(report, one, one), "twice")
    refused(asked(report, one, other, "--format", "html"), "--out", "page of several runs")
    refused(asked(report, one, "--format", "html", "--explain"), "--explain")
    refused(asked(report, one, "--format", "svg"), "--out", "directory")
    refused(asked(report, one, "--format", "svg", "--out", tmp_path / "nowhere"), "no directory")
    refused(asked(report, one, "--format", "svg", "--out", tmp_path), "nothing to draw")
    refused(asked(compare, one, other, "--format", "svg"), "no plot")
    refused(asked(report, one, "--format", "md", "--out", tmp_path / "no" / "such.md"), "--out")
    refused(asked(compare, one, other, "--format", "html"), "no page")
    refused(asked(compare, one, other, "--across", "colour"), "colour", "language")


def test_the_page_can_be_written_again(
    closed: Closed, tmp_path: Path, cohort_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARDROUND_CACHE", str(cohort_cache))
    path, out = closed(), tmp_path / "again.html"
    result = asked(report, path, "--format", "html", "--out", out)
    assert result.exit_code == 0, result.output
    assert out.read_text("utf-8") == (path / "report.html").read_text("utf-8")


def noticed(path: Path) -> str:
    return " ".join(html.unescape(path.read_text("utf-8")).split())


def test_a_page_without_text_names_the_command_that_writes_it_with_text(
    warehouse: Warehouse, closed: Closed, tmp_path: Path
) -> None:
    """The run is taken for one on real records: nothing but its manifest says which it is."""
    path = closed()
    folder, real = RunFolder(path), read_manifest(path).model_copy(update={"cohort": Cohort.MIMIC_IV})
    ward = Ward.open(warehouse, demo_benchmark(), real.settings)
    metrics = close_run(ward, folder, real)
    command = f"python -m graphs.report {path} --format html --include-phi"
    assert f"<code>{command}</code> writes it with text" in noticed(folder.report)
    out = tmp_path / "a page.html"
    write_report(ward, folder, real, metrics, include_phi=False, path=out)
    assert f"<code>{command} --out '{out}'</code> writes it with text" in noticed(out)
    lines = (path / "results.jsonl").read_text().splitlines(keepends=True)
    (path / "results.jsonl").write_text("".join(lines[:-1]))
    close_run(ward, folder, real)
    assert f"<code>{resume_line(folder)} --include-phi</code> writes it with text" in noticed(folder.report)
    close_run(ward, folder, real, include_phi=True)
    assert "writes it with text" not in noticed(folder.report)


def test_several_runs_have_a_page_of_their_own(closed: Closed, tmp_path: Path) -> None:
    runs, out = [closed("offline/gold"), closed(), closed(language=Language.ZH)], tmp_path / "runs.html"
    result = asked(report, *runs, "--format", "html", "--out", out)
    assert result.exit_code == 0, result.output
    text = out.read_text("utf-8")
    for words in (
        "3 runs",
        "1 offline/gold, en, implicit: a program of the product",
        "English against Chinese",
        "there is nothing to draw",
    ):
        assert words in text
    assert all(path.name in text for path in runs)


def priced(path: Path, url: str) -> str:
    """Write a catalogue with one model that costs a cent a call of the scripted server."""
    source = {"url": url, "read": "2026-01-01", "says": "made up"}
    price = {"input_usd": 0.0, "output_usd": 1000.0, "source": source}
    path.write_text(
        yaml.safe_dump({"providers": {"loopback": {"base_url": url, "models": {"m": {"price": price}}}}})
    )
    return str(path)


def test_a_priced_run_is_drawn_and_one_of_unknown_price_is_listed(closed: Closed, tmp_path: Path) -> None:
    with serve(lambda _: says("4.1")) as server:
        paid = closed("loopback/m", models=priced(tmp_path / "models.yaml", server.url), limit=2)
        unknown = closed("openai-compatible/m", base_url=server.url, limit=2)
    result = asked(report, paid, unknown, "--format", "html", "--out", tmp_path / "runs.html")
    assert result.exit_code == 0, result.output
    text = (tmp_path / "runs.html").read_text("utf-8")
    assert "Not drawn against cost: 2 openai-compatible/m, en, implicit: unknown." in text
    (cost,) = re.findall(r'<desc id="cost-text">(.*?)</desc>', text)
    assert re.fullmatch(r"1 loopback/m, en, implicit: mRS [^;]*, \$0\.0400, on the frontier", cost)
    (latency,) = re.findall(r'<desc id="latency-text">(.*?)</desc>', text)
    assert latency.count("; ") == 1


def test_a_run_of_several_epochs_is_drawn_for_a_paper(closed: Closed, tmp_path: Path) -> None:
    result = asked(report, closed("offline/gold"), closed(epochs=2), "--format", "svg", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert result.stdout == f"written: {tmp_path / 'reliability-2.svg'}\n"
    text = (tmp_path / "reliability-2.svg").read_text("utf-8")
    assert "pass^2 at 0.60" in text
    assert "offline/baseline, en, implicit" in text


def test_two_doctors_are_compared_session_by_session(closed: Closed) -> None:
    gold, baseline = closed("offline/gold"), closed()
    result = asked(compare, gold, baseline, "--format", "json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)["comparison"]
    assert (found["shared"], found["only_first"], found["only_second"]) == (3, 0, 0)
    mrs = next(row for row in found["differences"] if row["figure"] == "mRS")
    one, other = (
        json.loads((path / "metrics.json").read_text())["overall"]["mrs"] for path in (gold, baseline)
    )
    assert mrs["value"] == pytest.approx(one["value"] - other["value"])
    assert mrs["p"] == pytest.approx(2 / 2**3)


def test_runs_whose_keys_differ_are_not_compared_unless_told(closed: Closed) -> None:
    english, chinese = closed(), closed(language=Language.ZH, explicit=True)
    refused(asked(compare, english, chinese), "language, explicit", "--across language --across explicit")
    refused(asked(compare, english, chinese, "--across", "language"), "differ in explicit")
    result = asked(
        compare, english, chinese, "--across", "language", "--across", "explicit", "--format", "md"
    )
    assert result.exit_code == 0, result.output
    assert "offline/baseline, en, implicit less offline/baseline, zh, explicit" in result.stdout


def test_runs_over_other_sessions_are_told_what_each_ran_on(
    closed: Closed, warehouse: Warehouse, med_safety: OpenWorkshop, tmp_path: Path
) -> None:
    """One over the demo's sessions, one over a set of its own."""
    demo, made = closed("offline/gold"), tmp_path / "set"
    generate(med_safety(), 2, made)
    settings = RunSettings(model="offline/gold", ehr=str(warehouse.path), sessions=str(made), limit=1)
    ward = Ward.open(warehouse, read_benchmark(made), settings)
    folder = RunFolder.create(tmp_path / "runs", make_manifest(ward))
    asyncio.run(run_sessions(ward, folder, concurrency=4))
    prints = [read_manifest(path).benchmark[:8] for path in (demo, folder.path)]
    refused(
        asked(compare, demo, folder.path),
        "hold no session in common",
        f"{demo.name} ran on 3 sessions of the demo (set {prints[0]}, synthetic records)",
        f"{folder.path.name} on 1 session of {made} (set {prints[1]}, synthetic records)",
        "run both on one set",
    )
