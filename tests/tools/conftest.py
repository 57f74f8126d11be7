"""Warehouses with made-up notes, each telling when it was stored."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from made_up_notes import with_notes


@pytest.fixture(scope="session")
def noted_demo(demo_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give the MIMIC-IV demo with made-up notes."""
    out = with_notes(demo_warehouse, tmp_path_factory.mktemp("noted") / "demo.duckdb")
    yield out
    out.unlink()


@pytest.fixture(scope="session")
def noted_synthetic(synthetic_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give the synthetic cohort with made-up notes."""
    out = with_notes(synthetic_warehouse, tmp_path_factory.mktemp("noted") / "synthetic.duckdb")
    yield out
    out.unlink()
