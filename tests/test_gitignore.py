"""What the README's commands write into the tree is not committed by chance, and nothing tracked is ignored."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMED = re.compile(r"--(?:out|xlsx|root|export|output) ([a-z][\w./-]*)")
MADE_UNNAMED = "runs"

pytestmark = pytest.mark.skipif(
    shutil.which("git") is None or not (ROOT / ".git").exists(), reason="not a checkout of git"
)


def git(*arguments: str) -> list[str]:
    asked = ["git", "-c", f"safe.directory={ROOT}", *arguments]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


def written() -> list[str]:
    """Give the files and folders that the README's commands make or read, a folder by a file in it."""
    named = {*NAMED.findall((ROOT / "README.md").read_text("utf-8")), MADE_UNNAMED}
    return sorted(
        name if Path(name).suffix in {".duckdb", ".xlsx"} else f"{name.rstrip('/')}/file" for name in named
    )


def test_what_commands_of_the_readme_write_is_ignored() -> None:
    paths = [*written(), "labels.xlsx"]
    assert {"set/file", "set.xlsx", "synth.duckdb", "sessions/file"} <= set(paths)
    assert [path for path in paths if not git("check-ignore", path)] == []


def test_nothing_that_is_tracked_is_ignored() -> None:
    assert git("ls-files", "--cached", "--ignored", "--exclude-standard") == []
