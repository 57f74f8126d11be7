"""The command lines of generation: what they print, and how they end on bad input."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner
from wards import OpenWorkshop

from graphs.benchmark import GOLD, PLANS, SESSIONS
from graphs.generate import app, generate
from state.session import Scenario
from tools.clinical.rules import load_rules

SESSIONS_MADE = 3


@pytest.fixture(scope="module")
def made(med_safety: OpenWorkshop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    generate(med_safety(), SESSIONS_MADE, folder)
    return folder


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    """Give a copy of the set that a test may spoil."""
    return Path(shutil.copytree(made, tmp_path / "set"))


def tampered(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def refused(*arguments: str) -> str:
    """Run a command that must end with exit code 2 and one sentence."""
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.strip().splitlines()
    assert line.startswith("error: ")
    return line


def test_scan_counts_the_matches_of_every_rule(synthetic_warehouse: Path) -> None:
    result = CliRunner().invoke(app, ["scan", "--ehr", str(synthetic_warehouse), "--scenarios", "med_safety"])
    assert result.exit_code == 0, result.output
    assert "matches of 43 rules" in result.output


def test_scan_says_with_what_a_citation_was_compared(synthetic_warehouse: Path) -> None:
    result = CliRunner(env={"COLUMNS": "160"}).invoke(
        app, ["scan", "--ehr", str(synthetic_warehouse), "--scenarios", "diagnostic_workup"]
    )
    cells = {
        cell[2]: cell[5]
        for line in result.output.splitlines()
        if len(cell := [part.strip() for part in line.strip().strip("│").split("│")]) == 6
    }
    for rule in load_rules(Scenario.DIAGNOSTIC_WORKUP):
        checked = rule.citation.checked
        assert cells[rule.id] == (f"{checked.text} {checked.day}" if checked else "no")
    assert len(set(cells.values())) > 1


def test_scan_refuses_what_is_no_warehouse(tmp_path: Path) -> None:
    path = tmp_path / "no.duckdb"
    path.write_text("not a warehouse")
    assert str(path) in refused("scan", "--ehr", str(path))


def test_a_sound_set_holds(made: Path, synthetic_warehouse: Path) -> None:
    result = CliRunner().invoke(app, ["verify", str(made), "--ehr", str(synthetic_warehouse)])
    assert (result.exit_code, result.output.strip()) == (0, "every session holds")


def test_a_tampered_value_is_found(copy: Path, synthetic_warehouse: Path) -> None:
    first = json.loads((copy / GOLD).read_text("utf-8").splitlines()[0])
    value = f'"value":{first["bindings"]["lab"]["value"]}'
    tampered(copy / GOLD, f'{value},"unit"', '"value":777.25,"unit"')
    result = CliRunner().invoke(app, ["verify", str(copy), "--ehr", str(synthetic_warehouse)])
    assert result.exit_code == 1
    assert "the gold on file is not what the record gives" in result.output


def test_a_leak_that_was_written_in_is_found(copy: Path, synthetic_warehouse: Path) -> None:
    first = json.loads((copy / SESSIONS).read_text("utf-8").splitlines()[0])
    lab = json.loads((copy / GOLD).read_text("utf-8").splitlines()[0])["bindings"]["lab"]
    question = first["turns"][1]["wording"]["en"]["implicit"]
    tampered(copy / SESSIONS, question, f"{question} It was {lab['value']}.")
    result = CliRunner().invoke(app, ["verify", str(copy), "--ehr", str(synthetic_warehouse)])
    assert result.exit_code == 1
    assert "implicit states the value" in result.output


def test_a_set_without_a_plan_is_found(copy: Path, synthetic_warehouse: Path) -> None:
    lines = (copy / PLANS).read_text("utf-8").splitlines(keepends=True)
    (copy / PLANS).write_text("".join(lines[1:]), "utf-8")
    result = CliRunner().invoke(app, ["verify", str(copy), "--ehr", str(synthetic_warehouse)])
    assert result.exit_code == 1
    assert "has no plan" in result.output


def test_a_cut_off_file_is_bad_input(copy: Path, synthetic_warehouse: Path) -> None:
    text = (copy / GOLD).read_text("utf-8")
    (copy / GOLD).write_text(text[: len(text) // 2], "utf-8")
    assert str(copy / GOLD) in refused("verify", str(copy), "--ehr", str(synthetic_warehouse))


def test_a_directory_without_a_set_is_bad_input(tmp_path: Path, synthetic_warehouse: Path) -> None:
    assert "does not exist" in refused("verify", str(tmp_path), "--ehr", str(synthetic_warehouse))


def test_a_set_of_another_warehouse_is_bad_input(copy: Path, empty_warehouse: Path) -> None:
    assert "another warehouse" in refused("verify", str(copy), "--ehr", str(empty_warehouse))
