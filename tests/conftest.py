"""Real data and real files for every test."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from state.base import Cohort
from tools.ehr.demo import PROJECTS
from tools.ehr.ingest import ingest
from tools.ehr.synth import synthesise
from tools.ehr.writer import WarehouseWriter

# A shell that starts the tests in the background has them ignore Ctrl-C, and what they start would ignore it too.
signal.signal(signal.SIGINT, signal.default_int_handler)

BESIDE_THE_PROJECT = Path(__file__).parents[2] / "shared" / "data" / "mimic-iv-demo"


@pytest.fixture(scope="session")
def beside_the_demo() -> Path:
    """Give the directory that holds the demo's, and other data beside it."""
    return Path(os.environ.get("WARDROUND_MIMIC_DEMO", BESIDE_THE_PROJECT)).parent


@pytest.fixture(scope="session")
def mimic_demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a directory of the open MIMIC-IV demo with ``hosp/``, ``icu/`` and ``ed/``, or skip.

    WARDROUND_MIMIC_DEMO names one, or the directory of ``python -m tools.ehr fetch-demo``, which keeps two downloads.
    """
    root = Path(os.environ.get("WARDROUND_MIMIC_DEMO", BESIDE_THE_PROJECT))
    if (root / "hosp" / "patients.csv.gz").is_file():
        return root
    found = {path.name: path for project in reversed(PROJECTS) for path in (root / project).glob("*")}
    if "hosp" not in found:
        pytest.skip("the MIMIC-IV demo is not here: set WARDROUND_MIMIC_DEMO to its directory")
    together = tmp_path_factory.mktemp("mimic-iv-demo")
    for name, path in found.items():
        (together / name).symlink_to(path.resolve())
    return together


@pytest.fixture(scope="session")
def demo_warehouse(mimic_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a warehouse file holding the whole MIMIC-IV demo, ingested once a test run."""
    out = tmp_path_factory.mktemp("demo") / "demo.duckdb"
    ingest(mimic_demo, out)
    yield out
    out.unlink()


@pytest.fixture(scope="session")
def synthetic_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give the default synthetic cohort: 220 patients, seed 7."""
    out = tmp_path_factory.mktemp("synthetic") / "synthetic.duckdb"
    synthesise(out, patients=220, seed=7)
    yield out
    out.unlink()


@pytest.fixture(scope="session")
def empty_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a warehouse that holds no patient."""
    out = tmp_path_factory.mktemp("empty") / "empty.duckdb"
    with WarehouseWriter(out, Cohort.SYNTHETIC) as writer:
        writer.commit()
    return out
