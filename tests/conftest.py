"""Real data and real files for every test."""

import gc
import os
import pickle
import shutil
import signal
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from once import FoundInCohort, MadeOnce

from state.base import Cohort
from state.knowledge import RuleMatch
from state.session import Scenario
from tools.clinical.rules import load_rules
from tools.clinical.scan import scan
from tools.ehr.demo import PROJECTS
from tools.ehr.ingest import ingest
from tools.ehr.synth import synthesise
from tools.ehr.warehouse import Warehouse
from tools.ehr.writer import WarehouseWriter
from tools.vocabulary import Vocabulary

# A shell that starts the tests in the background has them ignore Ctrl-C, and what they start would ignore it too.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Where a shell forbids files of bytecode, each process that a test starts would compile everything again, for seconds.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Thousands of small files are written, and waited for until they are on a disk; in memory nothing is waited for.
MEMORY, ROOM_BYTES = Path("/dev/shm"), 8 << 30  # noqa: S108 - pytest makes folders of its own there
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM_BYTES:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

BESIDE_THE_PROJECT = Path(__file__).parents[2] / "shared" / "data" / "mimic-iv-demo"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Keep the thousands of collected tests out of the garbage collector's sight: half the time went into them."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


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
def made_once(tmp_path_factory: pytest.TempPathFactory) -> MadeOnce:
    """Give what makes a file of a name once for all processes of the test run."""
    own = tmp_path_factory.getbasetemp()
    return MadeOnce((own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "made-once")


@pytest.fixture(scope="session")
def demo_warehouse(mimic_demo: Path, made_once: MadeOnce) -> Path:
    """Give a warehouse file holding the whole MIMIC-IV demo, ingested once a test run."""
    return made_once.get("demo.duckdb", lambda out: ingest(mimic_demo, out))


@pytest.fixture(scope="session")
def synthetic_warehouse(made_once: MadeOnce) -> Path:
    """Give the default synthetic cohort: 220 patients, seed 7."""
    return made_once.get("synthetic.duckdb", lambda out: synthesise(out, patients=220, seed=7))


@pytest.fixture(scope="session")
def found_in_cohort(synthetic_warehouse: Path, made_once: MadeOnce) -> FoundInCohort:
    """Give a function that scans the default synthetic cohort for the rules of scenarios, once a test run."""

    def scanned(scenarios: Sequence[Scenario], out: Path) -> None:
        rules = [rule for scenario in scenarios for rule in load_rules(scenario)]
        with Warehouse.open(synthetic_warehouse) as warehouse:
            out.write_bytes(pickle.dumps(tuple(scan(warehouse, rules, Vocabulary.load()))))

    @cache
    def find(*scenarios: Scenario) -> tuple[RuleMatch, ...]:
        path = made_once.get(f"matches-{'-'.join(scenarios)}", lambda out: scanned(scenarios, out))
        found: tuple[RuleMatch, ...] = pickle.loads(path.read_bytes())  # noqa: S301 - written above
        return found

    return find


@pytest.fixture(scope="session")
def empty_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a warehouse that holds no patient."""
    out = tmp_path_factory.mktemp("empty") / "empty.duckdb"
    with WarehouseWriter(out, Cohort.SYNTHETIC) as writer:
        writer.commit()
    return out
