"""Wards on the embedded cohort, and runs on them."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bad_openai import Server, serve
from endpoints import Evaluate, Script
from once import FoundInCohort
from wards import OpenWard, OpenWorkshop, Run
from worded import WANTED, worded_workshop
from writers import writer

from graphs.embedded import PATIENTS, demo_benchmark
from graphs.embedded import SEED as COHORT_SEED
from graphs.evaluate import make_manifest
from graphs.generate import generate
from graphs.run_folder import RunFolder
from graphs.run_sessions import run_sessions
from graphs.ward import Ward
from graphs.workshop import Workshop
from state.knowledge import RuleMatch
from state.manifest import RunSettings
from state.outcome import SessionResult
from state.session import Scenario
from state.trajectory import SessionRecord
from tools.ehr.warehouse import Warehouse


@pytest.fixture(scope="session")
def warehouse(synthetic_warehouse: Path) -> Iterator[Warehouse]:
    """Give the embedded cohort, opened."""
    with Warehouse.open(synthetic_warehouse) as opened:
        yield opened


@pytest.fixture(scope="session")
def cohort_cache(synthetic_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a directory for WARDROUND_CACHE in which the embedded cohort lies already."""
    cache = tmp_path_factory.mktemp("cache")
    (cache / f"synthetic-{PATIENTS}-{COHORT_SEED}.duckdb").symlink_to(synthetic_warehouse)
    return cache


@pytest.fixture
def open_ward(warehouse: Warehouse) -> OpenWard:
    """Give a function that opens a ward on the demo sessions for a doctor."""
    return lambda model, **settings: Ward.open(
        warehouse, demo_benchmark(), RunSettings(model=model, **settings)
    )


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Give a function that runs a ward's planned sessions in a folder of their own."""

    def run_ward(ward: Ward) -> RunFolder:
        folder = RunFolder.create(tmp_path / "runs", make_manifest(ward))
        asyncio.run(run_sessions(ward, folder, concurrency=8))
        return folder

    return run_ward


@pytest.fixture
def evaluate(open_ward: OpenWard, run: Run) -> Evaluate:
    """Give a function that runs one session against a scripted endpoint."""

    def run_against(script: Script, **settings: Any) -> tuple[SessionResult, SessionRecord, Server]:
        with serve(script) as server:
            ward: Ward = open_ward(
                "openai-compatible/scripted", **{"limit": 1, "base_url": server.url, **settings}
            )
            folder = run(ward)
        (result,), (record,) = folder.results(), folder.records()
        return result, record, server

    return run_against


@pytest.fixture(scope="session")
def matches(found_in_cohort: FoundInCohort) -> tuple[RuleMatch, ...]:
    """Scan once for all sets that a model words."""
    return found_in_cohort(Scenario.MED_SAFETY)


@pytest.fixture(scope="session")
def med_safety(warehouse: Warehouse, matches: tuple[RuleMatch, ...]) -> OpenWorkshop:
    """Give a function that opens a workshop of one scenario, whose scan is done, on the embedded cohort."""
    return lambda: Workshop(warehouse, (Scenario.MED_SAFETY,), COHORT_SEED, found=matches)


@pytest.fixture
def worded(warehouse: Warehouse, matches: tuple[RuleMatch, ...]) -> Callable[..., Workshop]:
    """Give a function that opens a workshop whose questions a served model words: a folder, a server, a plan."""
    return lambda folder, server, **plan: worded_workshop(warehouse, matches, folder, server, **plan)


@pytest.fixture(scope="session")
def written(
    warehouse: Warehouse, matches: tuple[RuleMatch, ...], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Server]:
    """Make a set in the words of the paraphrasing model; its server is gone afterwards."""
    folder = tmp_path_factory.mktemp("written") / "set"
    with serve(writer) as server:
        generate(worded_workshop(warehouse, matches, folder, server), WANTED, folder)
    return folder, server
