"""The cohort and sessions that come with the product, so that it runs with no data of the user's."""

from importlib.resources import as_file, files
from pathlib import Path

from graphs.benchmark import Benchmark, read_benchmark
from state.base import InputError
from tools.cli import aside
from tools.ehr.synth import synthesise
from tools.ehr.warehouse import Warehouse

PATIENTS, SEED = 220, 7


def demo_benchmark() -> Benchmark:
    """Read the demo sessions of configs/demo."""
    with as_file(files("configs") / "demo") as folder:
        return read_benchmark(folder)


def synthetic_warehouse(cache: Path, fingerprint: str) -> Warehouse:
    """Open the synthetic cohort, made on first use and made again when the cached one is of another version."""
    path = cache / f"synthetic-{PATIENTS}-{SEED}.duckdb"
    if path.exists():
        warehouse = Warehouse.open(path)
        if warehouse.fingerprint == fingerprint:
            return warehouse
        warehouse.close()
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot make {cache} for the synthetic cohort: {error.strerror}; name another directory in WARDROUND_CACHE"
        ) from error
    aside(f"making the synthetic cohort of {PATIENTS} patients in {path}, once; it takes some seconds")
    synthesise(path, patients=PATIENTS, seed=SEED, overwrite=True)
    warehouse = Warehouse.open(path)
    if warehouse.fingerprint != fingerprint:
        raise InputError(
            "the demo sessions in configs/demo were made from another synthetic cohort: remake them with the "
            "command in configs/demo/README.md"
        )
    return warehouse
