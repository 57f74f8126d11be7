"""Files that are made once for all processes of a test run."""

import fcntl
from collections.abc import Callable
from pathlib import Path

from state.knowledge import RuleMatch

FoundInCohort = Callable[..., tuple[RuleMatch, ...]]
"""Gives what the scan of the default synthetic cohort finds for the rules of scenarios."""


class MadeOnce:
    """A folder that the processes share. Its files are read by several tests, and never written to again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(exist_ok=True)

    def get(self, name: str, make: Callable[[Path], object]) -> Path:
        """Give the file of a name, made by ``make`` unless it is there; who asks meanwhile waits for it."""
        out = self._folder / name
        with (self._folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not out.exists():
                beside = self._folder / f"making-{name}"
                beside.unlink(missing_ok=True)
                make(beside)
                beside.chmod(0o444)
                beside.rename(out)
        return out
