"""A set whose files are not those its manifest was written with is refused before anything is written or called."""

import json
import shutil
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest
from openpyxl import load_workbook
from typer.testing import CliRunner, Result

from graphs.audited import audit_items
from graphs.benchmark import GOLD, MANIFEST, PATIENTS, PLANS, REVIEWS, SESSIONS, altered, read_benchmark
from graphs.evaluate import app as evaluate
from graphs.generate import generate
from graphs.replay import app as replay
from graphs.report import app as report
from graphs.review import app as review
from graphs.review_rows import COLUMNS
from graphs.review_workbook import TURNS
from graphs.verify import verify
from graphs.workshop import Workshop
from state.base import InputError
from state.session import Scenario
from tools.ehr.warehouse import Warehouse

WANTED = 3
Command = Callable[..., Result]


@pytest.fixture(scope="module")
def made(synthetic_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "set"
    with Warehouse.open(synthetic_warehouse) as warehouse:
        generate(Workshop(warehouse, (Scenario.DISCHARGE_PLANNING,), seed=7), WANTED, folder)
    return folder


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "set"))


@pytest.fixture
def run_of(synthetic_warehouse: Path, tmp_path: Path) -> Command:
    """Give a function that runs the gold doctor on a set, in the test's own directory."""

    def command(folder: Path, *more: str) -> Result:
        asked = [
            "--ehr",
            str(synthetic_warehouse),
            "--sessions",
            str(folder),
            "--model",
            "offline/gold",
            *more,
        ]
        with chdir(tmp_path):
            return CliRunner().invoke(evaluate, asked)

    return command


def spoil(folder: Path, name: str) -> None:
    """Alter a file as little as can be: what it says stays what it was."""
    path = folder / name
    first, *rest = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text(json.dumps(json.loads(first)) + "\n" + "".join(rest), "utf-8")


def refused(done: Result, *words: str) -> None:
    (line,) = done.stderr.strip().splitlines()
    assert done.exit_code == 2
    for word in words:
        assert word in line


@pytest.mark.parametrize("name", [SESSIONS, GOLD, PLANS, PATIENTS])
def test_no_run_is_begun_on_an_altered_file(copy: Path, run_of: Command, name: str) -> None:
    spoil(copy, name)
    refused(run_of(copy), f"{copy / name} is not the file that {copy / MANIFEST} was written with")
    assert not (copy.parent / "runs").exists()


def test_no_run_is_begun_where_a_file_is_gone_or_new(copy: Path, run_of: Command) -> None:
    (copy / REVIEWS).write_text("", "utf-8")
    refused(run_of(copy), f"{copy / REVIEWS} is not the file")
    (copy / REVIEWS).unlink()
    (copy / PLANS).unlink()
    refused(run_of(copy), f"{copy / PLANS} is not the file")


def test_a_sound_set_is_run_without_a_word(copy: Path, run_of: Command) -> None:
    done = run_of(copy)
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_set_without_digests_is_run_with_a_word(copy: Path, run_of: Command) -> None:
    manifest = json.loads((copy / MANIFEST).read_text("utf-8"))
    assert sorted(manifest.pop("files")) == sorted([SESSIONS, GOLD, PLANS, PATIENTS])
    (copy / MANIFEST).write_text(json.dumps(manifest), "utf-8")
    spoil(copy, PLANS)
    assert altered(copy, read_benchmark(copy).manifest) == []
    done = run_of(copy)
    assert done.exit_code == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("note: this set was made by a version that kept no digests of its files")


def test_verify_names_the_file_and_what_is_wrong_with_it(copy: Path, warehouse: Warehouse) -> None:
    assert verify(copy, warehouse) == []
    spoil(copy, GOLD)
    assert verify(copy, warehouse) == [
        f"{copy / GOLD} is not the file that {MANIFEST} was written with",
    ]


@pytest.mark.parametrize("reviewed", [False, True])
def test_a_reviewed_set_is_sealed_anew(
    copy: Path, run_of: Command, warehouse: Warehouse, synthetic_warehouse: Path, *, reviewed: bool
) -> None:
    book, out = copy.parent / "set.xlsx", copy.parent / "out"
    assert CliRunner().invoke(review, ["export", str(copy), "--xlsx", str(book)]).exit_code == 0
    if reviewed:
        sheet = load_workbook(book)
        cell = sheet[TURNS].cell(2, COLUMNS.index("en_rubric") + 1)
        cell.value = cell.value.replace("] States", "] Says")
        sheet[TURNS].cell(2, COLUMNS.index("reviewer") + 1).value = "A. Reader"
        sheet.save(book)
    command = ["import", str(copy), "--xlsx", str(book), "--out", str(out), "--ehr", str(synthetic_warehouse)]
    done = CliRunner().invoke(review, command, env={"COLUMNS": "300"})
    assert done.exit_code == 0
    assert ("1 cell of 1 session corrected, 0 turns signed off" in done.stdout) is reviewed
    assert (REVIEWS in read_benchmark(out).manifest.files) is reviewed
    assert ((out / GOLD).read_bytes() != (copy / GOLD).read_bytes()) is reviewed
    assert verify(out, warehouse) == []
    assert run_of(out).exit_code == 0
    spoil(out, SESSIONS)
    refused(run_of(out), f"{out / SESSIONS} is not the file")


def test_a_set_made_over_a_reviewed_one_keeps_no_review(copy: Path, warehouse: Warehouse) -> None:
    (copy / REVIEWS).write_text("", "utf-8")
    generate(Workshop(warehouse, (Scenario.DISCHARGE_PLANNING,), seed=7), WANTED, copy, overwrite=True)
    assert not (copy / REVIEWS).exists()
    assert read_benchmark(copy).sealed


def test_what_follows_a_run_holds_to_the_set_it_was_run_on(copy: Path, run_of: Command) -> None:
    """A set under the same name may be whole and another: what the run recorded of it tells."""
    assert run_of(copy).exit_code == 0
    (run,) = (copy.parent / "runs").iterdir()
    session = read_benchmark(copy).sessions[0].session_id
    follow: list[Callable[[], Result]] = [
        lambda: CliRunner().invoke(evaluate, ["--resume", str(run)]),
        lambda: CliRunner().invoke(
            evaluate, ["--judge-only", str(run), "--output", str(copy.parent / "again")]
        ),
        lambda: CliRunner().invoke(report, [str(run), "--format", "html"]),
        lambda: CliRunner().invoke(replay, [str(run), session]),
        lambda: CliRunner().invoke(
            replay, [str(run), session, "--turn", "1", "--output", str(copy.parent / "fork")]
        ),
    ]
    spoil(copy, GOLD)
    for done in (command() for command in follow):
        refused(done, f"{copy / GOLD} is not the file")
    with pytest.raises(InputError, match="is not the file"):
        list(audit_items(run))
    manifest = json.loads((copy / MANIFEST).read_text("utf-8"))
    (copy / MANIFEST).write_text(json.dumps(manifest | {"files": {}}), "utf-8")
    for done in (command() for command in follow):
        assert done.exit_code == 2
        assert "benchmark" in done.stderr
        assert "changed" in done.stderr
    assert {path.name for path in copy.parent.iterdir()} == {"set", "runs"}
