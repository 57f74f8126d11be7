"""An option that cannot be taken is one sentence on stderr and exit code 2, in every command line."""

import os
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer
from commands import COMMANDS
from typer.testing import CliRunner

from tools.cli import exits_on_bad_input

LIBRARY_WORDS = ("Input should", "Invalid value", "Usage:", "No such", "Value error", "╭", "argument(s)")


def refusal(module: str, *arguments: str) -> str:
    app = import_module(f"{module}.__main__" if module == "tools.ehr" else module).app
    done = CliRunner().invoke(app, arguments, env={"COLUMNS": "60"}, prog_name=f"python -m {module}")
    assert done.exit_code == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert not any(words in line for words in LIBRARY_WORDS)
    return line.removeprefix("error: ")


@pytest.mark.parametrize("module", COMMANDS)
def test_an_unknown_option_in_any_command(module: str) -> None:
    assert refusal(module, "--xyzzy") == f"there is no option --xyzzy; see python -m {module} --help"


@pytest.mark.parametrize(
    ("module", "arguments", "said"),
    [
        ("graphs.evaluate", ["--limit", "0"], "--limit must be 1 or more, not 0"),
        ("graphs.evaluate", ["--limit", "some"], "--limit must be a whole number, not some"),
        ("graphs.evaluate", ["--limit", "1.5"], "--limit must be a whole number, not 1.5"),
        ("graphs.evaluate", ["--temperature", "2.5"], "--temperature must be 2 or less, not 2.5"),
        ("graphs.evaluate", ["--temperature", "warm"], "--temperature must be a number, not warm"),
        ("graphs.evaluate", ["--language", "fr"], "--language must be one of en, zh, not fr"),
        ("graphs.evaluate", ["--resum", "x"], "there is no option --resum, did you mean --resume?"),
        ("graphs.evaluate", ["--dry-run=3"], "--dry-run takes no value"),
        ("graphs.evaluate", ["--resume"], "--resume needs a value after it"),
        ("graphs.evaluate", ["gold", "set"], "nothing is expected where gold set stands"),
        ("graphs.report", [], "RUNS is missing: run folders"),
        ("graphs.doctor_check", [], "--model is missing: provider/name, or openai-compatible/NAME"),
        ("graphs.review", [], "say what to do: there are export, import"),
        ("graphs.review", ["expor"], "there is no command expor: there are export, import"),
        ("graphs.review", ["export"], "FOLDER is missing: directory of a set"),
        ("graphs.generate", ["verify", "set"], "--ehr is missing: warehouse made by python -m tools.ehr"),
        ("tools.ehr", ["ingest", "--out", "x"], "--root is missing: a directory with hosp/, icu/, ed/"),
        ("tools.ehr", ["call", "f", "t", "{}"], "--as-of is missing: the moment"),
    ],
)
def test_what_is_wrong_is_told_by_the_option_it_is_about(
    module: str, arguments: list[str], said: str
) -> None:
    line = refusal(module, *arguments)
    assert line.startswith(said)
    assert line.endswith("--help")


@pytest.mark.parametrize("module", ["graphs.review", "tools.ehr"])
def test_help_is_no_refusal(module: str) -> None:
    app = import_module(f"{module}.__main__" if module == "tools.ehr" else module).app
    done = CliRunner().invoke(app, ["--help"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Usage" in done.stdout


@pytest.mark.parametrize("module", COMMANDS)
def test_ctrl_c_while_modules_load_ends_with_130_and_one_line(module: str) -> None:
    command = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", module, "--help"],
        env={**os.environ, "COLUMNS": "100"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    with command:
        for line in command.stderr:
            if line.endswith(" typing\n"):
                command.send_signal(signal.SIGINT)
                break
        rest = command.stderr.read()
    assert command.returncode == 130
    assert rest.splitlines()[-1] == "interrupted"
    assert "Traceback" not in rest


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full here")
def test_a_disk_without_room_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended, exits_on_bad_input():
        Path("/dev/full").write_text("figures")
    assert ended.value.exit_code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: No space left on device; ")
    with pytest.raises(FileNotFoundError), exits_on_bad_input():
        Path("/nowhere/at/all").read_text("utf-8")
