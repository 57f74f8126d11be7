"""A server in a process of its own, and runs in processes that can be killed."""

import atexit
import importlib
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

SERVER = Path(__file__).parents[1] / "bad_openai.py"
ROOT = Path(__file__).parents[2]
PACKAGES = ("configs", "state", "tools", "agents", "graphs")


@dataclass(frozen=True)
class CountingServer:
    """Where it listens, and the log of every reply it served: request digest, reply id and moment."""

    url: str
    log: Path
    pid: int

    def served(self) -> list[tuple[str, str]]:
        """Give digest and reply id of each reply, in order."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [(line.split()[0], line.split()[1]) for line in lines]

    def counts(self) -> Counter[str]:
        """Count the replies to each request."""
        return Counter(digest for digest, _ in self.served())


@contextmanager
def counting_server(folder: Path, seconds: float = 0.0, **options: Any) -> Iterator[CountingServer]:
    """Run ``bad_openai.py`` as a process; each reply takes ``seconds``."""
    folder.mkdir(parents=True, exist_ok=True)
    port_file, log = folder / "port", folder / "log"
    more = [f"--{name}={value}" for name, value in options.items()]
    process = subprocess.Popen([sys.executable, str(SERVER), str(port_file), str(log), str(seconds), *more])
    try:
        while not port_file.exists():
            assert process.poll() is None, "the server did not start"
            time.sleep(0.01)
        yield CountingServer(f"http://127.0.0.1:{port_file.read_text()}/v1", log, process.pid)
    finally:
        process.kill()
        process.wait()


def _command(module: str, cache: str, log: str, options: dict[str, Any]) -> None:
    """Be ``python -m MODULE`` in a process that has everything imported already."""
    os.environ["WARDROUND_CACHE"] = cache
    with Path(log).open("a") as out:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
    import typer

    try:
        importlib.import_module(module).main(**options)
    except typer.Exit as end:
        sys.exit(end.exit_code)


@cache
def _fork_from_a_copy(preload: tuple[str, ...]) -> None:
    """Start the process all others are forked from, on a copy of the product.

    A tree that changes under a long test would change prompts or demo sessions, and a resume must then refuse.
    """
    copy = Path(tempfile.mkdtemp(prefix="wardround-"))
    atexit.register(shutil.rmtree, copy, ignore_errors=True)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, copy / package)
    multiprocessing.get_context("forkserver").set_forkserver_preload(list(preload))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(copy))
        patch.setenv("PYTHONSAFEPATH", "1")
        forkserver.ensure_running()


class Runner:
    """Starts commands as processes forked from one that has imported the product."""

    def __init__(self, folder: Path, cache: Path) -> None:
        """``cache`` holds the embedded cohort."""
        self.cache, self.log = cache, folder / "output.log"
        folder.mkdir(parents=True, exist_ok=True)
        self._context = multiprocessing.get_context("forkserver")
        _fork_from_a_copy(("graphs.evaluate", "graphs.replay", "agents.live_model"))

    def start(self, module: str = "graphs.evaluate", **options: Any) -> BaseProcess:
        """Start one; it ends like the command line does."""
        asked = (module, str(self.cache), str(self.log), options)
        process = self._context.Process(target=_command, args=asked)
        process.start()
        return process

    def run(self, module: str = "graphs.evaluate", **options: Any) -> int:
        """Run one to its end and return its exit code."""
        process = self.start(module, **options)
        process.join()
        assert process.exitcode is not None
        return process.exitcode

    def output(self) -> str:
        """Give all that was printed so far."""
        return self.log.read_text()
