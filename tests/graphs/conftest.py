"""A ward on the embedded cohort, and runs on it."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphs.close_run import close_run
from graphs.embedded import demo_benchmark
from graphs.evaluate import make_manifest
from graphs.run_folder import RunFolder
from graphs.run_sessions import run_sessions
from graphs.ward import Ward
from state.metrics import Metrics
from tools.ehr.warehouse import Warehouse


@pytest.fixture(scope="session")
def warehouse(synthetic_warehouse: Path) -> Iterator[Warehouse]:
    """Give the embedded cohort, opened."""
    with Warehouse.open(synthetic_warehouse) as opened:
        yield opened


@pytest.fixture
def open_ward(warehouse: Warehouse) -> Callable[[str], Ward]:
    """Give a function that opens a ward for a doctor."""
    return lambda model: Ward.open(warehouse, demo_benchmark(), model=model, judge="offline/rules")
