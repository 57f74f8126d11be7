"""Ctrl-C while DuckDB works, under whatever command."""

import signal
import subprocess
import sys

import pytest
import typer

from tools.cli import exits_on_bad_input
from tools.interrupt import ctrl_c_as_itself

LONG = """
import duckdb
from tools.cli import exits_on_bad_input
import typer
app = typer.Typer(pretty_exceptions_enable=False)
@app.command()
@exits_on_bad_input()
def command():
    print("begun", flush=True)
    duckdb.sql("SELECT count(*) FROM range(10000000) a, range(10000000) b").fetchall()
app()
"""


def test_a_query_that_runs_ends_with_130_and_one_line() -> None:
    command = subprocess.Popen(
        [sys.executable, "-c", LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with command:
        assert command.stdout.readline() == "begun\n"
        command.send_signal(signal.SIGINT)
        try:
            _, errors = command.communicate(timeout=60)
        finally:
            command.kill()
    assert (command.returncode, errors) == (130, "interrupted\n")


def test_what_duckdb_says_of_a_ctrl_c_becomes_one() -> None:
    with pytest.raises(KeyboardInterrupt), ctrl_c_as_itself():
        raise RuntimeError("Query interrupted")


def test_other_errors_are_left_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError, match="Query interrupted by a bug"), exits_on_bad_input():
        raise RuntimeError("Query interrupted by a bug")
    with pytest.raises(typer.Exit) as ended, exits_on_bad_input():
        raise KeyboardInterrupt
    assert ended.value.exit_code == 130
    assert capsys.readouterr().err == "interrupted\n"
