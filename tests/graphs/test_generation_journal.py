"""A generation that is killed goes on with what it had finished, and ends with the same bytes."""

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from wards import OpenWorkshop

from graphs.benchmark import GOLD, MANIFEST, PLANS, SESSIONS, read_lines
from graphs.generate import LOG, REPORT, generate
from graphs.generation_journal import UNFINISHED
from state.base import InputError
from state.generation import Attempt

WANTED, SEED = 6, 7
FILES = (SESSIONS, GOLD, PLANS, MANIFEST, LOG, REPORT)
PATIENCE_SECONDS = 300
LINES_BEFORE_THE_KILL = 3


@pytest.fixture(scope="module")
def whole(med_safety: OpenWorkshop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    generate(med_safety(), WANTED, folder)
    return folder


@pytest.fixture(scope="module")
def killed_once(synthetic_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a generation that was killed after some of its candidates."""
    folder = tmp_path_factory.mktemp("killed")
    command = [sys.executable, "-m", "graphs.generate", "--ehr", str(synthetic_warehouse)]
    command += ["--scenarios", "med_safety", "--n", str(WANTED), "--seed", str(SEED), "--out", str(folder)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    journal = folder / UNFINISHED
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until and running.poll() is None:
        if journal.exists() and journal.read_bytes().count(b"\n") >= LINES_BEFORE_THE_KILL:
            break
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert journal.exists(), "the generation ended before it could be killed"
    assert not (folder / SESSIONS).exists()
    return folder


@pytest.fixture
def killed(killed_once: Path, tmp_path: Path) -> Path:
    """Give a copy of the folder of the killed generation."""
    return Path(shutil.copytree(killed_once, tmp_path / "killed"))


def test_a_killed_generation_goes_on_to_the_same_bytes(
    killed: Path, whole: Path, med_safety: OpenWorkshop
) -> None:
    kept = (killed / UNFINISHED).read_bytes()
    (killed / UNFINISHED).write_bytes(kept + b'{"attempt": {"slot"')
    again = med_safety()
    generate(again, WANTED, killed)
    assert len(again.tried) == kept.count(b"\n") - 1
    for name in FILES:
        assert (killed / name).read_bytes() == (whole / name).read_bytes(), name
    assert not (killed / UNFINISHED).exists()


def test_another_command_does_not_take_over_what_was_begun(killed: Path, med_safety: OpenWorkshop) -> None:
    with pytest.raises(InputError, match="another command"):
        generate(med_safety(), WANTED + 1, killed)


def test_overwrite_begins_anew(killed: Path, whole: Path, med_safety: OpenWorkshop) -> None:
    begun = (killed / UNFINISHED).read_bytes()
    (killed / UNFINISHED).write_bytes(begun.replace(b'"seed":7', b'"seed":8', 1))
    again = med_safety()
    generate(again, WANTED, killed, overwrite=True)
    assert again.tried == {}
    assert (killed / SESSIONS).read_bytes() == (whole / SESSIONS).read_bytes()


def test_a_journal_that_cannot_be_read_is_bad_input(killed: Path, med_safety: OpenWorkshop) -> None:
    with (killed / UNFINISHED).open("ab") as journal:
        journal.write(b"{}\n")
    with pytest.raises(InputError, match="cannot be read"):
        generate(med_safety(), WANTED, killed)


def test_a_set_that_is_finished_leaves_no_journal(whole: Path) -> None:
    assert not (whole / UNFINISHED).exists()
    assert len(read_lines(whole / LOG, Attempt)) >= WANTED
