"""An audit from run to sheet to figures: blind, refused where it must be, and right on labels that are known."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from bad_openai import serve
from judges import TornDoctor, lenient
from openpyxl import load_workbook
from wards import OpenWard

from graphs import judge_audit
from graphs.evaluate import make_manifest
from graphs.run_folder import RunFolder
from graphs.run_sessions import run_sessions
from state.base import Language
from tools.report.label_sheet import COLUMNS

PLEA = '=HYPERLINK("http://127.0.0.1/","see")\x07'


class HostileDoctor(TornDoctor):
    """Write what a spreadsheet would run, and what no XML holds."""

    name: str = "offline/hostile"

    def reply(self, messages: Any) -> Any:
        reply = super().reply(messages)
        return reply if reply.tool_calls else reply.model_copy(update={"content": f"{PLEA} {reply.text}"})


@pytest.fixture
def make_run(open_ward: OpenWard, tmp_path: Path) -> Callable[..., Path]:
    """Give a function that runs three sessions with a lenient judge and returns the folder."""

    def run(language: Language = Language.EN, doctor: type[TornDoctor] = TornDoctor) -> Path:
        with serve(lenient) as server:
            ward = open_ward(
                "offline/gold",
                judge="openai-compatible/one",
                judge_base_url=server.url,
                language=language,
                cross_check=0.5 if language is Language.EN else 0.0,
                limit=3,
            )
            ward.make_doctor = lambda gold: doctor(gold=gold, language=language)
            folder = RunFolder.create(tmp_path / "runs", make_manifest(ward))
            asyncio.run(run_sessions(ward, folder, 4))
        return folder.path

    return run


@pytest.fixture
def run(make_run: Callable[..., Path]) -> Path:
    return make_run()


def rows(path: Path) -> list[dict[str, Any]]:
    sheet = load_workbook(path)["labels"]
    head, *body = list(sheet.iter_rows(values_only=True))
    return [dict(zip(map(str, head), row, strict=True)) for row in body]


def label(path: Path, to: Path, said: Callable[[dict[str, Any]], str | None]) -> Path:
    book = load_workbook(path)
    sheet = book["labels"]
    for number, row in enumerate(rows(path), start=2):
        sheet.cell(number, list(COLUMNS).index("label") + 1).value = said(row)
    book.save(to)
    return to


def refused(capsys: pytest.CaptureFixture[str], words: str, *runs: Path, **options: Any) -> None:
    with pytest.raises(typer.Exit) as end:
        judge_audit.main(list(runs), **options)
    assert end.value.exit_code == 2
    assert words in " ".join(capsys.readouterr().err.split())


def test_the_sheet_is_blind(run: Path, tmp_path: Path) -> None:
    judge_audit.main([run], export=tmp_path / "sheet.xlsx", items=30)
    book = load_workbook(tmp_path / "sheet.xlsx")
    assert book.sheetnames == ["labels", "how to label"]
    found = rows(tmp_path / "sheet.xlsx")
    assert len(found) == 30
    results = (run / "results.jsonl").read_text()
    reasons = {
        v["reason"] for line in results.splitlines() for t in json.loads(line)["turns"] for v in t["verdicts"]
    }
    text = "\n".join(str(cell) for row in found for cell in row.values())
    for secret in ("scripted", "openai-compatible", "t1-conclusion", "decided_by", run.name, *reasons):
        assert secret not in text
    assert all(row["label"] is None for row in found)
    assert all(row["question"] and row["answer"] and row["point"] for row in found)
    assert len({row["id"] for row in found}) == 30


def test_the_sheet_shows_what_the_patient_said(run: Path, tmp_path: Path) -> None:
    judge_audit.main([run], export=tmp_path / "sheet.xlsx", items=9999)
    found = [
        row for row in rows(tmp_path / "sheet.xlsx") if row["point"].startswith(("Reports", "Puts nothing"))
    ]
    said = {
        call["said"]["text"]
        for line in (run / "trajectories.jsonl").read_text().splitlines()
        for turn in json.loads(line)["turns"]
        for step in turn["steps"]
        for call in step["calls"]
        if call.get("said")
    }
    assert found
    assert said
    assert all(any(text in row["said by the patient"] for text in said) for row in found)


def test_the_same_seed_gives_the_same_items(run: Path, tmp_path: Path) -> None:
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        judge_audit.main([run], export=tmp_path / f"{name}.xlsx", items=20, seed=seed)
    a, b, c = ([row["id"] for row in rows(tmp_path / f"{name}.xlsx")] for name in "abc")
    assert a == b != c


def test_text_of_a_model_is_no_formula(make_run: Callable[..., Path], tmp_path: Path) -> None:
    judge_audit.main([make_run(doctor=HostileDoctor)], export=tmp_path / "sheet.xlsx", items=20)
    sheet = load_workbook(tmp_path / "sheet.xlsx")["labels"]
    answers = [row[list(COLUMNS).index("answer")] for row in sheet.iter_rows(min_row=2)]
    assert any(str(cell.value).startswith("=HYPERLINK") for cell in answers)
    assert {cell.data_type for cell in answers} == {"s"}


def test_labels_that_agree_and_that_do_not(
    make_run: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [make_run(), make_run(Language.ZH)]
    judge_audit.main(runs, export=tmp_path / "sheet.xlsx", items=40)
    met = label(tmp_path / "sheet.xlsx", tmp_path / "ann.xlsx", lambda _: "met")
    half = label(
        tmp_path / "sheet.xlsx",
        tmp_path / "bo.xlsx",
        lambda row: "Not Met" if "onclu" in row["point"] or "结论" in row["point"] else " met ",
    )
    capsys.readouterr()
    judge_audit.main(runs, labels=[met])
    said = capsys.readouterr().out
    report = json.loads((runs[0] / "judge_audit.json").read_text())
    final, code, *judges = report["raters"]
    assert report["labelled"] == 40
    assert code["all"]["raw"]["value"] == final["by_language"]["en"]["raw"]["value"] == 1.0
    assert "beside the majority of people" in said
    assert "no judge of these runs is of the examinee's family" in said
    assert [judge["rater"] for judge in judges] == ["openai-compatible/one"]
    judge_audit.main(runs, labels=[met, half], output=tmp_path / "two.json")
    two = json.loads((tmp_path / "two.json").read_text())
    concluded = sum("onclu" in r["point"] or "结论" in r["point"] for r in rows(tmp_path / "sheet.xlsx"))
    assert two["undecided"] == concluded > 0
    assert two["people"]["raw"]["value"] == pytest.approx(1 - concluded / 40)
    assert set(two["people_by_language"]) == {"en", "zh"}
    assert "people among themselves" in capsys.readouterr().out


def test_what_is_not_labelled_is_left_out(run: Path, tmp_path: Path) -> None:
    judge_audit.main([run], export=tmp_path / "sheet.xlsx", items=20)
    first = rows(tmp_path / "sheet.xlsx")[0]["id"]
    one = label(tmp_path / "sheet.xlsx", tmp_path / "ann.xlsx", lambda r: "met" if r["id"] == first else None)
    judge_audit.main([run], labels=[one])
    assert json.loads((run / "judge_audit.json").read_text())["labelled"] == 1


def test_bad_input(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, text = tmp_path / "sheet.xlsx", tmp_path / "text.xlsx"
    judge_audit.main([run], export=sheet, items=5)
    refused(capsys, "give --export FILE", run)
    refused(capsys, "give --export FILE", run, export=tmp_path / "x.xlsx", labels=[sheet])
    refused(capsys, "exists already and may hold labels", run, export=sheet)
    refused(capsys, "a workbook is written, so name it", run, export=tmp_path / "sheet.csv")
    assert not (tmp_path / "sheet.csv").exists()
    refused(capsys, "holds no label", run, labels=[sheet])
    refused(capsys, "does not exist", run, labels=[tmp_path / "none.xlsx"])
    text.write_text("no workbook")
    refused(capsys, "is no xlsx workbook", run, labels=[text])
    maybe = label(sheet, tmp_path / "maybe.xlsx", lambda _: "maybe")
    refused(capsys, "row 2: 'maybe' is no label", run, labels=[maybe])
    good = label(sheet, tmp_path / "good.xlsx", lambda _: "met")
    refused(capsys, "named twice", run, run, labels=[good])
    refused(capsys, "two files are called good", run, labels=[good, good])
    refused(capsys, "is not a run", tmp_path, export=tmp_path / "y.xlsx")
    book = load_workbook(good)
    book["labels"].cell(2, 1).value = "ffffffffffff"
    book.save(tmp_path / "strange.xlsx")
    refused(capsys, "ffffffffffff is no verdict of these runs", run, labels=[tmp_path / "strange.xlsx"])
    book["labels"].cell(2, 1).value = book["labels"].cell(3, 1).value
    book.save(tmp_path / "twice.xlsx")
    refused(capsys, "stands there twice", run, labels=[tmp_path / "twice.xlsx"])
    book["labels"].cell(1, 1).value = "number"
    book.save(tmp_path / "headless.xlsx")
    refused(capsys, "has no column 'id'", run, labels=[tmp_path / "headless.xlsx"])


def test_real_records_leave_only_when_told(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = run / "manifest.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "cohort": "mimic-iv"}))
    refused(capsys, "--include-phi", run, export=tmp_path / "sheet.xlsx")
    assert not (tmp_path / "sheet.xlsx").exists()
    judge_audit.main([run], export=tmp_path / "sheet.xlsx", include_phi=True)
    assert rows(tmp_path / "sheet.xlsx")


def test_a_benchmark_that_changed_is_not_audited(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = run / "manifest.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "benchmark": "0" * 64}))
    refused(capsys, "was run on another benchmark", run, export=tmp_path / "sheet.xlsx")
